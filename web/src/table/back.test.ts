import { expect, test } from 'vitest';
import type { TableInfo } from '../net/wire.ts';
import { backOf } from './back.ts';

const table = (back_open: number | null, back_asked: number | null): TableInfo =>
  ({ back_open, back_asked }) as TableInfo;

test.each([
  [null, null, 0, null],
  [0, null, 0, 'mayAsk'],
  [0, 0, 0, 'asked'],
  [0, null, 1, null],
  [0, 0, 1, 'theirs'],
  [0, 0, null, null],
] as const)('open to %s, asked by %s, seen from %s: %s', (open, asked, seat, said) => {
  expect(backOf(table(open, asked), seat)).toBe(said);
});
