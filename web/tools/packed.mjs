// Lays a packed copy beside every text of the build, so that the room sends a third of its bytes and
// packs nothing while people play (server/pages.py).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Fonts and pictures are packed as they are. */
const TEXT = /^assets\/.*\.(js|css|json|svg)$/;

/** A plugin for Vite. */
export function packed() {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => TEXT.test(each))) {
        const path = join(dir, name);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}
