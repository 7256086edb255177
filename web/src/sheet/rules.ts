// The rules of a sheet, as data. A sheet is kept at a table without a network, so it reckons by
// itself; tests hold what it reckons to the core's cases.

import { SUITS, isWager, rankOf, suitOf, suitsInPlay, type Card, type Suit } from '../game/cards.ts';
import type { RulesInForce } from '../net/wire.ts';
import data from './decks.json';

export type Rules = RulesInForce;
export type Seat = 0 | 1;
export type Both<T> = readonly [T, T];

export const SEATS = [0, 1] as const;
export const PRESETS: Readonly<Record<string, Rules>> = data.presets;
/** Rules for study; offered nowhere, but a deck may be made for them. */
const STUDIES: Readonly<Record<string, Rules>> = data.studies;
export const DEFAULTS: Rules = {
  colours: 5,
  hand: 8,
  cost: 20,
  bonus: 20,
  bonus_at: 8,
  rounds: 3,
  first: 'random',
  next: 'alternate',
  own_discard: false,
  stall: 0,
  wagers: 3,
  top: 10,
};

export const other = (seat: Seat): Seat => (seat === 0 ? 1 : 0);

/** The numbers of a colour, from 2 on. */
export const numbersOf = (rules: Rules): number[] =>
  Array.from({ length: rules.top - 1 }, (_, index) => index + 2);

export const suitsOf = (rules: Rules): readonly Suit[] => suitsInPlay(rules.colours);

/** How many cards with this face the deck has; 0 if these rules lack it. */
export function copies(card: Card, rules: Rules): number {
  if (SUITS.indexOf(suitOf(card)) >= rules.colours) return 0;
  if (isWager(card)) return rules.wagers;
  return Number(rankOf(card)) <= rules.top ? 1 : 0;
}

/** The whole deck in canonical order. */
export const allCards = (rules: Rules): Card[] =>
  suitsOf(rules).flatMap((suit) => [
    ...Array.from({ length: rules.wagers }, () => `${suit}X`),
    ...numbersOf(rules).map((rank) => `${suit}${rank}`),
  ]);

export const deckSize = (rules: Rules): number => rules.colours * (rules.wagers + rules.top - 1);

/** How many cards can lie on the table at the end: all but two full hands. */
export const mostLying = (rules: Rules): number => deckSize(rules) - 2 * rules.hand;

/** How often each face is there. */
export function countFaces(cards: readonly Card[]): Map<Card, number> {
  const counts = new Map<Card, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

const RANGES: readonly (readonly [keyof Rules, number, number])[] = [
  ['colours', 1, 6],
  ['hand', 1, 12],
  ['cost', 0, 99],
  ['bonus', 0, 99],
  ['bonus_at', 1, 13],
  ['stall', 0, 999],
  ['wagers', 0, 3],
  ['top', 2, 10],
];

const NEXTS = ['alternate', 'leader', 'winner'];
const VALUES: Readonly<Record<string, string>> = {
  rounds: '1–99, open',
  first: 'random, 0, 1',
  next: NEXTS.join(', '),
  own_discard: ['yes', 'no'].join(', '),
};

const between = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high;

/** The first key whose value no match can have; null for rules that can be played. */
export function wrongKey(rules: Rules): keyof Rules | null {
  for (const [key, low, high] of RANGES) if (!between(rules[key], low, high)) return key;
  if (rules.rounds !== 'open' && !between(rules.rounds, 1, 99)) return 'rounds';
  if (rules.first !== 'random' && !between(rules.first, 0, 1)) return 'first';
  if (!NEXTS.includes(rules.next)) return 'next';
  if (typeof rules.own_discard !== 'boolean') return 'own_discard';
  return deckSize(rules) < 2 * rules.hand + 1 ? 'hand' : null;
}

const keyValue = (word: string): [string, string | number | boolean] | null => {
  const found = /^([a-z_]+)=(.+)$/.exec(word);
  if (found === null) return null;
  const [, key = '', value = ''] = found;
  if (key === 'own_discard') return ['yes', 'no'].includes(value) ? [key, value === 'yes'] : null;
  return [key, /^\d{1,3}$/.test(value) ? Number(value) : value];
};

/** What a table says of a name; nothing for what every object has. */
const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Rules as written, a preset and `key=value` words; the word that is wrong in their place. */
export function parseRules(text: string, base: Rules): Rules | { wrong: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  let start: Rules = base;
  if (words[0] !== undefined && !words[0].includes('=')) {
    const named = own(PRESETS, words[0]) ?? own(STUDIES, words[0]);
    if (named === undefined) return { wrong: words[0] };
    start = named;
    words.shift();
  }
  const values: Record<string, string | number | boolean> = {};
  for (const word of words) {
    const pair = keyValue(word);
    if (pair === null || !Object.hasOwn(DEFAULTS, pair[0]) || Object.hasOwn(values, pair[0])) return { wrong: word };
    values[pair[0]] = pair[1];
  }
  const rules = { ...start, ...values } as Rules;
  const key = wrongKey(rules);
  return key === null ? rules : { wrong: key };
}

/** What may stand where a word of written rules is wrong: values of its key, keys, or presets. */
export function dueFor(wrong: string): string {
  const range = RANGES.find(([key]) => key === wrong);
  if (range !== undefined) return `${range[1]}–${range[2]}`;
  const values = own(VALUES, wrong);
  if (values !== undefined) return values;
  const [key = '', ...value] = wrong.split('=');
  if (value.length === 0) return Object.keys(PRESETS).join(', ');
  return Object.hasOwn(DEFAULTS, key) ? dueFor(key) : Object.keys(DEFAULTS).join(', ');
}

/** The preset that a text of rules is the name of; null for any other text. */
export const presetNamed = (text: string): string | null => (Object.hasOwn(PRESETS, text.trim()) ? text.trim() : null);

const ALWAYS = ['colours', 'hand', 'cost', 'bonus', 'bonus_at', 'rounds', 'first', 'next'];

/** Rules as they are written: the first eight keys always, the others when they differ. */
export const writeRules = (rules: Rules): string =>
  (Object.keys(DEFAULTS) as (keyof Rules)[])
    .filter((key) => ALWAYS.includes(key) || rules[key] !== DEFAULTS[key])
    .map((key) => `${key}=${rules[key] === true ? 'yes' : rules[key] === false ? 'no' : rules[key]}`)
    .join(' ');
