import { expect, test } from 'vitest';
import { chart, HEIGHT, runningMean, stepOf } from './chart.ts';

const WIDTH = 640;

test('the running mean is of ten values at most', () => {
  expect(runningMean([4, 8])).toEqual([4, 6]);
  const values = [100, ...Array<number>(10).fill(0)];
  expect(runningMean(values).at(-2)).toBe(10);
  expect(runningMean(values).at(-1)).toBe(0);
});

test('every spot lies within the chart, the higher the better', () => {
  const { spots, lines } = chart([-80, 0, 120], WIDTH);
  for (const spot of spots) {
    expect(spot.x).toBeGreaterThan(0);
    expect(spot.x).toBeLessThanOrEqual(WIDTH);
    expect(spot.y).toBeGreaterThan(0);
    expect(spot.y).toBeLessThan(HEIGHT);
  }
  expect(spots[2]!.y).toBeLessThan(spots[1]!.y);
  expect(lines.map((line) => line.value)).toContain(0);
  expect(lines.length).toBeLessThanOrEqual(10);
});

test('one value, and none', () => {
  expect(chart([7], WIDTH).spots).toHaveLength(1);
  expect(chart([], WIDTH).spots).toHaveLength(0);
  expect(stepOf(0)).toBe(5);
});
