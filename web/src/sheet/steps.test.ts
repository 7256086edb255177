// What can be taken back on each sheet, beyond a reload and while others are looked at.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SheetModel } from './model.svelte.ts';
import { DeviceStore } from './storage.ts';

beforeEach(() => localStorage.clear());
afterEach(() => vi.useRealTimers());

const opened = (): SheetModel => new SheetModel(new DeviceStore(localStorage));

test('what was changed can be taken back after a reload', () => {
  const model = opened();
  model.tap(0, 'Y5');
  model.type(1, 'R2 R3 foo', false);
  model.next();
  model.tap(0, 'B9');
  model.undo();
  const again = opened();
  expect([again.canUndo, again.canRedo, again.match.at]).toEqual([true, true, 1]);
  again.redo();
  expect(again.sides[0]).toEqual(['B9']);
  for (let step = 0; step < 3; step += 1) again.undo();
  expect([again.match.at, again.sides, again.unread[1]]).toEqual([0, [['Y5'], []], []]);
  const third = opened();
  third.redo();
  expect([third.sides[1], third.unread[1].map((each) => each.token)]).toEqual([['R2', 'R3'], ['foo']]);
  third.undo();
  third.undo();
  expect([third.canUndo, third.sides[0]]).toEqual([false, []]);
});

test('what can be taken back stays with its sheet while another one is looked at', () => {
  const model = opened();
  model.tap(0, 'Y5');
  model.tap(0, 'Y6');
  model.undo();
  const first = model.sheet;
  model.begin();
  model.tap(0, 'B9');
  const second = model.sheet;
  for (const here of [model, opened()]) {
    here.load(first);
    expect([here.canUndo, here.canRedo, here.sides[0]]).toEqual([true, true, ['Y5']]);
    here.load(second);
    here.undo();
    expect([here.canUndo, here.sides[0]]).toEqual([false, []]);
    here.redo();
  }
  const again = opened();
  again.load(first);
  again.redo();
  expect(again.sides[0]).toEqual(['Y5', 'Y6']);
  again.undo();
  again.undo();
  expect([again.canUndo, again.sides[0]]).toEqual([false, []]);
  expect(opened().id).toBe(first.id);
});

test('of the sheets changed last alone can changes be taken back, so that the device has room', () => {
  const model = opened();
  const sheets = Array.from({ length: 12 }, (_, at) => {
    if (at > 0) model.begin();
    vi.setSystemTime(1000 + at);
    model.tap(0, 'Y5');
    return model.sheet;
  });
  const able = sheets.map((each) => (model.load(each), model.canUndo));
  expect(able).toEqual(sheets.map((_, at) => at >= 4));
  model.load(sheets[0] ?? model.sheet);
  vi.setSystemTime(0);
  model.tap(0, 'Y6');
  expect(opened().canUndo).toBe(true);
  model.remove(model.id);
  expect(Object.keys(localStorage).filter((key) => key.includes('steps')).length).toBe(7);
});

/** A browser's storage that holds so many letters and no more. */
function small(room: number): Storage {
  const kept = new Map<string, string>();
  const size = (): number => [...kept].reduce((sum, each) => sum + each.join('').length, 0);
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (size() - (kept.get(key)?.length ?? 0) + text.length > room) throw new Error('full');
      kept.set(key, text);
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

test('where the device is full a sheet is kept, and the steps of older ones go', () => {
  const store = new DeviceStore(small(1100));
  const model = new SheetModel(store);
  vi.setSystemTime(1000);
  for (const card of ['Y5', 'Y6', 'Y7'] as const) model.tap(0, card);
  const first = model.sheet;
  expect(store.steps(first.id).past.length).toBe(3);
  model.begin();
  vi.setSystemTime(2000);
  for (const card of ['B9', 'B10', 'R2', 'R3'] as const) model.tap(0, card);
  const again = new SheetModel(store);
  expect([model.unkept, again.canUndo, again.sides[0]]).toEqual([false, true, ['B9', 'B10', 'R2', 'R3']]);
  again.load(first);
  expect([again.canUndo, again.sides[0]]).toEqual([false, ['Y5', 'Y6', 'Y7']]);
});

test('taking back where nothing was changed keeps no empty sheet', () => {
  const model = opened();
  model.undo();
  model.redo();
  expect([model.kept, opened().kept]).toEqual([[], []]);
});

test('another page that writes only steps changes nothing here', () => {
  const model = opened();
  model.tap(0, 'Y5');
  model.undo();
  model.redo();
  model.undo();
  model.written(`lostcities.sheet-steps.${model.id}`);
  expect([model.canUndo, model.canRedo]).toEqual([false, true]);
});

test('of steps that cannot be read those after them are still taken back', () => {
  const model = opened();
  for (const card of ['Y5', 'Y6', 'Y7']) model.tap(0, card);
  const kept = JSON.parse(localStorage[`lostcities.sheet-steps.${model.id}`]) as { past: unknown[] };
  kept.past[1] = { content: 5 };
  localStorage[`lostcities.sheet-steps.${model.id}`] = JSON.stringify(kept);
  const again = opened();
  again.undo();
  expect([again.sides[0], again.canUndo]).toEqual([['Y5', 'Y6'], false]);
  localStorage[`lostcities.sheet-steps.${model.id}`] = '{"id":';
  expect([opened().canUndo, opened().sides[0]]).toEqual([false, ['Y5', 'Y6']]);
});
