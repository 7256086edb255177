import { afterEach, expect, test } from 'vitest';
import { need, speak } from '../words/language.svelte.ts';
import { readCommand } from './command.ts';

await need('speech');
afterEach(() => speak('en'));

test.each([
  ['+R5*', '+R5', '*'],
  ['-bx <g', '-BX', '<G'],
  ['+R10', '+R10', null],
  ['*', null, '*'],
  ['<w', null, '<W'],
  ['play red five, draw deck', '+R5', '*'],
  ['Play the red 10 and take from the green pile.', '+R10', '<G'],
  ['discard blue wager', '-BX', null],
  ['draw deck', null, '*'],
  ['take white', null, '<W'],
])('%s', (text, lay, draw) => {
  expect(readCommand(text)).toEqual({ lay, draw });
});

test.each([
  ['lege rot fünf an, ziehe verdeckt', '+R5', '*'],
  ['Wirf Wettkarte Blau ab und nimm vom Stapel Grün', '-BX', '<G'],
  ['ziehe verdeckt', null, '*'],
  ['+Y2<P', '+Y2', '<P'],
])('auf Deutsch: %s', async (text, lay, draw) => {
  await speak('de');
  expect(readCommand(text)).toEqual({ lay, draw });
});

test.each(['', '+R11*', 'play red', 'play red five five', 'red five', 'eat red five', 'draw', 'R5'])(
  '“%s” means nothing',
  (text) => {
    expect(readCommand(text)).toBeNull();
  },
);
