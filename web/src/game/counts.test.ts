import { describe, expect, test } from 'vitest';
import type { Terms } from '../net/wire.ts';
import { aidFor, goneBy, laysAfter, pointsNeeded, runs, shownBy } from './counts.ts';
import { view } from './fixture.ts';
import { backs, laysLeft } from './hand.ts';
import { scoreRow } from '../sheet/rowscore.ts';

const rules = view().rules;

describe('what a draw does to lays left', () => {
  test.each([
    [20, 9, 10],
    [19, 9, 9],
    [2, 0, 1],
    [1, 0, 0],
  ])('of %i deck cards', (deck, fromDeck, fromPile) => {
    expect(laysAfter(view({ deck }))).toEqual({ deck: fromDeck, pile: fromPile });
  });

  test('it is what the count says once the other is to lay', () => {
    for (let deck = 1; deck <= 30; deck += 1) {
      const after = laysAfter(view({ deck, seat: 0, to_move: 0 }));
      expect(laysLeft(view({ deck: deck - 1, to_move: 1 }), 0)).toBe(after.deck);
      expect(laysLeft(view({ deck, to_move: 1 }), 0)).toBe(after.pile);
    }
  });

  test('a draw from a pile that ends the round leaves none', () => {
    const stalling = { rules: { ...rules, stall: 6 } };
    expect(laysAfter(view({ ...stalling, run: 5 })).pile).toBe(0);
    expect(laysAfter(view({ ...stalling, run: 4 })).pile).toBe(10);
  });
});

describe('lays left while nobody is to move', () => {
  test('are those of the turn that would be next', () => {
    for (const deck of [1, 2, 19]) {
      for (const next of [0, 1]) {
        const going = laysLeft(view({ deck, to_move: next }), 0);
        const rests = view({ deck, ply: 4, to_move: null });
        expect(laysLeft(rests, 0, next)).toBe(going);
        expect(laysLeft({ ...rests, ply: 5 }, 0, 1 - next)).toBe(going);
      }
    }
  });

  test('none after the last card or the last draw from piles', () => {
    expect(laysLeft(view({ deck: 0, to_move: null }), 0, 0)).toBe(0);
    expect(laysLeft(view({ rules: { ...rules, stall: 6 }, run: 6, to_move: null }), 0, 0)).toBe(0);
  });
});

describe('what a row needs', () => {
  test.each([
    [['R2'], 18],
    [['RX'], 20],
    [['RX', 'R2', 'R9'], 9],
    [['R9', 'R10'], 1],
    [['R5', 'R7', 'R8'], 0],
    // The bonus of a long row, shared among three times the points.
    [['RX', 'RX', 'R2', 'R3', 'R4'], 11],
    [['RX', 'RX', 'RX', 'R2', 'R3', 'R4', 'R5', 'R6'], 0],
    [['RX', 'RX', 'RX', 'R2', 'R3', 'R4', 'R5'], 6],
  ])('%j: %i', (row, needs) => {
    expect(pointsNeeded(scoreRow(row, rules))).toBe(needs);
  });

  test('with exactly so many more it is worth 0 or more, with one fewer it is not', () => {
    for (const row of [['R2'], ['RX', 'R3'], ['RX', 'RX', 'RX', 'R4', 'R6']]) {
      const working = scoreRow(row, rules);
      const worth = (more: number): number => (working.sum + more - working.cost) * working.multiplier;
      const needs = pointsNeeded(working);
      expect(worth(needs)).toBeGreaterThanOrEqual(0);
      expect(worth(needs - 1)).toBeLessThan(0);
    }
  });
});

describe('which of its cards are gone', () => {
  const table = view({
    expeditions: [{ R: ['RX', 'R4'], B: ['BX'] }, { R: ['RX', 'R2', 'R6', 'R7'], B: ['BX', 'B3'] }],
    piles: { R: ['R9', 'R3', 'R8'] },
    known: ['R10'],
  });

  test('higher ones in the other row and on the pile, not those in a hand', () => {
    expect(aidFor(table, 0, 'R')).toEqual({ needs: 16, gone: ['R6', 'R7'], piled: ['R8', 'R9'] });
  });

  test('after wagers alone a wager still fits', () => {
    expect(aidFor(table, 0, 'B')?.gone).toEqual(['BX', 'B3']);
  });

  test('a row not opened has no aid', () => {
    expect(aidFor(table, 0, 'G')).toBeNull();
  });

  test('seen from the other seat', () => {
    expect(aidFor(table, 1, 'R')?.gone).toEqual([]);
    expect(goneBy(table, 1, 'R').near).toEqual(['RX', 'R2', 'R6', 'R7']);
  });
});

test.each([
  [[], ''],
  [['RX', 'RX', 'R2'], '× × 2'],
  [['R2', 'R3', 'R5'], '2 3 5'],
  [['R2', 'R4', 'R5', 'R6', 'R10'], '2 4–6 10'],
  [['R7', 'R8', 'R9', 'R10'], '7–10'],
])('%j in few signs', (cards, text) => {
  expect(runs(cards)).toBe(text);
});

test('without terms everything is counted and nobody is taught', () => {
  const usual = { deck: true, lays: true, gone: true, known: true, aids: false };
  expect(shownBy(undefined)).toEqual(usual);
  const terms = { count_known: false, aids: true } as Terms;
  expect(shownBy(terms)).toEqual({ ...usual, known: false, aids: true });
});

test('known cards lie face down where they are not counted', () => {
  expect(backs(view(), 1)).toEqual(['W4', null, null]);
  expect(backs(view(), 1, false)).toEqual([null, null, null]);
});
