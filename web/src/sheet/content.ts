// A match on paper as plain data: what is kept on the device and what a link holds. Reading trusts
// nothing; what is not a match gives null.

import { isWager } from '../game/cards.ts';
import { plain, shortened } from '../words/plain.ts';
import { findDeck, serves, SHIPPED, type Deck } from './decks.ts';
import { readDeck, tableOf, type Table } from './deckfile.ts';
import { allBegun, follows, MOST_ROUNDS, starter, type Match } from './match.ts';
import { fitting, noteOf, withNotes, type Note, type Round } from './notes.ts';
import { DEFAULTS, wrongKey, type Both, type Rules, type Seat } from './rules.ts';
import { readSide, writeSide, type Side } from './sides.ts';

/** Short keys, since a link holds them. */
export interface Content {
  /** names */
  n: [string, string];
  /** rules that are not the default */
  r: Partial<Rules>;
  /** the preset whose text they follow, if any */
  p?: string;
  /** a shipped deck's name, or an own deck's table */
  d: string | Table;
  /** who started the first round */
  f: Seat | null;
  /** rounds, each with both sides */
  s: [string, string][];
  /** the round looked at */
  a: number;
  /** whether the match is finished */
  e: boolean;
  /** wagers that were named by their index, for each round and side; absent if none was */
  i?: [string, string][];
  /** who started each round where it was not who does by the rules, else null; absent if none */
  b?: (Seat | null)[];
}

export const LONGEST_NAME = 40;

export function writeContent(match: Match): Content {
  const changed = Object.entries(match.rules).filter(
    ([key, value]) => value !== DEFAULTS[key as keyof Rules],
  );
  return {
    n: [match.names[0], match.names[1]],
    r: Object.fromEntries(changed),
    ...(match.source === null ? {} : { p: match.source }),
    d: writeDeckOf(match.deck),
    f: match.first,
    s: match.rounds.map(({ sides }) => [writeSide(sides[0]), writeSide(sides[1])]),
    a: match.at,
    e: match.finished,
    ...written(match),
  };
}

function written(match: Match): Pick<Content, 'i' | 'b'> {
  const named = match.rounds.map((round): [string, string] => [
    indicesIn(round, 0, match.deck),
    indicesIn(round, 1, match.deck),
  ]);
  const starts = match.rounds.map((round, at) => (isPlayedOtherwise(match, at) ? (round.start ?? null) : null));
  return {
    ...(named.some((sides) => sides.some(Boolean)) ? { i: named } : {}),
    ...(starts.some((start) => start !== null) ? { b: starts } : {}),
  };
}

const isPlayedOtherwise = (match: Match, at: number): boolean => starter(match, at).why === 'played';

const indicesIn = (round: Round, seat: Seat, deck: Deck): string =>
  fitting(noteOf(round, seat), round.sides[seat], deck).indices.join(' ');

/** The match that {@link writeContent} wrote; null if the value is not one, or has more rounds than `most`. */
export function readContent(value: unknown, most: number = MOST_ROUNDS): Match | null {
  if (typeof value !== 'object' || value === null) return null;
  const content = value as Partial<Record<keyof Content, unknown>>;
  const names = readNames(content.n);
  const rules = readRules(content.r);
  const deck = readDeckOf(content.d);
  const bare = readRounds(content.s, most);
  const whole = bare === null || deck === null ? null : named(bare, content.i, deck);
  const rounds = whole === null ? null : started(whole, content.b);
  if (names === null || rules === null || rounds === null || deck === null) return null;
  if (!serves(deck, rules)) return null;
  const { f = null, a, e, p } = content;
  const source = typeof p === 'string' && follows(p, rules) ? p : null;
  if (f !== 0 && f !== 1 && f !== null) return null;
  const at = Number.isInteger(a) && Number(a) >= 0 && Number(a) < rounds.length ? Number(a) : 0;
  return allBegun({ names, rules, source, deck, first: f, rounds, at, finished: e === true });
}

function readNames(value: unknown): Both<string> | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [one, two] = value as unknown[];
  if (typeof one !== 'string' || typeof two !== 'string') return null;
  return [shortened(plain(one), LONGEST_NAME), shortened(plain(two), LONGEST_NAME)];
}

function readRules(value: unknown): Rules | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.keys(value).some((key) => !Object.hasOwn(DEFAULTS, key))) return null;
  const rules = { ...DEFAULTS, ...value } as Rules;
  return wrongKey(rules) === null ? rules : null;
}

function readRounds(value: unknown, most: number): Round[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return null;
  const rounds: Round[] = [];
  for (const each of value as unknown[]) {
    if (!Array.isArray(each) || each.length !== 2) return null;
    const [one, two] = (each as unknown[]).map((side) =>
      typeof side === 'string' ? readSide(side) : null,
    );
    if (one == null || two == null) return null;
    rounds.push({ sides: [one, two] });
  }
  return rounds;
}

/** The rounds with the wagers that are named; null if one is named that does not lie there. */
function named(rounds: Round[], value: unknown, deck: Deck): Round[] | null {
  if (value === undefined || value === null) return rounds;
  if (!Array.isArray(value) || value.length !== rounds.length) return null;
  const found: Round[] = [];
  for (const [at, { sides }] of rounds.entries()) {
    const each: unknown = value[at];
    if (!Array.isArray(each) || each.length !== 2) return null;
    const [one, two] = [noteFrom(each[0], sides[0], deck), noteFrom(each[1], sides[1], deck)];
    if (one === null || two === null) return null;
    found.push(withNotes({}, sides, [one, two]));
  }
  return found;
}

/** The rounds with who started them; null if that cannot be read. */
function started(rounds: Round[], value: unknown): Round[] | null {
  if (value === undefined || value === null) return rounds;
  if (!Array.isArray(value) || value.length !== rounds.length || value[0] !== null) return null;
  const starts = value as unknown[];
  if (!starts.every((each) => each === null || each === 0 || each === 1)) return null;
  return rounds.map((round, at) => {
    const start = starts[at];
    return start === null ? round : { ...round, start: start as Seat };
  });
}

function noteFrom(value: unknown, side: Side, deck: Deck): Note | null {
  if (typeof value !== 'string') return null;
  const note = { unread: [], indices: value === '' ? [] : value.split(' ') };
  const wagers = side.filter(isWager);
  const whole = new Set(note.indices).size === note.indices.length;
  return whole && fitting(note, wagers, deck).indices.length === note.indices.length ? note : null;
}

/** A shipped deck by its name, one of people's own whole. */
export const writeDeckOf = (deck: Deck): Content['d'] =>
  SHIPPED.includes(deck) ? deck.name : tableOf(deck);

export function readDeckOf(value: unknown): Deck | null {
  if (typeof value === 'string') return findDeck(value) ?? null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const reading = readDeck(asToml(value) as Table);
  return reading.ok ? reading.deck : null;
}

/** JSON as the same in TOML, which tells whole numbers from others. */
function asToml(value: unknown): unknown {
  if (Number.isInteger(value)) return BigInt(value as number);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asToml);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asToml(each)]));
}
