import { flushSync } from 'svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AID } from './counts.ts';
import { choose, find, language, speak, t } from './language.svelte.ts';
import { refusal } from './net.ts';
import { cardName } from './suits.ts';
import { LABELS, PROMPT, say } from './table.ts';

afterEach(() => speak('en'));

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr-FR', 'de'], 'de'],
  [['EN-gb'], 'en'],
  [['fr', 'nl'], 'en'],
  [[], 'en'],
])('a browser that asks for %j is spoken to in %s', (wanted, spoken) => {
  expect(choose(wanted)).toBe(spoken);
});

test('a switch reaches whatever has read a text, and the document', async () => {
  let shown = '';
  const stop = $effect.root(() => {
    $effect(() => {
      shown = PROMPT.play;
    });
  });
  flushSync();
  expect(shown).toBe('Play');
  await speak('de');
  flushSync();
  expect(shown).toBe('Anlegen');
  expect(language()).toBe('de');
  expect(document.documentElement.lang).toBe('de');
  stop();
});

describe('plurals', () => {
  test('English', () => {
    expect([0, 1, 2].map(LABELS.deck)).toEqual([
      'Deck, 0 cards left',
      'Deck, 1 card left',
      'Deck, 2 cards left',
    ]);
    expect(LABELS.row('Your', 'R', ['R2'], -1)).toBe('Your red row: 2; −1 point');
  });

  test('German', async () => {
    await speak('de');
    expect([1, 2].map(LABELS.deck)).toEqual([
      'Nachziehstapel, noch 1 Karte',
      'Nachziehstapel, noch 2 Karten',
    ]);
  });

  test('a value may have words of its own', () => {
    expect(AID.toGo(12)).toContain('12');
    expect(t('counts.aid.row', { suit: 'Red', n: 0 })).toBe('Red: worth its cost');
    expect(t('counts.aid.row', { suit: 'Red', n: 1 })).toBe('Red: 1 point to go');
    expect(t('counts.aid.row', { suit: 'Red', n: '3' })).toBe('Red: 3 points to go');
  });

  test('large numbers are written as the language does', async () => {
    expect(LABELS.deck(1234)).toBe('Deck, 1,234 cards left');
    await speak('de');
    expect(LABELS.deck(1234)).toBe('Nachziehstapel, noch 1.234 Karten');
  });

  test('small ones make no number format, whose first costs a phone a tenth of a second', () => {
    const made = vi.spyOn(Intl, 'NumberFormat');
    expect(LABELS.deck(44)).toBe('Deck, 44 cards left');
    expect(LABELS.row('Your', 'R', ['R2', 'R3'], -15)).toBe('Your red row: 2, 3; −15 points');
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

test('a turn in German', async () => {
  await speak('de');
  const event = { seq: 1, kind: 'turn', seat: 1, round: 1, ply: 1, turn: '+RX<G' };
  expect(say(event, ['Ada', 'Grace'], 0)).toBe('Grace legt Wettkarte Rot an und nimmt vom Stapel Grün.');
  expect(say({ ...event, turn: '-Y10*' }, ['Ada', 'Grace'], 1)).toBe(
    'Du wirfst Gelb 10 ab und ziehst verdeckt.',
  );
  expect(cardName('W2')).toBe('Weiß 2');
});

test('what the room refuses is told by its reason, else in its own words', async () => {
  await speak('de');
  expect(refusal('round_over', 'the round is over')).toBe('Die Runde ist vorbei.');
  expect(refusal('bad_rules', 'colours=9')).toBe('Diese Regeln gehen nicht: colours=9');
  expect(refusal('something_new', 'as the room says')).toBe('as the room says');
});

test('what is not in the catalogue is not found', () => {
  expect(find('table.prompt.nothing')).toBeUndefined();
  expect(find('constructor')).toBeUndefined();
  expect(t('table.prompt.undo')).toBe('Undo');
});
