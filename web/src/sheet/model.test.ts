// The sheet that is open: what a reload shows, what typing lays and what it leaves to be mended.

import { beforeEach, expect, test } from 'vitest';
import { SheetModel } from './model.svelte.ts';
import { DeviceStore } from './storage.ts';

beforeEach(() => localStorage.clear());

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
