import { expect, test } from 'vitest';
import { Times } from './times.svelte.ts';

function at(): { times: Times; passes: (ms: number) => void } {
  let now = 1000;
  const times = new Times(() => now);
  return {
    times,
    passes(ms: number): void {
      now += ms;
      times.tick();
    },
  };
}

test('only the time that runs is counted', () => {
  const { times, passes } = at();
  times.told({ clock: { left: [60_000, 45_000], running: [false, true] }, away: [null, null] });
  passes(5000);
  expect([times.left(0), times.left(1)]).toEqual([60_000, 40_000]);
  expect(times.counts).toBe(true);
  passes(90_000);
  expect(times.left(1)).toBe(0);
});

test('a later word of the room counts', () => {
  const { times, passes } = at();
  times.told({ clock: { left: [60_000, null], running: [true, false] }, away: [null, null] });
  passes(59_000);
  times.told({ clock: { left: [null, 60_000], running: [false, true] }, away: [null, null] });
  expect([times.left(0), times.left(1)]).toEqual([null, 60_000]);
  times.told({ clock: null, away: [null, null] });
  expect([times.left(0), times.counts]).toEqual([null, false]);
});

test('absence is counted without a clock', () => {
  const { times, passes } = at();
  times.told({ clock: null, away: [null, 180_000] });
  passes(30_000);
  expect([times.away(0), times.away(1)]).toEqual([null, 150_000]);
  passes(200_000);
  expect(times.away(1)).toBe(0);
});
