// Moving cards about in a view, for showing only: what the table looks like between the two beats of
// a turn, and what it looked like before the turn.

import type { SeatView } from '../net/wire.ts';
import { byCanon, suitOf, type Card, type Lay, type Turn } from './cards.ts';

type Rows = Record<string, string[]>;

const without = (cards: readonly Card[], card: Card): Card[] => {
  const at = cards.indexOf(card);
  return at < 0 ? [...cards] : [...cards.slice(0, at), ...cards.slice(at + 1)];
};

const push = (rows: Rows, card: Card): Rows => ({
  ...rows,
  [suitOf(card)]: [...(rows[suitOf(card)] ?? []), card],
});

const pop = (rows: Rows, suit: string): Rows => {
  const left = (rows[suit] ?? []).slice(0, -1);
  const { [suit]: _gone, ...others } = rows;
  return left.length === 0 ? others : { ...others, [suit]: left };
};

export const top = (rows: Rows, suit: string): Card | null => rows[suit]?.at(-1) ?? null;

const at = <T>(pair: readonly T[], seat: number, value: T): T[] =>
  pair.map((old, index) => (index === seat ? value : old));

const sizes = (view: SeatView, seat: number, by: number): number[] =>
  at(view.hand_sizes, seat, (view.hand_sizes[seat] ?? 0) + by);

/** Put a card on its row or pile, leaving hands alone. */
export function placed(view: SeatView, seat: number, lay: Lay): SeatView {
  const card = lay.slice(1);
  if (lay.startsWith('-')) return { ...view, piles: push(view.piles, card) };
  const rows = push(view.expeditions[seat] ?? {}, card);
  return { ...view, expeditions: at(view.expeditions, seat, rows) };
}

/** The view in the middle of a turn of `seat`: the card has left the hand and lies in its place. */
export function afterLay(view: SeatView, seat: number, lay: Lay): SeatView {
  return leftHand(placed(view, seat, lay), seat, lay.slice(1));
}

/** A card of `seat` has left its hand. */
export function leftHand(view: SeatView, seat: number, card: Card): SeatView {
  return withoutFromHand({ ...view, hand_sizes: sizes(view, seat, -1), legal: [] }, seat, card);
}

/** After the draw that ends a turn of `seat`. A face that one may not know is only counted. */
export function afterDraw(view: SeatView, seat: number, turn: Turn): SeatView {
  const drawn = turn.pile === null ? turn.face : top(view.piles, turn.pile);
  const rest =
    turn.pile === null
      ? { ...view, deck: Math.max(0, view.deck - 1) }
      : { ...view, piles: pop(view.piles, turn.pile) };
  const held = { ...rest, hand_sizes: sizes(view, seat, 1) };
  if (drawn === null) return held;
  if (seat === view.seat) return { ...held, hand: [...(view.hand ?? []), drawn].sort(byCanon) };
  return turn.pile === null ? held : withKnown(held, seat, (known) => [...known, drawn].sort(byCanon));
}

function withoutFromHand(view: SeatView, seat: number, card: Card): SeatView {
  if (seat === view.seat) return { ...view, hand: without(view.hand ?? [], card) };
  return withKnown(view, seat, (known) => without(known, card));
}

function withKnown(view: SeatView, seat: number, change: (known: Card[]) => Card[]): SeatView {
  return view.seat === null
    ? { ...view, known: at(view.known, seat, change(knownOf(view, seat))) }
    : { ...view, known: change(view.known as Card[]) };
}

/** Cards that `seat` is known to hold, as a spectator or the other seat knows them. */
export function knownOf(view: SeatView, seat: number): Card[] {
  if (view.seat === null) return [...((view.known[seat] as Card[] | undefined) ?? [])];
  return seat === view.seat ? [...(view.exposed ?? [])] : [...(view.known as Card[])];
}

/** The view before its last turn, played by `seat`; enough to show that turn again. */
export function beforeTurn(view: SeatView, seat: number, turn: Turn): SeatView {
  const drawn = turn.pile === null ? turn.face : takenCard(view, seat, turn.pile);
  return unlaid(undrawn(view, seat, turn, drawn), seat, turn);
}

/** The card that `seat` took from a pile, if the view leaves no doubt. */
function takenCard(view: SeatView, seat: number, pile: string): Card | null {
  const held = knownOf(view, seat).filter((card) => suitOf(card) === pile);
  return held.length === 1 ? (held[0] ?? null) : null;
}

function undrawn(view: SeatView, seat: number, turn: Turn, drawn: Card | null): SeatView {
  const fewer = { ...view, hand_sizes: sizes(view, seat, -1), legal: [] };
  const emptied = drawn === null ? fewer : withoutFromHand(fewer, seat, drawn);
  if (turn.pile === null) return { ...emptied, deck: view.deck + 1 };
  return drawn === null ? emptied : { ...emptied, piles: push(emptied.piles, drawn) };
}

function unlaid(view: SeatView, seat: number, turn: Turn): SeatView {
  const back = { ...view, hand_sizes: sizes(view, seat, 1) };
  const suit = suitOf(turn.card);
  const lifted =
    turn.kind === '-'
      ? { ...back, piles: pop(back.piles, suit) }
      : { ...back, expeditions: at(back.expeditions, seat, pop(back.expeditions[seat] ?? {}, suit)) };
  if (seat !== view.seat) return lifted;
  return { ...lifted, hand: [...(lifted.hand ?? []), turn.card].sort(byCanon) };
}
