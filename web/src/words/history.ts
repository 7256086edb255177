import { language, region, t, words } from './language.svelte.ts';
import { points } from './suits.ts';

export const REPLAY = words('history.replay', {
  between: (a: string, b: string): string => t('history.replay.between', { a, b }),
  turnOf: (n: number, of: number): string => t('history.replay.turnOf', { n, of }),
  turn: (n: number): string => t('history.replay.turn', { n }),
  cardsUnknown: (name: string): string => t('history.replay.cardsUnknown', { name }),
  cardsUnfit: (title: string): string => t('history.replay.cardsUnfit', { title }),
  step: (turn: string, what: string): string => t('history.replay.step', { turn, what }),
  round: (n: number): string => t('history.replay.round', { n }),
  scored: (n: number, score: readonly number[]): string =>
    t('history.replay.scored', { n, score: sums(score) }),
  seen: (name: string): string => t('history.replay.seen', { name }),
  roundOver: (score: readonly number[]): string =>
    t('history.replay.roundOver', { score: sums(score) }),
  matchOver: (score: readonly number[]): string =>
    t('history.replay.matchOver', { score: sums(score) }),
  takenBack: (n: number): string => t('history.replay.takenBack', { n }),
  nextRound: (n: number): string => t('history.replay.nextRound', { n }),
});

export const FILE = words('history.file', {
  wrong: (name: string, text: string): string => t('history.file.wrong', { name, text }),
  toolarge: (name: string): string => t('history.file.toolarge', { name }),
});

export const GAMES = words('history.games', {
  against: (name: string): string => t('history.games.against', { name }),
  brought: (n: number): string => t('history.games.brought', { n }),
  rounds: (n: number): string => t('history.games.rounds', { n }),
  dropSheet: (names: string): string => t('history.games.dropSheet', { names }),
});

export const RESULTS = words('history.results', {
  chartLabel: (n: number): string => t('history.results.chartLabel', { n }),
});

export const ACCOUNT = words('history.account', {
  signedIn: (name: string): string => t('history.account.signedIn', { name }),
  browsers: (n: number): string => t('history.account.browsers', { n }),
  games: (n: number): string => t('history.account.games', { n }),
});

export const PRACTICE = words('history.practice', {
  here: (round: number, ply: number): string => t('history.practice.here', { round, ply }),
  lessonAgainst: (name: string): string => t('history.practice.lessonAgainst', { name }),
});

export const HINT = words('history.hint', {
  ahead: (n: string): string => t('history.hint.ahead', { n }),
});

export const UPDATE = words('history.update');

/** Points of both seats, seat 0 first. */
export const sums = (score: readonly number[]): string => score.map(points).join(' : ');

/** A mean with one digit after the point, as the language writes it. */
export function mean(value: number | null): string {
  if (value === null) return '–';
  const form = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return value.toLocaleString(language(), form).replace('-', '−');
}

/** A day, as the language writes it. */
export const day = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleDateString(region(), { dateStyle: 'medium' });

const RECORDED = /^(\d{4}|\?{4})\.(\d{2}|\?{2})\.(\d{2}|\?{2})$/;

/**
 * The day of a record, `YYYY.MM.DD` with question marks for what is not known of it, as the language
 * writes as much as is known; as it stands there if it is no such day.
 */
export function recordedDay(date: string): string {
  const found = RECORDED.exec(date);
  if (found === null) return date;
  const [year, month, of] = found.slice(1).map((part) => (part.startsWith('?') ? undefined : Number(part)));
  if (year === undefined && month === undefined) return of === undefined ? t('history.games.noDay') : date;
  if (month === undefined) return of === undefined ? `${year}` : date;
  // A leap year, so that 29 February is a day where the year is not known; no zone moves it.
  const time = new Date(0);
  time.setUTCFullYear(year ?? 2000, month - 1, of ?? 1);
  if (time.getUTCMonth() !== month - 1) return date;
  const known: Intl.DateTimeFormatOptions =
    year !== undefined && of !== undefined
      ? { dateStyle: 'medium' }
      : { ...(year === undefined ? {} : { year: 'numeric' }), month: 'long', ...(of === undefined ? {} : { day: 'numeric' }) };
  return time.toLocaleDateString(region(), { ...known, timeZone: 'UTC' });
}
