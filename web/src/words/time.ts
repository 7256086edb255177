// Time in words: the time rules, what is left, who is away.

import type { PaceInfo } from '../net/wire.ts';
import { lookup, t, words } from './language.svelte.ts';

export const TIME_CHOICE = words('time.choice');
export const PACE_KINDS = lookup('time.choice.kinds');
export const TIMEOUTS = lookup('time.choice.timeouts');
export const ABSENTS = lookup('time.choice.absents');

export const AWAY = words('time.away', {
  title: (name: string): string => t('time.away.title', { name }),
  until: (ms: number): string => t('time.away.until', { time: clockTime(ms) }),
  sure: (name: string): string => t('time.away.sure', { name }),
});

export const LEFT = words('time.left', {
  mine: (ms: number): string => t('time.left.mine', { time: clockTime(ms) }),
  theirs: (ms: number): string => t('time.left.theirs', { time: clockTime(ms) }),
  soon: (n: number): string => t('time.left.soon', { n }),
  inList: (ms: number): string => t('time.list.left', { time: clockTime(ms) }),
});

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left, as short as it can be said: `0:09`, `4:35`, `5 h 20 min`, `2 d 3 h`. */
export function clockTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds >= DAY)
    return t('time.left.days', { d: Math.floor(seconds / DAY), h: Math.floor((seconds % DAY) / HOUR) });
  if (seconds >= HOUR)
    return t('time.left.hours', {
      h: Math.floor(seconds / HOUR),
      m: Math.floor((seconds % HOUR) / MINUTE),
    });
  return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, '0')}`;
}

const length = (seconds: number): string =>
  seconds % MINUTE === 0
    ? t('time.rules.minutes', { n: seconds / MINUTE })
    : t('time.rules.seconds', { n: seconds });

/** The time rules in plain words. */
export function paceInWords(pace: PaceInfo, rounds: number | string): string[] {
  const lines = [];
  if (pace.kind === 'none') lines.push(t('time.rules.none'));
  if (pace.kind === 'turn') lines.push(t('time.rules.turn', { time: length(pace.turn) }));
  if (pace.kind === 'clock')
    lines.push(t('time.rules.clock', { time: length(pace.bank), plus: pace.increment }));
  if (pace.kind === 'days') lines.push(t('time.rules.days', { n: pace.days }));
  if (pace.kind !== 'none') lines.push(t(pace.timeout === 'safe' ? 'time.rules.safe' : 'time.rules.forfeit'));
  if (pace.absent !== null) lines.push(t('time.rules.absent', { time: length(pace.absent) }));
  else if (pace.kind !== 'days') lines.push(t('time.rules.wait'));
  if (pace.pause !== null && pace.kind !== 'days')
    lines.push(
      t(rounds === 'open' ? 'time.rules.pauseOpen' : 'time.rules.pause', { time: length(pace.pause) }),
    );
  return lines;
}
