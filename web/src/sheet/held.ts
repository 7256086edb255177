// The cards that somebody holds while checking a deck. Equal wagers of a deck with indices are told
// apart by these, so that it can be said which one is missing.

import { isWager, type Card } from '../game/cards.ts';
import { byIndex, indicesOf, type Deck } from './decks.ts';
import { fitting, NO_NOTE } from './notes.ts';
import { sorted, type Side } from './sides.ts';

export interface Held {
  readonly cards: Side;
  /** The wagers among them that were named by their index. */
  readonly indices: readonly string[];
}

export const NOTHING: Held = { cards: [], indices: [] };

/** Other cards; wagers that are gone are named no longer. */
export const withCards = ({ indices }: Held, cards: Side, deck: Deck): Held => ({
  cards,
  indices: fitting({ ...NO_NOTE, indices }, cards, deck).indices,
});

const countOf = (held: Held, card: Card): number => held.cards.filter((each) => each === card).length;

/** The indices of a wager that are held for certain: those that were named, and all where all are held. */
export function heldIndices(held: Held, wager: Card, deck: Deck): readonly string[] {
  const all = indicesOf(deck, wager);
  return countOf(held, wager) >= all.length ? all : all.filter((index) => held.indices.includes(index));
}

/** The indices of all wagers that are held for certain. */
export const certain = (held: Held, deck: Deck): string[] =>
  [...new Set(held.cards.filter(isWager))].flatMap((wager) => heldIndices(held, wager, deck));

/** Put the wager with this index to the cards, or take it away. One held already may be this one. */
export function toggleIndex(held: Held, index: string, deck: Deck): Held {
  const wager = byIndex(deck).get(index);
  if (wager === undefined) return held;
  const known = heldIndices(held, wager, deck);
  const there = known.includes(index);
  const now = there ? known.filter((each) => each !== index) : [...known, index];
  const others = held.indices.filter((each) => !indicesOf(deck, wager).includes(each));
  const count = there ? countOf(held, wager) - 1 : Math.max(countOf(held, wager), now.length);
  const rest = held.cards.filter((card) => card !== wager);
  return {
    cards: sorted([...rest, ...Array.from({ length: count }, () => wager)]),
    indices: [...others, ...now],
  };
}

/** What lacks of a face: how many, and which indices these may have. */
export interface Lack {
  card: Card;
  count: number;
  /** As many as are missing, or more, where nobody has said which of them are held. */
  indices: readonly string[];
}

/** Missing cards, equal ones together. */
export const lacks = (missing: readonly Card[], held: Held, deck: Deck): Lack[] =>
  [...new Set(missing)].map((card) => {
    const known = isWager(card) ? heldIndices(held, card, deck) : [];
    return {
      card,
      count: missing.filter((each) => each === card).length,
      indices: indicesOf(deck, card).filter((index) => !known.includes(index)),
    };
  });
