// The keyboard on the grid of both sides: which cell is focused next, and what a key does there.
// Column 0 is the wager, column n the nth number.

import type { Suit } from '../game/cards.ts';
import type { Seat } from './rules.ts';

export interface Cell {
  readonly seat: Seat;
  readonly row: number;
  readonly column: number;
}

export interface Grid {
  /** Letters of the rows, top to bottom. */
  readonly suits: readonly Suit[];
  /** How many numbers a row has. */
  readonly numbers: number;
}

/** The cell that an arrow leads to; down from one side's last row comes the other side's first. */
export function move(cell: Cell, key: string, grid: Grid): Cell | null {
  const rows = grid.suits.length;
  const line = cell.seat * rows + cell.row;
  switch (key) {
    case 'ArrowLeft':
      return { ...cell, column: Math.max(0, cell.column - 1) };
    case 'ArrowRight':
      return { ...cell, column: Math.min(grid.numbers, cell.column + 1) };
    case 'ArrowUp':
      return atLine(Math.max(0, line - 1), cell.column, rows);
    case 'ArrowDown':
      return atLine(Math.min(2 * rows - 1, line + 1), cell.column, rows);
    case 'Home':
      return { ...cell, column: 0 };
    case 'End':
      return { ...cell, column: grid.numbers };
    default:
      return toSuit(cell, key, grid);
  }
}

const atLine = (line: number, column: number, rows: number): Cell => ({
  seat: line < rows ? 0 : 1,
  row: line % rows,
  column,
});

/** A colour's letter leads to its row. */
function toSuit(cell: Cell, key: string, grid: Grid): Cell | null {
  const row = grid.suits.findIndex((suit) => suit === key.toUpperCase());
  return key.length === 1 && row >= 0 ? { ...cell, row } : null;
}

/** The number that a digit stands for, 1 and 0 for the ten; null for other keys and higher numbers. */
export function numberOf(key: string, grid: Grid): number | null {
  if (!/^\d$/.test(key)) return null;
  const rank = key === '0' || key === '1' ? 10 : Number(key);
  return rank - 1 <= grid.numbers ? rank : null;
}

/** The card that was typed last into a row, as long as nothing else was done since; 0 is a wager. */
export interface Typed {
  readonly seat: Seat;
  readonly row: number;
  readonly rank: number;
}

/**
 * The cell of a card that is typed (rank 0 for a wager). Rows ascend, and a row is read from its oldest
 * card on: what cannot follow the card typed last begins the next row. The same number again stays, since
 * that takes it back.
 */
export function cellFor(cell: Cell, rank: number, last: Typed | null, grid: Grid): Cell {
  const column = Math.max(0, rank - 1);
  const goesOn = last === null || last.seat !== cell.seat || last.row !== cell.row;
  if (goesOn || rank >= last.rank) return { ...cell, column };
  return { ...(move(cell, 'ArrowDown', grid) ?? cell), column };
}

/** Whether a key only ends the ten that the key before it has typed: a 1 and a 0 are one number. */
export const endsTen = (key: string, before: string | null): boolean => key === '0' && before === '1';

/** Whether a key does nothing by itself. */
export const isModifier = (key: string): boolean => key === 'Shift';

/** How many wagers more a key means. */
export function wagersBy(key: string): number | null {
  if (key === 'x' || key === '+') return 1;
  return key === 'X' || key === '-' ? -1 : null;
}
