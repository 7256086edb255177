// A turn, or half of one, as it is typed: in notation, in words, or by the indices of a worn deck.

import { isSuit, type Card, type Draw, type Lay } from '../game/cards.ts';
import { worn } from '../skin.svelte.ts';
import { folded } from '../words/plain.ts';
import { lexicon } from '../words/speech.ts';

export interface Command {
  lay: Lay | null;
  draw: Draw | null;
}

const NOTATION = /^([+-][YBWGRP](?:X|10|[2-9]))?(\*|<[YBWGRP])?$/;

/** What the text means, or null if it means nothing; whether it is legal is another matter. */
export function readCommand(text: string): Command | null {
  const indices = worn()?.indices;
  const written = text
    .replace(/\s+/g, '')
    .toUpperCase()
    .replace(/^([+-])([0-9A-Z]+)/, (_, sign: string, card: string) => sign + (indices?.get(card) ?? card));
  const found = NOTATION.exec(written);
  if (found !== null && written !== '') return { lay: found[1] ?? null, draw: found[2] ?? null };
  return inWords(folded(text).match(/[\p{L}\d]+/gu) ?? []);
}

/**
 * Reads a word as a printed index. Where the card's colour is said too, a number is the card's own.
 */
function indexed(
  said: readonly string[],
  meanings: ReadonlyMap<string, string>,
): (word: string) => Card | undefined {
  const indices = worn()?.indices;
  const draws = said.findIndex((word) => meanings.get(word) === 'draw');
  const laid = said.slice(0, draws < 0 ? said.length : draws);
  const coloured = laid.some((word) => isSuit(meanings.get(word) ?? ''));
  return (word) => (coloured ? undefined : indices?.get(word.toUpperCase()));
}

/** A card is a colour and a number or a wager, in either order; a draw is the deck or a colour. */
function inWords(said: readonly string[]): Command | null {
  const meanings = new Map([...lexicon(), ...(worn()?.said ?? [])].map(([word, meaning]) => [folded(word), meaning]));
  const byIndex = indexed(said, meanings);
  let kind = '';
  let drawing = false;
  let suit = '';
  let rank = '';
  let draw: Draw | null = null;
  for (const word of said) {
    const card = drawing ? undefined : byIndex(word);
    if (card !== undefined) {
      if (suit !== '' || rank !== '') return null;
      [suit, rank] = [card.charAt(0), card.slice(1)];
      continue;
    }
    const meaning = meanings.get(word);
    if (meaning === undefined) return null;
    if (meaning === 'play' || meaning === 'discard') {
      if (kind !== '') return null;
      kind = meaning === 'play' ? '+' : '-';
    } else if (meaning === 'draw') drawing = true;
    else if (meaning === 'deck') {
      if (draw !== null) return null;
      draw = '*';
    } else if (meaning === 'wager' || /^\d+$/.test(meaning)) {
      if (rank !== '' || drawing) return null;
      rank = meaning === 'wager' ? 'X' : meaning;
    } else if (meaning !== 'filler') {
      if (drawing ? draw !== null : suit !== '') return null;
      if (drawing) draw = `<${meaning}`;
      else suit = meaning;
    }
  }
  if (drawing && draw === null) return null;
  const parts = [kind, suit, rank].filter((part) => part !== '').length;
  if (parts !== 0 && parts !== 3) return null;
  if (parts === 0 && draw === null) return null;
  return { lay: parts === 3 ? kind + suit + rank : null, draw };
}
