import { describe, expect, test } from 'vitest';
import { view } from '../game/fixture.ts';
import type { SeenEvent, TableInfo } from '../net/wire.ts';
import { cardName, points } from './suits.ts';
import { how, rulesInWords, say, working } from './table.ts';

const event = (values: Partial<SeenEvent>): SeenEvent => ({
  seq: 1,
  kind: 'turn',
  seat: 1,
  round: 1,
  ply: 1,
  turn: null,
  ...values,
});
const names = ['Ada', 'Grace'];

describe('what happened, in words', () => {
  test.each([
    ['+R5*', 1, 'Grace plays red 5 and draws from the deck.'],
    ['-BX<G', 1, 'Grace discards blue wager and takes from the green pile.'],
    ['+W10*Y2', 0, 'You play white 10 and draw yellow 2.'],
  ])('%s by seat %i', (turn, seat, words) => {
    expect(say(event({ turn, seat }), names, 0)).toBe(words);
  });

  test('a spectator hears names only', () => {
    expect(say(event({ turn: '+R5*', seat: 0 }), names, null)).toBe(
      'Ada plays red 5 and draws from the deck.',
    );
  });

  test('a kind it does not know is passed over', () => {
    expect(say(event({ kind: 'something new' }), names, 0)).toBe('');
  });
});

test('the working of a row reads as one writes it', () => {
  const row = { cards: 8, sum: 35, cost: 20, multiplier: 3, bonus: 20, total: 65 };
  expect(working(row, 20)).toBe('(35−20)×3+20');
  expect(working({ ...row, multiplier: 1, bonus: 0 }, 20)).toBe('35−20');
  expect(points(-80)).toBe('−80');
  expect(cardName('PX')).toBe('purple wager');
});

test('how a match ended', () => {
  const table = (termination: string | null): TableInfo => ({ termination }) as TableInfo;
  expect(how(table('resigned 1'), names, 0)).toBe('Grace resigned.');
  expect(how(table('resigned 0'), names, 0)).toBe('You resigned.');
  expect(how(table('declined'), names, 0)).toBe('The match was ended between two rounds.');
  expect(how(table(null), names, 0)).toBe('');
  expect(how(table('sent_away 1'), names, 0)).toBe('The host sent Grace away, so the match was ended as abandoned.');
});

test('who was sent away has not stayed away', () => {
  const table = { termination: 'sent_away 1' } as TableInfo;
  const ended = event({ kind: 'abandoned' });
  expect(say(event({ kind: 'sent_away' }), names, 0, table)).toBe('The host has sent Grace away.');
  expect(say(ended, names, 0, table)).toBe('The match is ended as abandoned.');
  expect(say(ended, names, 0)).toBe('Grace stayed away: the match is ended as abandoned.');
});

test('rules in words name what differs', () => {
  const plain = view().rules;
  expect(rulesInWords({ ...plain, stall: 40, bonus_at: 13, rounds: 'open' })).toEqual([
    '5 colours, 3 cards in hand',
    'Rounds until one of you stops',
    'The start alternates',
    'An opened row costs 20',
    'No bonus',
    'The round ends when 40 turns in a row take from piles',
  ]);
});
