// Every language has the same messages with the same places to fill, and all the plurals it needs.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
// @ts-expect-error a plain script without types
import { compileCatalogue } from '../../tools/catalogues.mjs';
import { LANGUAGES } from './language.svelte.ts';

type Part = string | [name: string] | [name: string, kind: string, forms: Record<string, Message>];
type Message = string | readonly Part[];

const HERE = `${process.cwd()}/src/words`;
const files = (code: string): string[] =>
  readdirSync(`${HERE}/${code}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();
const raw = (code: string, file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`${HERE}/${code}/${file}`, 'utf8')) as Record<string, unknown>;
const messages = (code: string): Map<string, Message> =>
  new Map(
    files(code).flatMap((file) =>
      Object.entries(compileCatalogue(raw(code, file)) as Record<string, Message>).map(
        ([id, message]): [string, Message] => [`${file}: ${id}`, message],
      ),
    ),
  );

function* parts(message: Message): Generator<Exclude<Part, string>> {
  if (typeof message === 'string') return;
  for (const part of message) {
    if (typeof part === 'string') continue;
    yield part;
    const forms = part[2];
    if (forms === undefined || typeof forms !== 'object') continue;
    for (const [key, form] of Object.entries(forms)) if (key !== 'offset') yield* parts(form);
  }
}

const places = (message: Message): string[] =>
  [...new Set([...parts(message)].map(([name]) => name))].filter((name) => name !== '#').sort();

const english = messages('en');
const codes = Object.keys(LANGUAGES);

test('there are catalogues to compare', () => {
  expect(english.size).toBeGreaterThan(200);
  expect(codes).toContain('de');
});

describe.each(codes.filter((code) => code !== 'en'))('%s', (code) => {
  const other = messages(code);

  test('has the messages of English, in the same files', () => {
    expect([...other.keys()]).toEqual([...english.keys()]);
  });

  test('fills the same places', () => {
    for (const [id, message] of english) {
      expect([id, places(other.get(id) ?? '')]).toEqual([id, places(message)]);
    }
  });
});

describe.each(codes)('%s', (code) => {
  const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  const everything = messages(code);

  test('has every plural form of its language', () => {
    for (const [id, message] of everything) {
      for (const [, kind, forms] of parts(message)) {
        if (kind !== 'plural') continue;
        expect([id, needed.filter((form) => !(form in (forms ?? {})))]).toEqual([id, []]);
      }
    }
  });

  test('is written with real quotation marks, dashes and dots', () => {
    const text = (message: Message): string => JSON.stringify(message);
    for (const file of files(code)) {
      const odd = /'|\.\.\.| - | "[^",:]/.exec(text(raw(code, file) as unknown as Message));
      expect([file, odd?.[0]]).toEqual([file, undefined]);
    }
  });

  test('lets no line begin with the dots of its sentence', () => {
    const alone = [...everything].filter(([, message]) => /[^\s\d] …/.test(JSON.stringify(message)));
    expect(alone.map(([id]) => id)).toEqual([]);
  });

  test('leaves nothing empty', () => {
    for (const [id, message] of everything) expect([id, message.length > 0]).toEqual([id, true]);
  });
});
