// What makes the page installable and lets it open offline: icons as PNG, drawn from icons/app.svg,
// and the service worker with the list of everything this build consists of.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { transformWithOxc } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const WASM = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
/** File names and widths; the last is what iOS puts on its home screen. */
const ICONS = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 };

let drawing;

async function png(svg, width) {
  drawing ??= initWasm(readFileSync(WASM));
  await drawing;
  return new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
}

/** The worker as plain script, knowing its build and its files. */
export async function worker(files, contents) {
  const source = readFileSync(here('../src/sw.ts'), 'utf8');
  const build = createHash('sha256').update(source).update(contents).digest('hex').slice(0, 12);
  const { code } = await transformWithOxc(source, 'sw.ts', { lang: 'ts' });
  const known = `const BUILD = ${JSON.stringify(build)};\nconst FILES = ${JSON.stringify(files)};\n`;
  return known + code.replace(/export\s*\{\s*\};?/g, '');
}

/** A plugin for Vite; it goes last, when everything else is there. */
export function installable() {
  return {
    name: 'installable',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const svg = readFileSync(here('../icons/app.svg'), 'utf8');
      for (const [fileName, width] of Object.entries(ICONS)) {
        this.emitFile({ type: 'asset', fileName, source: await png(svg, width) });
      }
      // Every browser with workers reads woff2, so the other fonts need not be kept.
      const built = Object.keys(bundle).filter((name) => /^assets\/.*(?<!\.woff)$/.test(name));
      const files = ['', ...built, ...readdirSync(here('../public')), ...Object.keys(ICONS)];
      const paths = files.map((name) => `/${name}`).sort();
      // Names in assets/ carry a hash of what they hold; the others are read.
      const index = readFileSync(here('../index.html'));
      const others = readdirSync(here('../public')).map((name) => readFileSync(here(`../public/${name}`)));
      const contents = createHash('sha256').update(JSON.stringify(paths)).update(index);
      for (const each of others) contents.update(each);
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: await worker(paths, contents.update(svg).digest('hex')),
      });
    },
  };
}
