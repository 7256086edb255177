import { expect, test } from 'vitest';
import { writeRules } from './rulestext.ts';

test('a preset, then the keys that change it', () => {
  const none = { preset: 'site', colours: null, rounds: null, more: '' };
  expect(writeRules(none)).toBe('site');
  expect(writeRules({ ...none, colours: 6, rounds: 'open', more: ' stall=40  top=9 ' })).toBe(
    'site colours=6 rounds=open stall=40 top=9',
  );
});
