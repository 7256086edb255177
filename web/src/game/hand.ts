// The other seat's hand as it may be drawn: backs, with known cards face up among them.

import type { SeatView } from '../net/wire.ts';
import { suitOf, type Card, type Suit } from './cards.ts';
import { knownOf } from './display.ts';

/** One entry a card: its face where it is known, else null. Known ones come first. */
export function backs(view: SeatView, seat: number, faces = true): (Card | null)[] {
  const known = faces ? knownOf(view, seat) : [];
  const hidden = Math.max(0, (view.hand_sizes[seat] ?? 0) - known.length);
  return [...known, ...Array<null>(hidden).fill(null)];
}

/**
 * How many lays are left to `seat` if every draw from now on is from the deck. While the table rests, or
 * once the match was ended early, nobody is to move; `starter` then tells whose turn it would be.
 */
export function laysLeft(view: SeatView, seat: number, starter: number | null = null): number {
  const { stall } = view.rules;
  if (stall > 0 && (view.run ?? 0) >= stall) return 0;
  const next = view.to_move ?? (starter === null ? null : (starter + view.ply) % 2);
  if (next === null) return 0;
  return next === seat ? Math.ceil(view.deck / 2) : Math.floor(view.deck / 2);
}

/** Which places of the hand hold cards that the other seat saw being taken. */
export function exposedSlots(hand: readonly Card[], exposed: readonly Card[]): Set<number> {
  const left = [...exposed];
  return new Set(
    hand.flatMap((card, slot) => {
      const at = left.indexOf(card);
      if (at < 0) return [];
      left.splice(at, 1);
      return [slot];
    }),
  );
}

/** The places of a hand in the order in which they are shown: colours as they lie on the table. */
export function slotsShown(hand: readonly Card[], order: readonly Suit[]): number[] {
  const places = hand.map((card) => order.indexOf(suitOf(card)));
  return hand.map((_, slot) => slot).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
}

/** A key a card in the hand, so that equal wagers are told apart and keep their elements. */
export function handKeys(hand: readonly Card[]): string[] {
  const seen = new Map<Card, number>();
  return hand.map((card) => {
    const nth = seen.get(card) ?? 0;
    seen.set(card, nth + 1);
    return `${card}.${nth}`;
  });
}
