// What this device remembers of a sheet that was sent to a history: whose, and how it stood.

const SENT = 'lostcities.sent.';

export interface Sent {
  /** Whose history; what waits for one person's is never sent to another's. */
  account: string;
  /** The link of the sheet as it was sent; empty while it waits for the room. */
  link: string;
  /** Whether the history has the sheet as it was written on later elsewhere. */
  older?: true;
}

export const sentKey = (id: string): string => SENT + id;

/** A mark as it was kept; null for what is none, and for one that names no account. */
export function readSent(value: unknown): Sent | null {
  if (typeof value !== 'object' || value === null) return null;
  const { account, link, older } = value as Partial<Record<keyof Sent, unknown>>;
  if (typeof account !== 'string' || account === '' || typeof link !== 'string') return null;
  return { account, link, ...(older === true ? { older } : {}) };
}

/** The sheet is in the history no more. */
export function forgetSent(id: string): void {
  try {
    localStorage.removeItem(sentKey(id));
  } catch {
    // Nothing is kept here, so nothing needs to go.
  }
}
