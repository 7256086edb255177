// A match on paper: rounds, who starts them, totals. Everything is a value; what is kept, undone and
// put into a link is this.

import type { Card } from '../game/cards.ts';
import { isIndexed, namedDeck, presetOf, serves, SHIPPED, usualDeck, type Deck } from './decks.ts';
import { other, PRESETS, writeRules, type Both, type Rules, type Seat } from './rules.ts';
import { fitting, noteOf, unnamed, withNotes, type Note, type Round } from './notes.ts';
import { findProblems, findShared, scoreSide, type Problem } from './scoring.ts';
import { within, type Side } from './sides.ts';

export interface Match {
  readonly names: Both<string>;
  readonly rules: Rules;
  /** The preset whose text these rules follow in who starts; null for none. */
  readonly source: string | null;
  /** The deck whose words and colours it is shown in. */
  readonly deck: Deck;
  /** The deck that gave way when the rules last asked for other cards. */
  readonly left?: Deck;
  /** Who started the first round; null while nobody has said so. */
  readonly first: Seat | null;
  readonly rounds: readonly Round[];
  /** Which round is looked at. */
  readonly at: number;
  readonly finished: boolean;
}

const EMPTY: Round = { sides: [[], []] };

export const newMatch = (
  names: Both<string>,
  rules: Rules,
  deck: Deck,
  source: string | null = null,
): Match => ({
  names,
  rules,
  source,
  deck,
  first: rules.first === 0 || rules.first === 1 ? rules.first : null,
  rounds: [EMPTY],
  at: 0,
  finished: false,
});

export const roundAt = (match: Match, at: number = match.at): Round => match.rounds[at] ?? EMPTY;

/** Points of a round by seat. */
export const roundScore = (match: Match, at: number): Both<number> => {
  const { sides } = roundAt(match, at);
  return [scoreSide(sides[0], match.rules).total, scoreSide(sides[1], match.rules).total];
};

/** Why a round cannot be; its sides may be given as they are seen. */
export function problemsIn(match: Match, round: Round, sides: Both<Side> = round.sides): Problem[] {
  const named = [noteOf(round, 0).indices, noteOf(round, 1).indices] as const;
  return [...findProblems(sides, match.rules), ...findShared(named, match.deck)];
}

export const isPlayed = (round: Round): boolean =>
  round.sides[0].length > 0 || round.sides[1].length > 0;

/** Whether the cards of a round cannot lie there. */
export const isImpossible = (match: Match, at: number): boolean => problemsIn(match, roundAt(match, at)).length > 0;

/** Points by seat over the first rounds as they stand, whether or not they can be. */
export const sums = (match: Match, rounds: number = match.rounds.length): Both<number> =>
  sumOf(match, [...match.rounds.keys()].slice(0, rounds));

/** Points by seat over all rounds; one that cannot be counts for nothing. */
export const totals = (match: Match): Both<number> =>
  sumOf(match, [...match.rounds.keys()].filter((at) => !isImpossible(match, at)));

function sumOf(match: Match, rounds: readonly number[]): Both<number> {
  const scores = rounds.map((at) => roundScore(match, at));
  const sum = (seat: Seat): number => scores.reduce((total, score) => total + score[seat], 0);
  return [sum(0), sum(1)];
}

export type StartReason = 'said' | 'unsaid' | 'alternate' | 'leader' | 'winner' | 'tie' | 'played';
export interface Start {
  seat: Seat | null;
  why: StartReason;
}

const ahead = (points: Both<number>): Seat | null =>
  points[0] === points[1] ? null : points[0] > points[1] ? 0 : 1;

/**
 * Who starts a round, and why. Who has started one stays who did, whatever is corrected before it:
 * that has happened at the table.
 */
export function starter(match: Match, at: number): Start {
  const due = starterDue(match, at);
  const { start } = roundAt(match, at);
  return start === undefined || start === due.seat ? due : { seat: start, why: 'played' };
}

/** The seat that would start a round by the rules, where another one did; null for none. */
export function startMissed(match: Match, at: number): Seat | null {
  return starter(match, at).why === 'played' ? starterDue(match, at).seat : null;
}

/** Who starts a round by the rules, and why. A tie alternates from the last starter. */
function starterDue(match: Match, at: number): Start {
  if (at === 0) return { seat: match.first, why: match.first === null ? 'unsaid' : 'said' };
  const points = match.rules.next === 'winner' ? roundScore(match, at - 1) : sums(match, at);
  const best = match.rules.next === 'alternate' ? null : ahead(points);
  if (best !== null) return { seat: best, why: match.rules.next === 'winner' ? 'winner' : 'leader' };
  const last = starter(match, at - 1).seat;
  const why = match.rules.next === 'alternate' ? 'alternate' : 'tie';
  return { seat: last === null ? null : other(last), why: last === null ? 'unsaid' : why };
}

export const roundsDue = (match: Match): number | null =>
  match.rules.rounds === 'open' ? null : Number(match.rules.rounds);

/** Whether the round looked at is the last one of the match. */
export const isLast = (match: Match): boolean => {
  const due = roundsDue(match);
  return due !== null && match.at >= due - 1;
};

/** A round that cannot be as it stands, counted from 0, and why. */
export interface Impossible {
  readonly at: number;
  readonly problems: readonly Problem[];
}

/** The rounds whose cards cannot lie there. While there is one, the match has no result. */
export const impossibleIn = (match: Match): Impossible[] =>
  match.rounds
    .map((round, at) => ({ at, problems: problemsIn(match, round) }))
    .filter(({ problems }) => problems.length > 0);

/** The seat that is ahead over all rounds; null for a draw, and where a round cannot be. */
export const winner = (match: Match): Seat | null =>
  impossibleIn(match).length > 0 ? null : ahead(totals(match));

// ---- changes ----------------------------------------------------------------------------------

/** Other cards on a side; what is noted of it stays as far as it fits them. */
export function setSide(match: Match, seat: Seat, side: readonly Card[], note?: Note): Match {
  const round = roundAt(match);
  if (round.sides[seat] === side && note === undefined) return match;
  const now = note ?? fitting(noteOf(round, seat), side, match.deck);
  const changed =
    seat === 0
      ? withNotes(round, [side, round.sides[1]], [now, noteOf(round, 1)])
      : withNotes(round, [round.sides[0], side], [noteOf(round, 0), now]);
  return begun(withRound(match, match.at, changed), match.at);
}

const withRound = (match: Match, at: number, round: Round): Match => ({
  ...match,
  rounds: match.rounds.map((each, index) => (index === at ? round : each)),
});

/** Whoever starts a round by the rules has started it once somebody writes into it. */
function begun(match: Match, at: number): Match {
  const { start, ...round } = roundAt(match, at);
  const due = starterDue(match, at).seat;
  if (at === 0 || due === null) return match;
  if (!isPlayed(round)) return start === due ? withRound(match, at, round) : match;
  return start === undefined ? withRound(match, at, { ...round, start: due }) : match;
}

/** The match with every round begun that somebody has written into. */
export const allBegun = (match: Match): Match =>
  match.rounds.reduce((sum, _, at) => begun(sum, at), match);

/** Somebody says who started a round. */
export const setStart = (match: Match, at: number, seat: Seat): Match =>
  starter(match, at).seat === seat ? match : withRound(match, at, { ...roundAt(match, at), start: seat });

export const goTo = (match: Match, at: number): Match =>
  at >= 0 && at < match.rounds.length ? { ...match, at } : match;

/** So many rounds go into a link and into a history. */
export const MOST_ROUNDS = 99;

/** Whether the round looked at is the last one that there can be. */
export const isFull = (match: Match): boolean => match.at + 1 >= Math.max(match.rounds.length, MOST_ROUNDS);

/** The round after the one looked at; a new one after the last, as long as there can be one. */
export function nextRound(match: Match): Match {
  if (match.at + 1 < match.rounds.length) return goTo(match, match.at + 1);
  if (isFull(match)) return match;
  return { ...match, rounds: [...match.rounds, EMPTY], at: match.rounds.length };
}

/** The deck worn under other rules: one that cannot serve gives way to the one before it. */
function deckFor(match: Match, rules: Rules): Pick<Match, 'deck' | 'left'> {
  const { deck, left } = match;
  if (serves(deck, rules)) return { deck };
  const back = left !== undefined && serves(left, rules);
  return { deck: back ? left : usualDeck(rules.colours), left: deck };
}

/** Other rules: cards that they lack go, and a deck that cannot serve gives way to another. */
export function setRules(match: Match, rules: Rules, source: string | null = match.source): Match {
  const worn = deckFor(match, rules);
  return {
    ...match,
    rules,
    source: follows(source, rules) ? source : null,
    ...worn,
    first: rules.first === 0 || rules.first === 1 ? rules.first : match.first,
    rounds: match.rounds.map((round) =>
      worn.deck === match.deck ? lacking(round, rules) : lacking(unnamed(round), rules),
    ),
  };
}

/** A round without the cards that the rules lack. */
const lacking = (round: Round, rules: Rules): Round => ({
  ...round,
  sides: [within(round.sides[0], rules), within(round.sides[1], rules)],
});

/**
 * Whether rules are those of a preset. How many colours there are is the deck's, and the number of
 * rounds is the players' where the text leaves it to them.
 */
export function follows(source: string | null, rules: Rules): boolean {
  const preset = source === null ? undefined : PRESETS[source];
  if (preset === undefined) return false;
  const rounds = source === 'site' || source === 'travel' ? rules.rounds : preset.rounds;
  const colours = source === 'long' ? preset.colours : rules.colours;
  return writeRules(rules) === writeRules({ ...preset, rounds, colours });
}

/** The preset that rules are those of: the one chosen before if it fits, else the first that is the same. */
function sourceOf(rules: Rules, before: string | null): string | null {
  const same = Object.keys(PRESETS).filter((name) => writeRules(PRESETS[name] ?? rules) === writeRules(rules));
  if (before !== null && (same.length === 0 || same.includes(before))) return before;
  return same[0] ?? null;
}

/** Whether nothing stands on the sheet and its rules are still those of a text. */
const untouched = (match: Match): boolean =>
  match.rounds.length === 1 && cardsIn(match) === 0 && match.source !== null;

/**
 * A text is chosen. One that is about a deck with indices brings it to an empty sheet; else the colours
 * stay as many as lie on the table, unless the text is about another game.
 */
export function setPreset(match: Match, source: string, rules: Rules): Match {
  const deck = namedDeck(source, []);
  const brings = deck !== undefined && isIndexed(deck) && SHIPPED.includes(match.deck) && untouched(match);
  if (brings) return setRules({ ...match, deck }, rules, source);
  const colours = source === 'long' ? rules.colours : match.rules.colours;
  return setRules(match, { ...rules, colours }, source);
}

/**
 * Another deck. To an empty sheet it brings the rules that it is played by, as with the command; else,
 * and where people have set rules of their own, how many colours there are and nothing more.
 */
export function setDeck(match: Match, deck: Deck): Match {
  if (untouched(match)) {
    const source = SHIPPED.includes(deck) ? presetOf(deck) : (deck.preset ?? sourceOf(deck.rules, match.source));
    return { ...setRules({ ...match, deck }, deck.rules, source), deck };
  }
  const { colours, wagers, top } = deck.rules;
  const rounds = deck === match.deck ? match.rounds : match.rounds.map(unnamed);
  return { ...setRules({ ...match, deck, rounds }, { ...match.rules, colours, wagers, top }), deck };
}

export const setFirst = (match: Match, first: Seat | null): Match => ({ ...match, first });

export const setName = (match: Match, seat: Seat, name: string): Match => ({
  ...match,
  names: seat === 0 ? [name, match.names[1]] : [match.names[0], name],
});

/** The match ended: rounds at the end that nobody has written into go. */
export function finish(match: Match): Match {
  let last = match.rounds.length;
  while (last > 1 && !isPlayed(roundAt(match, last - 1))) last -= 1;
  const rounds = match.rounds.slice(0, last);
  return { ...match, rounds, at: Math.min(match.at, last - 1), finished: true };
}

export const reopen = (match: Match): Match => ({ ...match, finished: false });

export const cardsIn = (match: Match): number =>
  match.rounds.reduce((sum, { sides }) => sum + sides[0].length + sides[1].length, 0);
