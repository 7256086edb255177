// Cards written as people may type them: what the line says of cards that were tapped.

import { isWager, suitOf, type Card, type Suit } from '../game/cards.ts';
import { indicesOf, isIndexed, type Deck } from './decks.ts';
import type { Side } from './sides.ts';

/**
 * A side as it may be typed: by index where the deck has them, else by code. Of equal wagers only
 * those that were typed by index have one; which the others are nobody has said. No index stands
 * there twice, since only one card has it: what is there too often is written by code. Rows come as
 * they lie on the deck's table.
 */
export function written(
  side: Side,
  deck: Deck,
  chosen: readonly string[],
  named: (suit: Suit) => string,
): string[] {
  const lying = inRows(side, deck);
  if (!isIndexed(deck)) return lying;
  const left = [...chosen];
  const said = new Set<string>();
  return lying.map((card) => {
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

/** Cards by the rows of a deck; those of a colour that it lacks come last. */
function inRows(side: Side, deck: Deck): Card[] {
  const rows = deck.colours.map((each) => each.letter);
  const row = (card: Card): number => (rows.includes(suitOf(card)) ? rows.indexOf(suitOf(card)) : rows.length);
  return [...side].sort((one, two) => row(one) - row(two));
}

/** A wager in the deck's word, since the letters of codes stand on no card with an index. */
const wagerWord = (card: Card, colour: string): string =>
  /^\p{L}+$/u.test(colour) ? `${colour.toLowerCase()}-x` : card;
