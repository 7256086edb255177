// A deck that came along with a sheet: whether it is among people's own, and if not, whether it can be.

import { SHIPPED, type Deck } from './decks.ts';
import { readDeck, tableOf, type DeckFault } from './deckfile.ts';

export type Place =
  /** It comes with the program, or is among the own decks. */
  | { kind: 'here' }
  | { kind: 'free' }
  /** Another own deck has its name. */
  | { kind: 'taken' }
  | { kind: 'barred'; faults: DeckFault[] };

/** Whether two decks are printed alike, name and all. */
export const isSameDeck = (one: Deck, two: Deck): boolean =>
  one === two || told(one) === told(two);

/** A deck as text; whether its rules were named or written out makes none another one. */
const told = ({ preset: _, ...deck }: Deck): string => JSON.stringify(tableOf(deck));

export function placeOf(deck: Deck, own: readonly Deck[]): Place {
  const namesake = own.find((each) => each.name === deck.name);
  if (SHIPPED.includes(deck) || (namesake !== undefined && isSameDeck(namesake, deck))) return { kind: 'here' };
  const reading = readDeck(tableOf(deck), true);
  if (!reading.ok) return { kind: 'barred', faults: reading.faults };
  return { kind: namesake === undefined ? 'free' : 'taken' };
}
