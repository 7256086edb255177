// What the player has picked up and staged. Nothing leaves the page until the draw is chosen, so the
// lay may be changed freely. What is legal is read from the turns that arrive with the view.

import type { SeatView } from '../net/wire.ts';
import { parseTurn, suitOf, type Card, type Draw, type Lay, type LayKind } from './cards.ts';

/** Legal draws by lay, lays in the order of the list. */
export type Legal = ReadonlyMap<Lay, readonly Draw[]>;

export function readLegal(tokens: readonly string[]): Legal {
  const draws = new Map<Lay, Draw[]>();
  for (const token of tokens) {
    const turn = parseTurn(token);
    const lay = turn.kind + turn.card;
    const known = draws.get(lay);
    const draw = turn.pile === null ? '*' : `<${turn.pile}`;
    if (known === undefined) draws.set(lay, [draw]);
    else known.push(draw);
  }
  return draws;
}

/** The place of a card in the hand as the view lists it; equal wagers differ by it. */
export type Slot = number;

export interface Staging {
  /** The turn it belongs to; another round or ply makes it stale. */
  readonly round: number;
  readonly ply: number;
  readonly slot: Slot | null;
  readonly lay: Lay | null;
}

export function nothingStaged(view: Pick<SeatView, 'round' | 'ply'>): Staging {
  return { round: view.round, ply: view.ply, slot: null, lay: null };
}

/** The same staging if it still fits the view, else none. While the table rests it waits too. */
export function carryOver(staging: Staging, view: SeatView, rests = false): Staging {
  const fits = staging.round === view.round && staging.ply === view.ply;
  if (!fits || (view.legal.length === 0 && !rests)) return nothingStaged(view);
  return staging;
}

export function cardAt(view: SeatView, slot: Slot | null): Card | null {
  return slot === null ? null : (view.hand?.[slot] ?? null);
}

/** Pick a card up; picking the one in hand again puts it back. A staged lay is taken back. */
export function pick(staging: Staging, slot: Slot): Staging {
  const same = staging.slot === slot && staging.lay === null;
  return { ...staging, slot: same ? null : slot, lay: null };
}

/** Lay the picked card, if that is legal; else null. */
export function stage(
  staging: Staging,
  view: SeatView,
  legal: Legal,
  kind: LayKind,
): Staging | null {
  const card = cardAt(view, staging.slot);
  if (card === null || !legal.has(kind + card)) return null;
  return { ...staging, lay: kind + card };
}

/** One step back: a staged lay returns to the fingers, a picked card to the hand. */
export function undo(staging: Staging): Staging {
  return { ...staging, slot: null, lay: null };
}

/** Which lays of the picked card are legal. */
export function targets(staging: Staging, view: SeatView, legal: Legal): Record<LayKind, boolean> {
  const card = cardAt(view, staging.slot);
  const open = card !== null && staging.lay === null;
  return { '+': open && legal.has(`+${card}`), '-': open && legal.has(`-${card}`) };
}

/** The draws open after the staged lay. */
export function drawsOpen(staging: Staging, legal: Legal): readonly Draw[] {
  return staging.lay === null ? [] : (legal.get(staging.lay) ?? []);
}

/** The whole turn to send, or null if that draw is not open. */
export function wholeTurn(staging: Staging, legal: Legal, draw: Draw): string | null {
  return staging.lay !== null && drawsOpen(staging, legal).includes(draw)
    ? staging.lay + draw
    : null;
}

/** Is this pile shut only because the staged discard lies on it? */
export function isOwnDiscard(staging: Staging, pile: string): boolean {
  return staging.lay !== null && staging.lay.startsWith('-') && suitOf(staging.lay.slice(1)) === pile;
}
