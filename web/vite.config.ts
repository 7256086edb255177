import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
// @ts-expect-error a plain script without types
import { catalogues } from './tools/catalogues.mjs';
// @ts-expect-error a plain script without types
import { installable } from './tools/installable.mjs';
// @ts-expect-error a plain script without types
import { packed } from './tools/packed.mjs';

// The page is built into the Python package, so that an installed wheel serves it without Node.
const outDir = fileURLToPath(new URL('../src/lostcities/web_dist', import.meta.url));
const room = process.env.LOSTCITIES_ROOM ?? 'http://127.0.0.1:8420';

/**
 * Files that come together, since a phone waits for every single one: what each page needs, and what the
 * table needs besides. Left to itself the bundler makes forty of them for a table.
 */
const PAGE = /\/(node_modules\/(svelte|@lingui|esm-env|clsx)|src\/(router|settings|skin|offline)\.|src\/net\/(api|address)\.|src\/game\/(cards|counts|display|hand|staging)\.|src\/sheet\/rowscore\.|src\/parts\/(CardFace|Dialog|SuitMark)\.|src\/words\/(company|counts|history|home|language|net|suits|table|time)\.)/;
const TABLE = /\/src\/(pages\/(AnyTable|Table)|table\/(?!Coach|Counts|Menu|SkinChoice|TypeTurn|command|.*\.test)|net\/(socket|browser|backoff)|notices\/show|parts\/CardChip|words\/speech)/;
const TOGETHER = [
  { name: 'page', test: PAGE, priority: 2 },
  { name: 'table', test: TABLE, priority: 1 },
];

export default defineConfig({
  plugins: [catalogues(), svelte(), installable(), packed()],
  // Vitest would otherwise take Svelte's server build, which cannot mount.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline code and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // How long the compiler took on a busy machine is no news to whoever wants to play.
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: TOGETHER } },
    },
  },
  server: {
    // `npm run dev` shows the page with hot reload before a room started by `lostcities serve`.
    proxy: {
      '/api': { target: room, ws: true },
    },
  },
  test: {
    environment: 'happy-dom',
    setupFiles: ['src/words/setup.ts'],
    include: ['src/**/*.test.ts'],
  },
});
