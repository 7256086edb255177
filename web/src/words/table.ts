import { parseTurn, type Card, type Suit } from '../game/cards.ts';
import type { RulesInForce, SeenEvent, TableInfo, Working } from '../net/wire.ts';
import { capital, cardName, points, SUIT_NAMES } from './suits.ts';

export const PROMPT = {
  yourTurn: 'Your turn: play or discard a card',
  picked: (card: Card): string => capital(cardName(card)),
  play: 'Play',
  discard: 'Discard',
  putBack: 'Put back',
  staged: (card: Card, kind: string): string =>
    `${capital(cardName(card))} ${kind === '+' ? 'played' : 'discarded'}.`,
  nowDraw: 'Now draw',
  nowDrawLast: 'Now draw: the last deck card ends the round',
  nowDrawPiles: 'Now draw: deck or lit pile',
  deck: 'Deck',
  undo: 'Undo',
  sending: 'Sending your turn …',
  waitingLine: 'Waiting for the connection to send your turn …',
  theirs: (name: string): string => `${name} to move`,
  thinking: (name: string): string => `${name} is thinking …`,
  away: (name: string): string => `${name} to move, away just now`,
  watching: (name: string): string => `You are watching. ${name} to move`,
  dealing: 'The cards are being dealt …',
  roundOver: 'The round is over',
  matchOver: 'The match is over',
  results: 'Results',
};

export const REASON = {
  notPlayable: (card: Card): string => `The ${cardName(card)} cannot be played on your row now.`,
  ownDiscard: (suit: Suit): string =>
    `You have just put your card on the ${SUIT_NAMES[suit]} pile, so it is shut for this turn.`,
  emptyPile: (suit: Suit): string => `The ${SUIT_NAMES[suit]} pile is empty.`,
  layFirst: 'First play or discard a card, then draw.',
  notYourTurn: 'It is not your turn yet.',
  drawNow: 'You have laid a card. Draw from the deck or a pile, or undo.',
};

export const TITLE = {
  yours: 'Your turn – Lost Cities',
  table: (name: string): string => `${name} – Lost Cities`,
  room: 'Lost Cities',
};

export const LABELS = {
  you: 'you',
  star: 'to move',
  total: 'match total',
  hand: 'Your hand',
  theirHand: (name: string, cards: readonly (Card | null)[]): string => {
    const known = cards.filter((card) => card !== null).map(cardName);
    const all = `${name}’s hand, ${cards.length} cards`;
    return known.length === 0 ? all : `${all}; known: ${known.join(', ')}`;
  },
  deck: (n: number): string => `Deck, ${n} ${n === 1 ? 'card' : 'cards'} left`,
  lastDeck: 'the last card: drawing it ends the round',
  pile: (suit: Suit, top: Card | null, count: number): string =>
    top === null
      ? `${capital(SUIT_NAMES[suit])} pile, empty`
      : `${capital(SUIT_NAMES[suit])} pile, ${cardName(top)} on top, ${count} ${count === 1 ? 'card' : 'cards'}`,
  row: (whose: string, suit: Suit, cards: readonly Card[], score: number | null): string =>
    `${whose} ${SUIT_NAMES[suit]} row: ${
      cards.length === 0 ? 'not opened' : `${cards.map(rankWord).join(', ')}; ${points(score ?? 0)} points`
    }`,
  lays: 'lays left',
  laysHint: 'Lays left to you if nobody takes from a pile; taking from piles makes the round longer.',
  run: (n: number, of: number): string => `${n} of ${of}`,
  runHint: 'Turns in a row that took from a pile; the round ends at the limit',
  runWords: 'from piles',
  seen: (name: string): string => `${name} knows that you hold it`,
  again: 'See the last turn again',
  menu: 'Menu',
  help: 'Keys and help',
  round: (n: number, of: number | string): string =>
    of === 'open' ? `Round ${n}` : `Round ${n} of ${of}`,
  log: 'Turns of this round',
  sheet: 'Match sheet',
  board: 'The table',
};

const rankWord = (card: Card): string => (card.endsWith('X') ? 'wager' : card.slice(1));

/** What happened, in a sentence. */
export function say(event: SeenEvent, names: readonly string[], me: number | null): string {
  const mine = event.seat !== null && event.seat === me;
  const who = event.seat === null ? '' : mine ? 'You' : (names[event.seat] ?? '');
  switch (event.kind) {
    case 'turn':
      return event.turn === null ? '' : sayTurn(event.turn, who, mine);
    case 'dealt':
      return `Round ${event.round ?? ''} is dealt.`;
    case 'continued':
      return mine ? 'You go on.' : `${who} goes on.`;
    case 'declined':
      return mine ? 'You stop here.' : `${who} stops here.`;
    case 'draw_offered':
      return mine ? 'You offer a draw.' : `${who} offers a draw.`;
    case 'draw_declined':
      return 'The draw is declined.';
    case 'draw_agreed':
      return 'The match is drawn by agreement.';
    case 'resigned':
      return mine ? 'You resign.' : `${who} resigns.`;
    case 'abandoned':
      return mine ? 'You have left the match.' : `${who} has left the match.`;
    case 'timed_out':
      return mine ? 'Your time is up.' : `${who}’s time is up.`;
    case 'joined':
      return mine ? 'You sit down.' : `${who} sits down.`;
    case 'again':
      return mine ? 'You ask to play again.' : `${who} asks to play again.`;
    default:
      return '';
  }
}

export function sayTurn(token: string, who: string, mine: boolean): string {
  const turn = parseTurn(token);
  const s = mine ? '' : 's';
  const lay = `${turn.kind === '+' ? `play${s}` : `discard${s}`} ${cardName(turn.card)}`;
  const draw =
    turn.pile !== null
      ? `take${s} from the ${SUIT_NAMES[turn.pile]} pile`
      : turn.face !== null
        ? `draw${s} ${cardName(turn.face)}`
        : `draw${s} from the deck`;
  return `${who} ${lay} and ${draw}.`;
}

export function working(row: Working, cost: number): string {
  const body = `${row.sum}−${cost}`;
  const multiplied = row.multiplier > 1 ? `(${body})×${row.multiplier}` : body;
  return row.bonus > 0 ? `${multiplied}+${row.bonus}` : multiplied;
}

export const END = {
  roundTitle: (n: number): string => `Round ${n}`,
  stall: 'The round ended because too many turns in a row took from piles.',
  row: 'Row',
  round: 'Round',
  match: 'Match',
  notOpened: '–',
  starts: (name: string): string => `${name} will start the next round.`,
  youStart: 'You will start the next round.',
  chance: 'Chance decides who starts the next round.',
  goOn: 'Continue',
  stop: 'Stop the match here',
  stopSure: 'End the match with the totals as they are?',
  waitingFor: (name: string): string => `Waiting for ${name} to continue …`,
  theyGoOn: (name: string): string => `${name} wants to go on.`,
  board: 'Look at the board',
  sums: 'Show the sums',
  youWin: 'You win',
  wins: (name: string): string => `${name} wins`,
  draw: 'A draw',
  again: 'Play again',
  againOffer: (name: string): string => `${name} wants to play again.`,
  sitDown: 'Sit down at the new table',
  record: 'Download the record',
  home: 'Back to the start',
};

export function how(table: TableInfo, names: readonly string[], me: number | null): string {
  const [kind, seat] = (table.termination ?? '').split(' ');
  const mine = seat !== undefined && Number(seat) === me;
  const who = seat === undefined ? '' : mine ? 'You' : (names[Number(seat)] ?? '');
  switch (kind) {
    case 'resigned':
      return mine ? 'You resigned.' : `${who} resigned.`;
    case 'abandoned':
      return mine ? 'You left the match.' : `${who} left the match.`;
    case 'time':
      return mine ? 'Your time ran out.' : `${who}’s time ran out.`;
    case 'agreed':
      return 'You agreed on a draw.';
    case 'declined':
      return 'The match was ended between two rounds.';
    default:
      return '';
  }
}

export const WAITING = {
  title: 'Invite a friend',
  text: 'Send this link, or let them scan the code. The match begins when they sit down.',
  machine: 'This link works on this machine only: the room does not know an address that other devices can reach.',
  network: 'This link works for devices on the same network.',
  copy: 'Copy the link',
  copied: 'Copied',
  copyFailed: 'Select the link and copy it by hand.',
  share: 'Share …',
  shareText: 'Play a match of Lost Cities with me',
  qr: 'The link as a QR code',
  leave: 'Close this table',
  empty: 'Waiting for a friend …',
};

export const MENU = {
  title: 'Menu',
  rules: 'Rules of this match',
  offer: 'Offer a draw',
  offered: 'You have offered a draw.',
  takeBack: 'Take the offer back',
  theyOffer: (name: string): string => `${name} offers a draw of the match.`,
  accept: 'Accept',
  decline: 'Decline',
  resign: 'Resign the match',
  resignSure: 'Resign? The match ends and counts as lost.',
  yes: 'Yes',
  no: 'No',
  device: 'Move to another device',
  deviceText: 'Enter this code on the home page of the other device:',
  deviceTime: (seconds: number): string =>
    `It works once, within ${Math.max(1, Math.round(seconds / 60))} min. This device then hands its seat over.`,
  leave: 'Leave the table',
  leaveText: 'Your seat stays yours; come back by “My tables”.',
  record: 'Download the record so far',
  close: 'Close',
  options: 'Options',
  autoDraw: 'Draw by itself when only the deck is possible',
  singleKeys: 'Single-letter keys',
  sound: 'A soft sound when it is my turn',
  theme: 'Light or dark',
  themes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
};

export const HELP = {
  title: 'Keys and gestures',
  turn: 'A turn has two steps: play or discard a card, then draw one. You may change your mind until you draw.',
  gestures: [
    ['Drag a card down', 'play it on its row'],
    ['Drag it to the middle or above', 'discard it on its pile'],
    ['Tap a card, then your half', 'play'],
    ['Tap a card, then the middle', 'discard'],
    ['Tap the deck or a pile', 'draw'],
  ],
  keys: [
    ['← →', 'move along the hand'],
    ['1 … 9', 'pick up that card'],
    ['Enter', 'pick up, or press what is focused'],
    ['P', 'play the picked card'],
    ['D', 'discard the picked card'],
    ['Space or 0', 'draw from the deck (after the lay)'],
    ['Y B W G R P', 'take from that pile (after the lay)'],
    ['Esc or U', 'undo'],
    ['L', 'see the last turn again'],
    ['M', 'menu'],
    ['?', 'this page'],
  ],
};

/** The rules in plain words, the notable ones only. */
export function rulesInWords(rules: RulesInForce): string[] {
  const lines = [
    `${rules.colours} colours, ${rules.hand} cards in hand`,
    rules.rounds === 'open'
      ? 'Rounds until one of you stops'
      : `${rules.rounds} ${rules.rounds === 1 ? 'round' : 'rounds'}`,
    NEXT[rules.next] ?? rules.next,
    `An opened row costs ${rules.cost}`,
    rules.bonus_at > 12 || rules.bonus === 0
      ? 'No bonus'
      : `${rules.bonus} more for a row of ${rules.bonus_at} cards`,
  ];
  if (rules.own_discard) lines.push('Your own fresh discard may be taken back');
  if (rules.stall > 0) lines.push(`The round ends when ${rules.stall} turns in a row take from piles`);
  if (rules.wagers !== 3) lines.push(`${rules.wagers} wagers a colour`);
  if (rules.top !== 10) lines.push(`Numbers up to ${rules.top}`);
  return lines;
}

const NEXT: Record<string, string> = {
  alternate: 'The start alternates',
  leader: 'The leader on totals starts the next round',
  winner: 'The winner of a round starts the next one',
};

export const LOG = {
  plays: 'plays',
  discards: 'discards',
  takes: 'takes from',
  draws: 'draws',
  drawsDeck: 'draws',
  pile: (suit: string): string => `the ${suit} pile`,
};

export const OFFER = {
  theirs: (name: string): string => `${name} offers a draw.`,
  accept: 'Accept',
  decline: 'Decline',
};
