// Names and titles that people have written: without what cannot be seen and rules over other text, and
// each read in its own direction.

/** Controls, separators of lines and formats, all but the joiners that emoji and some scripts need. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** What turns the direction of the text after it. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/g;
/** Letters that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;
const [ISOLATE, END] = ['\u2068', '\u2069'];

/** Whether a text has signs that cannot be seen. */
export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0;

/** The text as it is seen; empty if nothing of it is. */
export function plain(text: string): string {
  const seen = text.replaceAll(UNSEEN, '');
  return /^[\s\u200c\u200d]*$/.test(seen) ? '' : seen;
}

/**
 * The text as it is compared: however its letters are put together, wide, large or small. The package
 * does the same, letter for letter.
 */
export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');

/** The text with a space for each sign that cannot be seen. */
export const spaced = (text: string): string => text.replaceAll(UNSEEN, ' ');

/** So many signs of a text at most; none of them is cut in half. */
export const shortened = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** The text with its unseen signs written out, to complain of them. */
export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** A text that leaves the order of what stands beside it alone, whichever way it is written itself. */
export function isolated(text: string): string {
  const kept = text.replaceAll(TURNING, '');
  return FROM_RIGHT.test(kept) ? `${ISOLATE}${kept}${END}` : kept;
}
