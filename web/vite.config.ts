import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
// @ts-expect-error a plain script without types
import { catalogues } from './tools/catalogues.mjs';
// @ts-expect-error a plain script without types
import { installable } from './tools/installable.mjs';

// The page is built into the Python package, so that an installed wheel serves it without Node.
const outDir = fileURLToPath(new URL('../src/lostcities/web_dist', import.meta.url));
const room = process.env.LOSTCITIES_ROOM ?? 'http://127.0.0.1:8420';

export default defineConfig({
  plugins: [catalogues(), svelte(), installable()],
  // Vitest would otherwise take Svelte's server build, which cannot mount.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline code and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // How long the compiler took on a busy machine is no news to whoever wants to play.
    rolldownOptions: { checks: { bundlerTimings: false } },
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
