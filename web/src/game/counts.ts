// Counting what a view shows: what has gone by, lays left, and what a started row still needs.

import type { SeatView, Terms, Working } from '../net/wire.ts';
import { scoreRow } from '../sheet/rowscore.ts';
import { isWager, rankOf, suitOf, type Card, type Suit } from './cards.ts';

/** What the terms of a table let the page count; without terms, as in a replay, everything. */
export interface Shown {
  deck: boolean;
  lays: boolean;
  gone: boolean;
  known: boolean;
  aids: boolean;
}

export const shownBy = (terms: Terms | undefined): Shown => ({
  deck: terms?.count_deck ?? true,
  lays: terms?.count_lays ?? true,
  gone: terms?.count_gone ?? true,
  known: terms?.count_known ?? true,
  aids: terms?.aids ?? false,
});

/** The cards of a colour that lie open, by place. */
export interface GoneBy {
  near: readonly Card[];
  far: readonly Card[];
  pile: readonly Card[];
}

export const goneBy = (view: SeatView, near: number, suit: Suit): GoneBy => ({
  near: view.expeditions[near]?.[suit] ?? [],
  far: view.expeditions[1 - near]?.[suit] ?? [],
  pile: view.piles[suit] ?? [],
});

/** Lays left to whoever has just laid a card, by where they draw now; then the other is to lay. */
export function laysAfter(view: SeatView): { deck: number; pile: number } {
  const { stall } = view.rules;
  const ends = stall > 0 && (view.run ?? 0) + 1 >= stall;
  return {
    deck: Math.floor(Math.max(0, view.deck - 1) / 2),
    pile: ends ? 0 : Math.floor(view.deck / 2),
  };
}

/** The points that cards must still bring until a row is worth 0. */
export const pointsNeeded = (row: Working): number =>
  row.total >= 0 ? 0 : Math.ceil(-row.total / row.multiplier);

export interface Aid {
  needs: number;
  /** Cards that would fit the row and lie in the other one's. */
  gone: readonly Card[];
  /** Cards that would fit and lie on the pile. */
  piled: readonly Card[];
}

/** What a learner is told of a row; null while it is not opened. */
export function aidFor(view: SeatView, near: number, suit: Suit): Aid | null {
  const lying = goneBy(view, near, suit);
  const last = lying.near.at(-1);
  if (last === undefined) return null;
  const fits = (card: Card): boolean => isWager(last) || (!isWager(card) && number(card) > number(last));
  return {
    needs: pointsNeeded(scoreRow(lying.near, view.rules)),
    gone: lying.far.filter(fits),
    piled: lying.pile.filter(fits).sort((a, b) => number(a) - number(b)),
  };
}

const number = (card: Card): number => (isWager(card) ? 1 : Number(rankOf(card)));

/** Ranks in few signs: `× 2 4–6`. The cards ascend. */
export function runs(cards: readonly Card[]): string {
  const parts: Card[][] = [];
  for (const card of cards) {
    const open = parts.at(-1);
    const before = open?.at(-1);
    if (open !== undefined && before !== undefined && follows(before, card)) open.push(card);
    else parts.push([card]);
  }
  return parts.map(sign).join(' ');
}

const follows = (before: Card, card: Card): boolean =>
  !isWager(before) && suitOf(before) === suitOf(card) && number(card) === number(before) + 1;

function sign(run: readonly Card[]): string {
  const [first = '', last = ''] = [run[0], run.at(-1)].map((card) => short(card ?? ''));
  if (run.length === 1) return first;
  return run.length === 2 ? `${first} ${last}` : `${first}–${last}`;
}

export const short = (card: Card): string => (isWager(card) ? '×' : rankOf(card));
