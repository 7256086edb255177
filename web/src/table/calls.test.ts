import { expect, test } from 'vitest';
import { callsOf, tagOf, type Asked } from './calls.ts';

const NOTHING: Asked = { myTurn: false, offer: null, over: false, theirBack: false, again: false, far: 1 };

test('what the other asks is a call, what I ask is none', () => {
  expect(callsOf(NOTHING)).toEqual([]);
  expect(callsOf({ ...NOTHING, offer: 1 })).toEqual(['draw']);
  expect(callsOf({ ...NOTHING, offer: 0 })).toEqual([]);
  expect(callsOf({ ...NOTHING, theirBack: true })).toEqual(['back']);
});

test('the turn comes before what is offered', () => {
  expect(callsOf({ ...NOTHING, myTurn: true, offer: 1, theirBack: true })).toEqual(['turn', 'draw', 'back']);
});

test('another match is offered once this one is over, and a draw no longer', () => {
  expect(callsOf({ ...NOTHING, offer: 1, over: true, again: true })).toEqual(['again']);
  expect(callsOf({ ...NOTHING, again: true })).toEqual([]);
});

test('each call of a table has a notice of its own', () => {
  expect(tagOf('draw', 'm1')).toBe('draw-m1');
});
