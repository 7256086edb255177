// The language of the page: chosen from the browser, switched by the person, remembered on the device.
//
// The texts are ICU messages in `en/*.json`, `de/*.json`, …, compiled when the page is built (see
// tools/catalogues.mjs) and put into sentences by Lingui. A catalogue is loaded when its language is
// wanted, and everything that read a text is drawn anew after a switch.

import { setupI18n, type Messages } from '@lingui/core';
import type { Catalogue as Base } from './en.ts';
import { isolated } from './plain.ts';

/** A catalogue as it arrives: the compiled messages of each file by their ids. */
interface Arrived {
  default: Record<string, Messages>;
}

interface Known {
  /** What its speakers call it. */
  name: string;
  load: () => Promise<{ default: unknown }>;
}

/** Every language of the page; docs/languages.md says how to add one. */
export const LANGUAGES = {
  en: { name: 'English', load: () => import('./en.ts') },
  de: { name: 'Deutsch', load: () => import('./de.ts') },
} satisfies Record<string, Known>;

export type Language = keyof typeof LANGUAGES;

/** Catalogues that a part of the page brings along when it is opened. */
const PARTS = {
  host: { en: () => import('./en/host.json'), de: () => import('./de/host.json') },
  guide: { en: () => import('./en/guide.json'), de: () => import('./de/guide.json') },
  rules: { en: () => import('./en/rules.json'), de: () => import('./de/rules.json') },
  speech: { en: () => import('./en/speech.json'), de: () => import('./de/speech.json') },
  sheet: { en: () => import('./en/sheet.json'), de: () => import('./de/sheet.json') },
  faults: { en: () => import('./en/faults.json'), de: () => import('./de/faults.json') },
  notices: { en: () => import('./en/notices.json'), de: () => import('./de/notices.json') },
} satisfies Record<string, Record<Language, () => Promise<unknown>>>;

export type Part = keyof typeof PARTS;

const isKnown = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

const i18n = setupI18n();
const loaded = new Set<Language>();
const parts = new Map<Part, Set<Language>>();

class Speech {
  current = $state.raw<Language>('en');
  /** Grows with every catalogue that has arrived. */
  arrived = $state.raw(0);
}
const speech = new Speech();

/** The language that the page speaks now. */
export const language = (): Language => speech.current;

/** The same with the region of the device, which decides how dates are written. */
export const region = (): string =>
  navigator.languages.find((each) => each.split('-')[0] === speech.current) ?? speech.current;

/** The first of the wanted languages that the page has, by its main part; else English. */
export function choose(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0] ?? '';
    if (isKnown(code)) return code;
  }
  return 'en';
}

/** The language for somebody who has set this one, or none yet. */
export function wantedLanguage(set: string): Language {
  return choose(set === '' ? navigator.languages : [set]);
}

/** Speak this language from now on. The page speaks the former one until the catalogue is here. */
export async function speak(code: Language): Promise<void> {
  if (!loaded.has(code)) {
    const { default: catalogue } = (await LANGUAGES[code].load()) as unknown as Arrived;
    i18n.load(code, Object.assign({}, ...Object.values(catalogue)) as Messages);
    loaded.add(code);
  }
  await Promise.all([...parts.keys()].map((part) => loadPart(part, code)));
  i18n.activate(code);
  speech.current = code;
  speech.arrived += 1;
  document.documentElement.lang = code;
}

/** Have the texts of a part of the page, in the language of the moment and in every later one. */
export async function need(part: Part): Promise<void> {
  if (!parts.has(part)) parts.set(part, new Set());
  await loadPart(part, speech.current);
  speech.arrived += 1;
}

async function loadPart(part: Part, code: Language): Promise<void> {
  const there = parts.get(part);
  if (there === undefined || there.has(code)) return;
  const { default: messages } = (await PARTS[part][code]()) as unknown as { default: Messages };
  i18n.load(code, { ...messages });
  there.add(code);
}

// ---- ids, from the English catalogue ---------------------------------------------------------------

type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`;
}[keyof T & string];

type SectionPaths<T> = {
  [K in keyof T & string]: T[K] extends string ? never : K | `${K}.${SectionPaths<T[K]>}`;
}[keyof T & string];

type At<T, P extends string> = P extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : P extends keyof T
    ? T[P]
    : never;

type Catalogue = Base & {
  host: typeof import('./en/host.json');
  guide: typeof import('./en/guide.json');
  rules: typeof import('./en/rules.json');
  speech: typeof import('./en/speech.json');
  sheet: typeof import('./en/sheet.json');
  notices: typeof import('./en/notices.json');
  faults: typeof import('./en/faults.json');
};

/** The id of a message: its file, its section, its key. */
export type Id = Paths<Catalogue>;
export type Section = SectionPaths<Catalogue>;
export type Values = Record<string, string | number>;

/** The messages of a section that are texts on their own. */
export type Texts<P extends Section> = {
  readonly [K in keyof At<Catalogue, P> as At<Catalogue, P>[K] extends string ? K : never]: string;
};

/** A message as a text in the language of the page. */
export function t(id: Id, values?: Values): string {
  return find(id, values) ?? id;
}

/** The same for an id made of data, such as a reason that the room gave; undefined if there is none. */
export function find(id: string, values?: Values): string | undefined {
  // Read so that whoever asked is drawn anew when the language changes.
  void speech.arrived;
  if (!Object.hasOwn(i18n.messages, id)) return undefined;
  const message = i18n.messages[id];
  if (typeof message === 'string') return message;
  return i18n._(id, { ...apart(values), ...numbered(values) }).replaceAll(BACKSLASH, '\\');
}

/** Lingui takes an escape for the sign it means, in what people have written too; no font has this one. */
const BACKSLASH = '\uf05c';
const unescaped = (text: string): string => isolated(text).replaceAll('\\', BACKSLASH);

/** Values that leave the order of the sentence around them alone: names are written in any script. */
const apart = (values: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? unescaped(value) : value]),
  );

const plurals = new Map<string, Intl.PluralRules>();

function pluralOf(n: number): string {
  const known = plurals.get(i18n.locale) ?? new Intl.PluralRules(i18n.locale);
  plurals.set(i18n.locale, known);
  return known.select(n);
}

/** Values with what the built messages ask of each number: how it is written, and which plural it takes. */
function numbered(values: Values = {}): Values {
  const all: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const n = Number(value);
    if (Number.isNaN(n) && typeof value === 'string') continue;
    all[`number.${name}`] = written(n);
    all[`plural.${name}`] = pluralOf(n);
  }
  return all;
}

/** Only a number of four digits or with a fraction needs what is slow to make. */
const written = (n: number): string =>
  Number.isInteger(n) && Math.abs(n) < 1000 ? `${n}` : new Intl.NumberFormat(i18n.locale).format(n);

/**
 * The texts of a section as properties, together with what is made of several values:
 * `words('table.end', { wins: (name) => t('table.end.wins', { name }) })`.
 * A text is looked up when it is read, so that it is always in the language of the moment.
 */
export function words<P extends Section, F extends object = object>(
  section: P,
  made?: F,
): Omit<Texts<P>, keyof F> & F {
  return new Proxy((made ?? {}) as Omit<Texts<P>, keyof F> & F, {
    get(target, key): unknown {
      if (typeof key === 'symbol' || Object.hasOwn(target, key)) return Reflect.get(target, key);
      return find(`${section}.${key}`);
    },
  });
}

/** Texts by a key that comes from data; undefined where the page knows none. */
export function lookup(section: Section): Readonly<Record<string, string | undefined>> {
  return words(section) as Readonly<Record<string, string | undefined>>;
}

/** Lines that stand one after the other: `id.0`, `id.1`, … */
export function lines(id: string): string[] {
  const found: string[] = [];
  for (;;) {
    const line = find(`${id}.${found.length}`);
    if (line === undefined) return found;
    found.push(line);
  }
}

/** The same, two texts a line: `id.0.0` and `id.0.1`, … */
export function pairs(id: string, values?: Values): [string, string][] {
  const found: [string, string][] = [];
  for (;;) {
    const at = `${id}.${found.length}`;
    const [first, second] = [find(`${at}.0`, values), find(`${at}.1`, values)];
    if (first === undefined || second === undefined) return found;
    found.push([first, second]);
  }
}
