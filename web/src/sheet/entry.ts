// Reading cards as people type them with their deck in hand: codes, indices, colours with numbers or
// wagers, and sweeps of them. The grammar is that of the command (docs/decks.md); tests hold both to
// the same cases. What cannot be read is answered with the word and the reason.

import { byCanon, isWager, rankOf, SUITS, suitOf, type Card, type Suit } from '../game/cards.ts';
import { byIndex, isIndexed, type Deck } from './decks.ts';
import { copies } from './rules.ts';

export type EntryFault =
  | 'unknown'
  | 'colourAlone'
  | 'numberAlone'
  | 'inBox'
  | 'indexTwice'
  | 'notInDeck'
  | 'otherColour'
  | 'wagerSweep'
  | 'downward'
  | 'indexSweep'
  | 'tooMany';

export type Entry =
  | { ok: true; cards: Card[] }
  | { ok: false; fault: EntryFault; word: string; number: number };

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
export function parseTyped(text: string, deck: Deck): Entry {
  const reader = new Reader(deck);
  const stripped = text.trim();
  const words = stripped === '-' ? [] : stripped.split(/[\s,;]+/).filter((word) => word !== '');
  const cards: Card[] = [];
  for (const [at, word] of words.entries()) {
    try {
      cards.push(...reader.read(word));
      if (cards.length > MOST) throw new Refused('tooMany', word);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, fault: error.fault, word: error.word, number: at + 1 };
    }
  }
  return { ok: true, cards };
}

class Reader {
  private readonly deck: Deck;
  private readonly indices: Map<string, Card>;
  private readonly names = new Map<string, Suit>();
  private readonly wagers: ReadonlySet<string>;
  private readonly seen = new Set<string>();
  private suit: Suit | null = null;

  constructor(deck: Deck) {
    this.deck = deck;
    this.indices = byIndex(deck);
    for (const each of deck.colours) {
      for (const name of [each.name.toLowerCase(), ...each.other_names]) {
        this.names.set(name, each.letter);
      }
    }
    this.wagers = new Set([deck.wager.name.toLowerCase(), ...deck.wager.other_names, 'x']);
  }

  /** The cards of one word; a colour that stands alone is remembered. */
  read(word: string): Card[] {
    const alone = this.names.get(word.toLowerCase());
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
    const upper = word.toUpperCase();
    if (this.indices.has(upper)) return this.indexed(upper);
    const lower = word.toLowerCase();
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
    const rank = /^\d{1,3}$/.test(word) ? Number(word) : 0;
    return rank >= 2 && rank <= this.deck.rules.top ? `${suit}${rank}` : null;
  }

  private sweep(word: string, first: string, last: string): Card[] {
    if (/^\d+$/.test(first) && isIndexed(this.deck)) return this.indexSweep(word, first, last);
    const low = this.card(first);
    if (low === null) throw this.unknown(first);
    const high = this.ranked(suitOf(low), last.toLowerCase()) ?? this.card(last);
    if (high === null) throw this.unknown(last);
    if (suitOf(high) !== suitOf(low)) throw new Refused('otherColour', word);
    if (isWager(low) || isWager(high)) throw new Refused('wagerSweep', word);
    if (byCanon(low, high) > 0) throw new Refused('downward', word);
    const [from, to] = [Number(rankOf(low)), Number(rankOf(high))];
    return Array.from({ length: to - from + 1 }, (_, at) => `${suitOf(low)}${from + at}`);
  }

  private indexSweep(word: string, first: string, last: string): Card[] {
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
    return new Refused(isIndexed(this.deck) ? 'inBox' : 'numberAlone', word);
  }
}
