// Decks as data: what is printed on the cards that people hold. A deck changes no rule.

import type { Card, Suit } from '../game/cards.ts';
import { isWager, rankOf, suitOf } from '../game/cards.ts';
import data from './decks.json';
import { deckSize, type Rules } from './rules.ts';

export interface DeckColour {
  letter: Suit;
  name: string;
  other_names: string[];
  fill: string;
  ink: string;
  symbol: string;
  numbers: string[];
  wagers: string[];
}

export interface Deck {
  name: string;
  title: string;
  rules: Rules;
  /** The preset that an own deck names as its rules, and nothing beside it. */
  preset?: string;
  wager: { name: string; other_names: string[]; mark: string };
  take: string;
  colours: DeckColour[];
}

export const SHIPPED = data.decks as unknown as readonly Deck[];

/** The decks that come with the program by every name that commands and records know. */
const ALIASES: Readonly<Record<string, string>> = data.aliases;
export const TAKEN: readonly string[] = Object.keys(ALIASES);

/** The preset of the rules whose deck this is; null for one of people's own. */
export const presetOf = (deck: Deck): string | null =>
  Object.keys(data.presets).find((name) => ALIASES[name] === deck.name) ?? null;

/** The deck that a record names: one of people's own, else one that comes with the program. */
export function namedDeck(name: string, own: readonly Deck[]): Deck | undefined {
  const said = name.toLowerCase();
  return own.find((deck) => deck.name === said) ?? findDeck(ALIASES[said] ?? said);
}

/** The fill of a letter's colour where a deck says none. */
export const usualFill = (letter: Suit): string =>
  usualDeck(6).colours.find((each) => each.letter === letter)?.fill ?? '#FFFFFF';

export const isIndexed = (deck: Deck): boolean => (deck.colours[0]?.numbers.length ?? 0) > 0;

/** Own decks come first, as with the command. */
export const findDeck = (name: string, own: readonly Deck[] = []): Deck | undefined =>
  [...own, ...SHIPPED].find((deck) => deck.name === name);

/** Whether the deck has the cards of the rules. */
export const serves = (deck: Deck, rules: Rules): boolean =>
  deck.rules.colours === rules.colours &&
  deck.rules.wagers === rules.wagers &&
  deck.rules.top === rules.top;

/** The deck that comes with so many colours. */
export const usualDeck = (colours: number): Deck => {
  const name = colours === 6 ? 'six' : 'five';
  const found = findDeck(name);
  if (found === undefined) throw new Error(`the deck ${name} is missing from decks.json`);
  return found;
};

/** The deck's colours of these rules, in the order in which they lie on its table. */
export function coloursOf(deck: Deck, rules: Rules): readonly DeckColour[] {
  const letters = 'YBWGRP'.slice(0, rules.colours);
  return deck.colours.filter((each) => letters.includes(each.letter));
}

export const printed = (deck: Deck, suit: Suit): DeckColour | undefined =>
  deck.colours.find((each) => each.letter === suit);

/** The indices that bear a card: one for a number, several for a wager; none without. */
export function indicesOf(deck: Deck, card: Card): readonly string[] {
  const each = printed(deck, suitOf(card));
  if (each === undefined) return [];
  return isWager(card) ? each.wagers : each.numbers.slice(Number(rankOf(card)) - 2).slice(0, 1);
}

/** The card of every index; empty without indices. */
export function byIndex(deck: Deck): Map<string, Card> {
  const found = new Map<string, Card>();
  for (const each of deck.colours) {
    each.numbers.forEach((index, at) => found.set(index, `${each.letter}${at + 2}`));
    for (const index of each.wagers) found.set(index, `${each.letter}X`);
  }
  return found;
}

/** Indices for people, neighbours drawn together: `2–10, 81–83`. */
export function ranges(indices: readonly string[]): string {
  const parts: string[][] = [];
  for (const index of indices) {
    const last = parts.at(-1);
    if (last !== undefined && follows(last.at(-1) ?? '', index)) last.push(index);
    else parts.push([index]);
  }
  return parts.map((part) => (part.length === 1 ? part[0] : `${part[0]}–${part.at(-1)}`)).join(', ');
}

const follows = (before: string, index: string): boolean =>
  /^\d+$/.test(before) && /^\d+$/.test(index) && Number(index) === Number(before) + 1;

/** The highest number that is an index of the deck; 0 for none. */
export const highestTaken = (deck: Deck): number =>
  Math.max(0, ...[...byIndex(deck).keys()].filter((index) => /^\d+$/.test(index)).map(Number));

/**
 * Indices up to the highest one taken that stay in the box. Where none does, the deck may well be the
 * whole box, and there is nothing to say of higher ones.
 */
export function staysInBox(deck: Deck): string[] {
  const taken = new Set(byIndex(deck).keys());
  const all = Array.from({ length: highestTaken(deck) }, (_, at) => `${at + 1}`);
  return all.filter((index) => !taken.has(index));
}

/** The picture of each colour: one of the page's symbols, by the letter that it belongs to. */
const PICTURES: Readonly<Record<string, Suit>> = {
  sun: 'Y',
  wave: 'B',
  peak: 'W',
  leaf: 'G',
  flame: 'R',
  crescent: 'P',
};

/** The pictures that a deck file may name. */
export const SYMBOLS: readonly string[] = Object.keys(PICTURES).sort();

/** Which symbol stands for a colour of the deck. Symbols tell colours apart, so where two colours
 * name the same one, or one that the page cannot draw, each colour has that of its letter. */
export function symbolsOf(deck: Deck): Readonly<Record<string, Suit>> {
  const wanted = deck.colours.map((each) => PICTURES[each.symbol.toLowerCase()] ?? each.letter);
  const apart = new Set(wanted).size === wanted.length;
  return Object.fromEntries(
    deck.colours.map((each, at) => [each.letter, apart ? (wanted[at] ?? each.letter) : each.letter]),
  );
}

export const sizeOf = (deck: Deck): number => deckSize(deck.rules);
