/** Shortest and longest upper bound of a wait before the next try, in milliseconds. */
export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 15_000;

/** Wait before try `attempt` (from 0): full jitter under a bound that doubles. */
export function backoff(attempt: number, random: () => number): number {
  const bound = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt, 10));
  return Math.round(random() * bound);
}
