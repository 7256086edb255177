// Tables that no room keeps: a replay's, and the boards that explain. What such a table has no need of
// stands here once, whole, so that a part of the page may read anything of any table.

import type { TableInfo } from '../net/wire.ts';

type Shown =
  | 'match'
  | 'phase'
  | 'seats'
  | 'rules'
  | 'rounds_done'
  | 'totals'
  | 'starter'
  | 'workings';

const REST: Omit<TableInfo, Shown> = {
  next_starter: null,
  offer: null,
  termination: null,
  winner: null,
  pace: {
    kind: 'none',
    turn: 0,
    bank: 0,
    increment: 0,
    days: 0,
    timeout: 'forfeit',
    absent: null,
    pause: null,
    written: '',
  },
  clock: null,
  away: [null, null],
  terms: {
    listed: false,
    watch: false,
    chat: false,
    one_device: false,
    count_deck: true,
    count_lays: true,
    count_gone: true,
    count_known: true,
    aids: false,
    takebacks: false,
  },
  paused: false,
  invite: null,
  again: null,
  again_by: null,
  practice: false,
  lesson: null,
  back: 0,
  back_open: null,
  back_asked: null,
  sent_away: null,
  group: null,
  moved_to: null,
};

/** A table on which nothing but the cards matters: no clock, no offers, nobody away. */
export const stillTable = (shown: Pick<TableInfo, Shown>): TableInfo => ({ ...REST, ...shown });
