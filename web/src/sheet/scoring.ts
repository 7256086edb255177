// The score of a side, and what makes a pair of sheets impossible.

import { byCanon, suitOf, type Card, type Suit } from '../game/cards.ts';
import type { Working } from '../net/wire.ts';
import { byIndex, type Deck } from './decks.ts';
import { scoreRow } from './rowscore.ts';
import {
  copies,
  countFaces,
  deckSize,
  mostLying,
  SEATS,
  suitsOf,
  type Both,
  type Rules,
  type Seat,
} from './rules.ts';

/** The cards of a colour on one side, wagers first and numbers ascending. */
export const rowOf = (cards: readonly Card[], suit: Suit, rules: Rules): Card[] =>
  cards.filter((card) => suitOf(card) === suit && copies(card, rules) > 0).sort(byCanon);

export interface SideScore {
  rows: Readonly<Record<string, Working>>;
  total: number;
}

/** The working of every colour on one side. Cards that the rules lack count for nothing. */
export function scoreSide(cards: readonly Card[], rules: Rules): SideScore {
  const rows: Record<string, Working> = {};
  for (const suit of suitsOf(rules)) rows[suit] = scoreRow(rowOf(cards, suit, rules), rules);
  return { rows, total: Object.values(rows).reduce((sum, row) => sum + row.total, 0) };
}

export type ProblemKind = 'absent' | 'bothSides' | 'twice' | 'tooOften' | 'tooMany' | 'oneSide';

/** Why a sheet cannot be: about a card, or (card null) about the sheet as a whole. */
export interface Problem {
  kind: ProblemKind;
  card: Card | null;
  seats: readonly Seat[];
  /** How many there are; of a card or of all. */
  count: number;
  /** How many there can be. */
  most: number;
  /** The index that tells this card from others with its face. */
  index?: string;
}

/** Everything that makes a pair of sheets impossible, over both sides together. */
export function findProblems(sides: Both<readonly Card[]>, rules: Rules): Problem[] {
  const counts = [countFaces(sides[0]), countFaces(sides[1])] as const;
  const faces = [...new Set([...sides[0], ...sides[1]])].sort(byCanon);
  const found = faces.flatMap((card) => {
    const [one, two] = [counts[0].get(card) ?? 0, counts[1].get(card) ?? 0];
    const most = copies(card, rules);
    if (one + two <= most) return [];
    const seats = SEATS.filter((seat) => (counts[seat].get(card) ?? 0) > 0);
    return [{ kind: kindOf(most, seats), card, seats, count: one + two, most }];
  });
  return [...found, ...tooMany(sides, rules)];
}

/** Equal wagers of a deck with indices are told apart by these: the same one lies on one side only. */
export function findShared(named: Both<readonly string[]>, deck: Deck): Problem[] {
  const cards = byIndex(deck);
  return named[0]
    .filter((index) => named[1].includes(index))
    .map((index) => ({
      kind: 'bothSides',
      card: cards.get(index) ?? null,
      seats: SEATS,
      count: 2,
      most: 1,
      index,
    }));
}

function kindOf(most: number, seats: readonly Seat[]): ProblemKind {
  if (most === 0) return 'absent';
  if (most > 1) return 'tooOften';
  return seats.length === 2 ? 'bothSides' : 'twice';
}

/** Both hands are full at the end, and the last card that the other side laid is never mine. */
function tooMany(sides: Both<readonly Card[]>, rules: Rules): Problem[] {
  const most = mostLying(rules);
  const count = sides[0].length + sides[1].length;
  if (count > most) return [{ kind: 'tooMany', card: null, seats: SEATS, count, most }];
  return SEATS.filter((seat) => most > 1 && sides[seat].length === most).map((seat) => ({
    kind: 'oneSide' as const,
    card: null,
    seats: [seat],
    count: most,
    most,
  }));
}

export interface Check {
  held: number;
  missing: Card[];
  surplus: Card[];
}

/** Compare the cards that somebody holds with the deck of the rules. */
export function checkDeck(cards: readonly Card[], rules: Rules): Check {
  const [there, due] = [countFaces(cards), countFaces(allFaces(cards, rules))];
  const check: Check = { held: 0, missing: [], surplus: [] };
  for (const card of [...new Set([...there.keys(), ...due.keys()])].sort(byCanon)) {
    const [has, needs] = [there.get(card) ?? 0, copies(card, rules)];
    check.held += Math.min(has, needs);
    check.missing.push(...Array.from({ length: Math.max(0, needs - has) }, () => card));
    check.surplus.push(...Array.from({ length: Math.max(0, has - needs) }, () => card));
  }
  return check;
}

const allFaces = (cards: readonly Card[], rules: Rules): Card[] => [
  ...suitsOf(rules).flatMap((suit) => [
    `${suit}X`,
    ...Array.from({ length: rules.top - 1 }, (_, index) => `${suit}${index + 2}`),
  ]),
  ...cards,
];

/** Whether so many cards can be counted at all. */
export const isCount = (cards: number): boolean => Number.isInteger(cards) && cards >= 0;

/** How many cards the deck should still hold; null if so many cards cannot lie there. */
export function deckLeft(rules: Rules, lying: number, laid: boolean): number | null {
  const left = deckSize(rules) - 2 * rules.hand + (laid ? 1 : 0) - lying;
  const least = laid ? 1 : 0;
  return !isCount(lying) || lying < least || left < least ? null : left;
}
