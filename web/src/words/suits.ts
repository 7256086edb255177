import { isWager, rankOf, suitOf, type Card, type Suit } from '../game/cards.ts';
import { t, words } from './language.svelte.ts';

export const SUIT_NAMES: Readonly<Record<Suit, string>> = words('suits.names');
export const SUIT_LANDS: Readonly<Record<Suit, string>> = words('suits.lands');

export function cardName(card: Card): string {
  const suit = SUIT_NAMES[suitOf(card)];
  return isWager(card) ? t('suits.wager', { suit }) : t('suits.number', { suit, rank: rankOf(card) });
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number with a real minus sign. */
export const points = (value: number): string => (value < 0 ? `−${-value}` : `${value}`);
