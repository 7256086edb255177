import { lines, lookup, t, words } from './language.svelte.ts';

export const NOTICES = words('notices', {
  turn: words('notices.turn'),
  test: words('notices.test'),
  push: words('notices.push'),
});

export const WAYS = lookup('notices.ways');
export const SYSTEM = lookup('notices.system');
export const PUSH = lookup('notices.pushes');
export const WHEN = lookup('notices.when.choices');
export const INSTALL = words('notices.install');
export const installSteps = (): string[] => lines('notices.install.steps');

export const MAIL = words('notices.mail', {
  on: (address: string): string => t('notices.mail.on', { address }),
  pending: (address: string): string => t('notices.mail.pending', { address }),
});

export const CONFIRM = words('notices.confirm');
export const STOP = words('notices.stop');
