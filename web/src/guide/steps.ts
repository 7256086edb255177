// The tutorial as a list: which board lies there, and what of it the text speaks of.

export interface Step {
  id: string;
  board: string;
  mark?: string;
  /** The reader plays a turn here. */
  play?: boolean;
}

export const STEPS: readonly Step[] = [
  { id: 'theme', board: 'first' },
  { id: 'theirs', board: 'first', mark: 'theirs' },
  { id: 'middle', board: 'first', mark: 'middle' },
  { id: 'yours', board: 'first', mark: 'yours' },
  { id: 'hand', board: 'first', mark: 'hand' },
  { id: 'first', board: 'first', play: true },
  { id: 'funding', board: 'funding', play: true },
  { id: 'ascending', board: 'ascending', play: true },
  { id: 'discards', board: 'discards', play: true },
  { id: 'bonus', board: 'bonus', play: true },
  { id: 'end', board: 'end', play: true },
  { id: 'done', board: 'end' },
];

const KEY = 'lostcities-learn';

/** The step at which this device left off; 0 where it keeps nothing. */
export function leftOff(): number {
  try {
    const kept = STEPS.findIndex((step) => step.id === localStorage.getItem(KEY));
    return Math.max(0, kept);
  } catch {
    return 0;
  }
}

export function keep(step: number): void {
  try {
    localStorage.setItem(KEY, STEPS[step]?.id ?? '');
  } catch {
    // Then the next visit begins anew.
  }
}
