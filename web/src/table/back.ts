// Taking a turn back: what the room lets this seat ask or answer just now.

import type { SeatView, TableInfo } from '../net/wire.ts';

export type Back =
  /** My last turn: I may ask, or have asked. */
  | 'mayAsk'
  | 'asked'
  /** The other asks me. */
  | 'theirs'
  | null;

export function backOf(table: TableInfo | null, seat: number | null): Back {
  if (table === null || seat === null || table.back_open === null) return null;
  if (table.back_open !== seat) return table.back_asked === null ? null : 'theirs';
  return table.back_asked === null ? 'mayAsk' : 'asked';
}

/** What a wish about the last turn is meant for. */
export const lastTurnOf = (
  view: SeatView,
  table: TableInfo,
): { round: number; ply: number; back: number } => ({
  round: view.round,
  ply: view.ply,
  back: table.back,
});
