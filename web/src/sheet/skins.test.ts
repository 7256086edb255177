// A deck as a skin: only where it has the cards, and with all that a table shows.

import { beforeEach, expect, test } from 'vitest';
import { suitsInPlay } from '../game/cards.ts';
import { SHIPPED, usualDeck } from './decks.ts';
import { DEFAULTS, PRESETS } from './rules.ts';
import { recordedCards, skinOf, skinsFor } from './skins.ts';
import { DeviceStore } from './storage.ts';

beforeEach(() => localStorage.clear());

test.each(SHIPPED.map((deck) => [deck.name, deck] as const))('%s', (_, deck) => {
  const skin = skinOf(deck.name, deck.rules);
  if (skin === null) throw new Error('it has the cards');
  const suits = suitsInPlay(deck.rules.colours);
  expect([...skin.order].sort()).toEqual([...suits].sort());
  for (const suit of suits) {
    expect(skin.paints[suit]).toBeDefined();
    expect(skin.card(`${suit}X`)).toContain(skin.wager());
    expect(skin.card(`${suit}10`)).toBe(`${skin.name(suit)} 10`);
  }
  const printed = suits.map((suit) => [skin.index(`${suit}2`), skin.index(`${suit}X`)]);
  expect(printed).toEqual(suits.map((suit) => [deck.colours.find((each) => each.letter === suit)?.numbers[0] ?? '', '']));
  expect(new Set(Object.values(skin.signs)).size).toBe(suits.length);
  expect(skinOf(deck.name, { ...DEFAULTS, colours: 4 })).toBeNull();
});

test('own decks may be worn, and stand before a shipped one of the same name', () => {
  const own = { ...usualDeck(5), title: 'Mine' };
  new DeviceStore(localStorage).keepDeck(own);
  expect(skinsFor(DEFAULTS)[0]).toEqual({ name: 'five', title: 'Mine' });
  expect(skinsFor(DEFAULTS)).toHaveLength(5);
  expect(skinsFor(PRESETS.long ?? DEFAULTS).map((each) => each.name)).toEqual(['six']);
  expect(skinOf('nobody', DEFAULTS)).toBeNull();
});

test('the deck that a record names is worn if it is here and has the cards', () => {
  new DeviceStore(localStorage).keepDeck({ ...usualDeck(5), name: 'attic' });
  expect(recordedCards('mtttgc3', DEFAULTS)).toEqual({ ok: true, name: 'mtttgc3' });
  expect(recordedCards('Travel', DEFAULTS)).toEqual({ ok: true, name: 'mtttgc3' });
  expect(recordedCards('attic', DEFAULTS)).toEqual({ ok: true, name: 'attic' });
  expect(recordedCards('poker', DEFAULTS)).toEqual({ ok: false, why: 'unknown', said: 'poker' });
  expect(recordedCards('six', DEFAULTS)).toMatchObject({ ok: false, why: 'unfit' });
});
