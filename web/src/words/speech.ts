import { find, pairs, t, words } from './language.svelte.ts';
import { SUIT_NAMES } from './suits.ts';

export const SPEECH = words('speech', {
  odd: (text: string): string => t('speech.odd', { text }),
  notHeld: (card: string): string => t('speech.notHeld', { card }),
  hand: (cards: string): string => t('speech.hand', { cards }),
  noRows: (name: string): string => t('speech.noRows', { name }),
  scores: (name: string, round: string, match: string): string =>
    t('speech.scores', { name, round, match }),
  keys: (): [string, string][] => pairs('speech.keys'),
});

const KINDS = ['play', 'discard', 'draw', 'deck', 'wager', 'filler'];

/** What each word of the language means for a turn: a kind, a rank, a colour's letter. */
export function lexicon(): Map<string, string> {
  const found = new Map<string, string>();
  const add = (list: string | undefined, meaning: string): void =>
    (list ?? '').split(' ').forEach((word) => word && found.set(word, meaning));
  for (const kind of KINDS) add(find(`speech.words.${kind}`), kind);
  for (let n = 2; n <= 10; n += 1) {
    add(find(`speech.words.n${n}`), `${n}`);
    found.set(`${n}`, `${n}`);
  }
  for (const suit of ['Y', 'B', 'W', 'G', 'R', 'P'] as const) {
    found.set((SUIT_NAMES[suit] ?? '').toLowerCase(), suit);
  }
  return found;
}
