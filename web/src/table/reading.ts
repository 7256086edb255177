// What lies on the table, read out on request.

import type { Card } from '../game/cards.ts';
import { handShown, suitsShown } from '../skin.svelte.ts';
import { capital, cardName, points } from '../words/suits.ts';
import { SPEECH } from '../words/speech.ts';
import { LABELS } from '../words/table.ts';
import type { TableModel } from './model.svelte.ts';

const inOrder = (hand: readonly Card[]): Card[] =>
  handShown(hand).flatMap((slot) => hand[slot] ?? []);

/** What a key reads: the hand, own rows, their rows, piles, deck, scores; empty for other keys. */
export function reading(key: string, model: TableModel): string {
  const { view, near, far } = model;
  if (view === null) return '';
  const suits = suitsShown(view.rules.colours);
  switch (key) {
    case 'H':
      return view.hand == null ? '' : SPEECH.hand(inOrder(view.hand).map(cardName).join(', '));
    case 'O':
      return rows(model, near);
    case 'T':
      return rows(model, far);
    case 'I': {
      const lying = suits.filter((suit) => (view.piles[suit] ?? []).length > 0);
      const told = lying.map((suit) => {
        const pile = view.piles[suit] ?? [];
        return LABELS.pile(suit, pile.at(-1) ?? null, model.counts.gone ? pile.length : null);
      });
      return told.length === 0 ? (SPEECH.noPiles ?? '') : `${told.join('. ')}.`;
    }
    case 'K':
      return `${LABELS.deck(model.counts.deck ? view.deck : null)}.`;
    case 'S':
      return [near, far]
        .map((seat) =>
          SPEECH.scores(
            model.names[seat] ?? '',
            points(view.scores[seat] ?? 0),
            points(model.table?.totals[seat] ?? 0),
          ),
        )
        .join(' ');
    default:
      return '';
  }
}

function rows(model: TableModel, seat: number): string {
  const lying = model.view?.expeditions[seat] ?? {};
  const whose = LABELS.whose(seat === model.seat ? null : (model.names[seat] ?? ''));
  const told = suitsShown(model.view?.rules.colours ?? 5)
    .filter((suit) => (lying[suit] ?? []).length > 0)
    .map((suit) => {
      const score = model.table?.workings[seat]?.[suit]?.total ?? null;
      return capital(LABELS.row(whose, suit, lying[suit] ?? [], score));
    });
  return told.length === 0 ? SPEECH.noRows(model.names[seat] ?? '') : `${told.join('. ')}.`;
}
