// Rules in the list of matches: in words, and nothing twice.

import { afterEach, expect, test } from 'vitest';
import { speak } from './language.svelte.ts';
import { rulesName, rulesPlayed } from './rulesname.ts';

const BASE = 'colours=5 hand=8 cost=20 bonus=20 bonus_at=8 rounds=3 first=random next=alternate';

afterEach(() => speak('en'));

test('what most matches have is told once', () => {
  expect(rulesName(BASE)).toBe('5 colours, 3 rounds');
  expect(rulesPlayed(BASE, 3)).toBe('5 colours · 3 rounds');
  expect(rulesPlayed(BASE, 1)).toBe('5 colours · 1 of 3 rounds');
  expect(rulesPlayed(BASE.replace('rounds=3', 'rounds=1'), 0)).toBe('5 colours · 0 of 1 round');
  expect(rulesPlayed(BASE.replace('rounds=3', 'rounds=open'), 2)).toBe('5 colours · 2 rounds, open end');
});

test('what is unusual is told in words, in both languages', async () => {
  const odd = `${BASE.replace('next=alternate', 'next=leader').replace('hand=8', 'hand=7')} stall=4`;
  expect(rulesPlayed(odd, 3)).toBe(
    '5 colours · 7 cards in hand · who is ahead starts · The round ends when 4 turns in a row take from piles · 3 rounds',
  );
  for (const language of ['en', 'de'] as const) {
    await speak(language);
    for (const change of ['cost=15', 'bonus=0', 'bonus_at=7', 'first=1', 'next=winner', 'hand=1', 'own_discard=yes', 'wagers=2', 'top=9']) {
      const said = rulesName(`${BASE} ${change}`);
      expect(said, change).toContain(' · ');
      expect(said, change).not.toMatch(/=|history\.|table\./);
    }
  }
});
