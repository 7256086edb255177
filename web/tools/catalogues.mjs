// Compiles the catalogues when the page is built: src/words/en/table.json and its like, nested as
// people edit them, become one flat object of parsed ICU messages, so that no parser is shipped.

import { compileMessage } from '@lingui/message-utils/compileMessage';

const CATALOGUE = /\/src\/words\/[a-z]{2}\/.*\.json$/;

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

/** A plugin for Vite; it goes before Vite's own reading of JSON. */
export function catalogues() {
  return {
    name: 'catalogues',
    enforce: 'pre',
    transform(code, id) {
      if (!CATALOGUE.test(id.split('?')[0])) return null;
      return { code: JSON.stringify(compileCatalogue(JSON.parse(code))), map: null };
    },
  };
}
