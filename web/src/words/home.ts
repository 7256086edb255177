import { lookup, t, words } from './language.svelte.ts';

export const HOME = words('home', {
  seats: words('home.seats'),
  make: words('home.make'),
  guide: words('home.guide'),
  language: words('home.language'),
});

export const PRESETS = lookup('home.presets');
export const PHASES = lookup('home.phases');
export const OFFERED = lookup('home.offered');

/** What an agent does, by its name with version. */
export const AGENTS = lookup('home.agents');

export const INVITE = words('home.invite', {
  title: (host: string): string => t('home.invite.title', { host }),
});

export const NOWHERE = words('home.nowhere');
