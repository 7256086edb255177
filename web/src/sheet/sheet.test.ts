// What the sheet reckons without a network is what the core reckons.

import { expect, test } from 'vitest';
import cases from './cases.json';
import { contrast, inkOn, LEAST } from './contrast.ts';
import { findDeck, SHIPPED, usualDeck } from './decks.ts';
import { parseTyped } from './entry.ts';
import {
  finish,
  goTo,
  newMatch,
  nextRound,
  setDeck,
  setFirst,
  setPreset,
  setRules,
  setSide,
  setStart,
  starter,
  startMissed,
  sums, totals,
  type Match,
} from './match.ts';
import { dueFor, allCards, DEFAULTS, deckSize, parseRules, PRESETS, suitsOf, type Both, type Rules, type Seat } from './rules.ts';
import { checkDeck, deckLeft, findProblems, isCount, rowOf, scoreSide } from './scoring.ts';
import { readSide, setRun, stepWagers, toggle, writeSide } from './sides.ts';

const rulesOf = (text: string): Rules => {
  const rules = parseRules(text, DEFAULTS);
  if ('wrong' in rules) throw new Error(`${text}: ${rules.wrong}`);
  return rules;
};

test.each(cases.sheets)('the sheet $cards', (each) => {
  const rules = rulesOf(each.rules);
  each.cards.forEach((side, seat) => {
    const score = scoreSide(side, rules);
    expect(score.total).toBe(each.totals[seat]);
    expect(suitsOf(rules).map((suit) => score.rows[suit])).toEqual(each.scores[seat]);
    expect(suitsOf(rules).map((suit) => rowOf(side, suit, rules))).toEqual(each.rows[seat]);
  });
  const problems = findProblems(each.cards as unknown as Both<string[]>, rules);
  expect(problems.map(({ card, seats }) => ({ card, seats: [...seats] }))).toEqual(each.problems);
});

test.each(cases.typed)('typed with $deck: $text', ({ deck, text, cards }) => {
  const found = findDeck(deck);
  if (found === undefined) throw new Error(deck);
  const entry = parseTyped(text, found);
  expect(entry.ok ? entry.cards : null).toEqual(cards);
});

test.each(cases.starters)('who starts: $rules.next $rounds', (each) => {
  const rules = each.rules as Rules;
  const match = {
    ...newMatch(['Ada', 'Grace'], rules, usualDeck(5)),
    first: (each.rounds[0]?.start ?? null) as Seat | null,
    rounds: each.rounds.map(() => ({ sides: [[], []] as const })),
  };
  // The cases give points, not cards: rows that are worth them are found by search.
  const rounds = each.rounds.map(({ score }) => ({
    sides: [worth(score[0] ?? 0), worth(score[1] ?? 0)] as const,
  }));
  const played = { ...match, rounds };
  expect(sums(played)).toEqual(each.totals);
  expect(starter(played, rounds.length).seat).toBe(each.starter);
});

const BLOG = { ...DEFAULTS, next: 'leader' };
const afterOne = (): Match =>
  nextRound(setSide(setSide(setFirst(newMatch(['', ''], BLOG, usualDeck(5)), 0), 0, ['Y9', 'Y10', 'Y8']), 1, ['R2']));

test('a correction leaves who started a round that is written into, and says who would have', () => {
  const second = setSide(afterOne(), 1, ['B5']);
  expect(starter(second, 1)).toEqual({ seat: 0, why: 'leader' });
  const corrected = setSide(goTo(second, 0), 0, ['Y2']);
  const wagered = setSide(corrected, 1, ['R10', 'R9', 'R8']);
  expect(sums(wagered, 1)).toEqual([-18, 7]);
  expect([starter(wagered, 1), startMissed(wagered, 1)]).toEqual([{ seat: 0, why: 'played' }, 1]);
  // Whoever says otherwise is believed, and what is due needs no saying.
  const said = setStart(wagered, 1, 1);
  expect([starter(said, 1), startMissed(said, 1)]).toEqual([{ seat: 1, why: 'leader' }, null]);
});

test('a correction does change who starts a round that nobody has written into', () => {
  const corrected = setSide(setSide(goTo(afterOne(), 0), 0, ['Y2']), 1, ['R10', 'R9', 'R8']);
  expect([starter(corrected, 1), startMissed(corrected, 1)]).toEqual([{ seat: 1, why: 'leader' }, null]);
  // Cards that were laid there and taken back have started nothing.
  const emptied = setSide(setSide(afterOne(), 1, ['B5']), 1, []);
  const again = setSide(setSide(goTo(emptied, 0), 0, ['Y2']), 1, ['R10', 'R9', 'R8']);
  expect(starter(again, 1)).toEqual({ seat: 1, why: 'leader' });
});

test('a round after one that another has started alternates from that one', () => {
  const rules = { ...DEFAULTS, next: 'alternate' };
  const match = setSide(nextRound(setSide(setFirst(newMatch(['', ''], rules, usualDeck(5)), 0), 0, ['Y5'])), 0, ['Y6']);
  const other = nextRound(setStart(match, 1, 0));
  expect([starter(other, 1), starter(other, 2)]).toEqual([
    { seat: 0, why: 'played' },
    { seat: 1, why: 'alternate' },
  ]);
});

/** Cards that are worth so many points. */
function worth(points: number): string[] {
  const rows = [...rowsWorth()];
  const one = rows.find(([total]) => total === points);
  if (one !== undefined) return one[1];
  for (const [total, row] of rows) {
    const rest = rows.find(([more]) => total + more === points);
    if (rest !== undefined) return [...row, ...rest[1].map((card) => card.replace('Y', 'B'))];
  }
  throw new Error(`no two rows are worth ${points}`);
}

function* rowsWorth(): Generator<[number, string[]]> {
  yield [0, []];
  for (let bits = 1; bits < 512; bits += 1) {
    const numbers = Array.from({ length: 9 }, (_, at) => at + 2).filter((n) => bits & (1 << (n - 2)));
    for (let wagers = 0; wagers <= 3; wagers += 1) {
      const row = [...Array.from({ length: wagers }, () => 'YX'), ...numbers.map((n) => `Y${n}`)];
      yield [scoreSide(row, DEFAULTS).total, row];
    }
  }
}

test.each(cases.left)('the deck holds $deck with $lying lying', ({ rules, lying, laid, deck }) => {
  expect(deckLeft(rulesOf(rules), lying, laid)).toBe(deck);
});

test.each(cases.inks)('the ink $ink on $fill', ({ ink, fill, shown }) => {
  expect(inkOn({ ink, fill })).toBe(shown);
  expect(contrast(shown, fill)).toBeGreaterThanOrEqual(ink === shown ? LEAST : 4);
});

test('the cards of shipped decks are shown in their own ink', () => {
  for (const deck of SHIPPED) for (const each of deck.colours) expect(inkOn(each)).toBe(each.ink);
});

test('so many cards cannot lie there', () => {
  expect(deckLeft(DEFAULTS, 45, false)).toBeNull();
  expect(deckLeft(DEFAULTS, 0, true)).toBeNull();
  expect(deckLeft(DEFAULTS, -1, false)).toBeNull();
  expect(deckLeft(DEFAULTS, 2.5, false)).toBeNull();
  expect([-3, 2.5, Number.NaN, 0, 12].map(isCount)).toEqual([false, false, false, true, true]);
});

test('the deck check tells what is missing and what there is too much of', () => {
  const found = checkDeck(cases.check.cards, DEFAULTS);
  expect(found.missing).toEqual(cases.check.missing);
  expect(found.surplus).toEqual(cases.check.surplus);
  expect(checkDeck(allCards(DEFAULTS), DEFAULTS)).toEqual({ held: 60, missing: [], surplus: [] });
});

test.each(SHIPPED.map((deck) => [deck.name, deck] as const))('the deck %s reads its own words', (_, deck) => {
  for (const colour of deck.colours) {
    for (const word of [deck.wager.name, ...deck.wager.other_names, 'x']) {
      const entry = parseTyped(`${colour.name}${word} ${colour.letter}10`, deck);
      expect(entry).toEqual({ ok: true, cards: [`${colour.letter}X`, `${colour.letter}10`] });
    }
  }
});

test('what cannot be read names the word, its number and the reason', () => {
  const deck = findDeck('mtttgc3');
  if (deck === undefined) throw new Error('mtttgc3');
  expect(parseTyped('64 11', deck)).toEqual({ ok: false, fault: 'inBox', word: '11', number: 2 });
  expect(parseTyped('64 64', deck)).toEqual({ ok: false, fault: 'indexTwice', word: '64', number: 2 });
  expect(parseTyped('P5', deck)).toMatchObject({ fault: 'notInDeck' });
  expect(parseTyped('R6-R3', usualDeck(5))).toMatchObject({ fault: 'downward' });
  expect(parseTyped('R6-B7', usualDeck(5))).toMatchObject({ fault: 'otherColour' });
  expect(parseTyped('RX-5', usualDeck(5))).toMatchObject({ fault: 'wagerSweep' });
  expect(parseTyped('7', usualDeck(5))).toMatchObject({ fault: 'numberAlone' });
});

test('rules are read as on the command line', () => {
  expect(parseRules('blog rounds=5', DEFAULTS)).toEqual({ ...PRESETS.blog, rounds: 5 });
  expect(parseRules('chess', DEFAULTS)).toEqual({ wrong: 'chess' });
  expect(parseRules('colours=7', DEFAULTS)).toEqual({ wrong: 'colours' });
  expect(parseRules('hand=8 hand=7', DEFAULTS)).toEqual({ wrong: 'hand=7' });
  expect(parseRules('colours=1', DEFAULTS)).toEqual({ wrong: 'hand' });
  const due = (text: string): string => {
    const rules = parseRules(text, DEFAULTS);
    return 'wrong' in rules ? dueFor(rules.wrong) : '';
  };
  expect(['hand=30', 'bonus=-5', 'rounds=0', 'next=me', 'hand=8 hand=7', 'own_discard=x'].map(due)).toEqual(
    ['1–12', '0–99', '1–99, open', 'alternate, leader, winner', '1–12', 'yes, no'],
  );
  expect([due('chess'), due('toString=5')]).toEqual([Object.keys(PRESETS).join(', '), Object.keys(DEFAULTS).join(', ')]);
  for (const rules of Object.values(PRESETS)) expect(deckSize(rules)).toBe(allCards(rules).length);
});

test('changing a side', () => {
  expect(toggle([], 'R5')).toEqual(['R5']);
  expect(toggle(['R5', 'R5'], 'R5')).toEqual([]);
  expect(setRun(['Y2'], 'R', 8, 6, true)).toEqual(['Y2', 'R6', 'R7', 'R8']);
  expect(setRun(['R5', 'R6', 'R7'], 'R', 6, 10, false)).toEqual(['R5']);
  let side: readonly string[] = ['Y2'];
  const counts = [0, 0, 0, 0].map(() => (side = stepWagers(side, 'R', DEFAULTS)).length - 1);
  expect(counts).toEqual([1, 2, 3, 0]);
  expect(stepWagers([], 'R', DEFAULTS, -1)).toHaveLength(3);
});

test('a side is written in few characters and read back', () => {
  for (const { cards } of cases.sheets) {
    for (const side of cards) {
      const text = writeSide(side);
      expect(writeSide(readSide(text) ?? [])).toBe(text);
      expect(readSide(text)).toHaveLength(side.length);
    }
  }
  expect(readSide('RA')).toBeNull();
  expect(readSide('R5  R6')).toBeNull();
});

test('going back to five colours takes purple out of every round', () => {
  const six = newMatch(['', ''], PRESETS.long ?? DEFAULTS, usualDeck(6));
  const round = setSide(nextRound(setSide(six, 0, ['R5', 'P5'])), 1, ['PX']);
  const five = setRules(round, { ...round.rules, colours: 5 });
  expect(five.deck.name).toBe('five');
  expect(five.rounds.map((each) => each.sides)).toEqual([
    [['R5'], []],
    [[], []],
  ]);
  expect(totals(five)).toEqual([-15, 0]);
});

test('back to five colours is back to the deck that was worn', () => {
  const deck = findDeck('mtttgc3') ?? usualDeck(5);
  const worn = setDeck(newMatch(['', ''], DEFAULTS, usualDeck(5)), deck);
  const six = setRules(worn, { ...worn.rules, colours: 6 });
  expect(six.deck.name).toBe('six');
  const five = setRules(six, { ...six.rules, colours: 5 });
  expect(five.deck.name).toBe('mtttgc3');
  expect(setRules(five, { ...five.rules, colours: 6 }).deck.name).toBe('six');
});

test('a text is credited for as long as its rules are kept', () => {
  const blog = newMatch(['', ''], PRESETS.blog ?? DEFAULTS, usualDeck(5), 'blog');
  expect(setRules(blog, { ...blog.rules, colours: 6 }).source).toBe('blog');
  expect(setRules(blog, { ...blog.rules, rounds: 5 }).source).toBeNull();
  expect(setRules(blog, { ...blog.rules, next: 'alternate' }).source).toBeNull();
  // Two texts may make the same rules: which one was chosen is remembered.
  const site = setRules(blog, PRESETS.site ?? DEFAULTS, 'site');
  expect(setRules(site, { ...site.rules, rounds: 7 }).source).toBe('site');
});

test('a deck brings its text to an empty sheet, and a text its deck', () => {
  const blank = newMatch(['', ''], PRESETS.room ?? DEFAULTS, usualDeck(5), 'room');
  const index = findDeck('mtttgc3') ?? usualDeck(5);
  const travel = setDeck(blank, index);
  expect([travel.source, travel.rules.rounds, travel.rules.next]).toEqual(['travel', 'open', 'leader']);
  const chosen = setPreset(blank, 'travel', PRESETS.travel ?? DEFAULTS);
  expect([chosen.deck.name, chosen.source, chosen.rules.rounds]).toEqual(['mtttgc3', 'travel', 'open']);
  // Who holds these cards may well play by another text.
  expect(setPreset(travel, 'blog', PRESETS.blog ?? DEFAULTS)).toMatchObject({ deck: index, source: 'blog' });
  expect(setDeck(travel, usualDeck(6))).toMatchObject({ source: 'long', rules: { colours: 6, rounds: 3 } });
});

test('what stands on a sheet, and rules of its own, stay with another deck or text', () => {
  const blank = newMatch(['', ''], PRESETS.room ?? DEFAULTS, usualDeck(5), 'room');
  const index = findDeck('mtttgc3') ?? usualDeck(5);
  const played = setSide(blank, 0, ['R5']);
  expect(setDeck(played, index)).toMatchObject({ deck: index, source: 'room', rules: { rounds: 3, next: 'alternate' } });
  expect(setPreset(played, 'travel', PRESETS.travel ?? DEFAULTS).deck.name).toBe('five');
  const own = setRules(blank, { ...blank.rules, rounds: 5 });
  expect(setDeck(own, index).rules.rounds).toBe(5);
  const attic = { ...index, name: 'attic' };
  expect(setDeck(blank, attic)).toMatchObject({ deck: attic, source: 'travel', rules: { next: 'leader' } });
  expect(setPreset({ ...blank, deck: attic }, 'travel', PRESETS.travel ?? DEFAULTS).deck).toBe(attic);
});

test('a deck brings its cards and leaves the other rules', () => {
  const match = newMatch(['', ''], { ...DEFAULTS, rounds: 5 }, usualDeck(5));
  const six = setDeck(match, usualDeck(6));
  expect([six.rules.colours, six.rules.rounds, six.deck.name]).toEqual([6, 5, 'six']);
});

test('a finished match drops rounds that nobody has written into', () => {
  const match = setSide(newMatch(['', ''], DEFAULTS, usualDeck(5)), 0, ['R5']);
  const done = finish(nextRound(nextRound(match)));
  expect([done.rounds.length, done.at, done.finished]).toEqual([1, 0, true]);
});
