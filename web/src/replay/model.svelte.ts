// A replay: rounds fetched one at a time, a place in them, and whose eyes one looks with. The table
// that shows it is the live one's, with nothing to press.

import type { Answer } from '../net/api.ts';
import type { ReplayOutline, ReplayRound } from '../net/wire.ts';
import { TableModel } from '../table/model.svelte.ts';
import { logOf, openSeats, tableOf, viewOf, type Eyes, type Place } from './frames.ts';

/** Milliseconds a turn when it plays by itself. */
const PACE = 1600;

export class Replay {
  place = $state.raw<Place>({ round: 1, ply: 0 });
  eyes = $state.raw<Eyes>({ near: 0, both: false });
  /** The round on the table. */
  round = $state.raw<ReplayRound | null>(null);
  trouble = $state('');
  playing = $state(false);
  /** The furthest place so far, for those who want no result before it is reached. */
  reached = $state.raw<Place>({ round: 1, ply: 0 });
  readonly table: TableModel;
  readonly last: number = $derived((this.round?.frames.length ?? 1) - 1);
  readonly frame = $derived(this.round?.frames[this.place.ply] ?? null);
  #gone = false;
  #rounds = new Map<number, ReplayRound>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly outline: ReplayOutline,
    private readonly fetchRound: (round: number) => Promise<Answer<ReplayRound>>,
  ) {
    this.table = new TableModel(outline.match ?? '');
    this.table.own = outline.seat;
    this.eyes = { near: outline.seat ?? 0, both: false };
  }

  /** Both hands of the round may be seen. */
  get open(): boolean {
    return this.round !== null && openSeats(this.round).length === 2;
  }

  async go(to: Place, step = false): Promise<void> {
    const round = await this.#fetch(to.round);
    // The page may have been left while the round was fetched.
    if (round === null || this.#gone) return;
    const ply = Math.min(Math.max(0, to.ply), round.frames.length - 1);
    const changed = this.round?.round !== round.round;
    this.round = round;
    this.place = { round: round.round, ply };
    if (later(this.place, this.reached)) this.reached = this.place;
    if (changed) this.eyes = this.#allowed(this.eyes);
    this.#show(step);
  }

  async #fetch(number: number): Promise<ReplayRound | null> {
    const wanted = this.outline.rounds.some((each) => each.number === number)
      ? number
      : (this.outline.rounds[0]?.number ?? 0);
    const known = this.#rounds.get(wanted);
    if (known !== undefined || wanted === 0) return known ?? null;
    const answer = await this.fetchRound(wanted);
    if (!answer.ok) {
      this.trouble = answer.problem.text;
      return null;
    }
    this.#rounds.set(wanted, answer.value);
    return answer.value;
  }

  /** A seat whose hand is hidden cannot be looked from. */
  #allowed(eyes: Eyes): Eyes {
    const open = this.round === null ? [] : openSeats(this.round);
    const near = open.length === 0 || open.includes(eyes.near) ? eyes.near : (open[0] ?? 0);
    return { near, both: eyes.both && open.length === 2 };
  }

  #show(step: boolean): void {
    const { round, frame, outline, eyes } = this;
    if (round === null || frame === null) return;
    this.table.showAt(
      tableOf(frame, outline, round),
      viewOf(frame, outline, round, eyes),
      logOf(round, frame.ply, eyes),
      step && frame.turn !== null,
    );
  }

  look(eyes: Partial<Eyes>): void {
    this.eyes = this.#allowed({ ...this.eyes, ...eyes });
    this.#show(false);
  }

  flip(): void {
    this.look({ near: 1 - this.eyes.near });
  }

  // ---- stepping ----------------------------------------------------------------------------------

  get hasNext(): boolean {
    return this.place.ply < this.last || this.following !== null;
  }

  get following(): number | null {
    const after = this.outline.rounds.find((each) => each.number === this.place.round + 1);
    return after?.number ?? null;
  }

  async next(): Promise<void> {
    const { round, ply } = this.place;
    if (ply < this.last) await this.go({ round, ply: ply + 1 }, true);
    else if (this.following !== null) await this.go({ round: this.following, ply: 0 });
  }

  async back(): Promise<void> {
    const { round, ply } = this.place;
    if (ply > 0) await this.go({ round, ply: ply - 1 });
    else if (round > 1) await this.go({ round: round - 1, ply: Number.MAX_SAFE_INTEGER });
  }

  toggle(): void {
    this.playing = !this.playing && this.hasNext;
    this.#tick();
  }

  #tick(): void {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    this.#timer = setTimeout(() => {
      void this.next().then(() => {
        this.playing = this.playing && this.hasNext;
        this.#tick();
      });
    }, PACE);
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  /** The page is left. */
  leave(): void {
    this.#gone = true;
    this.stop();
    this.table.showNoMore();
  }
}

const later = (a: Place, b: Place): boolean =>
  a.round > b.round || (a.round === b.round && a.ply > b.ply);
