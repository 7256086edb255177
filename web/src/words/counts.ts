import type { Aid } from '../game/counts.ts';
import { shownBy } from '../game/counts.ts';
import type { Card, Suit } from '../game/cards.ts';
import type { Terms } from '../net/wire.ts';
import { t, words } from './language.svelte.ts';
import { capital, cardName, SUIT_NAMES, wagerAlone } from './suits.ts';

export const COUNT_CHOICE = words('counts.choice');

export const COUNTS = words('counts.table', {
  openLays: (n: number): string => t('counts.table.openLays', { n }),
  deckLeft: (n: number): string => t('counts.table.deckLeft', { n }),
  laysLeft: (n: number): string => t('counts.table.laysLeft', { n }),
  known: (name: string, cards: readonly Card[]): string =>
    t('counts.table.known', { name, cards: cards.map(cardName).join(', ') }),
  drawLays: (deck: number, pile: number): string => t('counts.table.drawLays', { deck, pile }),
  /** A pile whose cards are not counted. */
  pile: (suit: Suit, top: Card): string =>
    t('counts.table.pile', { suit: capital(SUIT_NAMES[suit]), card: cardName(top) }),
  ranks: (cards: readonly Card[]): string => (cards.length === 0 ? t('counts.table.none') : ranks(cards)),
});

export const AID = words('counts.aid', {
  toGo: (n: number): string => (n === 0 ? t('counts.aid.even') : t('counts.aid.toGo', { n })),
  row: (suit: Suit, aid: Aid): string => {
    const parts = [t('counts.aid.row', { suit: capital(SUIT_NAMES[suit]), n: aid.needs })];
    if (aid.gone.length > 0) parts.push(t('counts.aid.gone', { cards: ranks(aid.gone) }));
    if (aid.piled.length > 0) parts.push(t('counts.aid.piled', { cards: ranks(aid.piled) }));
    return parts.join('; ');
  },
});

const ranks = (cards: readonly Card[]): string =>
  cards.map((card) => (card.endsWith('X') ? wagerAlone() : card.slice(1))).join(', ');

/** What a table shows otherwise than usual, in words; empty if nothing. */
export function termsInWords(terms: Terms | undefined): string[] {
  const shown = shownBy(terms);
  const hidden = (['deck', 'lays', 'gone', 'known'] as const).filter((each) => !shown[each]);
  const what = hidden.map((each) => t(`counts.terms.${each}`)).join(', ');
  return [
    ...(shown.aids ? [t('counts.terms.aids')] : []),
    ...(terms?.takebacks ? [t('counts.terms.takebacks')] : []),
    ...(hidden.length > 0 ? [t('counts.terms.without', { what })] : []),
  ];
}
