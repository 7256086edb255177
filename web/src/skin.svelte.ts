// How cards are called and painted at a table: as the page has it, or as on a deck that somebody has
// chosen, in whose words and colours they think. Codes, rules and what is sent stay as they are.

import { suitsInPlay, type Card, type Suit } from './game/cards.ts';
import { slotsShown } from './game/hand.ts';
import type { RulesInForce } from './net/wire.ts';
import { settings } from './settings.svelte.ts';
import { need } from './words/language.svelte.ts';

export interface Skin {
  /** The colours in the order in which they lie on the deck's table. */
  readonly order: readonly Suit[];
  readonly paints: Readonly<Record<string, { fill: string; ink: string }>>;
  /** Which of the page's symbols stands for a colour. */
  readonly signs: Readonly<Record<string, Suit>>;
  /** What is typed in the deck's words: colours as letters, a wager as `wager`. */
  readonly said: ReadonlyMap<string, string>;
  /** The card of every printed index; empty without indices. */
  readonly indices: ReadonlyMap<string, Card>;
  /** What is printed on a card beside its number; empty where nothing is, or where nobody can tell. */
  index(card: Card): string;
  name(suit: Suit): string;
  card(card: Card): string;
  wager(): string;
}

class Wardrobe {
  worn = $state.raw<Skin | null>(null);
}
const wardrobe = new Wardrobe();
let asked = 0;

/** The skin that is worn now; null for the page's own. */
export const worn = (): Skin | null => wardrobe.worn;

/** Which symbol to draw for a colour. */
export const signOf = (suit: Suit): Suit => wardrobe.worn?.signs[suit] ?? suit;

/** The colours of a table from left to right. */
export const suitsShown = (colours: number): readonly Suit[] =>
  wardrobe.worn?.order ?? suitsInPlay(colours);

/** The places of a hand from left to right; what is sent keeps the room's order. */
export const handShown = (hand: readonly Card[]): number[] => slotsShown(hand, suitsShown(6));

/** Wear a deck at a table, the chosen one unless another is named, if it has the cards of its rules. */
export async function dress(rules: RulesInForce, name = settings.skin): Promise<void> {
  const mine = (asked += 1);
  if (name === '') return put(null);
  const [{ skinOf }] = await Promise.all([import('./sheet/skins.ts'), need('sheet')]);
  // Meanwhile somebody may have left the table or chosen another one.
  if (mine === asked) put(skinOf(name, rules));
}

export function undress(): void {
  asked += 1;
  put(null);
}

function put(skin: Skin | null): void {
  const { style } = document.documentElement;
  for (const suit of suitsInPlay(6)) {
    const paint = skin?.paints[suit];
    if (paint === undefined) {
      style.removeProperty(`--suit-${suit}`);
      style.removeProperty(`--on-${suit}`);
    } else {
      style.setProperty(`--suit-${suit}`, paint.fill);
      style.setProperty(`--on-${suit}`, paint.ink);
    }
  }
  wardrobe.worn = skin;
}
