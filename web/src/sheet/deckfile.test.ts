// A deck file is refused here where the command refuses it, and for the same things.

import { expect, test } from 'vitest';
import cases from './cases.json';
import { findDeck, highestTaken, ranges, SHIPPED, staysInBox, symbolsOf, usualDeck, type Deck } from './decks.ts';
import { readDeck, tableOf } from './deckfile.ts';
import { parseTyped } from './entry.ts';
import { faultText } from '../words/sheet.ts';
import { readDeckFile, readDeckText } from './toml.ts';

const { base, edits } = cases.deck_files;

test('the file of a shipped deck under another name is that deck', () => {
  expect(readDeckText(base)).toEqual({ ok: true, deck: { ...findDeck('mtttgc3'), name: 'attic', preset: 'travel' } });
});

test.each(edits)('$what', ({ old, new: now, problems }) => {
  const reading = readDeckText(base.replace(old, () => now));
  if (reading.ok) throw new Error('it serves');
  expect(reading.faults).toHaveLength(problems.length);
  reading.faults.forEach((fault, index) => {
    const problem = problems[index] ?? '';
    if (fault.colour !== undefined) {
      const { n, name } = fault.colour;
      expect(problem.startsWith(`colour ${n}${name === '' ? '' : ` (${name})`}: ${fault.place}: `)).toBe(true);
    }
    if (fault.kind !== 'toml') expect(problem.toLowerCase()).toContain(fault.what.toLowerCase());
  });
});

test('a symbol or a name that a file may not have stays readable where it was kept', () => {
  const table = tableOf({ ...usualDeck(5), colours: usualDeck(5).colours.map((each) => ({ ...each, symbol: 'pizza' })) });
  expect(readDeck(table)).toMatchObject({ ok: true });
  const faults = [{ kind: 'nameTaken' }, ...Array.from({ length: 5 }, () => ({ kind: 'symbol' }))];
  expect(readDeck(table, true)).toMatchObject({ ok: false, faults });
});

test('white fills stay readable where they were kept, and a colour without a fill has that of its letter', () => {
  const white = { ...usualDeck(5), name: 'attic', colours: usualDeck(5).colours.map((each) => ({ ...each, fill: '#FFFFFF' })) };
  expect(readDeck(tableOf(white))).toMatchObject({ ok: true });
  expect(readDeck(tableOf(white), true)).toMatchObject({ faults: [{ kind: 'twice', what: '#FFFFFF', due: '5' }] });
  const bare = tableOf({ ...white, colours: white.colours.map((each) => ({ ...each, fill: '' })) });
  expect(readDeck(bare, true)).toMatchObject({ ok: true, deck: { colours: usualDeck(5).colours } });
});

test('every deck survives being written as a table', () => {
  for (const deck of SHIPPED) expect(readDeck(tableOf(deck))).toEqual({ ok: true, deck });
});

test('a file with too few colours and no rules says which ones lack', () => {
  const parts = base.replace(/^rules = .*$/m, '').split('[[colours]]');
  const found = readDeckText(parts.slice(0, 2).join('[[colours]]'));
  const faults = [{ kind: 'colourCount', what: '1', due: '5' }, { kind: 'letterMissing', what: 'Y B W G' }];
  expect(found).toMatchObject({ ok: false, faults });
});

test('what is no deck at all', async () => {
  expect(readDeckText('')).toMatchObject({ faults: [{ kind: 'missing' }, { kind: 'noColours' }] });
  expect(readDeckText('= 3')).toMatchObject({ faults: [{ kind: 'toml', what: '1:1' }] });
  const kinds = async (blob: Blob): Promise<unknown> => {
    const reading = await readDeckFile(blob);
    return reading.ok ? 'serves' : reading.faults.map((fault) => fault.kind);
  };
  expect(await kinds(new Blob([new Uint8Array([0xff, 0xfe, 0x80])]))).toEqual(['encoding']);
  expect(await kinds(new Blob(['#'.repeat(1 << 17)]))).toEqual(['large']);
  expect(await kinds(new Blob([base]))).toBe('serves');
});

test('what stays in the box', () => {
  const deck = findDeck('mtttgc3') ?? usualDeck(5);
  expect(ranges(staysInBox(deck))).toBe('1, 11–16, 26–31, 41–46, 56–61, 71–75, 79–80');
  expect(deck.colours.map((each) => ranges([...each.numbers, ...each.wagers]))).toEqual([
    '2–10, 81–83',
    '17–25, 76–78',
    '32–40, 84–86',
    '47–55, 87–89',
    '62–70, 90–92',
  ]);
  expect(staysInBox(usualDeck(5))).toEqual([]);
});

test('a deck whose indices leave nothing in between says nothing of what stays in the box', () => {
  const numbered = (start: number): Deck => {
    let index = start;
    const next = (count: number): string[] => Array.from({ length: count }, () => `${index++}`);
    const colours = usualDeck(5).colours.map((each) => ({ ...each, numbers: next(9), wagers: next(3) }));
    return { ...usualDeck(5), name: 'whole', colours };
  };
  expect([staysInBox(numbered(1)), highestTaken(numbered(1))]).toEqual([[], 60]);
  expect([staysInBox(numbered(3)), highestTaken(numbered(3))]).toEqual([['1', '2'], 62]);
  expect(highestTaken(usualDeck(5))).toBe(0);
});

test('symbols tell the colours of every deck apart', () => {
  expect(symbolsOf(findDeck('mtttgc3') ?? usualDeck(5))).toMatchObject({ W: 'P', Y: 'Y' });
  const same = { ...usualDeck(5), colours: usualDeck(5).colours.map((each) => ({ ...each, symbol: 'sun' })) };
  expect(symbolsOf(same)).toEqual({ Y: 'Y', B: 'B', W: 'W', G: 'G', R: 'R' });
});

test('words are compared however their letters are written', () => {
  const { table, typed } = cases.spelt;
  const reading = readDeck(table, true);
  if (!reading.ok) throw new Error(reading.faults.map((fault) => `${fault.place}: ${fault.kind}`).join());
  expect(reading.deck.colours.slice(0, 2).map((each) => each.name)).toEqual(['größe', 'café']);
  for (const { text, cards } of typed) {
    const entry = parseTyped(text, reading.deck);
    expect([text, entry.ok ? entry.cards : null]).toEqual([text, cards]);
  }
});

test('a sign in a title that cannot be seen is written out in the reason', () => {
  const reading = readDeckText(base.replace('title = "', 'title = "Ａ\u200b'));
  if (reading.ok) throw new Error('it serves');
  expect(reading.faults.map(faultText).join()).toContain('\\u200b');
  const key = readDeckText(base.replace('title = ', '"ti\u200btle" = '));
  expect(key.ok ? '' : key.faults.map(faultText).join()).toContain('\\u200b');
});
