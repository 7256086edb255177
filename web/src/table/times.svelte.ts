// The times that the room last told, counted down from the moment they came. No rule is here: whose
// time runs, and what happens at its end, the room says.

import type { ClockInfo, TableInfo } from '../net/wire.ts';

/** Milliseconds between two looks at the clock. */
const TICK = 200;

interface Told {
  clock: ClockInfo | null;
  away: readonly (number | null)[];
  at: number;
}

export class Times {
  #told = $state.raw<Told>({ clock: null, away: [], at: 0 });
  #now = $state(0);

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** A message told the times, just now. */
  told({ clock, away }: Pick<TableInfo, 'clock' | 'away'>): void {
    const at = this.clock();
    this.#told = { clock, away, at };
    this.#now = at;
  }

  /** Whether anything is to be counted. */
  readonly counts: boolean = $derived(
    (this.#told.clock?.running.includes(true) ?? false) || this.#told.away.some((each) => each !== null),
  );

  /** Look at the clock. */
  tick(): void {
    this.#now = this.clock();
  }

  /** Count for as long as the page is open; the answer stops it. */
  count(): () => void {
    const timer = setInterval(() => this.tick(), TICK);
    return () => clearInterval(timer);
  }

  runs(seat: number): boolean {
    return this.#told.clock?.running[seat] ?? false;
  }

  /** Milliseconds that a seat has; null where it has no time of its own. */
  left(seat: number): number | null {
    const told = this.#told.clock?.left[seat] ?? null;
    return told === null || !this.runs(seat) ? told : Math.max(0, told - this.#passed);
  }

  /** Milliseconds until the match may be ended for a seat's absence; null if it is not counted. */
  away(seat: number): number | null {
    const told = this.#told.away[seat] ?? null;
    return told === null ? null : Math.max(0, told - this.#passed);
  }

  get #passed(): number {
    return this.#now - this.#told.at;
  }
}
