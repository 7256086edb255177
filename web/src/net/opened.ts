// Which sheet the history has opened in this window. A link cannot claim to come from there.

const OPENED = 'lostcities.from-history';

/** The history opens a sheet: the fragment that holds it, and the name that it is kept by. */
export function noteOpened(link: string, id: string): void {
  try {
    sessionStorage.setItem(OPENED, JSON.stringify([link, id]));
  } catch {
    // Then it is shown as any other link.
  }
}

/** By which name the history keeps the sheet that it opened here; null if it opened another or none. */
export function openedAs(link: string): string | null {
  try {
    const [opened, id] = JSON.parse(sessionStorage.getItem(OPENED) ?? '[]') as unknown[];
    return opened === link && typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
