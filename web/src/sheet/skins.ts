// Decks as skins of the table; fetched when somebody has chosen one or looks for one.

import { isWager } from '../game/cards.ts';
import type { RulesInForce } from '../net/wire.ts';
import type { Skin } from '../skin.svelte.ts';
import { cardIn, colourName, deckTitle, titleAmong, wagerName } from '../words/sheet.ts';
import { folded } from '../words/plain.ts';
import { inkOn } from './contrast.ts';
import { byIndex, coloursOf, indicesOf, namedDeck, serves, SHIPPED, symbolsOf, type Deck } from './decks.ts';
import { DeviceStore } from './storage.ts';

const everyDeck = (): Deck[] => {
  const own = new DeviceStore(localStorage).decks();
  return [...own, ...SHIPPED.filter((deck) => !own.some((each) => each.name === deck.name))];
};

/** The decks that have the cards of these rules: name and title. */
export function skinsFor(rules: RulesInForce): { name: string; title: string }[] {
  const decks = everyDeck();
  return decks
    .filter((deck) => serves(deck, rules))
    .map((deck) => ({ name: deck.name, title: titleAmong(deck, decks) }));
}

/** Whether the deck that a record names can be worn: its name, or why not. */
export type RecordedCards =
  | { ok: true; name: string }
  | { ok: false; why: 'unknown' | 'unfit'; said: string };

export function recordedCards(said: string, rules: RulesInForce): RecordedCards {
  const deck = namedDeck(said, new DeviceStore(localStorage).decks());
  if (deck === undefined) return { ok: false, why: 'unknown', said };
  if (!serves(deck, rules)) return { ok: false, why: 'unfit', said: deckTitle(deck) };
  return { ok: true, name: deck.name };
}

function saidOf(deck: Deck): Map<string, string> {
  const said = new Map<string, string>();
  for (const each of deck.colours) {
    for (const name of [each.name, colourName(deck, each.letter), ...each.other_names]) {
      said.set(folded(name), each.letter);
    }
  }
  for (const name of [deck.wager.name, wagerName(deck), ...deck.wager.other_names]) {
    said.set(folded(name), 'wager');
  }
  return said;
}

/** The skin of a deck at a table with these rules; null if it lacks their cards. */
export function skinOf(name: string, rules: RulesInForce): Skin | null {
  const deck = everyDeck().find((each) => each.name === name);
  if (deck === undefined || !serves(deck, rules)) return null;
  const colours = coloursOf(deck, rules);
  return {
    order: colours.map((each) => each.letter),
    paints: Object.fromEntries(colours.map((each) => [each.letter, { fill: each.fill, ink: inkOn(each) }])),
    signs: symbolsOf(deck),
    said: saidOf(deck),
    indices: byIndex(deck),
    // Equal wagers are one face at a table: which of them lies there nobody knows.
    index: (card) => (isWager(card) ? '' : (indicesOf(deck, card)[0] ?? '')),
    name: (suit) => colourName(deck, suit),
    card: (card) => cardIn(deck, card),
    wager: () => wagerName(deck),
  };
}
