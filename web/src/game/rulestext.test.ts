import { expect, test } from 'vitest';
import { readRules, writeRules } from './rulestext.ts';

test('a preset, then the keys that change it', () => {
  const none = { preset: 'site', colours: null, rounds: null, more: '' };
  expect(writeRules(none)).toBe('site');
  expect(writeRules({ ...none, colours: 6, rounds: 'open', more: ' stall=40  top=9 ' })).toBe(
    'site colours=6 rounds=open stall=40 top=9',
  );
});

test('rules as the room writes them are read for showing', () => {
  const text = 'colours=5 hand=8 cost=20 bonus=20 bonus_at=8 rounds=open first=1 next=leader';
  expect(readRules(text)).toMatchObject({ colours: 5, rounds: 'open', first: 1, top: 10 });
  expect(readRules(`${text} own_discard=yes stall=40`)).toMatchObject({
    own_discard: true,
    stall: 40,
  });
});
