// A frame of a replay as the table draws it: the view of a seat, and what stands beside it. Everything
// is told by the room; nothing here knows a rule.

import { stillTable } from '../game/still.ts';
import type {
  ReplayFrame,
  ReplayOutline,
  ReplayRound,
  SeatView,
  SeenEvent,
  TableInfo,
} from '../net/wire.ts';

/** Where one stands in a replay. */
export interface Place {
  readonly round: number;
  readonly ply: number;
}

/** Whose eyes: the seat at the bottom, and whether the other hand lies open too. */
export interface Eyes {
  readonly near: number;
  readonly both: boolean;
}

/** `#2.14` is the second round after 14 turns. */
export function readPlace(hash: string): Place | null {
  const found = /^#?(\d{1,5})(?:\.(\d{1,5}))?$/.exec(hash);
  return found === null ? null : { round: Number(found[1]), ply: Number(found[2] ?? 0) };
}

export const writePlace = (place: Place): string => `#${place.round}.${place.ply}`;

/** The seats whose hand a round shows, the own one first. */
export function openSeats(round: ReplayRound): number[] {
  const deal = round.frames[0];
  return [0, 1].filter((seat) => deal?.hands[seat] != null);
}

/** The turn that led to a frame, with the face drawn only where these eyes see it. */
export function turnOf(frame: ReplayFrame, eyes: Eyes): string | null {
  if (frame.turn === null || eyes.both || frame.mover === eyes.near) return frame.turn;
  return frame.turn.replace(/\*.*$/, '*');
}

export function viewOf(
  frame: ReplayFrame,
  outline: ReplayOutline,
  round: ReplayRound,
  eyes: Eyes,
): SeatView {
  const { near, both } = eyes;
  const own = frame.hands[near] ?? null;
  const far = frame.hands[1 - near] ?? null;
  const known = both && far !== null ? far : (frame.known[1 - near] ?? []);
  return {
    seat: own === null ? null : near,
    to_move: frame.to_move,
    round: round.round,
    rounds: outline.rules.rounds,
    ply: frame.ply,
    expeditions: frame.expeditions,
    piles: frame.piles,
    deck: frame.deck,
    hand_sizes: frame.hand_sizes,
    known: own === null ? frame.known : known,
    scores: frame.scores,
    totals: round.totals,
    last_turn: turnOf(frame, eyes),
    legal: [],
    rules: outline.rules,
    hand: own,
    exposed: own === null ? null : (frame.known[near] ?? []),
    run: null,
    hands: null,
  };
}

/** The table around a frame; of later rounds it says nothing. */
export function tableOf(
  frame: ReplayFrame,
  outline: ReplayOutline,
  round: ReplayRound,
): TableInfo {
  const here = outline.rounds.find((each) => each.number === round.round);
  const last = frame.ply === round.frames.length - 1;
  const done = outline.rounds.filter(
    (each) => each.score !== null && (each.number < round.round || (last && each === here)),
  );
  const totals = [0, 1].map((seat) => done.reduce((sum, each) => sum + (each.score?.[seat] ?? 0), 0));
  return stillTable({
    match: outline.match ?? '',
    phase: 'playing',
    seats: outline.names.map((name, seat) => ({
      kind: outline.kinds[seat] ?? 'person',
      name,
      present: true,
      continued: false,
    })),
    rules: outline.rules,
    rounds_done: done.map((each) => ({
      start: each.start,
      score: each.score ?? [0, 0],
      termination: each.termination,
      turns: each.turns,
    })),
    totals,
    starter: here?.start ?? 0,
    workings: frame.workings,
  });
}

/** The turns of a round up to a frame, as the log tells them. */
export function logOf(round: ReplayRound, ply: number, eyes: Eyes): SeenEvent[] {
  return round.frames.slice(1, ply + 1).map((frame) => ({
    seq: frame.ply,
    kind: 'turn',
    seat: frame.mover,
    round: round.round,
    ply: frame.ply - 1,
    turn: turnOf(frame, eyes),
  })) as SeenEvent[];
}
