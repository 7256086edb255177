import { expect, test, vi } from 'vitest';
import { recordedDay } from './history.ts';
import { speak } from './language.svelte.ts';

test('a recorded day is written as other days are, and what is unknown of it stays so', async () => {
  await speak('de');
  expect(recordedDay('2026.11.30')).toBe('30.11.2026');
  expect(recordedDay('2026.11.??')).toBe('November 2026');
  expect(recordedDay('????.02.29')).toBe('29. Februar');
  expect(recordedDay('2026.??.??')).toBe('2026');
  expect(recordedDay('????.??.??')).toBe('Tag unbekannt');
  await speak('en');
  expect(recordedDay('2026.11.30')).toBe('Nov 30, 2026');
  expect(recordedDay('????.??.??')).toBe('day unknown');
});

test('what is no day stays as it was written', async () => {
  await speak('en');
  for (const odd of ['2026.02.30', '2026.13.01', '2026.00.10', '2026.??.30', '????.??.30', 'a Sunday', '']) {
    expect(recordedDay(odd)).toBe(odd);
  }
  expect(recordedDay('0099.01.02')).toBe('Jan 2, 99');
});

test.each([
  [['en-GB', 'de'], '30 Nov 2026'],
  [['de-AT', 'en-US'], 'Nov 30, 2026'],
  [['fr'], 'Nov 30, 2026'],
])('the region of the device decides how a day is written: %s', async (languages, written) => {
  await speak('en');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  expect(recordedDay('2026.11.30')).toBe(written);
  vi.restoreAllMocks();
});
