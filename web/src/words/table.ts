import { parseTurn, type Card, type Draw, type Suit } from '../game/cards.ts';
import type { RulesInForce, SeenEvent, TableInfo, Working } from '../net/wire.ts';
import type { Call } from '../table/calls.ts';
import { COUNTS } from './counts.ts';
import { find, pairs, lookup, t, words } from './language.svelte.ts';
import { capital, cardName, points, SUIT_NAMES, wagerAlone } from './suits.ts';

export const PROMPT = words('table.prompt', {
  picked: (card: Card): string => capital(cardName(card)),
  staged: (card: Card, kind: string): string =>
    t(kind === '+' ? 'table.prompt.stagedPlay' : 'table.prompt.stagedDiscard', {
      card: capital(cardName(card)),
    }),
  sure: (draw: Draw): string =>
    draw === '*'
      ? t('table.prompt.sureDeck')
      : t('table.prompt.surePile', { suit: SUIT_NAMES[draw.slice(1) as Suit] }),
  theirs: (name: string): string => t('table.prompt.theirs', { name }),
  thinking: (name: string): string => t('table.prompt.thinking', { name }),
  away: (name: string): string => t('table.prompt.away', { name }),
  sent: (name: string): string => t('table.say.sent_away', { who: name }),
  watching: (name: string): string => t('table.prompt.watching', { name }),
});

export const REASON = words('table.reason', {
  notPlayable: (card: Card): string => t('table.reason.notPlayable', { card: cardName(card) }),
  ownDiscard: (suit: Suit): string => t('table.reason.ownDiscard', { suit: SUIT_NAMES[suit] }),
  emptyPile: (suit: Suit): string => t('table.reason.emptyPile', { suit: SUIT_NAMES[suit] }),
});

export const TITLE = words('table.title', {
  table: (name: string): string => t('table.title.table', { name }),
  call: (call: Call, name: string): string => t(`table.title.${call}`, { name }),
});

export const LABELS = words('table.labels', {
  theirHand: (name: string, cards: readonly (Card | null)[]): string => {
    const known = cards.filter((card) => card !== null).map(cardName);
    return known.length === 0
      ? t('table.labels.theirHand', { name, n: cards.length })
      : t('table.labels.theirHandKnown', { name, n: cards.length, cards: known.join(', ') });
  },
  /** Without a number where the deck is not counted. */
  deck: (n: number | null): string =>
    n === null ? COUNTS.deck : t('table.labels.deck', { n }),
  pile: (suit: Suit, top: Card | null, n: number | null): string =>
    top === null
      ? t('table.labels.pileEmpty', { suit: capital(SUIT_NAMES[suit]) })
      : n === null
      ? COUNTS.pile(suit, top)
      : t('table.labels.pile', { suit: capital(SUIT_NAMES[suit]), card: cardName(top), n }),
  row: (whose: string, suit: Suit, cards: readonly Card[], score: number | null): string => {
    const row = { whose, suit: SUIT_NAMES[suit] };
    if (cards.length === 0) return t('table.labels.rowEmpty', row);
    const n = score ?? 0;
    return t('table.labels.row', { ...row, cards: cards.map(rankWord).join(', '), n, points: points(n) });
  },
  /** Whose row it is, for `row`; null is the reader. */
  whose: (name: string | null): string =>
    name === null ? t('table.labels.mine') : t('table.labels.whose', { name }),
  run: (n: number, of: number): string => t('table.labels.run', { n, of }),
  seen: (name: string): string => t('table.labels.seen', { name }),
  round: (n: number, of: number | string): string =>
    of === 'open' ? t('table.labels.roundOpen', { n }) : t('table.labels.round', { n, of }),
});

const rankWord = (card: Card): string =>
  card.endsWith('X') ? wagerAlone() : card.slice(1);

/** What happened, in a sentence; empty for a kind that the page does not know. */
export function say(
  event: SeenEvent,
  names: readonly string[],
  me: number | null,
  table: TableInfo | null = null,
): string {
  const mine = event.seat !== null && event.seat === me;
  const who = event.seat === null ? '' : (names[event.seat] ?? '');
  if (event.kind === 'turn') return event.turn === null ? '' : sayTurn(event.turn, who, mine);
  // Who was sent away did not stay away.
  const kind =
    event.kind === 'abandoned' && table?.termination?.startsWith('sent_away') ? 'ended_away' : event.kind;
  return byWhom('table.say', kind, mine, { who, round: event.round ?? '' });
}

/** `kindMine` where there is one and the person did it, else `kind`. */
function byWhom(
  section: string,
  kind: string,
  mine: boolean,
  values: Record<string, string | number>,
): string {
  const own = mine ? find(`${section}.${kind}Mine`, values) : undefined;
  return own ?? find(`${section}.${kind}`, values) ?? '';
}

/** A turn in a sentence. */
export function sayTurn(token: string, who: string, mine: boolean): string {
  const turn = parseTurn(token);
  const part = (kind: string, values: Record<string, string>): string =>
    byWhom('table.say', kind, mine, { who, ...values });
  const lay = part(turn.kind === '+' ? 'play' : 'discard', { card: cardName(turn.card) });
  const draw =
    turn.pile !== null
      ? part('take', { suit: SUIT_NAMES[turn.pile] })
      : turn.face !== null
        ? part('draw', { card: cardName(turn.face) })
        : part('deck', {});
  return t('table.say.turn', { lay, draw });
}

export function working(row: Working, cost: number): string {
  const body = `${row.sum}−${cost}`;
  const multiplied = row.multiplier > 1 ? `(${body})×${row.multiplier}` : body;
  return row.bonus > 0 ? `${multiplied}+${row.bonus}` : multiplied;
}

export const END = words('table.end', {
  roundTitle: (n: number): string => t('table.end.roundTitle', { n }),
  starts: (name: string): string => t('table.end.starts', { name }),
  waitingFor: (name: string): string => t('table.end.waitingFor', { name }),
  theyGoOn: (name: string): string => t('table.end.theyGoOn', { name }),
  held: (name: string): string => t('table.end.held', { name }),
  wins: (name: string): string => t('table.end.wins', { name }),
  againOffer: (name: string): string => t('table.end.againOffer', { name }),
});

/** How the match ended before its last round; empty if it did not. */
export function how(table: TableInfo, names: readonly string[], me: number | null): string {
  const [kind = '', seat] = (table.termination ?? '').split(' ');
  const mine = seat !== undefined && Number(seat) === me;
  const who = seat === undefined ? '' : (names[Number(seat)] ?? '');
  return byWhom('table.how', kind, mine, { who });
}

export const WAITING = words('table.waiting', {
  for: (name: string): string => t('table.waiting.for', { name }),
  group: (label: string): string => t('table.waiting.group', { label }),
  groupAgent: (agent: string, seconds: number): string => t('table.waiting.groupAgent', { agent, seconds }),
  partner: (name: string): string => t('table.waiting.partner', { name }),
});

export const MENU = words('table.menu', {
  theyOffer: (name: string): string => t('table.menu.theyOffer', { name }),
  deviceTime: (seconds: number): string =>
    t('table.menu.deviceTime', { minutes: Math.max(1, Math.round(seconds / 60)) }),
  themes: words('table.menu.themes'),
});

export const HELP = words('table.help', {
  gestures: (): [string, string][] => pairs('table.help.gestures'),
  keys: (): [string, string][] => pairs('table.help.keys'),
});

/** The rules in plain words, the notable ones only; `hand` where a position was set with other hands. */
export function rulesInWords(rules: RulesInForce, hand = rules.hand): string[] {
  const lines = [
    t('table.rules.size', { colours: rules.colours, hand }),
    rules.rounds === 'open' ? t('table.rules.open') : t('table.rules.rounds', { n: rules.rounds }),
    NEXT[rules.next] ?? rules.next,
    t('table.rules.cost', { cost: rules.cost }),
    rules.bonus_at > 12 || rules.bonus === 0
      ? t('table.rules.noBonus')
      : t('table.rules.bonus', { bonus: rules.bonus, cards: rules.bonus_at }),
  ];
  if (rules.own_discard) lines.push(t('table.rules.ownDiscard'));
  if (rules.stall > 0) lines.push(t('table.rules.stall', { n: rules.stall }));
  if (rules.wagers !== 3) lines.push(t('table.rules.wagers', { n: rules.wagers }));
  if (rules.top !== 10) lines.push(t('table.rules.top', { top: rules.top }));
  return lines;
}

const NEXT = lookup('table.rules.next');

export const LOG = words('table.log', {
  pile: (suit: string): string => t('table.log.pile', { suit }),
});

export const BACK = words('table.back', {
  theirs: (name: string): string => t('table.back.theirs', { name }),
});

export const OFFER = words('table.offer', {
  theirs: (name: string): string => t('table.offer.theirs', { name }),
});
