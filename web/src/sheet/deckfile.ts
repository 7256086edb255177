// Deck files of people's own: a table of TOML read into a deck, or every reason why it cannot serve.
// The verdict is that of the command (docs/decks.md); tests hold both to the same files.

import { SUITS, type Suit } from '../game/cards.ts';
import { alike } from './contrast.ts';
import { SYMBOLS, TAKEN, usualFill, type Deck, type DeckColour } from './decks.ts';
import { folded, hasUnseen, plain, visible } from '../words/plain.ts';
import { DEFAULTS, parseRules, presetNamed, suitsOf, writeRules, wrongKey, type Rules } from './rules.ts';

export type FaultKind =
  | 'toml'
  | 'large'
  | 'encoding'
  | 'unknownKey'
  | 'missing'
  | 'notText'
  | 'long'
  | 'notWords'
  | 'nameForm'
  | 'nameTaken'
  | 'symbol'
  | 'noColours'
  | 'rules'
  | 'colourCount'
  | 'fewColours'
  | 'notPart'
  | 'indexCount'
  | 'letter'
  | 'paint'
  | 'notIndex'
  | 'backwards'
  | 'twice'
  | 'alike'
  | 'letterMissing'
  | 'wordForm'
  | 'wagerForm'
  | 'someIndices'
  | 'nameLetter'
  | 'nameWager'
  | 'nameSpace'
  | 'indexName'
  | 'indexCode';

/** What is wrong, and where: the place as it is found in the file, what stands there, what is due. */
export interface DeckFault {
  kind: FaultKind;
  place: string;
  /** The part [[colours]] that the place is in, if it is in one: counted from 1, with the name if that can be read. */
  colour?: { n: number; name: string };
  what: string;
  due: string;
}

export type DeckReading = { ok: true; deck: Deck } | { ok: false; faults: DeckFault[] };
export type Table = Record<string, unknown>;

export const LARGEST = 1 << 16;
const LONGEST_TITLE = 60;
/** Letters of a name of a colour or a wager, as of a player's name. */
const LONGEST_NAME = 40;
const DECK_KEYS = ['colours', 'name', 'other_names', 'rules', 'take', 'title', 'wager'];
const WAGER_KEYS = ['mark', 'name', 'other_names'];
const COLOUR_KEYS = ['fill', 'ink', 'letter', 'name', 'numbers', 'other_names', 'symbol', 'wagers'];
const RANGE = /^(\d{1,4})\s*[-–]\s*(\d{1,4})$/;
const INDEX = /^[0-9A-Za-z♠♥♦♣]{1,6}$/;
const PAINT = /^#[0-9A-Fa-f]{6}$/;
const WORD = /^\p{L}(?:\p{L}| (?=\S))*$/u;

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** What a table says, null too; the usual where it says nothing. */
const given = (table: Table, key: string, usual: unknown): unknown => (table[key] === undefined ? usual : table[key]);

/** A whole number of TOML has no JSON of its own. */
const asJson = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, asJson) ?? '');

/** Colours of the smallest deck. */
const LEAST = 5;

/** What could be read of one colour. */
interface Row {
  letter: Suit | null;
  colour: Omit<DeckColour, 'letter'>;
  indexed: boolean;
  /** Whether it has as many indices as the rules have cards. */
  fits: boolean;
}

/**
 * Read a deck from the table of its file. The name of an own file must be free and its symbols known;
 * a deck that came with an older sheet is read all the same, as both do no harm there.
 */
export function readDeck(table: Table, own = false): DeckReading {
  const reader = new Reader(own);
  const deck = reader.deck(table);
  return deck === null ? { ok: false, faults: reader.faults } : { ok: true, deck };
}

/** The table of a deck: what {@link readDeck} reads it from. */
export const tableOf = (deck: Deck): Table => ({
  name: deck.name,
  title: deck.title,
  rules: deck.preset ?? writeRules(deck.rules),
  take: deck.take,
  wager: { ...deck.wager },
  colours: deck.colours.map((each) => ({ ...each })),
});

class Reader {
  readonly faults: DeckFault[] = [];
  private readonly own: boolean;
  /** The colour that is being read. */
  private within: DeckFault['colour'];

  constructor(own: boolean) {
    this.own = own;
  }

  wrong(kind: FaultKind, place: string, what: unknown = '', due = ''): void {
    const said = visible(typeof what === 'string' ? what : shown(what));
    const colour = this.within && { colour: { ...this.within, name: visible(this.within.name) } };
    this.faults.push({ kind, place: visible(place), ...colour, what: said, due });
  }

  /** The deck; null if anything is wrong with it. */
  deck(table: Table): Deck | null {
    this.knownKeys(table, DECK_KEYS, '');
    const name = this.name(table);
    const found = table.colours;
    const tables = Array.isArray(found) && found.every(isTable) ? found : [];
    if (tables.length === 0) this.wrong('noColours', 'colours');
    const rules = this.rules(table, tables.length);
    const rows = tables.map((row, at) => this.colour(row, at + 1, rules));
    let wager = given(table, 'wager', {});
    if (!isTable(wager)) {
      this.wrong('notPart', 'wager');
      wager = {};
    }
    return this.assembled(table, name, rules, rows, wager as Table);
  }

  private name(table: Table): string {
    const name = this.text(table, 'name', '', true);
    if (name !== '' && !/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) this.wrong('nameForm', 'name', name);
    const taken = this.own && TAKEN.includes(name);
    if (taken) this.wrong('nameTaken', 'name', name);
    return name;
  }

  private title(table: Table): string {
    const title = this.text(table, 'title', '');
    this.measure(title, 'title', LONGEST_TITLE);
    return title;
  }

  private measure(text: string, place: string, most = LONGEST_NAME): void {
    const length = [...text].length;
    // What came with an older sheet is shown as it is.
    if (this.own && length > most) this.wrong('long', place, `${length}`, `${most}`);
  }

  private wagerName(wager: Table): string {
    const name = this.text(wager, 'name', 'wager') || 'wager';
    this.measure(name, 'wager: name');
    return name;
  }

  private assembled(table: Table, name: string, rules: Rules | null, rows: Row[], wager: Table): Deck | null {
    this.knownKeys(wager, WAGER_KEYS, 'wager');
    const title = this.title(table) || name;
    this.words(table, 'other_names', '');
    const called = {
      name: this.wagerName(wager),
      other_names: this.words(wager, 'other_names', 'wager'),
      mark: this.text(wager, 'mark', 'wager') || 'X',
    };
    const take = this.text(table, 'take', '');
    contradictions(rows, called, rules, this.own, this);
    if (this.own) ambiguities(rows, [called.name, ...called.other_names].map(folded), this);
    fillClashes(rows, this.own, this);
    if (rules === null || this.faults.length > 0) return null;
    const colours = rows.flatMap(({ letter, colour }) => (letter === null ? [] : [{ letter, ...colour }]));
    const preset = presetNamed(this.text(table, 'rules', ''));
    return { name, title, rules, ...(preset === null ? {} : { preset }), colours, wager: called, take };
  }

  private rules(table: Table, colours: number): Rules | null {
    const usual = Math.min(colours, 6) || LEAST;
    // The deck of a kept sheet may be smaller; in a new file colours are lacking then.
    const base = { ...DEFAULTS, colours: this.own ? Math.max(usual, LEAST) : usual };
    const key = wrongKey(base);
    const rules = key === null ? parseRules(this.text(table, 'rules', ''), base) : { wrong: key };
    if ('wrong' in rules) this.wrong('rules', 'rules', rules.wrong);
    else {
      if (this.own && rules.colours < LEAST) this.wrong('fewColours', 'rules', `${rules.colours}`);
      const short = colours > 0 && rules.colours !== colours;
      if (short) this.wrong('colourCount', 'colours', `${colours}`, `${rules.colours}`);
      return rules;
    }
    return null;
  }

  private colour(row: Table, number: number, rules: Rules | null): Row {
    this.within = { n: number, name: '' };
    this.knownKeys(row, COLOUR_KEYS, '');
    const name = this.text(row, 'name', '', true);
    this.measure(name, 'name');
    this.within = { n: number, name };
    const letter = this.letter(row);
    const numbers = this.indices(row, 'numbers');
    const wagers = this.indices(row, 'wagers');
    const colour = {
      name,
      other_names: this.words(row, 'other_names', ''),
      fill: this.paint(row, 'fill', usualFill(letter ?? 'Y')),
      ink: this.paint(row, 'ink', '#16202A'),
      symbol: this.symbol(row),
      numbers,
      wagers,
    };
    const indexed = [given(row, 'numbers', []), given(row, 'wagers', [])].some((value) => !Array.isArray(value) || value.length > 0);
    const fits = indexed && rules !== null && this.counts(colour, rules);
    this.within = undefined;
    return { letter, colour, indexed, fits };
  }

  private symbol(row: Table): string {
    const symbol = this.text(row, 'symbol', '');
    if (this.own && symbol !== '' && !SYMBOLS.includes(symbol.toLowerCase())) {
      this.wrong('symbol', 'symbol', symbol, SYMBOLS.join(', '));
    }
    return symbol;
  }

  private counts(colour: Row['colour'], rules: Rules): boolean {
    const before = this.faults.length;
    this.count(colour.numbers, rules.top - 1, 'numbers');
    this.count(colour.wagers, rules.wagers, 'wagers');
    return this.faults.length === before;
  }

  private count(indices: string[], due: number, place: string): void {
    if (indices.length !== due) this.wrong('indexCount', place, `${indices.length}`, `${due}`);
  }

  private letter(row: Table): Suit | null {
    const text = this.text(row, 'letter', '', true);
    if (text === '') return null;
    const letter = text.toUpperCase();
    if ((SUITS as readonly string[]).includes(letter)) return letter as Suit;
    this.wrong('letter', 'letter', text);
    return null;
  }

  private knownKeys(table: Table, known: string[], place: string): void {
    for (const key of Object.keys(table)) {
      if (!known.includes(key)) this.wrong('unknownKey', at(place, key), '', known.join(', '));
    }
  }

  private text(table: Table, key: string, place: string, required = false): string {
    const value = given(table, key, '');
    if (typeof value !== 'string' || [...value].some((sign) => sign < ' ') || this.hides(value)) {
      this.wrong('notText', at(place, key), value);
      return '';
    }
    const text = plain(value).normalize('NFC').trim();
    if (required && text === '') this.wrong('missing', at(place, key));
    return text;
  }

  private words(table: Table, key: string, place: string): string[] {
    const value = given(table, key, []);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string' && !this.hides(each))) {
      const found = value.map((each: string) => plain(each).normalize('NFC').trim().toLowerCase());
      for (const each of found) this.measure(each, at(place, key));
      return found;
    }
    this.wrong('notWords', at(place, key));
    return [];
  }

  /** Whether somebody's own file says what cannot be seen; where it came by link, it is left out. */
  private hides(text: string): boolean {
    return this.own && hasUnseen(text);
  }

  private paint(row: Table, key: string, usual: string): string {
    const text = this.text(row, key, '') || usual;
    if (!PAINT.test(text)) this.wrong('paint', key, text);
    return text.toUpperCase();
  }

  private indices(row: Table, key: string): string[] {
    const value = given(row, key, []);
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    return parts.flatMap((part) => this.index(part, key));
  }

  private index(part: unknown, place: string): string[] {
    const text = typeof part === 'string' || typeof part === 'bigint' ? String(part).trim() : '';
    const span = RANGE.exec(text);
    if (text === '' || text.startsWith('-')) this.wrong('notIndex', place, shown(part));
    else if (span !== null) return this.span(Number(span[1]), Number(span[2]), text, place);
    else if (INDEX.test(text)) return [text.toUpperCase()];
    else this.wrong('notIndex', place, shown(text));
    return [];
  }

  private span(first: number, last: number, text: string, place: string): string[] {
    if (first > last) this.wrong('backwards', place, text);
    const length = Math.max(0, Math.min(last, first + 99) - first + 1);
    return Array.from({ length }, (_, index) => `${first + index}`);
  }
}

const at = (place: string, key: string): string => (place === '' ? key : `${place}: ${key}`);

/** What makes a deck ambiguous although each part of it can be read. */
function contradictions(rows: Row[], wager: Deck['wager'], rules: Rules | null, own: boolean, reader: Reader): void {
  const letters = rows.flatMap((row) => (row.letter === null ? [] : [row.letter]));
  clashes(letters, 'letter', reader);
  // Which ones lack is told only where it is no mere consequence of what was said before.
  if (rules !== null && letters.length > 0 && letters.length === rows.length && rows.length <= rules.colours) {
    const due = suitsOf(rules);
    const lacking = due.filter((suit) => !letters.includes(suit)).join(' ');
    if (lacking !== '') reader.wrong('letterMissing', 'letter', lacking, due.join(' '));
  }
  const names = rows.flatMap(({ colour }) => [colour.name.toLowerCase(), ...colour.other_names]).filter(Boolean);
  const called = wager.name.toLowerCase();
  // What a sheet has brought along is compared by each letter.
  const compared = (words: readonly string[]): string[] => (own ? words.map(folded) : [...words]);
  const marks = compared([called, ...wager.other_names]);
  clashes(compared(names), 'name', reader);
  clashes(marks, 'wager', reader);
  for (const word of [...names, called]) if (!WORD.test(word)) reader.wrong('wordForm', 'name', word);
  for (const word of wager.other_names) {
    if (/[\d\s]/.test(word)) reader.wrong('wagerForm', 'wager', word);
  }
  indexClashes(rows, new Set([...compared(names), ...marks]), reader);
}

/** Which words of a new file would be read as something else; decks of kept sheets may have them. */
function ambiguities(rows: Row[], wagers: readonly string[], reader: Reader): void {
  const letters = rows.flatMap((row) => (row.letter === null ? [] : [row.letter as string]));
  for (const { letter, colour } of rows) {
    for (const word of [colour.name, ...colour.other_names].filter(Boolean).map(folded)) {
      const upper = word.toUpperCase();
      // A name is read before a code, so cards that lie already would be read as others.
      if (upper !== letter && letters.includes(upper)) reader.wrong('nameLetter', 'name', word, letter ?? '');
      if (wagers.includes(word)) reader.wrong('nameWager', 'name', word);
      if (word.includes(' ')) reader.wrong('nameSpace', 'name', word);
    }
  }
}

/** Which fills cannot be told apart. A deck that came with an older sheet may have them in white. */
function fillClashes(rows: Row[], own: boolean, reader: Reader): void {
  const fills = rows.map((row) => row.colour.fill).filter((fill) => own || fill !== '#FFFFFF');
  clashes(fills, 'fill', reader);
  const known = own ? [...new Set(fills)].filter((fill) => PAINT.test(fill)) : [];
  for (const [at, one] of known.entries()) {
    for (const two of known.slice(at + 1)) if (alike(one, two)) reader.wrong('alike', 'fill', one, two);
  }
}

function clashes(words: readonly string[], place: string, reader: Reader): void {
  for (const word of new Set(words)) {
    const count = words.filter((each) => each === word).length;
    if (count > 1) reader.wrong('twice', place, word, `${count}`);
  }
}

function indexClashes(rows: Row[], names: ReadonlySet<string>, reader: Reader): void {
  const bare = rows.filter((row) => !row.indexed);
  if (bare.length > 0 && bare.length < rows.length) {
    reader.wrong('someIndices', 'numbers', bare.map((row) => row.colour.name).join(', '));
  }
  const everything = rows.flatMap(({ colour }) => [...colour.numbers, ...colour.wagers]);
  clashes(everything, 'index', reader);
  for (const index of new Set(everything)) {
    if (names.has(index.toLowerCase())) reader.wrong('indexName', 'index', index);
  }
  for (const [index, card] of cardsOf(rows)) {
    if (/^[YBWGRP](X|10|[2-9])$/.test(index) && index !== card) {
      reader.wrong('indexCode', 'index', index, card);
    }
  }
}

/** The card of every index, as far as that can be told. */
function cardsOf(rows: Row[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { letter, colour, fits } of rows) {
    if (letter === null || !fits) continue;
    colour.numbers.forEach((index, at) => found.set(index, `${letter}${at + 2}`));
    for (const index of colour.wagers) found.set(index, `${letter}X`);
  }
  return found;
}
