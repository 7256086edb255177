// The suits' signs and the wager's hands, each drawn as at most three paths: filled, in lines, and cut out
// in the colour of the ground.

import type { Suit } from '../game/cards.ts';

export interface Sign {
  /** Width and height of its drawing. */
  readonly box: readonly [number, number];
  /** Filled by the rule of even and odd: what is drawn twice is a hole. */
  readonly fill?: string;
  readonly line?: string;
  readonly cut?: string;
}

const SQUARE = [24, 24] as const;

export const SIGNS: Readonly<Record<Suit | 'wager', Sign>> = {
  Y: {
    box: SQUARE,
    fill: 'M16 9.4a4 4 0 1 1-8 0a4 4 0 1 1 8 0zM.8 21.6c2.6-4.8 5.4-6.4 8.4-5 2.6 1.2 4 1.4 6.6.2 2.6-1.2 5-.6 7.4 1.6v3.2z',
    line: 'M12 1.4v2M4.9 4l1.5 1.5M19.1 4l-1.5 1.5M2.2 10.4h2M19.8 10.4h2',
  },
  B: {
    box: SQUARE,
    fill: 'M.8 17.2C2.4 8.6 7.4 3 14.2 3.4c3.4.2 5.6 2.2 6.2 4.6-2.2-1.4-4.6-1-5.6.8-1.2 2.2.6 4.8 3.6 4.8 1.8 0 3.4-.6 4.8-1.8v5.4z',
    line: 'M.9 20.7c1.9 0 1.9 1.2 3.7 1.2s1.8-1.2 3.7-1.2 1.8 1.2 3.7 1.2 1.9-1.2 3.7-1.2 1.8 1.2 3.7 1.2 1.9-1.2 3.7-1.2',
  },
  W: {
    box: SQUARE,
    fill: 'M.8 21 9.2 4.2l4.6 8.6 2.6-3.8L23.2 21z',
    cut: 'm5.9 11.2 2.1 1.5 1.3-1.7 1.5 1.9 1.9-1.4',
  },
  G: {
    box: SQUARE,
    fill: 'M4.6 18.2C2.2 9.4 8.6 2.6 21.4 2.2c.6 12.8-6 19.6-14.6 17.8z',
    line: 'M1.8 22.4 5.6 19',
    cut: 'M5.6 18.6c2.6-5.2 6-9 10.6-11.6M9.2 13.4l-.6-4.2M11.6 12.6l4.4.2',
  },
  R: {
    box: SQUARE,
    fill: 'M12.8 1c.6 4.6 6.8 7.2 6.8 13.8 0 4.6-3.4 8-7.6 8s-7.6-3.2-7.6-7.6c0-3.6 2.4-5 3.2-8.6 1.6 1 2.4 2.4 2.6 4.2C12.2 8.6 13.4 5 12.8 1zM12.2 13.2c.4 2 2.8 2.8 2.8 5a3 3 0 0 1-6 0c0-1.8 1-2.4 1.4-3.8.8.6 1 1 1.2 1.6.6-.8.8-1.8.6-2.8z',
  },
  P: {
    box: SQUARE,
    fill: 'M14.4 1.8A10.4 10.4 0 1 0 22.2 16 8.8 8.8 0 0 1 14.4 1.8zm5 2.4.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8z',
  },
  wager: {
    box: [48, 32],
    // Two sleeves; the left hand: back, and three fingers round the other; the right: thumb over, fingers closing.
    line:
      'M1.5 7.5 9 5.5l3.5 14-7.5 2M46.5 7.5 39 5.5l-3.5 14 7.5 2' +
      'M10 8.500c4-.8 7-2 10.5-2 1.8 0 2.8.4 4 1.200M12 17.500c2 .8 3.2 2 4.6 3.600l5.2 5.200c1.2 1.2 3.2-.2 2.4-1.800M24.2 24.500l1.4 1.300c1.4 1.2 3.4-.4 2.6-2M28.2 23.800c1.4 1 3.2-.4 2.6-2' +
      'M38 8.500c-4-.8-6.6-1.6-9.4-1.6-2 0-3.2.6-4.8 2l-4.4 4.300c-1.4 1.6.8 3.6 2.6 2.600l4-2.400c1.2-.6 2.2-.4 3.2.6l4.6 4.600c1.2 1.2-.2 3.6-2.4 2.900M36 17.500l-2.6 1.5',
  },
};

const KINDS = ['fill', 'line', 'cut'] as const;

/** The sign as markup, its left upper corner at x and y and so many units wide (styles/base.css paints it). */
export function drawn(name: Suit | 'wager', x: number, y: number, width: number): string {
  const sign = SIGNS[name];
  const place = `translate(${x} ${y})scale(${width / sign.box[0]})`;
  return KINDS.filter((kind) => sign[kind] !== undefined)
    .map((kind) => `<path class="sign-${kind}" data-sign="${name}" transform="${place}" d="${sign[kind]}"/>`)
    .join('');
}

const kept = new Map<string, string>();

/** The signs of a card of 100 by 140, as markup. */
export function signsOn(suit: Suit, variant: 'whole' | 'row' | 'mini', wager: boolean): string {
  const key = `${suit}${variant}${wager}`;
  const known = kept.get(key) ?? placed(suit, variant, wager);
  kept.set(key, known);
  return known;
}

function placed(suit: Suit, variant: 'whole' | 'row' | 'mini', wager: boolean): string {
  if (variant === 'mini') return drawn(suit, 25, 80, 50);
  const row = variant === 'row';
  const corner = row ? drawn(suit, 67, 4, 24) + drawn(suit, 67, 112, 24) : drawn(suit, 64, 10, 28);
  if (wager) return corner + (row ? drawn('wager', 14, 46, 72) : drawn('wager', 8, 62, 84));
  return corner + (row ? drawn(suit, 27, 46, 46) : drawn(suit, 21, 62, 58));
}
