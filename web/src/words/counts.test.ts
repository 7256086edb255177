import { afterEach, expect, test } from 'vitest';
import type { Terms } from '../net/wire.ts';
import { AID, COUNTS, termsInWords } from './counts.ts';
import { speak } from './language.svelte.ts';

const USUAL: Terms = {
  listed: false, watch: false, chat: true, one_device: false,
  count_deck: true, count_lays: true, count_gone: true, count_known: true, aids: false, takebacks: false,
}; // prettier-ignore
afterEach(() => speak('en'));

test('usual terms need no words', () => {
  expect(termsInWords(USUAL)).toEqual([]);
});

test('a joiner reads what is not counted and that there are aids', async () => {
  const terms = { ...USUAL, count_deck: false, count_known: false, aids: true };
  expect(termsInWords(terms)).toEqual([
    'Learner aids for both; the match counts in no results',
    'Not shown at the table: cards left in the deck, cards known to be held',
  ]);
  await speak('de');
  expect(termsInWords(terms)[1]).toBe(
    'Nicht mitgezählt: Karten im Nachziehstapel, bekannte Handkarten',
  );
});

test('aids are told in plural forms', async () => {
  const aid = { needs: 1, gone: ['RX', 'R6'], piled: [] };
  expect(AID.row('R', aid)).toBe('Red: 1 point to go; gone: wager, 6');
  expect(AID.row('R', { ...aid, needs: 0, gone: [], piled: ['R9'] })).toBe(
    'Red: worth its cost; on the pile: 9',
  );
  expect(COUNTS.deckLeft(1)).toBe('1 card left in the deck.');
  await speak('de');
  expect(AID.row('R', { ...aid, needs: 3 })).toMatch(/: noch 3 Punkte; gefallen: /);
});
