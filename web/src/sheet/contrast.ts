// Whether what stands on a card can be read there, in what ink it can, and which fills look alike: the contrast
// ratio of WCAG 2.2 and distances in OKLab, as in the command; tests hold both to the same cases.

import type { DeckColour } from './decks.ts';

/** The contrast below which the ink of a deck file gives way. */
export const LEAST = 4.5;
const INKS = ['#16202A', '#FFFFFF'] as const;

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const light = (paint: string): number[] =>
  [1, 3, 5].map((at) => linear(Number.parseInt(paint.slice(at, at + 2), 16) / 255));

function luminance(paint: string): number {
  const [red = 0, green = 0, blue = 0] = light(paint);
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

/** The distance in OKLab below which two fills cannot be told apart on a table; 1 is black to white. */
const ALIKE = 0.03;

function oklab(paint: string): number[] {
  const [red = 0, green = 0, blue = 0] = light(paint);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

/** Whether two colours `#RRGGBB` are equal to the eye. */
export function alike(one: string, two: string): boolean {
  const [first, second] = [oklab(one), oklab(two)];
  return Math.hypot(...first.map((value, at) => value - (second[at] ?? 0))) < ALIKE;
}
