import { describe, expect, test } from 'vitest';
import { parseTurn } from './cards.ts';
import { view } from './fixture.ts';
import {
  carryOver,
  drawsOpen,
  isOwnDiscard,
  nothingStaged,
  pick,
  readLegal,
  stage,
  targets,
  undo,
  wholeTurn,
} from './staging.ts';

const table = view();
const legal = readLegal(table.legal);
const empty = nothingStaged(table);

test('turns are read as they are written', () => {
  expect(parseTurn('+R10*G8')).toEqual({ kind: '+', card: 'R10', pile: null, face: 'G8' });
  expect(parseTurn('-GX<B')).toEqual({ kind: '-', card: 'GX', pile: 'B', face: null });
  expect(() => parseTurn('+R11*')).toThrow();
  expect(() => parseTurn('+R5')).toThrow();
});

test('legal turns are sorted by lay, in their order', () => {
  expect([...legal.keys()]).toEqual(['+R5', '-R5', '-G2', '+YX', '-YX']);
  expect(legal.get('-G2')).toEqual(['*']);
});

describe('a turn in two steps', () => {
  test('only the lays of the list light up', () => {
    expect(targets(empty, table, legal)).toEqual({ '+': false, '-': false });
    expect(targets(pick(empty, 2), table, legal)).toEqual({ '+': true, '-': true });
    expect(targets(pick(empty, 1), table, legal)).toEqual({ '+': false, '-': true });
  });

  test('an illegal lay is not staged', () => {
    expect(stage(pick(empty, 1), table, legal, '+')).toBeNull();
    expect(stage(empty, table, legal, '-')).toBeNull();
  });

  test('a staged lay opens its draws, and the draw makes the turn whole', () => {
    const staged = stage(pick(empty, 2), table, legal, '+');
    if (staged === null) throw new Error('not staged');
    expect(drawsOpen(staged, legal)).toEqual(['*', '<G']);
    expect(wholeTurn(staged, legal, '<G')).toBe('+R5<G');
    expect(wholeTurn(staged, legal, '<R')).toBeNull();
    expect(wholeTurn(empty, legal, '*')).toBeNull();
  });

  test('the pile under one’s own fresh discard is shut', () => {
    const staged = stage(pick(empty, 1), table, legal, '-');
    if (staged === null) throw new Error('not staged');
    expect(drawsOpen(staged, legal)).toEqual(['*']);
    expect(isOwnDiscard(staged, 'G')).toBe(true);
    expect(isOwnDiscard(staged, 'R')).toBe(false);
  });

  test('the mind may be changed at every step', () => {
    const staged = stage(pick(empty, 2), table, legal, '+');
    if (staged === null) throw new Error('not staged');
    expect(undo(staged)).toEqual(empty);
    expect(pick(staged, 0)).toMatchObject({ slot: 0, lay: null });
    expect(pick(pick(empty, 2), 2)).toEqual(empty);
    expect(pick(staged, 2)).toMatchObject({ slot: 2, lay: null });
  });
});

describe('when a view arrives', () => {
  const staged = { ...empty, slot: 2, lay: '+R5' };
  test('the same turn keeps what is staged', () => {
    expect(carryOver(staged, view())).toBe(staged);
  });
  test('a table that the host has stopped keeps it until it goes on', () => {
    const stopped = view({ to_move: null, legal: [] });
    expect(carryOver(staged, stopped, true)).toBe(staged);
    expect(carryOver(staged, view({ ...stopped, ply: 5 }), true)).toMatchObject({ lay: null });
  });
  test('another turn, another round, or no turn at all drop it', () => {
    expect(carryOver(staged, view({ ply: 5 }))).toMatchObject({ ply: 5, slot: null, lay: null });
    expect(carryOver(staged, view({ round: 2 }))).toMatchObject({ round: 2, slot: null, lay: null });
    expect(carryOver(staged, view({ legal: [] }))).toMatchObject({ slot: null, lay: null });
  });
});
