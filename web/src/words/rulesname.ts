import { readRules } from '../game/rulestext.ts';
import { t } from './language.svelte.ts';

/** What most matches have; only what differs is named. */
const USUAL: Record<string, string> = {
  hand: '8', cost: '20', bonus: '20', bonus_at: '8', first: 'random', next: 'alternate',
}; // prettier-ignore

/** Rules in a few words: colours and rounds, then the keys that are unusual, as they are written. */
export function rulesName(written: string): string {
  const { colours, rounds } = readRules(written);
  const named =
    rounds === 'open'
      ? t('history.games.rulesOpen', { colours })
      : t('history.games.rulesShort', { colours, rounds });
  const unusual = written.split(/\s+/).filter((word) => {
    const [key = '', value] = word.split('=');
    return key !== 'colours' && key !== 'rounds' && USUAL[key] !== value;
  });
  return [named, ...unusual].join(' ');
}
