import { describe, expect, test } from 'vitest';
import { isCommand, step, type Standing } from './slash.ts';

const at = (values: Partial<Standing> = {}): Standing => ({
  phase: 'playing',
  seated: true,
  freeSeat: false,
  round: 2,
  continued: false,
  resigning: false,
  ...values,
});

describe('commands in the chat', () => {
  test.each([
    ['/join', { seated: false, freeSeat: true, phase: 'waiting' }, { do: 'join' }],
    ['/join', { seated: false }, { do: 'say', what: 'noSeat' }],
    ['/join', {}, { do: 'say', what: 'seated' }],
    ['/start', { phase: 'waiting' }, { do: 'say', what: 'waits' }],
    ['/start', { phase: 'waiting', seated: false, freeSeat: true }, { do: 'say', what: 'joinFirst' }],
    ['/start', {}, { do: 'say', what: 'began' }],
    ['/start', { phase: 'over' }, { do: 'again' }],
    ['/continue', { phase: 'between' }, { do: 'continue', round: 2 }],
    ['/continue', { phase: 'between', continued: true }, { do: 'say', what: 'goesOn' }],
    ['/continue', {}, { do: 'say', what: 'notBetween' }],
    ['/resign', {}, { do: 'say', what: 'resignSure' }],
    ['/resign', { resigning: true }, { do: 'resign' }],
    ['/resign', { phase: 'over', resigning: true }, { do: 'say', what: 'notPlaying' }],
    ['/resign', { seated: false, resigning: true }, { do: 'say', what: 'notPlaying' }],
    ['  /LEAVE now', {}, { do: 'leave' }],
    ['/help', {}, { do: 'say', what: 'help' }],
    ['/dance', {}, { do: 'say', what: 'unknown' }],
  ] as const)('%s with %o', (text, values, wanted) => {
    expect(step(text, at(values))).toEqual(wanted);
  });

  test('only what begins with a slash is one', () => {
    expect(isCommand(' /join')).toBe(true);
    expect(isCommand('and/or')).toBe(false);
  });
});
