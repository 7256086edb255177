// One table as the page knows it: what the server said, what the player has staged, what is shown.

import { tick } from 'svelte';
import { parseTurn, suitOf, type Draw, type LayKind, type Suit, type Turn } from '../game/cards.ts';
import { shownBy, type Shown } from '../game/counts.ts';
import { afterDraw, afterLay, beforeTurn, leftHand, placed } from '../game/display.ts';
import {
  carryOver,
  cardAt,
  drawsOpen,
  isOwnDiscard,
  nothingStaged,
  pick,
  readLegal,
  stage,
  targets,
  undo,
  wholeTurn,
  type Legal,
  type Staging,
} from '../game/staging.ts';
import { inBrowser } from '../net/browser.ts';
import { TableSocket, type Command, type Link, type Surroundings } from '../net/socket.ts';
import type { Presence, Refused, SeatView, SeenEvent, Snapshot, TableInfo, Update } from '../net/wire.ts';
import { settings } from '../settings.svelte.ts';
import { nameOf } from '../words/names.ts';
import { LINK, refusal as refusalText } from '../words/net.ts';
import { PROMPT, REASON, say, WAITING } from '../words/table.ts';
import { backOf, lastTurnOf, type Back } from './back.ts';
import { wasBrought } from './brought.ts';
import { Talk } from './talk.svelte.ts';
import { type Motion, PAUSE } from './motion.ts';
import { Times } from './times.svelte.ts';

/** More turns than this at once, after an absence, are not played through. */
const MOST_SHOWN = 3;
/** Milliseconds within which two presses are one double click. */
const DOUBLE = 400;
const NO_LEGAL: Legal = new Map();

export class TableModel {
  link = $state.raw<Link>({ kind: 'connecting', attempt: 0 });
  table = $state.raw<TableInfo | null>(null);
  /** The view as the server last told it. */
  view = $state.raw<SeatView | null>(null);
  /** What is drawn: the view, or on the way to it while cards travel. */
  shown = $state.raw<SeatView | null>(null);
  log = $state.raw<readonly SeenEvent[]>([]);
  seat = $state.raw<number | null>(null);
  staging = $state.raw<Staging | null>(null);
  pending = $state.raw<Command | null>(null);
  /** The draw chosen, where the person wants to be asked before the turn is sent. */
  proposed = $state.raw<Draw | null>(null);
  #proposedAt = 0;
  /** A word to the person, until something happens. */
  notice = $state('');
  /** The last of these words that was news, and not a refusal. */
  news = $state('');
  /** What the live region says. */
  get spoken(): string {
    return this.utterance.text;
  }
  set spoken(text: string) {
    this.utterance = { text };
  }
  /** A new one each time, so that the same words twice are heard twice. */
  utterance = $state.raw<{ readonly text: string }>({ text: '' });
  /** The reader's own seat, where it may differ from the one looked from: in a replay. */
  own = $state.raw<number | null | undefined>(undefined);
  readonly me: number | null = $derived(this.own === undefined ? this.seat : this.own);
  wasLive = false;
  /** What was told while the line was being taken up again, to be said with its return. */
  #missed = '';
  /** What is left of everybody's time. */
  readonly times = new Times();
  motion: Motion | null = null;

  readonly legal: Legal = $derived(this.view === null ? NO_LEGAL : readLegal(this.view.legal));
  readonly names: string[] = $derived(this.table?.seats.map((seat) => nameOf(seat.kind, seat.name)) ?? ['', '']);
  /** The seat drawn at the bottom. */
  readonly near: number = $derived(this.seat ?? 0);
  readonly far: number = $derived(1 - this.near);
  /** What the page may count here. */
  readonly counts: Shown = $derived(shownBy(this.table?.terms));
  readonly myTurn: boolean = $derived(
    this.view !== null && this.seat !== null && this.view.to_move === this.seat && this.legal.size > 0,
  );
  /** The host has stopped the table for a while, in the middle of a round. */
  readonly rests: boolean = $derived(this.table?.paused === true && this.table.phase === 'playing');
  readonly targets = $derived(
    this.view === null || this.staging === null || !this.myTurn
      ? { '+': false, '-': false }
      : targets(this.staging, this.view, this.legal),
  );
  readonly draws: readonly Draw[] = $derived(
    this.staging === null || this.pending !== null ? [] : drawsOpen(this.staging, this.legal),
  );
  /** The host has sent the other away, who is missing now. */
  readonly theySent: boolean = $derived(
    this.seat !== null && this.table?.sent_away === this.far && this.table.seats[this.far]?.present === false,
  );
  /** The table with the staged lay in its place. */
  readonly board: SeatView | null = $derived.by(() => {
    const { shown, staging, seat } = this;
    if (shown === null || shown !== this.view || staging?.lay == null || seat === null) return shown;
    return placed(shown, seat, staging.lay);
  });
  /** Whether a turn may be taken back, or the other asks to. */
  readonly back: Back = $derived(backOf(this.table, this.seat));
  readonly lastTurn: { seat: number; turn: Turn } | null = $derived.by(() => {
    const { view } = this;
    const event = this.log.findLast((each) => each.kind === 'turn');
    if (view?.last_turn == null || event?.seat == null) return null;
    return { seat: event.seat, turn: parseTurn(view.last_turn) };
  });

  /** The other has asked to play again while this page was open; later it may be old news. */
  askedAgain = $state(false);
  /** How many watch. */
  watching = $state(0);
  readonly talk: Talk;
  #socket: TableSocket;
  #show = 0;

  constructor(
    readonly match: string,
    around: Surroundings = inBrowser(),
    seat: number | null = null,
  ) {
    this.#socket = new TableSocket(match, around, {
      link: (link) => this.#linked(link),
      snapshot: (message) => this.#snapshot(message),
      update: (message) => this.#updated(message),
      presence: (message) => this.#presence(message),
      chat: (message) => (this.spoken = this.talk.take(message, this.seat) || this.spoken),
      answered: (command, refusal) => this.#answered(command, refusal),
      pending: (command) => (this.pending = command),
    }, seat);
    this.talk = new Talk(match);
  }

  start(): void {
    this.#socket.connect();
  }

  stop(): void {
    this.#socket.close();
    this.showNoMore();
  }

  /** Nothing moves any more, and nothing of the table is read: whoever looked at it has left. */
  showNoMore(): void {
    this.#show += 1;
    this.motion?.finish();
  }

  retryNow(): void {
    this.#socket.retryNow();
  }

  /** Whether somebody looks at the page: whoever does not may be told elsewhere that it is their turn. */
  look(looking: boolean): void {
    this.#socket.look(looking);
  }

  /** Put up what came otherwise than by the socket, such as a replay; `step` plays its last turn. */
  showAt(table: TableInfo, view: SeatView, log: readonly SeenEvent[], step: boolean): void {
    const before = this.shown;
    this.seat = view.seat;
    this.table = table;
    this.log = log;
    this.#install(view);
    if (step) void this.#present(before, false, log.slice(-1));
    else this.#settle();
  }

  // ---- what the server says ----------------------------------------------------------------------

  #linked(link: Link): void {
    const came = link.kind === 'live' && this.link.kind !== 'live';
    if (came && this.wasLive) this.#back();
    this.#missed = '';
    if (link.kind === 'live') this.wasLive = true;
    if (link.kind === 'lost' && this.link.kind === 'live') this.spoken = LINK.lost;
    this.link = link;
  }

  #back(): void {
    this.news = this.notice = LINK.back;
    this.spoken = `${LINK.back} ${this.#missed}`.trim();
    setTimeout(() => {
      if (this.notice === LINK.back) this.notice = '';
    }, 4000);
  }

  #snapshot(message: Snapshot): void {
    const known = this.table === null ? Infinity : (this.log.at(-1)?.seq ?? 0);
    this.seat = message.seat;
    this.#told(message.table);
    this.log = message.log;
    this.#install(message.view);
    this.#note(message.log.slice(-2));
    const missed = message.log.filter((event) => event.seq > known);
    if (missed.length > 0) this.#speak(missed.slice(-MOST_SHOWN));
    if (message.table.phase !== 'over' && wasBrought(this.match)) this.#partner();
    this.#settle();
  }

  /** The page has come here by itself: with whom one plays now is said and shown. */
  #partner(): void {
    this.news = this.notice = WAITING.partner(this.names[this.far] ?? '');
    this.spoken = this.myTurn ? `${this.notice} ${PROMPT.yourTurn}.` : this.notice;
  }

  /** That somebody asked a program, was too slow or sent away, is seen by both, not only heard. */
  #note(events: readonly SeenEvent[]): void {
    const told =
      events.find((event) => ['hint', 'overdue', 'sent_away'].includes(event.kind)) ??
      events.find((event) => /back|(draw|again)_(declined|withdrawn)/.test(event.kind));
    this.news = this.notice = told === undefined ? '' : say(told, this.names, this.seat);
  }

  #updated(message: Update): void {
    const first = message.events.find((event) => event.kind === 'turn');
    const laid = this.#isStaged(first);
    const before = laid ? this.board : this.shown;
    this.#told(message.table);
    this.log = logAfter(this.log, message.events);
    this.#install(message.view);
    // What was staged was an answer to a turn that no longer counts.
    const takenBack = message.events.some((event) => event.kind === 'taken_back');
    if (takenBack && message.view !== null) this.staging = nothingStaged(message.view);
    this.askedAgain ||= message.events.some((event) => event.kind === 'again' && event.seat === this.far);
    this.#note(message.events);
    this.#speak(message.events);
    if (takenBack) this.#settle();
    else void this.#present(before, laid, message.events);
  }

  /** Is this the turn whose lay is already shown? (Another tab may have played another one.) */
  #isStaged(event: SeenEvent | undefined): boolean {
    const lay = this.staging?.lay ?? null;
    if (event?.turn == null || lay === null || event.seat !== this.seat) return false;
    const turn = parseTurn(event.turn);
    return turn.kind + turn.card === lay;
  }

  #presence({ present, watching, clock, away }: Presence): void {
    this.watching = watching;
    if (this.table === null) return;
    const seats = this.table.seats.map((seat, index) => ({
      ...seat,
      present: present[index] ?? seat.present,
    }));
    this.#told({ ...this.table, seats, clock, away });
  }

  /** What the room says of the table; the times in it are of this moment. */
  #told(table: TableInfo): void {
    this.table = table;
    if (table.again === null) this.askedAgain = false;
    this.times.told(table);
  }

  #answered(command: Command, refusal: Refused | null): void {
    if (refusal === null) return;
    this.notice = this.spoken = refusalText(refusal.reason, refusal.text);
    if (refusal.table !== null) this.#told(refusal.table);
    if (refusal.view !== null) this.#install(refusal.view);
    if (command.type === 'play' && this.view !== null) this.staging = nothingStaged(this.view);
    this.#settle();
  }

  #install(view: SeatView | null): void {
    this.view = view;
    this.proposed = null;
    if (view === null) this.staging = null;
    else this.staging = carryOver(this.staging ?? nothingStaged(view), view, this.rests);
  }

  #speak(events: readonly SeenEvent[]): void {
    const words = events.map((event) => say(event, this.names, this.seat, this.table)).filter(Boolean);
    if (this.myTurn) words.push(`${PROMPT.yourTurn}.`);
    if (words.length === 0) return;
    this.spoken = words.join(' ');
    if (this.link.kind !== 'live') this.#missed = this.spoken;
  }

  // ---- showing it --------------------------------------------------------------------------------

  #settle(): void {
    this.#show += 1;
    this.motion?.finish();
    this.shown = this.view;
  }

  /** Show the turns among the events one after the other, each in its two beats. */
  async #present(
    before: SeatView | null,
    laid: boolean,
    events: readonly SeenEvent[],
  ): Promise<void> {
    const turns = events.filter((event) => event.kind === 'turn' && event.turn !== null);
    const fresh = events.some((event) => event.kind === 'dealt');
    const unseen = document.hidden || turns.length > MOST_SHOWN;
    if (before === null || fresh || unseen || turns.length === 0) return this.#settle();
    this.#show += 1;
    const show = this.#show;
    this.motion?.finish();
    let from = before;
    for (const [index, event] of turns.entries()) {
      from = await this.#showTurn(from, event, laid && index === 0, index === turns.length - 1, show);
      if (show !== this.#show) return;
    }
    this.shown = this.view;
  }

  async #showTurn(
    before: SeatView,
    event: SeenEvent,
    alreadyLaid: boolean,
    last: boolean,
    show: number,
  ): Promise<SeatView> {
    const seat = event.seat ?? 0;
    const turn = parseTurn(event.turn ?? '');
    const middle = alreadyLaid
      ? leftHand(before, seat, turn.card)
      : afterLay(before, seat, turn.kind + turn.card);
    if (!alreadyLaid) {
      this.shown = before;
      await tick();
      if (show !== this.#show) return middle;
      const from = this.motion?.rect(this.#handSpot(before, seat, turn.card)) ?? null;
      await this.#beat(middle, from, laySpot(seat, turn), show);
      if (show === this.#show) await this.motion?.pause(PAUSE);
    }
    if (show !== this.#show) return middle;
    const after = afterDraw(middle, seat, turn);
    const drawn = turn.pile === null ? turn.face : (middle.piles[turn.pile]?.at(-1) ?? null);
    const from = this.motion?.rect(turn.pile === null ? 'deck' : `pile-${turn.pile}`) ?? null;
    const final = last && this.view !== null ? this.view : after;
    await this.#beat(final, from, this.#handSpot(final, seat, drawn), show);
    return final;
  }

  async #beat(view: SeatView, from: DOMRect | null, spot: string, show: number): Promise<void> {
    if (show !== this.#show) return;
    this.shown = view;
    await tick();
    await this.motion?.fly(from, spot);
  }

  #handSpot(view: SeatView, seat: number, card: string | null): string {
    if (seat === this.near && this.seat !== null) return `hand-${card ?? ''}`;
    const known = view.seat === null ? (view.known[seat] as string[]) : (view.known as string[]);
    return this.counts.known && card !== null && known.includes(card) ? `known-${seat}-${card}` : `back-${seat}`;
  }

  /** Look at the last turn again. */
  async replay(): Promise<void> {
    const { view, lastTurn } = this;
    if (view === null || lastTurn === null || this.staging?.lay != null) return;
    const event = this.log.findLast((each) => each.kind === 'turn');
    if (event === undefined) return;
    this.#show += 1;
    const show = this.#show;
    this.motion?.finish();
    const before = beforeTurn(view, lastTurn.seat, lastTurn.turn);
    this.spoken = say({ ...event, turn: view.last_turn }, this.names, this.seat);
    await this.#showTurn(before, { ...event, turn: view.last_turn }, false, true, show);
    if (show === this.#show) this.shown = this.view;
  }

  // ---- what the player does ----------------------------------------------------------------------

  #ready(): boolean {
    if (!this.myTurn) {
      this.notice = this.#notNow();
      return false;
    }
    if (this.pending !== null) return false;
    this.motion?.finish();
    if (this.shown !== this.view) this.#settle();
    this.notice = '';
    return true;
  }

  #notNow(): string {
    if (this.seat === null) return '';
    return this.rests ? refusalText('paused', '') : REASON.notYourTurn;
  }

  pick(slot: number): void {
    if (this.staging === null || !this.#ready()) return;
    this.proposed = null;
    this.staging = pick(this.staging, slot);
  }

  /** Lay the picked card; `from` is where it was let go, for the eye. */
  async lay(kind: LayKind, from: DOMRect | null = null): Promise<void> {
    if (this.staging === null || this.view === null || !this.#ready()) return;
    const card = cardAt(this.view, this.staging.slot);
    const next = stage(this.staging, this.view, this.legal, kind);
    if (card === null) return;
    if (next === null) {
      this.notice = REASON.notPlayable(card);
      return;
    }
    const start = from ?? this.motion?.rect(`slot-${this.staging.slot ?? ''}`) ?? null;
    this.staging = next;
    if (this.#drawsItself()) return this.draw('*');
    this.spoken = `${PROMPT.staged(card, kind)} ${PROMPT.nowDraw}.`;
    const spot = laySpot(this.near, { kind, card });
    await tick();
    await this.motion?.fly(start, spot);
  }

  #drawsItself(): boolean {
    return settings.autoDraw && this.draws.length === 1 && this.draws[0] === '*';
  }

  /** Take back what is staged or picked; a notice that says why may stay. */
  undo(keepNotice = false): void {
    if (this.staging === null || this.pending !== null) return;
    this.motion?.finish();
    if (!keepNotice) this.notice = '';
    this.proposed = null;
    this.staging = undo(this.staging);
  }

  /** Whether to ask before a turn is sent: on a running clock a question costs the match. */
  get asksFirst(): boolean {
    const kind = this.table?.pace.kind;
    return settings.confirm && kind !== 'turn' && kind !== 'clock';
  }

  /** Draw, and send the turn; where the person wants to be asked, the same once more (or `sure`). */
  draw(draw: Draw, sure = false): void {
    if (this.staging === null || !this.#ready()) return;
    const turn = wholeTurn(this.staging, this.legal, draw);
    if (turn === null) return this.#whyNot(draw);
    if (this.asksFirst && !sure && !this.#again(draw)) return this.#propose(draw);
    const { round, ply } = this.staging;
    this.#socket.submit({ type: 'play', round, ply, turn, back: this.table?.back ?? 0 });
  }

  /** The same draw chosen once more, and not by one double click. */
  #again(draw: Draw): boolean {
    return this.proposed === draw && performance.now() - this.#proposedAt > DOUBLE;
  }

  #propose(draw: Draw): void {
    if (this.proposed !== draw) this.#proposedAt = performance.now();
    this.proposed = draw;
    this.spoken = PROMPT.sure(draw);
  }

  #whyNot(draw: Draw): void {
    const { staging } = this;
    if (staging === null) return;
    if (staging.lay === null) this.notice = REASON.layFirst;
    else if (draw !== '*') {
      const pile = draw.slice(1) as Suit;
      this.notice = isOwnDiscard(staging, pile) ? REASON.ownDiscard(pile) : REASON.emptyPile(pile);
    }
  }

  /** Write to the table; false while there is no line. */
  say(say: { text: string } | { phrase: string }): boolean {
    return this.#socket.say(say);
  }

  /** Ask to take one's last turn back. */
  askBack(): void {
    const { view, table } = this;
    if (view === null || table === null || this.back !== 'mayAsk') return;
    this.send({ type: 'ask_back', ...lastTurnOf(view, table) });
  }

  /** Let the other take the last turn back or not; or give up one's own wish. */
  answerBack(accept: boolean): void {
    const { view, table } = this;
    if (view === null || table === null) return;
    this.send({ type: 'answer_back', ...lastTurnOf(view, table), accept });
  }

  send(command: Command): void {
    if (!this.#socket.submit(command)) this.news = this.notice = PROMPT.sending;
  }
}

function laySpot(seat: number, lay: { kind: LayKind; card: string }): string {
  const suit = suitOf(lay.card);
  return lay.kind === '+' ? `row-${seat}-${suit}` : `pile-${suit}`;
}

/** The log of the present round: a deal begins it anew. */
function logAfter(log: readonly SeenEvent[], events: readonly SeenEvent[]): readonly SeenEvent[] {
  const all = [...log];
  for (const event of events) {
    // A turn taken back does not count, nor does what was said about it.
    if (event.kind !== 'taken_back') all.push(event);
    else {
      const turn = all.findLastIndex((each) => each.kind === 'turn');
      all.splice(all[turn - 1]?.kind === 'overdue' ? turn - 1 : turn);
    }
  }
  const deal = all.findLastIndex((event) => event.kind === 'dealt');
  return all.slice(Math.max(0, deal));
}
