import { isWager, rankOf, suitOf, type Card, type Suit } from '../game/cards.ts';

export const SUIT_NAMES: Record<Suit, string> = {
  Y: 'yellow',
  B: 'blue',
  W: 'white',
  G: 'green',
  R: 'red',
  P: 'purple',
};

export const SUIT_LANDS: Record<Suit, string> = {
  Y: 'desert',
  B: 'sea',
  W: 'mountain',
  G: 'jungle',
  R: 'volcano',
  P: 'ruins by night',
};

export function cardName(card: Card): string {
  const suit = SUIT_NAMES[suitOf(card)];
  return isWager(card) ? `${suit} wager` : `${suit} ${rankOf(card)}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number with a real minus sign. */
export const points = (value: number): string => (value < 0 ? `−${-value}` : `${value}`);
