// Matches played here and sheets of real tables in one list, though each comes by pages of its own.

import type { KeptSheet, PastGame } from './wire.ts';

export type Entry =
  | { kind: 'game'; at: number; game: PastGame }
  | { kind: 'sheet'; at: number; sheet: KeptSheet };

/** One of the two lists, as far as it has been read; null until it is known. */
export interface Read<T> {
  entries: readonly T[];
  /** Where its next page begins; null at its end. */
  next: string | null;
}

const timeOf = (list: Read<unknown>, at: number | undefined): number =>
  list.next === null ? -Infinity : (at ?? Infinity);

/** How far back both lists are known without a gap. */
export const horizon = (games: Read<PastGame>, sheets: Read<KeptSheet>): number =>
  Math.max(
    timeOf(games, games.entries.at(-1)?.created),
    timeOf(sheets, sheets.entries.at(-1)?.played),
  );

/** The newest first, as far as nothing can come in between any more. */
export function merged(games: Read<PastGame>, sheets: Read<KeptSheet>): Entry[] {
  const least = horizon(games, sheets);
  const entries: Entry[] = [
    ...games.entries.map((game) => ({ kind: 'game' as const, at: game.created, game })),
    ...sheets.entries.map((sheet) => ({ kind: 'sheet' as const, at: sheet.played, sheet })),
  ];
  return entries.filter((each) => each.at >= least).sort((a, b) => b.at - a.at);
}

/** Which of the lists must be read on for more to be seen. */
export const short = (
  games: Read<PastGame>,
  sheets: Read<KeptSheet>,
): { games: boolean; sheets: boolean } => {
  const least = horizon(games, sheets);
  return {
    games: games.next !== null && (games.entries.at(-1)?.created ?? Infinity) >= least,
    sheets: sheets.next !== null && (sheets.entries.at(-1)?.played ?? Infinity) >= least,
  };
};
