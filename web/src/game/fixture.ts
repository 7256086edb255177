// Views for the unit tests of this folder.
import type { SeatView } from '../net/wire.ts';
import { DEFAULTS } from '../sheet/rules.ts';

export function view(values: Partial<SeatView> = {}): SeatView {
  return {
    seat: 0,
    to_move: 0,
    round: 1,
    rounds: 3,
    ply: 4,
    expeditions: [{ R: ['R2'] }, { B: ['BX'] }],
    piles: { G: ['G3', 'G8'] },
    deck: 20,
    hand_sizes: [3, 3],
    known: ['W4'],
    scores: [-18, -40],
    totals: [0, 0],
    last_turn: null,
    legal: ['+R5*', '+R5<G', '-R5*', '-R5<G', '-G2*', '+YX*', '+YX<G', '-YX*', '-YX<G'],
    rules: { ...DEFAULTS, hand: 3 },
    run: null,
    hand: ['YX', 'G2', 'R5'],
    exposed: [],
    hands: null,
    ...values,
  };
}
