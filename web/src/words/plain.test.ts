// What people write as names cannot command the text around it.

import { expect, test } from 'vitest';
import { hasUnseen, isolated, plain } from './plain.ts';
import { t } from './language.svelte.ts';

test.each([
  ['Ada\u202eecarG', 'AdaecarG'],
  ['A\u0007d\u009ba\u2028', 'Ada'],
  ['\u2067שרה\u2069', 'שרה'],
  ['\ufeff\u200b', ''],
  ['\u200d \u200c', ''],
  ['\ud800Ada', 'Ada'],
])('what cannot be seen of %j is not kept', (written, seen) => {
  expect(plain(written)).toBe(seen);
  expect(hasUnseen(written) || seen === '').toBe(true);
});

test('what people need is kept', () => {
  for (const name of ['Ada ♥', 'Grüße', 'שרה', '👩‍👩‍👧', 'می‌خواهم', 'Zoë O’Neill']) {
    expect([plain(name), hasUnseen(name)]).toEqual([name, false]);
  }
});

test('a name from right to left leaves the sentence around it in order', () => {
  expect(isolated('שרה')).toBe('\u2068שרה\u2069');
  expect(isolated('Ada')).toBe('Ada');
  expect(isolated('Ada\u202e')).toBe('Ada');
  expect(t('sheet.share.wins', { name: 'שרה' })).toBe('\u2068שרה\u2069 wins');
  expect(t('sheet.share.wins', { name: '\u202eadA' })).toBe('adA wins');
});
