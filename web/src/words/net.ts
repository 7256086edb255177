export const NO_ANSWER = 'The room does not answer. Is it running, and is this device online?';
export const ODD_ANSWER = (status: number): string =>
  `The room answered in a way this page does not understand (status ${status}).`;

export const LINK = {
  connecting: 'Connecting to the table …',
  lost: 'Connection lost. Your table is safe on the server.',
  retrying: (seconds: number): string =>
    seconds <= 0 ? 'Trying again …' : `Trying again in ${seconds} s.`,
  retryNow: 'Try now',
  back: 'Connected again.',
  waiting: 'What you did will be sent as soon as it is back.',
};

export const STOPPED: Record<string, { title: string; text: string }> = {
  no_table: {
    title: 'There is no such table',
    text: 'It may have been closed before it began, or the link has a letter wrong.',
  },
  not_allowed: {
    title: 'This browser has no seat at this table',
    text: 'If you play on another device, ask that device for a code and enter it on the home page.',
  },
  moved: {
    title: 'Your seat has moved to another device',
    text: 'Go on playing there, or fetch it back with a code from that device.',
  },
  protocol: {
    title: 'The room has been updated',
    text: 'Reload the page to go on; nothing is lost.',
  },
};
export const RELOAD = 'Reload';
