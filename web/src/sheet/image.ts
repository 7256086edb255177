// The finished sheet as a picture, drawn by us on a canvas: every card of every round, and the points.
// The signs are those of the page's cards. It is drawn as on paper, whatever the page's theme.

import type { Card, Suit } from '../game/cards.ts';
import { isWager, rankOf } from '../game/cards.ts';
import { SIGNS } from '../parts/signs.ts';
import { points } from '../words/suits.ts';
import { inkOn } from './contrast.ts';
import { coloursOf, symbolsOf, type DeckColour } from './decks.ts';
import { impossibleIn, roundScore, starter, winner, type Match } from './match.ts';
import { other, SEATS, type Seat } from './rules.ts';
import { rowOf, scoreSide } from './scoring.ts';

export interface ImageWords {
  title: string;
  names: readonly string[];
  round: (n: number) => string;
  totals: readonly [string, string];
  /** Which rounds are not in the totals, and why; empty if all are. */
  without: string;
}

const WIDTH = 1080;
const MARGIN = 44;
const HEAD = 214;
const ROUND_HEAD = 62;
const LINE = 46;
const ROUND_END = 22;
const CARD = { width: 29, height: 38, step: 31 };
const INK = '#16202a';
const SOFT = '#5a5240';
const PAPER = '#f4efe4';
const RULE = '#c9bda4';
const WRONG = '#9b1c2e';
const OUTLINE = '#3b3a34';

interface Fonts {
  slab: string;
  sans: string;
}

type Align = 'left' | 'right' | 'center';

/** No browser draws more pixels, in height and altogether. */
const HIGHEST = 16_384;
const LARGEST = 16_777_216;

/** How high the picture of a match is, in pixels; it is 1,080 wide, and less where the browser cannot draw so much. */
export const heightOf = (match: Match): number =>
  HEAD + match.rounds.length * (ROUND_HEAD + match.rules.colours * LINE + ROUND_END) + MARGIN / 2;

/** By how much a picture of that height is made smaller. */
export const scaleOf = (height: number): number => Math.min(1, HIGHEST / height, Math.sqrt(LARGEST / (WIDTH * height)));

/** Draw a match on a canvas, which gets the size that it needs. */
export async function drawMatch(canvas: HTMLCanvasElement, match: Match, words: ImageWords): Promise<void> {
  const fonts = { slab: family('--slab'), sans: family('--sans') };
  const wanted = [`700 20px ${fonts.slab}`, `400 20px ${fonts.sans}`, `600 20px ${fonts.sans}`];
  await Promise.all(wanted.map((font) => document.fonts.load(font)));
  const scale = scaleOf(heightOf(match));
  canvas.width = Math.floor(WIDTH * scale);
  canvas.height = Math.floor(heightOf(match) * scale);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws on no canvas');
  context.scale(scale, scale);
  new Picture(context, match, words, fonts).draw();
}

/** The page's own fonts. */
const family = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name);

/** The canvas as a PNG file. */
export async function toFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('this browser makes no picture of a canvas');
  return new File([blob], name.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-'), { type: 'image/png' });
}

class Picture {
  private readonly to: CanvasRenderingContext2D;
  private readonly match: Match;
  private readonly words: ImageWords;
  private readonly fonts: Fonts;
  /** The rounds that cannot be. */
  private readonly out: readonly number[];
  private readonly symbols: Readonly<Record<string, Suit>>;

  constructor(to: CanvasRenderingContext2D, match: Match, words: ImageWords, fonts: Fonts) {
    this.to = to;
    this.match = match;
    this.fonts = fonts;
    this.words = words;
    this.symbols = symbolsOf(match.deck);
    this.out = impossibleIn(match).map((each) => each.at);
  }

  draw(): void {
    this.to.fillStyle = PAPER;
    this.to.fillRect(0, 0, WIDTH, heightOf(this.match));
    this.head();
    let top = HEAD;
    for (let at = 0; at < this.match.rounds.length; at += 1) top = this.round(at, top);
  }

  private text(text: string, x: number, y: number, font: string, paint: string, align: Align): void {
    this.to.font = font;
    this.to.fillStyle = paint;
    this.to.textAlign = align;
    this.to.textBaseline = 'alphabetic';
    this.to.fillText(text, x, y);
  }

  /** A line through what was written last. */
  private strike(text: string, x: number, y: number, align: Align): void {
    const { width } = this.to.measureText(text);
    this.to.fillRect(align === 'left' ? x : x - width, y, width, 3);
  }

  /** A name that fits: smaller if need be, and at last cut with an ellipsis. */
  private fit(text: string, width: number, weight: string): { text: string; font: string } {
    for (let size = 30; size > 18; size -= 2) {
      this.to.font = weight.replace('SIZE', `${size}px`);
      if (this.to.measureText(text).width <= width) return { text, font: this.to.font };
    }
    let cut = Array.from(text);
    while (cut.length > 1 && this.to.measureText(`${cut.join('')}…`).width > width) cut = cut.slice(0, -1);
    return { text: `${cut.join('')}…`, font: this.to.font };
  }

  private head(): void {
    const best = winner(this.match);
    const middle = WIDTH / 2;
    const title = this.fit(this.words.title, WIDTH - 2 * MARGIN, `700 SIZE ${this.fonts.slab}`);
    this.text(title.text, middle, 58, title.font, INK, 'center');
    for (const seat of SEATS) {
      const align: Align = seat === 0 ? 'right' : 'left';
      const x = middle + (seat === 0 ? -46 : 46);
      const name = this.fit(this.words.names[seat] ?? '', WIDTH / 2 - MARGIN - 46, `600 SIZE ${this.fonts.sans}`);
      this.text(name.text, x, 112, name.font, INK, align);
      this.text(this.words.totals[seat], x, 178, `700 64px ${this.fonts.slab}`, best === other(seat) ? SOFT : INK, align);
    }
    this.text(':', middle, 172, `700 48px ${this.fonts.slab}`, SOFT, 'center');
    this.text(this.words.without, middle, 205, `400 20px ${this.fonts.sans}`, WRONG, 'center');
  }

  private round(at: number, top: number): number {
    const middle = WIDTH / 2;
    const score = roundScore(this.match, at);
    const start = starter(this.match, at).seat;
    this.to.fillStyle = RULE;
    this.to.fillRect(MARGIN, top, WIDTH - 2 * MARGIN, 2);
    this.text(this.words.round(at + 1), middle, top + 42, `600 22px ${this.fonts.sans}`, SOFT, 'center');
    for (const seat of SEATS) {
      const align: Align = seat === 0 ? 'left' : 'right';
      const edge = seat === 0 ? MARGIN : WIDTH - MARGIN;
      const out = this.out.includes(at);
      this.text(points(score[seat]), edge, top + 44, `700 32px ${this.fonts.slab}`, out ? WRONG : INK, align);
      if (out) this.strike(points(score[seat]), edge, top + 32, align);
      if (start === seat) this.text('★', edge + (seat === 0 ? 96 : -96), top + 42, `400 22px ${this.fonts.sans}`, '#974300', align);
    }
    const first = top + ROUND_HEAD;
    const colours = coloursOf(this.match.deck, this.match.rules);
    colours.forEach((colour, index) => this.line(at, colour, first + index * LINE));
    return first + colours.length * LINE + ROUND_END;
  }

  private line(at: number, colour: DeckColour, top: number): void {
    const middle = WIDTH / 2;
    this.mark(colour, middle, top + LINE / 2);
    for (const seat of SEATS) this.half(at, seat, colour, top);
  }

  private half(at: number, seat: Seat, colour: DeckColour, top: number): void {
    const side = this.match.rounds[at]?.sides[seat] ?? [];
    const row = rowOf(side, colour.letter, this.match.rules);
    const working = scoreSide(side, this.match.rules).rows[colour.letter];
    const step = Math.min(CARD.step, 376 / Math.max(1, row.length));
    // The oldest card lies nearest the middle, as on the table.
    row.forEach((card, index) => {
      const away = 36 + index * step;
      const left = seat === 0 ? WIDTH / 2 - away - CARD.width : WIDTH / 2 + away;
      this.card(card, colour, left, top + (LINE - CARD.height) / 2);
    });
    if (working === undefined || working.cards === 0) return;
    const edge = seat === 0 ? MARGIN : WIDTH - MARGIN;
    this.text(points(working.total), edge, top + 31, `700 24px ${this.fonts.slab}`, INK, seat === 0 ? 'left' : 'right');
  }

  private card(card: Card, colour: DeckColour, left: number, top: number): void {
    this.to.beginPath();
    this.to.roundRect(left, top, CARD.width, CARD.height, 4);
    this.to.fillStyle = colour.fill;
    this.to.fill();
    this.to.lineWidth = 1.5;
    this.to.strokeStyle = OUTLINE;
    this.to.stroke();
    const text = isWager(card) ? '×' : rankOf(card);
    const font = `700 ${isWager(card) ? 26 : 18}px ${this.fonts.slab}`;
    this.text(text, left + CARD.width / 2, top + (isWager(card) ? 28 : 26), font, inkOn(colour), 'center');
  }

  private mark(colour: DeckColour, x: number, y: number): void {
    this.to.beginPath();
    this.to.arc(x, y, 18, 0, 2 * Math.PI);
    this.to.fillStyle = colour.fill;
    this.to.fill();
    this.to.lineWidth = 1.5;
    this.to.strokeStyle = OUTLINE;
    this.to.stroke();
    this.to.save();
    this.to.translate(x - 12, y - 12);
    drawSymbol(this.to, this.symbols[colour.letter] ?? colour.letter, colour);
    this.to.restore();
  }
}

/** A suit's sign in a box of 24 by 24: filled, in lines, and cut out in the ground's colour. */
function drawSymbol(to: CanvasRenderingContext2D, suit: Suit, colour: DeckColour): void {
  const { fill, line, cut } = SIGNS[suit];
  to.lineCap = 'round';
  to.lineJoin = 'round';
  to.fillStyle = inkOn(colour);
  if (fill !== undefined) to.fill(new Path2D(fill), 'evenodd');
  for (const [path, style, width] of [[line, inkOn(colour), 2], [cut, colour.fill, 1.8]] as const) {
    if (path === undefined) continue;
    to.strokeStyle = style;
    to.lineWidth = width;
    to.stroke(new Path2D(path));
  }
}
