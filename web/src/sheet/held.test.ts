// Which wager is missing, of a deck whose wagers bear indices.

import { expect, test } from 'vitest';
import { colourName, lacking } from '../words/sheet.ts';
import { findDeck, usualDeck } from './decks.ts';
import { readTyped } from './entry.ts';
import { certain, heldIndices, lacks, NOTHING, toggleIndex, withCards, type Held } from './held.ts';
import { allCards } from './rules.ts';
import { checkDeck } from './scoring.ts';
import { sorted, stepWagers, type Side } from './sides.ts';
import { written } from './typed.ts';

const deck = findDeck('mtttgc3') ?? usualDeck(5);
const typed = (text: string): Held => {
  const { cards, indices } = readTyped(text, deck);
  return { cards: sorted(cards), indices };
};
const said = (held: Held, of = deck): string =>
  lacking(of, lacks(checkDeck(held.cards, of.rules).missing, held, of));
const WHOLE = '2-10 81-83 17-25 76-78 32-40 84-86 47-55 87-89 62-70 90-92';
const all = withCards(NOTHING, allCards(deck.rules), deck);

test('what is typed is written by the rows of the deck', () => {
  const said = (name: string, cards: Side): string[] => written(cards, findDeck(name) ?? deck, [], () => 'red');
  const side: Side = ['Y2', 'B2', 'W3', 'RX', 'R2', 'P4'];
  expect(said('five', side)).toEqual(side);
  expect(said('room', side)).toEqual(['RX', 'R2', 'B2', 'W3', 'Y2', 'P4']);
  expect(said('mtttgc3', side)).toEqual(['red-x', '2', '17', '47', '63', 'P4']);
});

test('the deck check names the wager whose index was not typed', () => {
  expect(said(typed(WHOLE.replace('87-89', '87 89')))).toBe('orange investment (88)');
  expect(said(typed(WHOLE.replace('81-83', '82').replace('62-70', '62-69')))).toBe(
    'purple 10 (70), 2 × red investment (81, 83)',
  );
  expect(said(typed(WHOLE.replace('90-92', '')))).toBe('3 × purple investment (90–92)');
  expect(said(typed(WHOLE))).toBe('');
});

test('where nobody said which wagers are held, some of them are missing', () => {
  expect(said(typed(WHOLE.replace('90-92', 'purple-x purple-x')))).toBe('purple investment (one of 90–92)');
  expect(said(typed(WHOLE.replace('90-92', '91 purple-x')))).toBe('purple investment (one of 90, 92)');
  expect(said(typed(WHOLE.replace('90-92', 'purple-x')))).toBe('purple investment (2 of 90–92)');
});

test('wagers are marked one by one', () => {
  const less = toggleIndex(all, '88', deck);
  expect([said(less), heldIndices(less, 'YX', deck)]).toEqual(['orange investment (88)', ['87', '89']]);
  expect(toggleIndex(less, '88', deck).cards).toEqual(all.cards);
  let one = toggleIndex(NOTHING, '83', deck);
  expect([one.cards, one.indices]).toEqual([['RX'], ['83']]);
  // The counter has counted one that nobody named: it is the one that is marked now.
  one = toggleIndex(withCards(NOTHING, ['RX'], deck), '81', deck);
  expect([one.cards, one.indices]).toEqual([['RX'], ['81']]);
  const none = withCards(one, stepWagers(one.cards, 'R', deck.rules, -1), deck);
  expect([none.cards, none.indices]).toEqual([[], []]);
});

test('a deck without indices says how many of a wager are missing', () => {
  const five = usualDeck(5);
  const held = withCards(NOTHING, allCards(five.rules).filter((card) => card !== 'RX'), five);
  expect(said(held, five)).toBe('3 × red wager');
});

test('the line that says what is held reads back as that', () => {
  const said = (held: Held): string => written(held.cards, deck, certain(held, deck), (suit) => colourName(deck, suit)).join(' ');
  const surplus = withCards(all, sorted([...all.cards, 'R5', 'R5', 'RX']), deck);
  const some = withCards(typed('81 2 5'), sorted([...typed('81 2 5').cards, 'WX', 'WX']), deck);
  for (const held of [NOTHING, all, surplus, some, typed('83 R5 R5')]) {
    const again = typed(said(held));
    expect(again.cards).toEqual(held.cards);
    expect(certain(again, deck)).toEqual(certain(held, deck));
    expect(readTyped(said(held), deck).unread).toEqual([]);
  }
});
