// Cards written as people may type them: what the line says of cards that were tapped.

import { isWager, suitOf, type Card, type Suit } from '../game/cards.ts';
import { indicesOf, isIndexed, type Deck } from './decks.ts';
import type { Side } from './sides.ts';

/**
 * A side as it may be typed: by index where the deck has them, else by code. Of equal wagers only
 * those that were typed by index have one; which the others are nobody has said. No index stands
 * there twice, since only one card has it: what is there too often is written by code.
 */
export function written(
  side: Side,
  deck: Deck,
  chosen: readonly string[],
  named: (suit: Suit) => string,
): string[] {
  if (!isIndexed(deck)) return [...side];
  const left = [...chosen];
  const said = new Set<string>();
  return side.map((card) => {
    const indices = indicesOf(deck, card);
    if (!isWager(card)) {
      const index = said.has(card) ? card : (indices[0] ?? card);
      said.add(card);
      return index;
    }
    const at = left.findIndex((index) => indices.includes(index));
    return at < 0 ? wagerWord(card, named(suitOf(card))) : (left.splice(at, 1)[0] ?? card);
  });
}

/** A wager in the deck's word, since the letters of codes stand on no card with an index. */
const wagerWord = (card: Card, colour: string): string =>
  /^\p{L}+$/u.test(colour) ? `${colour.toLowerCase()}-x` : card;
