// Commands typed into the chat: /join, /start, /continue, /resign, /leave, /help.

export interface Standing {
  phase: string;
  seated: boolean;
  freeSeat: boolean;
  round: number;
  /** Whether this seat has said already that it goes on. */
  continued: boolean;
  /** Whether /resign was the command before. */
  resigning: boolean;
}

/** What a command does, or (`say`) what the page answers. */
export type Step =
  | { do: 'join' | 'again' | 'leave' | 'resign' }
  | { do: 'continue'; round: number }
  | { do: 'say'; what: Answer };

export type Answer =
  | 'help' | 'unknown' | 'seated' | 'noSeat' | 'began' | 'waits' | 'notBetween' | 'resignSure'
  | 'notPlaying' | 'goesOn' | 'joinFirst'; // prettier-ignore

export const isCommand = (text: string): boolean => text.trimStart().startsWith('/');

export const commandOf = (text: string): string =>
  text.trim().split(/\s+/)[0]?.toLowerCase() ?? '';

const say = (what: Answer): Step => ({ do: 'say', what });

export function step(text: string, at: Standing): Step {
  const going = ['playing', 'between', 'dealing'].includes(at.phase);
  switch (commandOf(text)) {
    case '/join':
      if (at.seated) return say('seated');
      return at.freeSeat ? { do: 'join' } : say('noSeat');
    case '/start':
      if (!at.seated) return say(at.freeSeat ? 'joinFirst' : 'noSeat');
      if (at.phase === 'over') return { do: 'again' };
      return say(at.phase === 'waiting' ? 'waits' : 'began');
    case '/continue':
      if (!at.seated || at.phase !== 'between') return say('notBetween');
      return at.continued ? say('goesOn') : { do: 'continue', round: at.round };
    case '/resign':
      if (!at.seated || !going) return say('notPlaying');
      return at.resigning ? { do: 'resign' } : say('resignSure');
    case '/leave':
      return { do: 'leave' };
    case '/help':
      return say('help');
    default:
      return say('unknown');
  }
}
