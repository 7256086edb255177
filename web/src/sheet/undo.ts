// A value with its past, so that a change can be taken back.

export interface Timeline<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

const LONGEST = 500;

export const begin = <T>(now: T): Timeline<T> => ({ past: [], now, future: [] });

/** A change that can be taken back; the same value again is no change. */
export const change = <T>(line: Timeline<T>, now: T): Timeline<T> =>
  now === line.now ? line : { past: [...line.past, line.now].slice(-LONGEST), now, future: [] };

/** What is no change of the content, such as looking at another round. */
export const show = <T>(line: Timeline<T>, now: T): Timeline<T> => ({ ...line, now });

export function undo<T>(line: Timeline<T>): Timeline<T> {
  const before = line.past.at(-1);
  if (before === undefined) return line;
  return { past: line.past.slice(0, -1), now: before, future: [line.now, ...line.future] };
}

export function redo<T>(line: Timeline<T>): Timeline<T> {
  const [next, ...rest] = line.future;
  if (next === undefined) return line;
  return { past: [...line.past, line.now], now: next, future: rest };
}
