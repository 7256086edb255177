// Compiles the catalogues when the page is built: src/words/en/table.json and its like, nested as
// people edit them, become one flat object of parsed ICU messages, so that no parser is shipped.

import { compileMessage } from '@lingui/message-utils/compileMessage';

const CATALOGUE = /\/src\/words\/[a-z]{2}\/(.*)\.json$/;

/** `{"end": {"title": "Round {n}"}}` as `{"end.title": ["Round ", ["n"]]}`. */
export function compileCatalogue(catalogue, compile = compileMessage) {
  const flat = {};
  const walk = (node, path) => {
    for (const [key, value] of Object.entries(node)) {
      const id = [...path, key];
      if (typeof value === 'string') flat[id.join('.')] = compile(value);
      else walk(value, id);
    }
  };
  walk(catalogue, []);
  return flat;
}

/**
 * Plurals as choices by values that the page adds (`numbered` in src/words/language.svelte.ts): `plural.n`,
 * the form that n takes, and `number.n`, n as it is written. Lingui's own plural makes a number format each
 * time, used or not, and a browser's first one holds up the page longer than all else that it says.
 * What is but a text becomes a string.
 */
export function withPluralsChosen(message, number) {
  if (typeof message === 'string') return message;
  const parts = message.map((part) => chosen(part, number));
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
}

function chosen(part, number) {
  if (part === '#' && number !== undefined) return [`number.${number}`];
  if (typeof part === 'string') return part;
  const [name, kind, { offset, ...forms } = {}] = part;
  if (kind !== 'select' && kind !== 'plural') return part;
  if (offset !== undefined) throw new Error(`the plural of {${name}} has an offset, which the page cannot count`);
  const of = kind === 'plural' ? name : number;
  const all = Object.entries(forms).map(([key, form]) => [key, withPluralsChosen(form, of)]);
  if (kind === 'select') return [name, kind, Object.fromEntries(all)];
  const exact = all.filter(([key]) => /^\d+$/.test(key));
  const byForm = all.filter(([key]) => !/^\d+$/.test(key));
  const choice = [`plural.${name}`, 'select', Object.fromEntries(byForm)];
  return exact.length === 0 ? choice : [name, 'select', { ...Object.fromEntries(exact), other: [choice] }];
}

/** What the page gets of a file: its name stands before every id. */
function shipped(file, catalogue) {
  const compiled = Object.entries(compileCatalogue(catalogue));
  return Object.fromEntries(compiled.map(([id, text]) => [`${file}.${id}`, withPluralsChosen(text)]));
}

/** A plugin for Vite; it goes before Vite's own reading of JSON. */
export function catalogues() {
  return {
    name: 'catalogues',
    enforce: 'pre',
    transform(code, id) {
      const file = CATALOGUE.exec(id.split('?')[0])?.[1];
      if (file === undefined) return null;
      return { code: JSON.stringify(shipped(file, JSON.parse(code))), map: null };
    },
  };
}
