import { expect, test } from 'vitest';
import { merged, short, type Read } from './past.ts';
import type { KeptSheet, PastGame } from './wire.ts';

const games = (times: number[], next: string | null = null): Read<PastGame> => ({
  entries: times.map((created) => ({ match: `m${created}`, created }) as PastGame),
  next,
});
const sheets = (times: number[], next: string | null = null): Read<KeptSheet> => ({
  entries: times.map((played) => ({ id: `s${played}`, played }) as KeptSheet),
  next,
});
const times = (one: Read<PastGame>, two: Read<KeptSheet>): number[] =>
  merged(one, two).map((each) => each.at);

test('two lists that are whole are one by time', () => {
  expect(times(games([9, 5, 1]), sheets([7, 5]))).toEqual([9, 7, 5, 5, 1]);
  expect(short(games([9]), sheets([7]))).toEqual({ games: false, sheets: false });
});

test('nothing older is shown than what the shorter list tells', () => {
  const [one, two] = [games([9, 8], 'more'), sheets([7, 3])];
  expect(times(one, two)).toEqual([9, 8]);
  expect(short(one, two)).toEqual({ games: true, sheets: false });
});

test('the list that is behind is read on', () => {
  const [one, two] = [games([9, 2], 'more'), sheets([7, 6], 'more')];
  expect(times(one, two)).toEqual([9, 7, 6]);
  expect(short(one, two)).toEqual({ games: false, sheets: true });
});

test('a list that is empty and goes on hides all', () => {
  expect(times(games([9]), sheets([], 'more'))).toEqual([]);
  expect(short(games([9]), sheets([], 'more')).sheets).toBe(true);
});
