// Cards and turns as they are written on the wire. What is legal arrives with the view; nothing
// here knows a rule.

/** Suits in canonical order, by letter. */
export const SUITS = ['Y', 'B', 'W', 'G', 'R', 'P'] as const;
export type Suit = (typeof SUITS)[number];

export const isSuit = (letter: string): letter is Suit => (SUITS as readonly string[]).includes(letter);

/** A card's token, such as `R10` or `WX`. */
export type Card = string;

export type LayKind = '+' | '-';

/** Half a turn: `+R5` plays, `-R5` discards. */
export type Lay = string;

/** The other half: `*` is the deck, `<B` the blue pile. */
export type Draw = string;

export interface Turn {
  kind: LayKind;
  card: Card;
  /** The pile drawn from, or null for the deck. */
  pile: Suit | null;
  /** The face drawn from the deck, where one may know it. */
  face: Card | null;
}

const CARD = '[YBWGRP](?:X|10|[2-9])';
const TURN = new RegExp(`^([+-])(${CARD})(?:\\*(${CARD})?|<([YBWGRP]))$`);

export function parseTurn(token: string): Turn {
  const found = TURN.exec(token);
  if (found === null) throw new Error(`"${token}" is not a turn`);
  return {
    kind: found[1] as LayKind,
    card: found[2] as Card,
    face: found[3] ?? null,
    pile: (found[4] as Suit | undefined) ?? null,
  };
}

export function suitOf(card: Card): Suit {
  return card.charAt(0) as Suit;
}

/** `2` … `10`, or `X` for a wager. */
export function rankOf(card: Card): string {
  return card.slice(1);
}

export function isWager(card: Card): boolean {
  return rankOf(card) === 'X';
}

/** The suits of a match, in canonical order. */
export function suitsInPlay(colours: number): readonly Suit[] {
  return SUITS.slice(0, colours);
}

const rankValue = (card: Card): number => (isWager(card) ? 1 : Number(rankOf(card)));

/** Canonical order of cards: by suit, wagers first, numbers ascending. */
export function byCanon(a: Card, b: Card): number {
  return SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b)) || rankValue(a) - rankValue(b);
}
