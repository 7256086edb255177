// Somebody of a class who comes back is brought to the table of whoever waits: the page goes there by itself.

let awaited = '';

/** The page is on its way to the table at this path. */
export function bring(path: string): void {
  awaited = path;
}

/** Whether the page was brought to this table; true once, so that it is said once. */
export function wasBrought(match: string): boolean {
  if (awaited !== `/t/${match}`) return false;
  awaited = '';
  return true;
}
