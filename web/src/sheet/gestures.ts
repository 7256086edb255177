// A finger or a mouse over a row of numbers: a tap is one card, a sweep is a run. What a sweep does
// to its first number it does to all. Positions are indices of the row's cells.

export interface Sweep {
  readonly row: string;
  readonly first: number;
  readonly last: number;
  /** Whether it puts cards there or takes them away. */
  readonly there: boolean;
  /** Whether it has left its first cell: until then it may still be a tap. */
  readonly moved: boolean;
}

export const startSweep = (row: string, at: number, there: boolean): Sweep => ({
  row,
  first: at,
  last: at,
  there,
  moved: false,
});

/** The finger has come to another cell; above or below the row counts as the row. */
export const moveSweep = (sweep: Sweep, at: number): Sweep =>
  at === sweep.last ? sweep : { ...sweep, last: at, moved: true };

/** The cell below a place, from the cells' left and right edges; the nearest one beside them. */
export function cellAt(edges: readonly (readonly [number, number])[], x: number): number {
  let nearest = 0;
  let least = Infinity;
  edges.forEach(([left, right], index) => {
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < least) [nearest, least] = [index, away];
  });
  return nearest;
}

/** The lowest and highest cell of a sweep. */
export const spanOf = (sweep: Sweep): readonly [number, number] => [
  Math.min(sweep.first, sweep.last),
  Math.max(sweep.first, sweep.last),
];
