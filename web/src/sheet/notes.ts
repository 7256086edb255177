// What a round holds besides its cards: words of a typing line that nobody could read, and which of
// several equal wagers was named by its index. The device keeps both, a link the second.

import type { Deck } from './decks.ts';
import { byIndex } from './decks.ts';
import { ENTRY_FAULTS, type Unread } from './entry.ts';
import type { Both, Seat } from './rules.ts';
import type { Side } from './sides.ts';

export interface Note {
  /** What was typed and is no card; it stays on the line until it is mended. */
  readonly unread: readonly Unread[];
  /** The wagers that were typed by index. */
  readonly indices: readonly string[];
}

export interface Round {
  readonly sides: Both<Side>;
  /** Who started it, once somebody has written into it; of the first round the match knows. */
  readonly start?: Seat;
  /** By seat; absent while there is nothing to note. */
  readonly notes?: Both<Note>;
}

export const NO_NOTE: Note = { unread: [], indices: [] };

export const noteOf = (round: Round, seat: Seat): Note => round.notes?.[seat] ?? NO_NOTE;

export const hasUnread = (round: Round): boolean =>
  round.notes?.some((note) => note.unread.length > 0) ?? false;

const isEmpty = (note: Note): boolean => note.unread.length === 0 && note.indices.length === 0;

export const withNotes = ({ start }: Pick<Round, 'start'>, sides: Both<Side>, notes: Both<Note>): Round => ({
  sides,
  ...(start === undefined ? {} : { start }),
  ...(notes.every(isEmpty) ? {} : { notes }),
});

/** A note after the side has changed: wagers that are gone are named no longer. */
export function fitting(note: Note, side: Side, deck: Deck): Note {
  if (note.indices.length === 0) return note;
  const cards = byIndex(deck);
  const rest = [...side];
  const indices = note.indices.filter((index) => {
    const at = rest.indexOf(cards.get(index) ?? '');
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return { ...note, indices };
}

/** Without the names of wagers, which are those of one deck. */
export const unnamed = (round: Round): Round =>
  withNotes(round, round.sides, [
    { ...noteOf(round, 0), indices: [] },
    { ...noteOf(round, 1), indices: [] },
  ]);

/** The notes of a round as they were kept; null if the value is not such. */
export function readNotes(value: unknown): Both<Note> | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [one, two] = (value as unknown[]).map(readNote);
  return one == null || two == null ? null : [one, two];
}

function readNote(value: unknown): Note | null {
  if (typeof value !== 'object' || value === null) return null;
  const { unread, indices } = value as Partial<Record<keyof Note, unknown>>;
  if (!Array.isArray(unread) || !unread.every(isUnread)) return null;
  if (!Array.isArray(indices) || !indices.every((each) => typeof each === 'string')) return null;
  return { unread, indices };
}

function isUnread(value: unknown): value is Unread {
  if (typeof value !== 'object' || value === null) return false;
  const { fault, word, token, number } = value as Partial<Record<keyof Unread, unknown>>;
  return (
    (ENTRY_FAULTS as readonly unknown[]).includes(fault) &&
    typeof word === 'string' &&
    typeof token === 'string' &&
    typeof number === 'number'
  );
}
