import { describe, expect, test } from 'vitest';
import { parseTurn } from './cards.ts';
import { afterDraw, afterLay, beforeTurn, knownOf, placed } from './display.ts';
import { view } from './fixture.ts';
import { backs, exposedSlots, handKeys, laysLeft, slotsShown } from './hand.ts';

describe('the beats of a turn', () => {
  test('own play, then a face from the deck', () => {
    const middle = afterLay(view(), 0, '+R5');
    expect(middle.expeditions[0]).toEqual({ R: ['R2', 'R5'] });
    expect(middle.hand).toEqual(['YX', 'G2']);
    expect(middle.hand_sizes).toEqual([2, 3]);
    const after = afterDraw(middle, 0, parseTurn('+R5*B4'));
    expect(after.hand).toEqual(['YX', 'B4', 'G2']);
    expect(after.deck).toBe(19);
  });

  test('the other’s discard and what it takes from a pile become known', () => {
    const middle = afterLay(view(), 1, '-W4');
    expect(middle.piles).toEqual({ G: ['G3', 'G8'], W: ['W4'] });
    expect(knownOf(middle, 1)).toEqual([]);
    const after = afterDraw(middle, 1, parseTurn('-W4<G'));
    expect(after.piles).toEqual({ G: ['G3'], W: ['W4'] });
    expect(knownOf(after, 1)).toEqual(['G8']);
    expect(after.hand_sizes).toEqual([3, 3]);
  });

  test('a pile that is emptied is left out', () => {
    const after = afterDraw(view({ piles: { G: ['G8'] } }), 1, parseTurn('+B3<G'));
    expect(after.piles).toEqual({});
  });

  test('placing a card leaves hands alone', () => {
    expect(placed(view(), 0, '-R5').hand).toEqual(['YX', 'G2', 'R5']);
  });

  test('a spectator’s view keeps what each seat is known to hold', () => {
    const spectator = view({ seat: null, hand: null, exposed: null, known: [['G2'], ['W4']] });
    expect(knownOf(afterLay(spectator, 0, '-G2'), 0)).toEqual([]);
    expect(knownOf(afterLay(spectator, 0, '-G2'), 1)).toEqual(['W4']);
  });
});

describe('looking back', () => {
  test.each([
    [0, '+R5*B4'],
    [0, '-G2*Y9'],
    [1, '-W4*'],
    [1, '+B3<G'],
  ])('the table before the turn of seat %i (%s) comes back', (seat, token) => {
    const before = view({ legal: [] });
    const turn = parseTurn(token);
    const lay = turn.kind + turn.card;
    const after = afterDraw(afterLay(before, seat, lay), seat, turn);
    const again = beforeTurn(after, seat, turn);
    expect(again).toMatchObject({
      expeditions: before.expeditions,
      piles: before.piles,
      deck: before.deck,
      hand: before.hand,
      hand_sizes: before.hand_sizes,
    });
  });

  test('when two cards might have been taken, none is guessed', () => {
    const after = view({ known: ['G4', 'G8'], piles: {}, legal: [] });
    expect(beforeTurn(after, 1, parseTurn('-Y2<G')).piles).toEqual({});
  });
});

describe('hands', () => {
  test('known cards lie face up among the backs', () => {
    expect(backs(view(), 1)).toEqual(['W4', null, null]);
  });
  test('of two equal wagers only the one that was seen is marked', () => {
    expect([...exposedSlots(['YX', 'YX', 'R5'], ['R5', 'YX'])]).toEqual([0, 2]);
    expect([...exposedSlots(['B2'], ['R5'])]).toEqual([]);
  });
  test('equal wagers are told apart', () => {
    expect(handKeys(['YX', 'YX', 'R5'])).toEqual(['YX.0', 'YX.1', 'R5.0']);
  });
  test.each([
    [5, 0, 3],
    [5, 1, 2],
    [4, 0, 2],
    [1, 1, 0],
  ])('with %i in the deck and seat %i to move, %i lays are left to seat 0', (deck, toMove, lays) => {
    expect(laysLeft(view({ deck, to_move: toMove }), 0)).toBe(lays);
  });
});

test('a hand is shown in the order of the colours on the table', () => {
  const hand = ['YX', 'Y5', 'B3', 'W2', 'R4', 'R9'];
  expect(slotsShown(hand, ['Y', 'B', 'W', 'G', 'R', 'P'])).toEqual([0, 1, 2, 3, 4, 5]);
  expect(slotsShown(hand, ['R', 'B', 'G', 'Y', 'W'])).toEqual([4, 5, 2, 0, 1, 3]);
});
