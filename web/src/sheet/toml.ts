// The text of a deck file; apart from the reading of decks, since the parser comes only when asked.

import { parse, TomlError } from 'smol-toml';
import { LARGEST, readDeck, type DeckReading, type Table } from './deckfile.ts';

const refused = (kind: 'toml' | 'large' | 'encoding', what = ''): DeckReading => ({
  ok: false,
  faults: [{ kind, place: '', what, due: '' }],
});

/** Read a deck from the text of its file. */
export function readDeckText(text: string): DeckReading {
  let table: Table;
  try {
    // Whole numbers as big ones: 2 may be an index, 2.0 may not.
    table = parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return refused('toml', `${error.line}:${error.column}`);
  }
  return readDeck(table, true);
}

/** Read a deck from a file that somebody has chosen. */
export async function readDeckFile(file: Blob): Promise<DeckReading> {
  if (file.size > LARGEST) return refused('large');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return readDeckText(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refused('encoding');
  }
}
