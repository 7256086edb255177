import { language, lookup, t, words } from './language.svelte.ts';

/** A time of this day, to the second; of another day with its date. */
function timeOf(at: number): string {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(language(), { timeStyle: 'medium', ...(today ? {} : { dateStyle: 'short' }) });
}

export const CHAT = words('company.chat', {
  says: (name: string, text: string): string => t('company.chat.says', { name, text }),
  unread: (n: number): string => t('company.chat.unread', { n }),
});
/** What a ready phrase says, by its code. */
export const PHRASE = lookup('company.phrase');
/** Why a line was not taken, by the reason. */
export const CHAT_REFUSED = lookup('company.refused');
export const SLASH = words('company.slash', {
  unknown: (command: string): string => t('company.slash.unknown', { command }),
});
export const LOBBY = words('company.lobby', {
  free: (name: string): string => t('company.lobby.free', { name }),
  playing: (a: string, b: string): string => t('company.lobby.playing', { a, b }),
});
export const START = words('company.home', {
  guest: (n: number): string => t('company.home.guest', { n }),
});
export const AT_TABLE = words('company.table', {
  watching: (n: number): string => t('company.table.watching', { n }),
});
export const DEVICE = words('company.device', {
  pass: (name: string): string => t('company.device.pass', { name }),
  curtain: (name: string): string => t('company.device.curtain', { name }),
  curtainText: (name: string): string => t('company.device.curtainText', { name }),
});
export const DOOR = words('company.door');
export const GROUP = words('company.group', {
  title: (label: string): string => t('company.group.title', { label }),
});
export const HOST = words('company.host', {
  state: (n: number): string => t('company.host.state', { n }),
  waiting: (name: string): string => t('company.host.waiting', { name }),
  waitedGone: (name: string): string => t('company.host.waitedGone', { name }),
  kickSure: (name: string): string => t('company.host.kickSure', { name }),
  banSure: (name: string): string => t('company.host.banSure', { name }),
  /** Without the address where it is not known just now. */
  banAddressSure: (name: string, address: string | null): string =>
    address === null ? t('company.host.banSure', { name }) : t('company.host.banAddressSure', { name, address }),
  waitHint: (): string => t('company.host.waitHint', { seatOdd: t('company.host.seatOdd') }),
  /** What becomes of the odd one of a class. */
  odd: (agent: string | null, wait: number): string =>
    agent === null
      ? t('company.host.oddWaits')
      : wait > 0
        ? t('company.host.oddAfter', { agent, wait })
        : t('company.host.oddBidden', { agent, seatOdd: t('company.host.seatOdd') }),
  begun: (at: number): string => t('company.host.begun', { time: timeOf(at) }),
  last: (at: number): string => t('company.host.last', { time: timeOf(at) }),
  progress: (round: number, turns: number): string => t('company.host.progress', { round, turns }),
});
