// Whether what stands on a card can be read there, and in what ink it can: the contrast ratio of WCAG 2.2,
// as in the command; tests hold both to the same cases.

import type { DeckColour } from './decks.ts';

/** The contrast below which the ink of a deck file gives way. */
export const LEAST = 4.5;
const INKS = ['#16202A', '#FFFFFF'] as const;

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

function luminance(paint: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(paint.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours `#RRGGBB`, 1 to 21. */
export function contrast(one: string, two: string): number {
  const [first, second] = [luminance(one) + 0.05, luminance(two) + 0.05];
  return Math.max(first, second) / Math.min(first, second);
}

/** The ink to show on a colour's fill: the file's own if it can be read there, else dark or white. */
export function inkOn({ ink, fill }: Pick<DeckColour, 'ink' | 'fill'>): string {
  if (contrast(ink, fill) >= LEAST) return ink;
  const [dark, white] = INKS;
  return contrast(dark, fill) >= contrast(white, fill) ? dark : white;
}
