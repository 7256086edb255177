// Up to when this browser has read the talk of its tables: what came later is new after a reload too.

const KEY = 'lostcities-read';
/** Tables of which it is remembered, those looked at last. */
const MOST = 60;

type Kept = [match: string, at: number][];

function kept(): Kept {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? (found as Kept) : [];
  } catch {
    return [];
  }
}

/** The time of the last line read at a table, in milliseconds since 1970; 0 for none. */
export const readUpTo = (match: string): number =>
  kept().find((each) => each[0] === match)?.[1] ?? 0;

export function keepRead(match: string, at: number): void {
  const others = kept().filter((each) => each[0] !== match);
  try {
    localStorage.setItem(KEY, JSON.stringify([[match, at], ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still talks.
  }
}
