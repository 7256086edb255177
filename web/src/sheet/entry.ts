// Reading cards as people type them with their deck in hand: codes, indices, colours with numbers or
// wagers, and sweeps of them. The grammar is that of the command (docs/decks.md); tests hold both to
// the same cases. What cannot be read is answered with the word and the reason.

import { byCanon, isWager, rankOf, SUITS, suitOf, type Card, type Suit } from '../game/cards.ts';
import { folded, spaced } from '../words/plain.ts';
import { byIndex, isIndexed, type Deck } from './decks.ts';
import { copies } from './rules.ts';

export const ENTRY_FAULTS = [
  'unknown',
  'colourAlone',
  'colourBare',
  'numberAlone',
  'inBox',
  'indexTwice',
  'notInDeck',
  'otherColour',
  'wagerSweep',
  'downward',
  'indexSweep',
  'tooMany',
] as const;
export type EntryFault = (typeof ENTRY_FAULTS)[number];

/** A word of a line that cannot be read. */
export interface Unread {
  fault: EntryFault;
  /** What of it is at fault. */
  word: string;
  /** The whole of it, as typed. */
  token: string;
  /** Which word of the line it is, from 1. */
  number: number;
}

export interface Reading {
  /** What could be read, in the order typed. */
  cards: Card[];
  /** The wagers among them that were named by their index. */
  indices: string[];
  /** What could not. */
  unread: Unread[];
}

export type Entry =
  | { ok: true; cards: Card[] }
  | { ok: false; fault: EntryFault; word: string; number: number };

/** What the page calls colours and wagers beside the names in the deck's file, in small letters. */
export interface Spoken {
  colours: ReadonlyMap<string, Suit>;
  wagers: readonly string[];
}

const MOST = 400;
const SWEEP = /^(.*?[0-9A-Za-z])[-–](.+)$/;

class Refused extends Error {
  readonly fault: EntryFault;
  readonly word: string;
  constructor(fault: EntryFault, word: string) {
    super(fault);
    this.fault = fault;
    this.word = word;
  }
}

/** The cards that a line of typing names, in the order typed; nothing or `-` is none. */
export function parseTyped(text: string, deck: Deck, spoken?: Spoken): Entry {
  const { cards, unread } = readTyped(text, deck, spoken);
  const first = unread[0];
  if (first === undefined) return { ok: true, cards };
  return { ok: false, fault: first.fault, word: first.word, number: first.number };
}

/** All that can be read of a line of typing, and every word that cannot. */
export function readTyped(text: string, deck: Deck, spoken?: Spoken): Reading {
  const reader = new Reader(deck, spoken);
  // What was copied from elsewhere may hold signs that nobody sees to mend them.
  const stripped = spaced(text).trim();
  const words = stripped === '-' ? [] : stripped.split(/[\s,;]+/).filter((word) => word !== '');
  const cards: Card[] = [];
  const unread: Unread[] = [];
  /** A colour that nothing of it has followed yet. */
  let bare: Unread | null = null;
  for (const [at, token] of words.entries()) {
    const before = reader.suit;
    const read = reader.attempt(token, MOST - cards.length);
    if (read instanceof Refused) {
      unread.push({ fault: read.fault, word: read.word, token, number: at + 1 });
    } else if (read.length === 0) {
      if (bare !== null) unread.push(bare);
      bare = { fault: 'colourBare', word: token, token, number: at + 1 };
    } else {
      if (read.some((card) => suitOf(card) === before)) bare = null;
      cards.push(...read);
    }
  }
  if (bare !== null) unread.push(bare);
  return { cards, indices: reader.wagersNamed, unread: unread.sort((a, b) => a.number - b.number) };
}

class Reader {
  private readonly deck: Deck;
  private readonly indices: Map<string, Card>;
  private readonly names = new Map<string, Suit>();
  private readonly wagers: ReadonlySet<string>;
  private seen = new Set<string>();
  /** The colour that what follows belongs to. */
  suit: Suit | null = null;

  constructor(deck: Deck, spoken?: Spoken) {
    this.deck = deck;
    this.indices = byIndex(deck);
    for (const [name, suit] of spoken?.colours ?? []) this.names.set(folded(name), suit);
    for (const each of deck.colours) {
      for (const name of [each.name, ...each.other_names]) {
        this.names.set(folded(name), each.letter);
      }
    }
    this.wagers = new Set([deck.wager.name, ...deck.wager.other_names, 'x', ...(spoken?.wagers ?? [])].map(folded));
  }

  /** The wagers that were named by their index so far. */
  get wagersNamed(): string[] {
    return [...this.seen].filter((index) => isWager(this.indices.get(index) ?? ''));
  }

  /** The cards of one word, of which there is room for so many; or why it names none. */
  attempt(word: string, room: number): Card[] | Refused {
    const before = new Set(this.seen);
    try {
      const cards = this.read(word);
      if (cards.length > room) throw new Refused('tooMany', word);
      return cards;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.seen = before;
      // It may have been a colour: what follows is not to be laid into the one before.
      if (error.fault === 'unknown') this.suit = null;
      return error;
    }
  }

  /** The cards of one word; a colour that stands alone is remembered. */
  private read(word: string): Card[] {
    const alone = this.names.get(folded(word));
    if (alone !== undefined) {
      if (isIndexed(this.deck)) throw new Refused('colourAlone', word);
      this.suit = alone;
      return [];
    }
    const card = this.card(word);
    if (card !== null) return [card];
    const sweep = SWEEP.exec(word);
    if (sweep === null) throw this.unknown(word);
    return this.sweep(word, sweep[1] ?? '', sweep[2] ?? '');
  }

  private card(word: string): Card | null {
    const lower = folded(word);
    const upper = lower.toUpperCase();
    if (this.indices.has(upper)) return this.indexed(upper);
    const found = this.named(lower) ?? (this.suit === null ? null : this.ranked(this.suit, lower));
    return found ?? this.coded(upper);
  }

  private indexed(index: string): Card {
    if (this.seen.has(index)) throw new Refused('indexTwice', index);
    this.seen.add(index);
    const card = this.indices.get(index);
    if (card === undefined) throw this.unknown(index);
    return card;
  }

  private coded(word: string): Card | null {
    const found = /^([A-Z])(X|10|[2-9])$/.exec(word);
    if (found === null || !(SUITS as readonly string[]).includes(found[1] ?? '')) return null;
    if (copies(word, this.deck.rules) > 0) return word;
    throw new Refused('notInDeck', word);
  }

  private named(word: string): Card | null {
    const names = [...this.names.keys()].sort((a, b) => b.length - a.length);
    for (const name of names) {
      const suit = this.names.get(name);
      if (suit === undefined || !word.startsWith(name) || word === name) continue;
      const card = this.ranked(suit, word.slice(name.length).replace(/^-+/, ''));
      if (card !== null) return card;
    }
    return null;
  }

  private ranked(suit: Suit, word: string): Card | null {
    if (this.wagers.has(word)) return `${suit}X`;
    const rank = /^[1-9]\d?$/.test(word) ? Number(word) : 0;
    return rank >= 2 && rank <= this.deck.rules.top ? `${suit}${rank}` : null;
  }

  private sweep(word: string, first: string, last: string): Card[] {
    if (/^\d+$/.test(first) && isIndexed(this.deck)) return this.indexSweep(word, first, last);
    const low = this.card(first);
    if (low === null) throw this.unknown(first);
    const high = this.ranked(suitOf(low), folded(last)) ?? this.card(last);
    if (high === null) throw this.unknown(last);
    if (suitOf(high) !== suitOf(low)) throw new Refused('otherColour', word);
    if (isWager(low) || isWager(high)) throw new Refused('wagerSweep', word);
    if (byCanon(low, high) > 0) throw new Refused('downward', word);
    const [from, to] = [Number(rankOf(low)), Number(rankOf(high))];
    return Array.from({ length: to - from + 1 }, (_, at) => `${suitOf(low)}${from + at}`);
  }

  private indexSweep(word: string, first: string, last: string): Card[] {
    for (const end of [first, last]) if (/^0\d*$/.test(end)) throw this.unknown(end);
    const [from, to] = [Number(first), Number(last)];
    if (!/^\d+$/.test(last) || (first + last).length > 8 || to < from) {
      throw new Refused('indexSweep', word);
    }
    const cards: Card[] = [];
    for (let index = from; index <= Math.min(to, from + MOST); index += 1) {
      if (!this.indices.has(`${index}`)) throw new Refused('inBox', `${index}`);
      cards.push(this.indexed(`${index}`));
    }
    return cards;
  }

  private unknown(word: string): Refused {
    if (!/^\d+$/.test(word)) return new Refused('unknown', word);
    if (!isIndexed(this.deck)) return new Refused('numberAlone', word);
    // No index begins with a nought, so that no card in the box has this one.
    return new Refused(word.startsWith('0') ? 'unknown' : 'inBox', word);
  }
}
