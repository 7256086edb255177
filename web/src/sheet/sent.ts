// What this device remembers of a sheet that was sent to a history: whose, and how it stood.

const SENT = 'lostcities.sent.';

export interface Sent {
  /** Whose history; what waits for one person's is never sent to another's. */
  account: string;
  /** The link of the sheet as it was sent; empty while it waits for the room. */
  link: string;
  /** Whether the history has the sheet as it was written on elsewhere. */
  older?: true;
  /** The link of the sheet as this device knows it to be in the history, where that is another one. */
  knows?: string;
  /** Whether somebody has said that what waits goes over whatever the history has. */
  over?: true;
}

export const sentKey = (id: string): string => SENT + id;

/** A mark as it was kept; null for what is none, and for one that names no account. */
export function readSent(value: unknown): Sent | null {
  if (typeof value !== 'object' || value === null) return null;
  const { account, link, older, knows, over } = value as Partial<Record<keyof Sent, unknown>>;
  if (typeof account !== 'string' || account === '' || typeof link !== 'string') return null;
  return {
    account,
    link,
    ...(older === true ? { older } : {}),
    ...(typeof knows === 'string' ? { knows } : {}),
    ...(over === true ? { over } : {}),
  };
}

/** The sheet is in the history no more. */
export function forgetSent(id: string): void {
  try {
    localStorage.removeItem(sentKey(id));
  } catch {
    // Nothing is kept here, so nothing needs to go.
  }
}
