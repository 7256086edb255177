import { isWager, rankOf, suitOf, type Card, type Suit } from '../game/cards.ts';
import { worn } from '../skin.svelte.ts';
import { t, words } from './language.svelte.ts';

const PLAIN: Readonly<Record<Suit, string>> = words('suits.names');
const named = (suit: Suit): string => worn()?.name(suit) ?? PLAIN[suit];

/** What the colours are called: in the page's words, or in those of the deck whose skin is worn. */
export const SUIT_NAMES: Readonly<Record<Suit, string>> = {
  get Y() {
    return named('Y');
  },
  get B() {
    return named('B');
  },
  get W() {
    return named('W');
  },
  get G() {
    return named('G');
  },
  get R() {
    return named('R');
  },
  get P() {
    return named('P');
  },
};
export const SUIT_LANDS: Readonly<Record<Suit, string>> = words('suits.lands');

export const wagerAlone = (): string => worn()?.wager() ?? t('suits.wagerAlone');

export function cardName(card: Card): string {
  const skin = worn();
  if (skin !== null) return skin.card(card);
  const suit = SUIT_NAMES[suitOf(card)];
  return isWager(card) ? t('suits.wager', { suit }) : t('suits.number', { suit, rank: rankOf(card) });
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number with a real minus sign. */
export const points = (value: number): string => (value < 0 ? `−${-value}` : `${value}`);
