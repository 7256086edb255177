// Changing the cards of one side. A side is a list of cards in canonical order; every function gives
// a new one.

import { byCanon, type Card, type Suit } from '../game/cards.ts';
import { copies, type Rules } from './rules.ts';

export type Side = readonly Card[];

export const sorted = (cards: Side): Card[] => [...cards].sort(byCanon);

export const wagersOf = (side: Side, suit: Suit): number =>
  side.filter((card) => card === `${suit}X`).length;

/** Put a number there, or take it away however often it is there. */
export function setCard(side: Side, card: Card, there: boolean): Side {
  const others = side.filter((each) => each !== card);
  return there ? sorted([...others, card]) : others;
}

export const toggle = (side: Side, card: Card): Side => setCard(side, card, !side.includes(card));

/** Every number from one to another, there or away. */
export function setRun(side: Side, suit: Suit, from: number, to: number, there: boolean): Side {
  let changed = side;
  for (let rank = Math.min(from, to); rank <= Math.max(from, to); rank += 1) {
    changed = setCard(changed, `${suit}${rank}`, there);
  }
  return changed;
}

export function setWagers(side: Side, suit: Suit, count: number): Side {
  const others = side.filter((card) => card !== `${suit}X`);
  return sorted([...others, ...Array.from({ length: count }, () => `${suit}X`)]);
}

/** One wager more, and after the last one none: 0, 1, 2, 3, 0. */
export function stepWagers(side: Side, suit: Suit, rules: Rules, by = 1): Side {
  const kinds = rules.wagers + 1;
  return setWagers(side, suit, (wagersOf(side, suit) + by + kinds) % kinds);
}

/** Without the cards that the rules lack: purple ones after switching back to five colours. */
export const within = (side: Side, rules: Rules): Side =>
  side.filter((card) => copies(card, rules) > 0);

/** A side in few characters: `YX35 RXX2T`; T is the ten. */
export function writeSide(side: Side): string {
  const rows = new Map<string, string>();
  for (const card of sorted(side)) {
    const rank = card.slice(1) === '10' ? 'T' : card.slice(1);
    rows.set(card.charAt(0), (rows.get(card.charAt(0)) ?? card.charAt(0)) + rank);
  }
  return [...rows.values()].join(' ');
}

/** The side that {@link writeSide} wrote; null if the text is not one. */
export function readSide(text: string): Side | null {
  if (text === '') return [];
  const cards: Card[] = [];
  for (const row of text.split(' ')) {
    if (!/^[YBWGRP][X2-9T]{1,24}$/.test(row)) return null;
    for (const rank of row.slice(1)) cards.push(row.charAt(0) + (rank === 'T' ? '10' : rank));
  }
  return sorted(cards);
}

