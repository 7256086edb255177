import { lookup, t, words } from './language.svelte.ts';

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
