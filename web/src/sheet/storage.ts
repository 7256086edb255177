// Sheets and decks on this device. Everything about a sheet stands under a key of its own, so that
// two open pages disturb each other as little as possible and one broken entry spoils no other one.

import { readContent, readDeckOf, writeContent, writeDeckOf, type Content } from './content.ts';
import type { Deck } from './decks.ts';
import { readDeck, tableOf, type Table } from './deckfile.ts';
import { NOTHING, withCards, type Held } from './held.ts';
import type { Match } from './match.ts';
import { readNotes, type Round } from './notes.ts';
import type { Both } from './rules.ts';
import { readSent, sentKey, type Sent } from './sent.ts';
import { readSide, writeSide } from './sides.ts';
import type { Timeline } from './undo.ts';

export interface KeptSheet {
  id: string;
  /** When it was changed last, milliseconds. */
  changed: number;
  match: Match;
}

/** What can be taken back and made again on a sheet. */
export type Steps = Pick<Timeline<Match>, 'past' | 'future'>;

export interface SheetStore {
  /** All sheets, the one changed last first. */
  sheets(): KeptSheet[];
  sheet(id: string): KeptSheet | null;
  /** False if this browser would not keep it. */
  keep(sheet: KeptSheet): boolean;
  remove(id: string): void;
  /** Keep a sheet by another name that is free, with all that belongs to it. */
  rename(id: string, to: string): void;
  /** What can be taken back on a sheet, beyond a reload and while others are looked at. */
  keepSteps(id: string, steps: Steps): void;
  steps(id: string): Steps;
  /** How a sheet was sent to a history; null if it was not. */
  sent(id: string): Sent | null;
  setSent(id: string, sent: Sent | null): void;
  /** The sheet that was open last. */
  current(): string | null;
  open(id: string): void;
  names(): Both<string>;
  decks(): Deck[];
  keepDeck(deck: Deck): boolean;
  removeDeck(name: string): void;
  /** The cards that were marked in the check of a deck. */
  held(deck: Deck): Held;
  /** What was marked before each change of it. */
  heldBefore(deck: Deck): Held[];
  keepHeld(deck: Deck, held: Held, before: readonly Held[]): void;
}

const SHEET = 'lostcities.sheet.';
const DECK = 'lostcities.deck.';
const HELD = 'lostcities.deck-held.';
const CURRENT = 'lostcities.sheet-open';
const STEPS = 'lostcities.sheet-steps.';
/** So many changes can still be taken back after a reload: all cards of a round and more. */
const MOST_STEPS = 60;
/** Of so many sheets, since each step holds a whole one and a browser keeps only some five megabytes. */
const MOST_STEPPED = 8;

export const isSheetKey = (key: string | null, id: string): boolean => key === SHEET + id;

const writeHeld = ({ cards, indices }: Held): object => ({ cards: writeSide(cards), indices });

function readHeld(value: unknown, deck: Deck): Held | null {
  const { cards, indices } = (value ?? {}) as Partial<Record<keyof Held, unknown>>;
  const side = typeof cards === 'string' ? readSide(cards) : null;
  const named = Array.isArray(indices) ? indices.filter((each) => typeof each === 'string') : [];
  return side === null ? null : withCards({ cards: side, indices: named }, side, deck);
}

export class DeviceStore implements SheetStore {
  private readonly kept: Storage;

  constructor(kept: Storage) {
    this.kept = kept;
  }

  sheets(): KeptSheet[] {
    const found = this.keys(SHEET).map((key) => this.sheet(key.slice(SHEET.length)));
    return found.filter((each) => each !== null).sort((a, b) => b.changed - a.changed);
  }

  sheet(id: string): KeptSheet | null {
    const value = this.read(SHEET + id);
    const match = readMatch(value);
    if (match === null) return null;
    const { changed } = value as { changed?: unknown };
    return { id, changed: typeof changed === 'number' ? changed : 0, match };
  }

  keep(sheet: KeptSheet): boolean {
    return this.write(SHEET + sheet.id, { changed: sheet.changed, ...writeMatch(sheet.match) });
  }

  keepSteps(id: string, { past, future }: Steps): void {
    const kept = {
      past: past.slice(-MOST_STEPS).map(writeMatch).reverse(),
      future: future.slice(0, MOST_STEPS).map(writeMatch),
    };
    // Steps that lead to an older sheet than the kept one would take back the wrong thing.
    if (!this.write(STEPS + id, kept)) this.forget(STEPS + id);
    else if (this.keys(STEPS).length > MOST_STEPPED) this.makeRoom(STEPS + id);
  }

  steps(id: string): Steps {
    const value = (this.read(STEPS + id) ?? {}) as Partial<Record<keyof Steps, unknown>>;
    return { past: readSteps(value.past).reverse(), future: readSteps(value.future) };
  }

  remove(id: string): void {
    this.forget(SHEET + id);
    this.forget(sentKey(id));
    this.forget(STEPS + id);
  }

  rename(id: string, to: string): void {
    const [sheet, sent, steps] = [this.sheet(id), this.sent(id), this.steps(id)];
    if (sheet === null || !this.keep({ ...sheet, id: to })) return;
    if (sent !== null) this.setSent(to, sent);
    if (this.current() === id) this.open(to);
    this.remove(id);
    if (steps.past.length + steps.future.length > 0) this.keepSteps(to, steps);
  }

  sent(id: string): Sent | null {
    return readSent(this.read(sentKey(id)));
  }

  setSent(id: string, sent: Sent | null): void {
    if (sent === null) this.forget(sentKey(id));
    else this.write(sentKey(id), sent);
  }

  current(): string | null {
    const value = this.read(CURRENT);
    return typeof value === 'string' ? value : null;
  }

  open(id: string): void {
    this.write(CURRENT, id);
  }

  names(): Both<string> {
    return this.sheets().find((each) => each.match.names.some(Boolean))?.match.names ?? ['', ''];
  }

  decks(): Deck[] {
    return this.keys(DECK).flatMap((key) => {
      const table = this.read(key);
      if (typeof table !== 'object' || table === null) return [];
      const reading = readDeck(table as Table);
      return reading.ok ? [reading.deck] : [];
    });
  }

  keepDeck(deck: Deck): boolean {
    return this.write(DECK + deck.name, tableOf(deck));
  }

  removeDeck(name: string): void {
    this.forget(DECK + name);
  }

  held(deck: Deck): Held {
    return readHeld(this.read(HELD + deck.name), deck) ?? NOTHING;
  }

  heldBefore(deck: Deck): Held[] {
    const { before } = (this.read(HELD + deck.name) ?? {}) as { before?: unknown };
    const found = Array.isArray(before) ? before.map((each) => readHeld(each, deck)) : [];
    return found.filter((each) => each !== null);
  }

  keepHeld(deck: Deck, held: Held, before: readonly Held[]): void {
    const steps = before.slice(-MOST_STEPS).map(writeHeld);
    if (held.cards.length === 0 && steps.length === 0) this.forget(HELD + deck.name);
    else this.write(HELD + deck.name, { ...writeHeld(held), ...(steps.length === 0 ? {} : { before: steps }) });
  }

  private keys(prefix: string): string[] {
    try {
      const all = Array.from({ length: this.kept.length }, (_, at) => this.kept.key(at) ?? '');
      return all.filter((key) => key.startsWith(prefix)).sort();
    } catch {
      return [];
    }
  }

  private read(key: string): unknown {
    try {
      return JSON.parse(this.kept.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }

  private write(key: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    do {
      try {
        this.kept.setItem(key, text);
        return true;
      } catch {
        // Full, or it keeps nothing at all.
      }
    } while (this.makeRoom(key));
    return false;
  }

  /** Room for what stands under a key: the steps of the sheet go that was changed longest ago. False if none are left. */
  private makeRoom(key: string): boolean {
    const latest = this.sheets().map((each) => STEPS + each.id);
    const others = this.keys(STEPS).filter((each) => each !== key);
    const oldest = others.find((each) => !latest.includes(each)) ?? latest.filter((each) => others.includes(each)).at(-1);
    if (oldest === undefined) return false;
    return this.forget(oldest);
  }

  /** False where nothing is kept, so that nothing needs to go. */
  private forget(key: string): boolean {
    try {
      this.kept.removeItem(key);
      return true;
    } catch {
      return false;
    }
  }
}

/** A match as the device keeps it: what a link holds, and what only this device knows. */
interface Kept {
  content: Content;
  notes?: (Round['notes'] | null)[];
  left?: Content['d'];
}

/** Written once: a match never changes, and stands among the steps of every later change. */
const written = new WeakMap<Match, Kept>();

function writeMatch(match: Match): Kept {
  const before = written.get(match);
  if (before !== undefined) return before;
  const kept: Kept = { content: writeContent(match) };
  if (match.rounds.some((round) => round.notes)) {
    kept.notes = match.rounds.map((round) => round.notes ?? null);
  }
  if (match.left !== undefined) kept.left = writeDeckOf(match.left);
  written.set(match, kept);
  return kept;
}

function readMatch(value: unknown): Match | null {
  const { content, notes, left } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  // What was kept is never lost, however long it has grown.
  const match = readContent(content, Infinity);
  if (match === null) return null;
  const deck = left === undefined ? null : readDeckOf(left);
  return noted(deck === null ? match : { ...match, left: deck }, notes);
}

/** Steps from the nearest one on, up to the first that cannot be read. */
function readSteps(value: unknown): Match[] {
  const steps = Array.isArray(value) ? (value as unknown[]).map(readMatch) : [];
  const end = steps.indexOf(null);
  return (end < 0 ? steps : steps.slice(0, end)).filter((each) => each !== null);
}

/** The match with what was noted beside each round; what is no note is left out. */
function noted(match: Match, value: unknown): Match {
  if (!Array.isArray(value)) return match;
  const rounds = match.rounds.map((round, at) => {
    const notes = readNotes(value[at]);
    return notes === null ? round : { ...round, notes };
  });
  return { ...match, rounds };
}

/** Something short to tell sheets apart by. */
export const newId = (now: number, chance: number): string =>
  now.toString(36) + Math.floor(chance * 36 ** 4).toString(36).padStart(4, '0');

export const LONGEST_ID = 24;

/** Whether a value can be such a name, as the room takes it. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_ID && /^[0-9a-z]{6,}$/.test(value);
