// What the score sheet, the deck check and the decks say.

import type { Card, Suit } from '../game/cards.ts';
import { isWager, rankOf, suitOf } from '../game/cards.ts';
import type { Working } from '../net/wire.ts';
import type { DeckFault } from '../sheet/deckfile.ts';
import { indicesOf, printed, ranges, SHIPPED, type Deck } from '../sheet/decks.ts';
import type { Lack } from '../sheet/held.ts';
import { impossibleIn, MOST_ROUNDS, problemsIn, totals, type Match } from '../sheet/match.ts';
import { noteOf } from '../sheet/notes.ts';
import type { EntryFault, Spoken, Unread } from '../sheet/entry.ts';
import { SEATS, type Seat } from '../sheet/rules.ts';
import type { Problem } from '../sheet/scoring.ts';
import { lookup, pairs, region, t, words } from './language.svelte.ts';
import { folded } from './plain.ts';
import { capital, points } from './suits.ts';

export const SHEET = words('sheet', {
  round: (n: number): string => t('sheet.round', { n }),
  name: (seat: Seat): string => t('sheet.name', { n: seat + 1 }),
  player: (seat: Seat): string => t('sheet.player', { n: seat + 1 }),
  side: (name: string): string => t('sheet.side', { name }),
  row: (colour: string, working: string): string =>
    t('sheet.row', { colour: capital(colour), working }),
  wagers: (colour: string, wager: string, count: number): string =>
    t('sheet.wagers', { colour, wager, count }),
  starts: (name: string): string => t('sheet.starts', { name }),
  type: (name: string): string => t('sheet.type', { name }),
  nextStarts: (name: string, n: number): string => t('sheet.nextStarts', { name, n }),
  stands: (name: string, n: number, due: string): string => t('sheet.stands', { name, n, due }),
  broken: (n: number): string => t('sheet.broken', { n }),
  inRound: (n: number, text: string): string => t('sheet.inRound', { n, text }),
  most: (n: number): string => t('sheet.most', { n }),
  /** Why rounds, counted from 0, are not in the totals; empty if all are. */
  without: (rounds: readonly number[]): string =>
    rounds.length === 0 ? '' : t('sheet.without', { n: rounds.length, rounds: rounds.map((at) => at + 1).join(', ') }),
  unread: (name: string, unread: readonly Unread[]): string =>
    t('sheet.unread', { name, words: unread.map((each) => each.token).join(', ') }),
  taken: (card: string): string => t('sheet.taken', { card }),
  said: (one: string, first: number, two: string, second: number): string =>
    t('sheet.said', { one, first: points(first), two, second: points(second) }),
});

/** What typing looks like, in codes and in indices. */
export const EXAMPLES = { codes: 'YX Y3-6 R10', indices: '81 2-5 62 64' };

export const WHY = lookup('sheet.why');
export const FIRSTS = lookup('sheet.firsts');
export const WAYS = words('sheet.ways');
export const BAD_LINK = lookup('sheet.link');
/** Each key, and what it does. The letters of the rows are those of the notation, whatever a deck calls them. */
export const KEYS = (deck: Deck, suits: readonly Suit[]): [string, string][] =>
  pairs('sheet.keys', {
    letters: suits.join(' '),
    rows: suits.map((suit) => `${suit} ${colourName(deck, suit)}`).join(', '),
  });

export const SETTINGS = words('sheet.settings', {
  brought: (deck: string): string => t('sheet.settings.brought', { deck }),
  /** `hand` has the size of the deck above it as well. */
  wrong: (word: string, due: string): string => t(`sheet.settings.${word === 'hand' ? 'wrongHand' : 'wrong'}`, { word, due }),
  leaves: (colour: string): string => t('sheet.settings.leaves', { colour }),
});
export const NEXTS = lookup('sheet.settings.nexts');
/** What the texts behind the presets say of who starts. */
export const TEXTS = lookup('sheet.settings.texts');

export const SHEETS = words('sheet.sheets', {
  rounds: (n: number): string => t('sheet.sheets.rounds', { n }),
  remove: (names: string): string => t('sheet.sheets.remove', { names }),
});

/** When a sheet was written on last. */
export const dayOf = (changed: number): string =>
  new Date(changed).toLocaleDateString(region(), { day: 'numeric', month: 'short', year: 'numeric' });

export const SHARE = words('sheet.share', {
  wins: (name: string): string => t('sheet.share.wins', { name }),
  ahead: (name: string): string => t('sheet.share.ahead', { name }),
  fromHistory: (name: string): string => t('sheet.share.fromHistory', { name }),
  fromHistoryHere: (name: string): string => t('sheet.share.fromHistoryHere', { name }),
  fromChanged: (day: string): string => t('sheet.share.fromChanged', { day }),
  fromHistoryChanged: (name: string, day: string): string => t('sheet.share.fromHistoryChanged', { name, day }),
  alone: (address: string): string => t('sheet.share.alone', { address }),
});

/** Why a sheet goes into no link, nor into the history. */
export const barText = (bar: 'rounds' | 'length', match: Match): string =>
  t(`sheet.share.bars.${bar}`, { most: MOST_ROUNDS, n: match.rounds.length });

export const HISTORY = words('sheet.history', {
  kept: (name: string): string => t('sheet.history.kept', { name }),
  refused: (text: string): string => t('sheet.history.refused', { text }),
});

export const CHECK = words('sheet.check', {
  lead: (deck: string): string => t('sheet.check.lead', { deck }),
  whole: (n: number): string => t('sheet.check.whole', { n }),
  held: (n: number, of: number): string => t('sheet.check.held', { n, of }),
  wagers: (wager: string): string => t('sheet.check.wagers', { wager }),
  missing: (cards: string): string => t('sheet.check.missing', { cards }),
  surplus: (cards: string): string => t('sheet.check.surplus', { cards }),
  hands: (n: number): string => t('sheet.check.hands', { n }),
  left: (n: number): string => t('sheet.check.left', { n }),
});

export const DECKS = words('sheet.decks', {
  usedHint: (deck: string): string => t('sheet.decks.usedHint', { deck }),
  useHint: (deck: string): string => t('sheet.decks.useHint', { deck }),
  stay: (indices: string, last: number): string => t('sheet.decks.stay', { indices, last }),
  ink: (colour: string, { ink, fill }: { ink: string; fill: string }): string =>
    t('sheet.decks.ink', { colour, ink, fill }),
  removeHint: (deck: string): string => t('sheet.decks.removeHint', { deck }),
  removeSure: (deck: string): string => t('sheet.decks.removeSure', { deck }),
  replaceSure: (name: string, deck: string): string => t('sheet.decks.replaceSure', { name, deck }),
  added: (title: string): string => t('sheet.decks.added', { title }),
  addedUnkept: (title: string): string => t('sheet.decks.addedUnkept', { title }),
  cannot: (file: string): string => t('sheet.decks.cannot', { file }),
  brought: (title: string): string => t('sheet.decks.brought', { title }),
  broughtTaken: (title: string): string => t('sheet.decks.broughtTaken', { title }),
  barred: (title: string, why: string): string => t('sheet.decks.barred', { title, why }),
});

// ---- decks and cards --------------------------------------------------------------------------

const TITLES = lookup('sheet.titles');
const TAKES = lookup('sheet.takes');
const NAMES = lookup('sheet.names');
const WAGERS = lookup('sheet.wagerNames');
const PRINTED = lookup('sheet.wagersPrinted');

/** Shipped decks speak the language of the page, own ones as their file does. */
const translated = (deck: Deck, text: string, texts: Readonly<Record<string, string | undefined>>): string =>
  SHIPPED.includes(deck) ? (texts[text] ?? text) : text;

export const deckTitle = (deck: Deck): string =>
  SHIPPED.includes(deck) ? (TITLES[deck.name] ?? deck.title) : deck.title;
/** A title that tells a deck from all others that are shown: with its name, where another has the same. */
export function titleAmong(deck: Deck, decks: readonly Deck[]): string {
  const title = deckTitle(deck);
  const twin = decks.some((each) => each.name !== deck.name && folded(deckTitle(each)) === folded(title));
  return twin ? t('sheet.twin', { title, name: deck.name }) : title;
}
export const deckTake = (deck: Deck): string =>
  SHIPPED.includes(deck) ? (TAKES[deck.name] ?? deck.take) : deck.take;
export const colourName = (deck: Deck, suit: Suit): string =>
  translated(deck, printed(deck, suit)?.name ?? suit, NAMES);
export const wagerName = (deck: Deck): string => translated(deck, deck.wager.name, WAGERS);

/** What the page calls a deck's colours and wagers, as they may be typed; without accents too. */
export function spokenOf(deck: Deck): Spoken {
  const colours = deck.colours.flatMap((each) =>
    [each.name, ...each.other_names].flatMap((name) =>
      spellings(NAMES[name.toLowerCase()] ?? name).map((said) => [said, each.letter] as const),
    ),
  );
  const wagers = [deck.wager.name, ...deck.wager.other_names].flatMap((name) =>
    // A printed leaflet may have a shorter word than the page.
    [WAGERS, PRINTED].flatMap((said) => spellings(said[name.toLowerCase()] ?? name)),
  );
  return { colours: new Map(colours), wagers };
}

const PLAIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function spellings(name: string): string[] {
  const small = name.toLowerCase();
  return [small, small.replace(/[äöüß]/g, (letter) => PLAIN[letter] ?? letter)];
}

/** A card in the deck's words. */
export function cardIn(deck: Deck, card: Card): string {
  const colour = colourName(deck, suitOf(card));
  return isWager(card)
    ? t('sheet.wagerOf', { colour, wager: wagerName(deck) })
    : t('sheet.number', { colour, rank: rankOf(card) });
}

/** A card with the indices that bear it: `purple 4 (64)`. */
function withIndices(deck: Deck, card: Card): string {
  const indices = indicesOf(deck, card);
  const said = cardIn(deck, card);
  return indices.length === 0 ? said : t('sheet.indexed', { card: said, indices: ranges(indices) });
}

/** A card with the index, or the indices, that tell it from its like. */
export const indexedCard = (deck: Deck, card: Card, index: string): string =>
  t('sheet.indexed', { card: cardIn(deck, card), indices: index });

/** A card in words that hold what is seen on it, index and all, one after the other. */
export const shownCard = (deck: Deck, card: Card, index: string): string =>
  t('sheet.shown', { card: cardIn(deck, card), index });

/** What lacks, in a line: with its index, or with those of which some lack. */
export const lacking = (deck: Deck, lacks: readonly Lack[]): string =>
  lacks
    .map(({ card, count, indices }) => {
      const [said, n] = [cardIn(deck, card), count];
      if (indices.length === 0) return n > 1 ? t('sheet.check.several', { n, card: said }) : said;
      const which = ranges(indices);
      if (indices.length > n) return t('sheet.check.someOf', { n, card: said, indices: which });
      const told = indexedCard(deck, card, which);
      return n > 1 ? t('sheet.check.several', { n, card: told }) : told;
    })
    .join(', ');

/** Cards in a line, equal ones told once with their number. */
export function listed(deck: Deck, cards: readonly Card[]): string {
  return [...new Set(cards)]
    .map((card) => {
      const n = cards.filter((each) => each === card).length;
      const said = withIndices(deck, card);
      return n > 1 ? t('sheet.check.several', { n, card: said }) : said;
    })
    .join(', ');
}

/** What lies in a row, to be heard; wagers that were named by their index with it. */
export const heldIn = (deck: Deck, row: readonly Card[], named: readonly string[]): string =>
  row
    .map((card, at) => {
      const index = isWager(card) ? named[at] : undefined;
      return index === undefined ? cardIn(deck, card) : indexedCard(deck, card, index);
    })
    .join(', ');

/** The totals of a match as they are shown: none while no round of it can be. */
export const totalsText = (match: Match): readonly [string, string] => {
  const [one, two] = totals(match);
  return impossibleIn(match).length === match.rounds.length ? ['–', '–'] : [points(one), points(two)];
};

// ---- workings and faults ----------------------------------------------------------------------

/** `(15−20)×2+20`; nothing for a row without cards. */
export function sum(row: Working): string {
  if (row.cards === 0) return '';
  const body = `${row.sum}−${row.cost}`;
  const times = row.multiplier > 1 ? `(${body})×${row.multiplier}` : body;
  return row.bonus > 0 ? `${times}+${row.bonus}` : times;
}

/** A row's working to be heard. */
export const rowWords = (row: Working): string =>
  row.cards === 0 ? SHEET.untouched : `${sum(row)} = ${points(row.total)}`;

export function problemText(problem: Problem, deck: Deck): string {
  const { kind, count, most } = problem;
  const said = problem.card === null ? '' : capital(cardIn(deck, problem.card));
  const card =
    problem.index === undefined ? said : t('sheet.indexed', { card: said, indices: problem.index });
  return t(`sheet.problems.${kind}`, { card, count, most });
}

/** The first of what cannot be, and how much else there is; empty if all can. */
export function problemsText(problems: readonly Problem[], deck: Deck): string {
  const [first, ...others] = problems;
  if (first === undefined) return '';
  const text = problemText(first, deck);
  return others.length === 0 ? text : t('sheet.more', { first: text, n: others.length });
}

/** All that cannot be, for who has the room or the time. */
export const allProblems = (problems: readonly Problem[], deck: Deck): string =>
  problems.map((each) => problemText(each, deck)).join(' ');

/** Why the first round that cannot be closed cannot; empty if all can. */
export function brokenText(match: Match, at: number | null): string {
  const round = at === null ? undefined : match.rounds[at];
  if (at === null || round === undefined) return '';
  const seat = SEATS.find((each) => noteOf(round, each).unread.length > 0);
  if (problemsIn(match, round).length > 0 || seat === undefined) return SHEET.broken(at + 1);
  const text = SHEET.unread(match.names[seat] || SHEET.player(seat), noteOf(round, seat).unread);
  return at === match.at ? text : SHEET.inRound(at + 1, text);
}

export const entryText = (fault: EntryFault, word: string): string =>
  t(`sheet.entry.${fault}`, { word });

/** Why each word of a typing line cannot be read; equal reasons are told once. */
export const unreadText = (unread: readonly Unread[]): string =>
  [...new Set(unread.map((each) => capital(entryText(each.fault, each.word))))].join(' ');

export function faultText({ kind, place, colour, what, due }: DeckFault): string {
  const reason = t(`sheet.faults.${kind}`, { what, due });
  const there = place === '' ? reason : t('sheet.fault', { place, reason });
  if (colour === undefined) return there;
  const part = colour.name === '' ? t('sheet.faultColour', { n: colour.n }) : t('sheet.faultColourNamed', colour);
  return t('sheet.fault', { place: part, reason: there });
}
