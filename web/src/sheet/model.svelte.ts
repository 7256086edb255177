// The score sheet that is open: its changes, what is shown, and keeping it.

import type { Card, Suit } from '../game/cards.ts';
import { plain, shortened } from '../words/plain.ts';
import { spokenOf } from '../words/sheet.ts';
import { LONGEST_NAME } from './content.ts';
import { coloursOf, printed, symbolsOf, type Deck } from './decks.ts';
import { readTyped, type Spoken } from './entry.ts';
import { moveSweep, spanOf, startSweep, type Sweep } from './gestures.ts';
import type { Held } from './held.ts';
import * as match from './match.ts';
import type { Match } from './match.ts';
import { hasUnread, noteOf } from './notes.ts';
import { DEFAULTS, PRESETS, type Both, type Rules, type Seat } from './rules.ts';
import { scoreSide } from './scoring.ts';
import { reread } from './reread.ts';
import { setRun, sorted, stepWagers, toggle, type Side } from './sides.ts';
import { isSheetKey, newId, type KeptSheet, type SheetStore } from './storage.ts';
import { written } from './typed.ts';
import { begin, change, redo, show, undo, type Timeline } from './undo.ts';
import { usualDeck } from './decks.ts';

const FIRST_NUMBER = 2;

export class SheetModel {
  private readonly store: SheetStore;
  id = $state('');
  private line = $state.raw<Timeline<Match>>(begin(blank(['', ''])));
  private sweeping = $state.raw<{ seat: Seat; suit: Suit; sweep: Sweep } | null>(null);
  /** Whether this browser refused to keep the sheet. */
  unkept = $state(false);
  kept = $state.raw<KeptSheet[]>([]);
  ownDecks = $state.raw<Deck[]>([]);

  readonly match: Match = $derived(this.line.now);
  /** The sheet as it is kept. */
  get sheet(): KeptSheet {
    const changed = this.kept.find((each) => each.id === this.id)?.changed ?? Date.now();
    return { id: this.id, changed, match: this.match };
  }
  readonly canUndo: boolean = $derived(this.line.past.length > 0);
  readonly canRedo: boolean = $derived(this.line.future.length > 0);
  /** Both sides as they are to be seen: with what the finger sweeps over. */
  readonly sides: Both<Side> = $derived([this.seen(0), this.seen(1)]);
  readonly colours = $derived(coloursOf(this.match.deck, this.match.rules));
  readonly symbols = $derived(symbolsOf(this.match.deck));
  readonly scores = $derived([
    scoreSide(this.sides[0], this.match.rules),
    scoreSide(this.sides[1], this.match.rules),
  ] as const);
  readonly problems = $derived(
    match.problemsIn(this.match, match.roundAt(this.match), this.sides),
  );
  /** What was typed on each side's line and could not be read. */
  readonly unread = $derived([
    noteOf(match.roundAt(this.match), 0).unread,
    noteOf(match.roundAt(this.match), 1).unread,
  ] as const);
  /** The first round that cannot be as it stands; null if all can. */
  readonly brokenRound: number | null = $derived.by(() => {
    const found = this.match.rounds.findIndex(
      (round) => hasUnread(round) || match.problemsIn(this.match, round).length > 0,
    );
    return found < 0 ? null : found;
  });
  /** Whether no card stands on the whole sheet. */
  readonly empty: boolean = $derived(match.cardsIn(this.match) === 0);
  readonly totals: Both<number> = $derived(match.totals(this.match));

  constructor(store: SheetStore) {
    this.store = store;
    this.ownDecks = store.decks();
    this.refresh();
    const last = store.current();
    const found = last === null ? null : store.sheet(last);
    if (found !== null) this.load(found);
    else this.fresh();
  }

  // ---- sheets ---------------------------------------------------------------------------------

  /** A new sheet with the names, the rules and the deck of the last one. */
  begin(): void {
    this.fresh();
    // After a reload the sheet before it must not come back.
    this.store.open(this.id);
  }

  private fresh(): void {
    const last = this.kept[0]?.match;
    const made =
      last === undefined
        ? blank(this.store.names())
        : match.newMatch(last.names, last.rules, last.deck, last.source);
    this.id = newId(Date.now(), Math.random());
    this.line = begin(made);
    this.unkept = false;
  }

  load(sheet: KeptSheet): void {
    this.id = sheet.id;
    this.line = { ...this.store.steps(sheet.id), now: sheet.match };
    this.store.open(sheet.id);
    this.unkept = false;
  }

  /** A sheet that came by a link, kept beside the others by its own name if it has one. */
  adopt(shared: Match, id: string | null = null): void {
    this.id = id ?? newId(Date.now(), Math.random());
    this.line = begin(shared);
    this.keep();
  }

  /** What came by a link in the place of the same sheet as it stands here; it can be taken back. */
  replace(sheet: KeptSheet, shared: Match): void {
    this.load(sheet);
    this.set(shared);
  }

  /** A sheet is kept by another name elsewhere: take that one, unless another sheet has it. */
  rename(id: string, to: string): boolean {
    if (id === to || this.store.sheet(to) !== null) return id === to;
    this.store.rename(id, to);
    this.refresh();
    if (this.id === id) this.id = to;
    return true;
  }

  remove(id: string): void {
    this.store.remove(id);
    this.refresh();
    if (id === this.id) this.begin();
  }

  /** Another page of this browser has written: take over what it wrote to this sheet. */
  written(key: string | null): void {
    this.refresh();
    this.ownDecks = this.store.decks();
    const here = this.store.sheet(this.id);
    if (isSheetKey(key, this.id) && here !== null) this.line = change(this.line, here.match);
  }

  private refresh(): void {
    this.kept = this.store.sheets();
  }

  private keep(): void {
    const kept = this.store.keep({ id: this.id, changed: Date.now(), match: this.match });
    this.unkept = !kept;
    this.store.keepSteps(this.id, this.line);
    this.store.open(this.id);
    this.refresh();
  }

  // ---- decks ----------------------------------------------------------------------------------

  addDeck(deck: Deck): boolean {
    const kept = this.store.keepDeck(deck);
    this.ownDecks = kept
      ? this.store.decks()
      : [...this.ownDecks.filter((each) => each.name !== deck.name), deck];
    return kept;
  }

  removeDeck(name: string): void {
    this.store.removeDeck(name);
    this.ownDecks = this.ownDecks.filter((each) => each.name !== name);
  }

  /** The cards marked in the check of the deck worn; they stay until somebody marks others. */
  get held(): Held {
    return this.store.held(this.match.deck);
  }

  /** What was marked before each change; it can be taken back as long as changes of the sheet can. */
  get heldBefore(): Held[] {
    return this.store.heldBefore(this.match.deck);
  }

  keepHeld(held: Held, before: readonly Held[]): void {
    this.store.keepHeld(this.match.deck, held, before);
  }

  // ---- changes --------------------------------------------------------------------------------

  private set(now: Match): void {
    const before = this.line;
    this.line = change(this.line, now);
    if (this.line !== before) this.keep();
  }

  private look(now: Match): void {
    this.line = show(this.line, now);
    if (this.kept.some((each) => each.id === this.id)) this.keep();
  }

  private side(seat: Seat): Side {
    return match.roundAt(this.match).sides[seat];
  }

  tap(seat: Seat, card: Card): void {
    this.set(match.setSide(this.match, seat, toggle(this.side(seat), card)));
  }

  wagers(seat: Seat, suit: Suit, by: number): void {
    const side = stepWagers(this.side(seat), suit, this.match.rules, by);
    this.set(match.setSide(this.match, seat, side));
  }

  startSweep(seat: Seat, suit: Suit, cell: number): void {
    const there = !this.side(seat).includes(`${suit}${cell + FIRST_NUMBER}`);
    this.sweeping = { seat, suit, sweep: startSweep(suit, cell, there) };
  }

  /** The finger is over another cell; true once it is a sweep and no tap any more. */
  moveSweep(cell: number): boolean {
    if (this.sweeping === null) return false;
    this.sweeping = { ...this.sweeping, sweep: moveSweep(this.sweeping.sweep, cell) };
    return this.sweeping.sweep.moved;
  }

  endSweep(): void {
    const swept = this.sweeping;
    if (swept === null) return;
    const side = this.seen(swept.seat);
    this.sweeping = null;
    if (swept.sweep.moved) this.set(match.setSide(this.match, swept.seat, side));
  }

  dropSweep(): void {
    this.sweeping = null;
  }

  private seen(seat: Seat): Side {
    const side = this.side(seat);
    const swept = this.sweeping;
    if (swept === null || swept.seat !== seat || !swept.sweep.moved) return side;
    const [from, to] = spanOf(swept.sweep);
    return setRun(side, swept.suit, from + FIRST_NUMBER, to + FIRST_NUMBER, swept.sweep.there);
  }

  /**
   * The whole side as it is typed: what can be read is laid, the rest is noted. `go on` is true for
   * the second and later letters of one go at typing, which together are one change; `spoken` are the page's words.
   */
  type(seat: Seat, text: string, goOn: boolean, spoken?: Spoken): void {
    const { cards, ...note } = readTyped(text, this.match.deck, spoken);
    const now = match.setSide(this.match, seat, sorted(cards), note);
    if (goOn) this.look(now);
    else this.set(now);
  }

  /** The side as it may be typed, and after it what could not be read. */
  typed(
    seat: Seat,
    named: (suit: Suit) => string = (suit) => nameOf(this.match.deck, suit),
  ): string {
    const { unread, indices } = noteOf(match.roundAt(this.match), seat);
    const cards = written(this.sides[seat], this.match.deck, indices, named);
    return [...cards, ...unread.map((each) => each.token)].join(' ');
  }

  undo(): void {
    this.go(undo(this.line));
  }

  redo(): void {
    this.go(redo(this.line));
  }

  /** Where there is nothing to take back, nothing has changed. */
  private go(line: Timeline<Match>): void {
    if (line === this.line) return;
    this.line = line;
    this.keep();
  }

  goTo(at: number): void {
    this.look(match.goTo(this.match, at));
  }

  next(): void {
    const now = match.nextRound(this.match);
    if (now.rounds.length > this.match.rounds.length) this.set(now);
    else this.look(now);
  }

  /** An empty sheet has no result to be finished with. */
  finish(): void {
    if (this.empty) return;
    this.set(match.finish(this.match));
  }

  reopen(): void {
    this.set(match.reopen(this.match));
  }

  setName(seat: Seat, name: string): void {
    const trimmed = shortened(plain(name).trim(), LONGEST_NAME);
    if (trimmed !== this.match.names[seat]) this.set(match.setName(this.match, seat, trimmed));
  }

  setRules(rules: Rules, source?: string): void {
    this.wear(match.setRules(this.match, rules, source));
  }

  setPreset(source: string, rules: Rules): void {
    this.wear(match.setPreset(this.match, source, rules));
  }

  setDeck(deck: Deck): void {
    this.wear(match.setDeck(this.match, deck));
  }

  /** A change that may have changed the deck. */
  private wear(now: Match): void {
    this.set(now.deck === this.match.deck ? now : reread(now, spokenOf(now.deck)));
  }

  /** Who started the round looked at; of the first one it can be taken back. */
  setStart(seat: Seat): void {
    const { at, first } = this.match;
    if (at > 0) this.set(match.setStart(this.match, at, seat));
    else this.set(match.setFirst(this.match, first === seat ? null : seat));
  }
}

const blank = (names: Both<string>): Match =>
  match.newMatch(names, PRESETS.blog ?? DEFAULTS, usualDeck(DEFAULTS.colours), 'blog');

const nameOf = (deck: Deck, suit: Suit): string => printed(deck, suit)?.name ?? suit;
