// The score of a row, on its own: a table's aids need it, but none of the decks that a sheet knows.

import { isWager, rankOf, type Card } from '../game/cards.ts';
import type { Working } from '../net/wire.ts';
import type { Rules } from './rules.ts';

/** (sum − cost) × (1 + wagers), then the bonus of a long row; a row without cards is worth 0. */
export function scoreRow(row: readonly Card[], rules: Rules): Working {
  if (row.length === 0) return { cards: 0, sum: 0, cost: 0, multiplier: 1, bonus: 0, total: 0 };
  const numbers = row.filter((card) => !isWager(card));
  const sum = numbers.reduce((total, card) => total + Number(rankOf(card)), 0);
  const multiplier = 1 + row.length - numbers.length;
  const bonus = row.length >= rules.bonus_at ? rules.bonus : 0;
  const total = (sum - rules.cost) * multiplier + bonus;
  return { cards: row.length, sum, cost: rules.cost, multiplier, bonus, total };
}
