// What is kept, put into a link and taken back.

import { beforeEach, expect, test } from 'vitest';
import { placeOf } from './brought.ts';
import cases from './cases.json';
import { readContent, writeContent } from './content.ts';
import { findDeck, usualDeck, type Deck } from './decks.ts';
import { cellAt, moveSweep, spanOf, startSweep } from './gestures.ts';
import { heightOf, scaleOf } from './image.ts';
import { checksum, linkBar, readLink, writeLink } from './link.ts';
import { finish, goTo, impossibleIn, newMatch, nextRound, setDeck, setFirst, setRules, setSide, starter, startMissed, winner, type Match } from './match.ts';
import { SheetModel } from './model.svelte.ts';
import { noteOf } from './notes.ts';
import { DEFAULTS, parseRules, PRESETS } from './rules.ts';
import { DeviceStore, newId } from './storage.ts';
import { begin, change, redo, show, undo } from './undo.ts';

const OWN: Deck = { ...usualDeck(6), name: 'attic', title: 'The deck from the attic' };

function played(): Match {
  const start = newMatch(['Ada ♥', 'Grüße'], { ...DEFAULTS, next: 'leader' }, usualDeck(5));
  const one = setSide(setSide(start, 0, ['YX', 'YX', 'Y3', 'Y10']), 1, ['R2', 'R10']);
  return setFirst(setSide(nextRound(one), 1, ['RX', 'RX', 'RX']), 1);
}

const matches: [string, Match][] = [
  ['empty', newMatch(['', ''], DEFAULTS, usualDeck(5))],
  ['two rounds', played()],
  ['finished', finish(played())],
  ['impossible', setSide(played(), 0, ['RX', 'RX', 'R5', 'R5'])],
  ['by index', setDeck(played(), findDeck('mtttgc3') ?? usualDeck(5))],
  ['an own deck', setDeck(played(), OWN)],
  ['after a text', setRules(played(), PRESETS.site ?? DEFAULTS, 'site')],
];

test.each(matches)('a link holds the whole sheet: %s', (_, match) => {
  const link = writeLink(match);
  expect(link).toMatch(/^#1\.[\w-]+\.[0-9a-z]+$/);
  expect(readLink(link)).toEqual({ ok: true, match, id: null });
});

test.each(cases.links)('a link that the command writes too: $names $deck', (each) => {
  const reading = readLink(each.link);
  if (!reading.ok) throw new Error(reading.why);
  const { names, rules, source, deck, first, rounds, at, finished } = reading.match;
  const sides = rounds.map((round) => round.sides);
  const named = rounds.map((round) => [noteOf(round, 0).indices, noteOf(round, 1).indices]);
  const missed = rounds.map((_, round) => startMissed(reading.match, round));
  const starts = missed.some((seat) => seat !== null)
    ? missed.map((seat, round) => (seat === null ? null : starter(reading.match, round).seat))
    : [];
  const wagers = named.flat(2).length > 0 ? named : [];
  expect({ names, rules, source, deck: deck.title, first, rounds: sides, at, finished, wagers, starts }).toEqual({
    ...each,
    link: undefined,
  });
  expect(writeLink(reading.match)).toBe(each.link);
});

test.each(cases.odd_links)('the page and the command read the same of a link: $what', ({ link, reads }) => {
  const reading = readLink(link);
  const { names, first, at } = reading.ok ? reading.match : {};
  expect(reading.ok ? { names, first, at } : null).toEqual(reads);
  if (!reading.ok) expect(reading.why).toBe('content');
});

test('of a long name no sign is cut in half', () => {
  const model = new SheetModel(new DeviceStore(localStorage));
  model.setName(0, `${'a'.repeat(39)}😀😀`);
  expect(model.match.names[0]).toBe(`${'a'.repeat(39)}😀`);
});

const index = findDeck('mtttgc3') ?? usualDeck(5);
const named = (indices: string[]): Match =>
  setSide(setDeck(played(), index), 1, ['RX', 'RX', 'RX', 'R5'], { unread: [], indices });

test('a link shows the same wagers by their indices', () => {
  const match = named(['83', '81']);
  const link = writeLink(match);
  expect(link).toMatch(/^#2\./);
  expect(readLink(link)).toEqual({ ok: true, match, id: null });
  // What names nothing is a link that older pages read as well.
  expect(writeLink(named([]))).toMatch(/^#1\./);
});

test('a link that names a wager which does not lie there is refused', () => {
  for (const indices of ['81 81', '87', '2', '5', '81 82 83 84', 'x', ' ', '81 ']) {
    const content = { ...writeContent(named([])), i: [['', ''], ['', indices]] };
    expect(readContent(content), indices).toBeNull();
  }
  for (const i of [[], [['', '']], 'x', 5, [['', ''], ['']], [['', ''], ['', 81]]]) {
    expect(readContent({ ...writeContent(named([])), i })).toBeNull();
  }
});

test('a link says who started a round that another would have started by the rules', () => {
  const corrected = setSide(goTo(played(), 0), 0, ['YX', 'YX', 'Y8', 'Y9', 'Y10']);
  expect([starter(corrected, 1), startMissed(corrected, 1)]).toEqual([{ seat: 1, why: 'played' }, 0]);
  const link = writeLink(corrected);
  expect(link).toMatch(/^#2\./);
  expect(readLink(link)).toEqual({ ok: true, match: corrected, id: null });
  for (const b of [[], [null], [1, 1], [null, 2], [null, '1'], 'x', [null, true]]) {
    expect(readContent({ ...writeContent(corrected), b }), JSON.stringify(b)).toBeNull();
  }
});

const linked = (sides: [string, string], more: object = {}): Match => {
  const content = { ...writeContent(finish(played())), s: [['YX3T', 'R2'], sides], ...more };
  const match = readContent(content);
  if (match === null) throw new Error(JSON.stringify(content));
  return match;
};

test.each([
  ['more wagers than there are', linked(['RXX', 'RXX5']), ['tooOften']],
  ['a card on both sides', linked(['Y5', 'Y5']), ['bothSides']],
  ['a card twice', linked(['Y55', '']), ['twice']],
  ['a colour that the deck lacks', linked(['PX5', '']), ['absent', 'absent']],
  ['the same index', linked(['RX', 'RX5'], { d: 'mtttgc3', i: [['', ''], ['81', '81']] }), ['bothSides']],
])('a finished sheet from a link that cannot be has no winner: %s', (_, match, kinds) => {
  expect(match.finished).toBe(true);
  expect(impossibleIn(match).map(({ at, problems }) => [at, problems.map(({ kind }) => kind)])).toEqual([[1, kinds]]);
  expect(winner(match)).toBeNull();
  const mended = linked(['', 'R2']);
  expect([impossibleIn(mended), winner(mended)]).toEqual([[], 0]);
});

test('rules with keys that every object has are refused', () => {
  for (const key of ['toString', '__proto__', 'constructor', 'hasOwnProperty']) {
    const r: unknown = JSON.parse(`{"${key}": 5}`);
    expect(readContent({ ...writeContent(played()), r }), key).toBeNull();
    expect(parseRules(`${key}=5`, DEFAULTS)).toEqual({ wrong: `${key}=5` });
    expect(parseRules(key, DEFAULTS)).toEqual({ wrong: key });
  }
});

test('a sheet that a link cannot hold is told from one that it can', () => {
  const rounds = (count: number): Match => ({ ...played(), rounds: Array.from({ length: count }, () => played().rounds[0]!) });
  expect([linkBar(rounds(99)), linkBar(rounds(100))]).toEqual([null, 'rounds']);
  const wordy = (letters: number): Match => setDeck(played(), { ...OWN, take: 'x'.repeat(letters) });
  expect(linkBar(wordy(60_000))).toBe('length');
  // To the letter: what is not barred can be read, by the longest name too.
  let [held, barred] = [40_000, 60_000];
  while (barred - held > 1) {
    const middle = Math.floor((held + barred) / 2);
    if (linkBar(wordy(middle)) === null) held = middle;
    else barred = middle;
  }
  expect(readLink(writeLink(wordy(held), 'x'.repeat(24)))).toMatchObject({ ok: true });
});

test('a picture is no larger than a browser can draw', () => {
  for (const count of [1, 3, 49, 99, 400]) {
    const height = heightOf({ ...played(), rounds: Array.from({ length: count }, () => played().rounds[0]!) });
    const scale = scaleOf(height);
    expect(scale === 1).toBe(count < 49);
    expect([height * scale <= 16_384, 1080 * height * scale * scale <= 16_777_216 + 1]).toEqual([true, true]);
  }
});

test('three rounds make a link that can be sent anywhere', () => {
  const full = ['YX', 'Y2', 'Y3', 'Y5', 'BX', 'B4', 'B8', 'W3', 'W9', 'W10', 'G2', 'G6', 'R7', 'R8'];
  let match = played();
  for (const at of [0, 1, 2]) {
    match = setSide(setSide({ ...match, at }, 0, full), 1, full);
    if (match.rounds.length < 3) match = nextRound(match);
  }
  expect(writeLink(match).length).toBeLessThan(500);
});

test('a link with any letter changed or lost is refused', () => {
  const link = writeLink(played());
  for (let at = 1; at < link.length; at += 1) {
    const letter = link.charAt(at) === 'A' ? 'B' : 'A';
    for (const broken of [link.slice(0, at) + letter + link.slice(at + 1), link.slice(0, at)]) {
      const reading = readLink(broken);
      expect(reading.ok, broken).toBe(false);
    }
  }
});

test('what is wrong with a link is told apart', () => {
  const whole = writeLink(played());
  expect(readLink('')).toEqual({ ok: false, why: 'none' });
  expect(readLink('#')).toEqual({ ok: false, why: 'none' });
  expect(readLink(whole.replace('#1', '#3'))).toEqual({ ok: false, why: 'version' });
  expect(readLink('#hello')).toEqual({ ok: false, why: 'damaged' });
  expect(readLink(`${whole}.x`)).toEqual({ ok: false, why: 'damaged' });
  expect(readLink(`#1.${'A'.repeat(70_000)}.1`)).toEqual({ ok: false, why: 'damaged' });
  const forged = (value: unknown): string => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return `#1.${btoa(String.fromCharCode(...bytes)).replaceAll('=', '')}.${checksum(bytes).toString(36)}`;
  };
  for (const content of forgeries()) {
    expect(readLink(forged(content)), JSON.stringify(content)).toEqual({ ok: false, why: 'content' });
  }
});

function forgeries(): unknown[] {
  const good = writeContent(played());
  return [
    null,
    [],
    'x',
    {},
    { ...good, n: ['Ada'] },
    { ...good, n: [1, 2] },
    { ...good, r: { colours: 9 } },
    { ...good, r: { polish: 1 } },
    { ...good, r: { colours: 6 } },
    { ...good, d: 'nobody' },
    { ...good, d: { name: 'x' } },
    { ...good, f: 2 },
    { ...good, s: [] },
    { ...good, s: [['R5']] },
    { ...good, s: [['R5', 'Q7']] },
    { ...good, s: Array.from({ length: 100 }, () => ['', '']) },
  ];
}

test('the checksum is CRC-32', () => {
  expect(checksum(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

test('the round that was open is remembered, and one that is missing is the first', () => {
  expect(readContent({ ...writeContent(played()), a: 1 })?.at).toBe(1);
  expect(readContent({ ...writeContent(played()), a: 7 })?.at).toBe(0);
});

beforeEach(() => localStorage.clear());

test('sheets are kept, listed by their last change, opened and removed', () => {
  const store = new DeviceStore(localStorage);
  expect(store.sheets()).toEqual([]);
  store.keep({ id: 'a', changed: 1, match: played() });
  store.keep({ id: 'b', changed: 2, match: setDeck(played(), OWN) });
  store.open('b');
  expect(store.sheets().map((each) => each.id)).toEqual(['b', 'a']);
  expect(store.sheet('b')?.match).toEqual(setDeck(played(), OWN));
  expect(store.current()).toBe('b');
  expect(store.names()).toEqual(['Ada ♥', 'Grüße']);
  store.remove('b');
  expect(store.sheets().map((each) => each.id)).toEqual(['a']);
});

test('a broken entry spoils no other and stays where it is', () => {
  const store = new DeviceStore(localStorage);
  store.keep({ id: 'a', changed: 1, match: played() });
  localStorage.setItem('lostcities.sheet.b', '{"changed":');
  localStorage.setItem('lostcities.sheet.c', '{"content":{"n":3}}');
  localStorage.setItem('lostcities.deck.d', '{"name":"d"}');
  expect(store.sheets().map((each) => each.id)).toEqual(['a']);
  expect(store.decks()).toEqual([]);
  expect(localStorage.length).toBe(4);
});

test('a sheet kept by another name keeps what belongs to it', () => {
  const store = new DeviceStore(localStorage);
  store.keep({ id: 'mine00', changed: 5, match: played() });
  const sent = { account: 'Ada', link: '#sent' };
  store.setSent('mine00', sent);
  store.keepSteps('mine00', { past: [newMatch(['', ''], DEFAULTS, usualDeck(5))], future: [] });
  store.open('mine00');
  store.rename('mine00', 'theirs');
  expect(store.sheets()).toEqual([{ id: 'theirs', changed: 5, match: played() }]);
  expect([store.current(), store.sent('theirs'), store.sent('mine00')]).toEqual(['theirs', sent, null]);
  expect([store.steps('theirs').past.length, store.steps('mine00').past.length]).toEqual([1, 0]);
});

test('a link may say by which name its sheet is kept', () => {
  const link = writeLink(played(), 'mine00');
  expect(readLink(link)).toEqual({ ok: true, match: played(), id: 'mine00' });
  for (const id of ['short', 'NOT lower', '../../etc', 'x'.repeat(25)]) {
    expect(readLink(writeLink(played(), id))).toEqual({ ok: true, match: played(), id: null });
  }
});

test('own decks are kept', () => {
  const store = new DeviceStore(localStorage);
  store.keepDeck(OWN);
  expect(store.decks()).toEqual([OWN]);
  store.removeDeck('attic');
  expect(store.decks()).toEqual([]);
});

test('a deck that came along with a sheet can be kept, unless its name or a symbol bars it', () => {
  expect(placeOf(usualDeck(5), [])).toEqual({ kind: 'here' });
  expect(placeOf(OWN, [])).toEqual({ kind: 'free' });
  const store = new DeviceStore(localStorage);
  store.keepDeck(OWN);
  // What came by a link is read anew, and the same deck nevertheless.
  const reading = readLink(writeLink(setDeck(played(), OWN)));
  const deck = reading.ok ? reading.match.deck : usualDeck(5);
  expect(deck).not.toBe(OWN);
  expect(placeOf(deck, store.decks())).toEqual({ kind: 'here' });
  expect(placeOf({ ...OWN, title: 'Another' }, store.decks())).toEqual({ kind: 'taken' });
  expect(placeOf({ ...OWN, name: 'five' }, store.decks())).toMatchObject({ kind: 'barred', faults: [{ kind: 'nameTaken' }] });
});

test('a browser that keeps nothing is told from one that does', () => {
  const full = new DeviceStore({
    length: 0,
    key: () => null,
    getItem: () => {
      throw new Error('off');
    },
    setItem: () => {
      throw new Error('full');
    },
    removeItem: () => undefined,
    clear: () => undefined,
  });
  expect(full.keep({ id: 'a', changed: 1, match: played() })).toBe(false);
  expect(full.sheets()).toEqual([]);
  expect(full.current()).toBeNull();
});

test('a name of a sheet is short and new', () => {
  expect(newId(Date.UTC(2030, 0), 0.5)).toMatch(/^[0-9a-z]{12}$/);
});

test('changes are taken back and made again; looking is no change', () => {
  let line = begin(1);
  line = change(line, 2);
  line = change(line, 2);
  line = show(line, 3);
  line = change(line, 4);
  expect(undo(line).now).toBe(3);
  expect(undo(undo(line)).now).toBe(1);
  expect(undo(undo(undo(line))).now).toBe(1);
  expect(redo(undo(line)).now).toBe(4);
  expect(redo(line)).toBe(line);
  expect(change(undo(line), 5).future).toEqual([]);
});

test('a sweep spans what lies between its first cell and the finger', () => {
  const edges = [0, 30, 60, 90].map((left) => [left, left + 28] as const);
  expect([-20, 10, 29, 31, 95, 400].map((x) => cellAt(edges, x))).toEqual([0, 0, 0, 1, 3, 3]);
  const sweep = startSweep('0Y', 2, true);
  expect(moveSweep(sweep, 2).moved).toBe(false);
  const back = moveSweep(moveSweep(sweep, 5), 0);
  expect([back.moved, ...spanOf(back)]).toEqual([true, 0, 2]);
});

test('the marks of a deck check stay for that deck', () => {
  const store = new DeviceStore(localStorage);
  expect(store.held(index).cards).toEqual([]);
  const first = { cards: ['R5'], indices: [] };
  store.keepHeld(index, { cards: ['RX', 'R5'], indices: ['81'] }, [first]);
  expect(new DeviceStore(localStorage).heldBefore(index)).toEqual([first]);
  const again = new DeviceStore(localStorage);
  expect(again.held(index)).toEqual({ cards: ['RX', 'R5'], indices: ['81'] });
  expect([again.held(usualDeck(5)).cards, again.decks()]).toEqual([[], []]);
  again.keepHeld(index, { cards: [], indices: [] }, []);
  expect(again.held(index).cards).toEqual([]);
});
