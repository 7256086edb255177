// The sheet that is open: what a reload shows, what typing lays and what it leaves to be mended.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { colourName, problemText, spokenOf, unreadText } from '../words/sheet.ts';
import { need, speak } from '../words/language.svelte.ts';
import { findDeck, usualDeck, type Deck } from './decks.ts';
import { readDeck, tableOf } from './deckfile.ts';
import { readTyped } from './entry.ts';
import { isFull } from './match.ts';
import { DEFAULTS, PRESETS, writeRules } from './rules.ts';
import { SheetModel } from './model.svelte.ts';
import { DeviceStore } from './storage.ts';

beforeEach(() => localStorage.clear());
afterEach(() => speak('en'));

const opened = (): SheetModel => new SheetModel(new DeviceStore(localStorage));

test('a finished sheet is shown after a reload until a new one is begun', () => {
  const model = opened();
  model.tap(0, 'Y5');
  model.finish();
  const again = opened();
  expect([again.id, again.match.finished, again.totals[0]]).toEqual([model.id, true, -15]);
  again.begin();
  const fresh = opened();
  expect([fresh.match.finished, fresh.match.rounds[0]?.sides]).toEqual([false, [[], []]]);
  expect(fresh.kept.map((each) => each.id)).toEqual([model.id]);
});

test('the deck to come back to is remembered over a reload at six colours', () => {
  const attic = { ...(findDeck('mtttgc3') ?? usualDeck(5)), name: 'attic', title: 'Attic' };
  for (const deck of [findDeck('mtttgc3') ?? usualDeck(5), attic]) {
    localStorage.clear();
    const model = opened();
    model.setDeck(deck);
    model.setRules({ ...model.match.rules, colours: 6 });
    const again = opened();
    expect(again.match.deck.name).toBe('six');
    again.setRules({ ...again.match.rules, colours: 5 });
    expect(again.match.deck).toEqual(deck);
  }
});

test('a half-read line lays what can be read and names every word that cannot', () => {
  const model = opened();
  model.type(0, 'Y5', false);
  model.type(0, 'Y5 Y6 foo bar', true);
  expect(model.sides[0]).toEqual(['Y5', 'Y6']);
  expect(model.unread[0].map((each) => each.word)).toEqual(['foo', 'bar']);
  expect(unreadText(model.unread[0])).toMatch(/foo.*bar/);
});

test('a line with something unread keeps the round open, through other changes and a reload', () => {
  const model = opened();
  model.type(0, 'Y5 foo Y6', false);
  expect([model.brokenRound, model.typed(0)]).toEqual([0, 'Y5 Y6 foo']);
  model.tap(0, 'R9');
  model.tap(1, 'R8');
  expect([model.brokenRound, model.typed(0)]).toEqual([0, 'Y5 Y6 R9 foo']);
  model.next();
  expect([model.unread[0], model.brokenRound]).toEqual([[], 0]);
  model.goTo(0);
  const again = opened();
  expect([again.brokenRound, again.typed(0)]).toEqual([0, 'Y5 Y6 R9 foo']);
  again.type(0, 'Y5 Y6 R9', false);
  expect([again.brokenRound, again.unread[0]]).toEqual([null, []]);
  again.undo();
  expect(again.brokenRound).toBe(0);
});

test('numbers after an unknown word are not laid into the colour before it', () => {
  const reading = readTyped('grey 2 bleu 5', usualDeck(5));
  expect(reading.cards).toEqual([]);
  const known = readTyped('white 2 bleu 5', usualDeck(5));
  expect(known.cards).toEqual(['W2']);
  expect(known.unread.map(({ token, number }) => [token, number])).toEqual([
    ['bleu', 3],
    ['5', 4],
  ]);
});

test('of a run of indices that cannot be, none is laid and none is used up', () => {
  const deck = findDeck('mtttgc3') ?? usualDeck(5);
  const reading = readTyped('9-12 9 81', deck);
  expect(reading.cards).toEqual(readTyped('9 81', deck).cards);
  expect(reading.unread.map((each) => each.token)).toEqual(['9-12']);
  expect(reading.indices).toEqual(['81']);
});

const numbered = (): SheetModel => {
  const model = opened();
  model.setDeck(findDeck('mtttgc3') ?? usualDeck(5));
  return model;
};

test('the same wager index on both sides is refused', () => {
  const model = numbered();
  model.type(0, '81 2', false);
  model.type(1, '81 3', false);
  expect(model.problems.map(({ kind, seats, index }) => [kind, seats, index])).toEqual([
    ['bothSides', [0, 1], '81'],
  ]);
  expect(problemText(model.problems[0]!, model.match.deck)).toMatch(/\(81\) lies on both sides/);
  expect([model.brokenRound, opened().brokenRound]).toEqual([0, 0]);
  model.type(1, '82 3', false);
  expect([model.problems, model.brokenRound]).toEqual([[], null]);
  model.type(1, '82 82 3', false);
  expect(model.unread[1].map((each) => each.fault)).toEqual(['indexTwice']);
});

test('a wager index stays as it was typed', () => {
  const model = numbered();
  model.type(0, '82 2', false);
  expect([model.typed(0), opened().typed(0)]).toEqual(['82 2', '82 2']);
  model.tap(0, 'R2');
  expect(model.typed(0)).toBe('82');
});

test('wagers that were tapped are none in particular', () => {
  const model = numbered();
  model.wagers(0, 'R', 1);
  model.type(1, '81', false);
  expect([model.problems, model.typed(0)]).toEqual([[], 'red-x']);
  // Round the counter: whoever taps the wagers away has named none.
  for (let taps = 0; taps < 4; taps += 1) model.wagers(1, 'R', 1);
  expect([model.sides[1], model.typed(1)]).toEqual([['RX'], 'red-x']);
});

test('another deck forgets the indices of the one before', () => {
  const model = numbered();
  model.type(0, '82 2', false);
  model.setDeck(usualDeck(5));
  expect([model.typed(0), model.match.rounds[0]?.notes]).toEqual(['RX R2', undefined]);
});

test('a German line reads the words that the page shows, and the English ones', async () => {
  await speak('de');
  await need('sheet');
  const deck = usualDeck(5);
  const read = (text: string): string => {
    const { cards, unread } = readTyped(text, deck, spokenOf(deck));
    return [...cards, ...unread.map((each) => each.token)].join(' ');
  };
  expect(read('gelb x 2 5')).toBe('YX Y2 Y5');
  expect(read('rot3-5 Grün Wettkarte 7')).toBe('R3 R4 R5 GX G7');
  expect(read('weiß 2 gruen 3 weiss4')).toBe('W2 G3 W4');
  expect(read('yellow x 2 red3-5 Y7')).toBe('YX Y2 R3 R4 R5 Y7');
  expect(read('gelp 2')).toBe('gelp 2');
});

test('a German line reads the colours of the deck that is worn', async () => {
  await speak('de');
  await need('sheet');
  const model = numbered();
  const { deck } = model.match;
  for (const each of deck.colours) {
    const line = `${colourName(deck, each.letter)}3-4 ${colourName(deck, each.letter)}x`;
    const { cards, unread } = readTyped(line, deck, spokenOf(deck));
    expect([cards, unread]).toEqual([[`${each.letter}3`, `${each.letter}4`, `${each.letter}X`], []]);
  }
  model.wagers(0, 'R', 1);
  const line = model.typed(0, (suit) => colourName(deck, suit));
  expect(line).toBe('rot-x');
  expect(readTyped(line, deck, spokenOf(deck)).cards).toEqual(['RX']);
});

test('a sheet that came back is put in the place of the one here, and that can be taken back', () => {
  const model = opened();
  model.tap(0, 'Y5');
  const mine = model.sheet;
  model.begin();
  const theirs = { ...mine.match, names: ['Ada', 'Grace'] as const };
  model.replace(mine, theirs);
  expect([model.id, model.match.names, model.kept.length]).toEqual([mine.id, ['Ada', 'Grace'], 1]);
  model.undo();
  expect(model.match).toEqual(mine.match);
});

test('a sheet takes the name that it has elsewhere, unless another sheet has it here', () => {
  const model = opened();
  model.tap(0, 'Y5');
  const first = model.id;
  model.begin();
  model.tap(0, 'B9');
  expect(model.rename(model.id, first)).toBe(false);
  expect(model.rename(model.id, 'elsewhere')).toBe(true);
  expect(model.id).toBe('elsewhere');
  model.tap(0, 'B10');
  expect(opened().kept.map((each) => each.id).sort()).toEqual([first, 'elsewhere'].sort());
});

test('what was typed for another deck is read again once that deck is worn', () => {
  const model = opened();
  model.type(0, '62 64 R5 foo', false);
  expect(model.unread[0].map((each) => each.fault)).toEqual(['numberAlone', 'numberAlone', 'unknown']);
  model.setDeck(findDeck('mtttgc3') ?? usualDeck(5));
  expect([model.sides[0], model.unread[0].map((each) => each.token)]).toEqual([['W2', 'W4', 'R5'], ['foo']]);
  expect(unreadText(model.unread[0])).toBe('“foo” is no card of this deck.');
  model.undo();
  expect([model.sides[0], model.unread[0].length]).toEqual([['R5'], 3]);
});

test('what was typed is read again in every round, and a wager by index with it', () => {
  const model = opened();
  model.type(0, '81', false);
  model.next();
  model.type(1, '90', false);
  model.setDeck(findDeck('mtttgc3') ?? usualDeck(5));
  expect([model.match.rounds[0]?.sides[0], model.sides[1]]).toEqual([['RX'], ['WX']]);
  expect([model.typed(1), model.brokenRound]).toEqual(['90', null]);
});

test('an own deck shows the preset that its file names', () => {
  const own = (rules: string, from: number): Deck => {
    const reading = readDeck({ ...tableOf(usualDeck(from)), name: 'attic', rules }, true);
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    return reading.deck;
  };
  const model = opened();
  for (const [rules, from] of [['long', 6], ['tutorial', 5], ['site', 5]] as const) {
    model.setDeck(own(rules, from));
    expect(model.match.source).toBe(rules);
    // It says so beyond being kept, too.
    expect(readDeck(tableOf(model.match.deck))).toMatchObject({ deck: { preset: rules } });
  }
  // Written out, any preset of the same rules will do, and the one chosen before stays.
  model.setDeck(own(writeRules(PRESETS.long ?? DEFAULTS), 6));
  expect(model.match.source).toBe('long');
  model.setPreset('tutorial', PRESETS.tutorial ?? DEFAULTS);
  model.setDeck(own(writeRules(PRESETS.tutorial ?? DEFAULTS), 5));
  expect(model.match.source).toBe('tutorial');
});

test('a six-colour match keeps its sixth colour when another text is chosen', () => {
  const model = opened();
  model.setRules({ ...model.match.rules, colours: 6 });
  model.tap(0, 'P5');
  for (const name of ['site', 'travel', 'blog']) {
    model.setPreset(name, PRESETS[name] ?? DEFAULTS);
    expect([model.match.rules.colours, model.sides[0], model.match.source]).toEqual([6, ['P5'], name]);
  }
});

test('an empty sheet is not finished', () => {
  const model = opened();
  model.finish();
  expect([model.match.finished, model.kept]).toEqual([false, []]);
  model.tap(0, 'Y5');
  model.finish();
  expect(model.match.finished).toBe(true);
});

test('a match ends at the round that a link can hold, and a longer one is not lost', () => {
  const store = new DeviceStore(localStorage);
  const start = opened().match;
  const longer = (count: number): SheetModel => {
    const rounds = Array.from({ length: count }, () => ({ sides: [['Y5'], []] as const }));
    store.keep({ id: 'long00', changed: 1, match: { ...start, rules: { ...start.rules, rounds: 'open' }, rounds, at: count - 1 } });
    store.open('long00');
    return opened();
  };
  const model = longer(98);
  model.next();
  expect([model.match.rounds.length, isFull(model.match)]).toEqual([99, true]);
  model.next();
  expect(model.match.rounds.length).toBe(99);
  expect(longer(120).match.rounds.length).toBe(120);
});

test('the word that is printed for a wager is typed in German too', async () => {
  await speak('de');
  await need('sheet');
  const deck = usualDeck(5);
  expect(readTyped('gelbwette rotWettkarte', deck, spokenOf(deck))).toMatchObject({ cards: ['YX', 'RX'], unread: [] });
});
