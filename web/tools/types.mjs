// Writes src/net/wire.schema.json and src/net/wire.ts from the room's message types.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toTypes } from './wire.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.PYTHON ?? here('../../.venv/bin/python');
const schema = execFileSync(python, ['-m', 'lostcities.protocol.schema'], { encoding: 'utf8' });
writeFileSync(here('../src/net/wire.schema.json'), schema);
writeFileSync(here('../src/net/wire.ts'), await toTypes(JSON.parse(schema)));
