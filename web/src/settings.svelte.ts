// What this browser remembers for its person. Nothing secret is kept here.

export type Theme = 'auto' | 'light' | 'dark';

export interface Settings {
  name: string;
  /** The name that this browser is signed in by, as far as it knows; empty for a guest. */
  account: string;
  /** The program played last. */
  agent: string;
  theme: Theme;
  /** The code of a language, or empty: as the browser asks. */
  language: string;
  /** The deck in whose words and colours cards are shown at a table, or empty. */
  skin: string;
  autoDraw: boolean;
  /** Ask before a turn is sent; never while a live clock runs. */
  confirm: boolean;
  singleKeys: boolean;
  sound: boolean;
  /** Deck and buttons to the left. */
  leftHanded: boolean;
}

const KEY = 'lostcities';
const DEFAULTS: Settings = {
  name: '',
  account: '',
  agent: '',
  theme: 'auto',
  language: '',
  skin: '',
  autoDraw: false,
  confirm: false,
  singleKeys: true,
  sound: false,
  leftHanded: false,
};

function load(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Settings = $state(load());

export function change(values: Partial<Settings>): void {
  Object.assign(settings, values);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  showTheme();
}

export function showTheme(): void {
  const root = document.documentElement;
  if (settings.theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
}
