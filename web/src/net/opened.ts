// Which sheet the history has opened in this window. A link cannot claim to come from there.

const OPENED = 'lostcities.from-history';

/** The history opens a sheet: the fragment that holds it. */
export function noteOpened(link: string): void {
  try {
    sessionStorage.setItem(OPENED, link);
  } catch {
    // Then it is shown as any other link.
  }
}

/** Whether the history opened this sheet here. */
export function wasOpened(link: string): boolean {
  try {
    return sessionStorage.getItem(OPENED) === link;
  } catch {
    return false;
  }
}
