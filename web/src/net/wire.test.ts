import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error a plain script without types
import { toTypes } from '../../tools/wire.mjs';

const here = (name: string): string =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

test('wire.ts is what the schema gives; if not, run `npm run types`', async () => {
  const schema: unknown = JSON.parse(here('./wire.schema.json'));
  expect(here('./wire.ts')).toBe(await toTypes(schema));
});
