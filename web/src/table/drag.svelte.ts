// Dragging a card out of the hand, with Pointer Events. A short press is a tap and picks the card up;
// every drop has an equal by taps and by keys.

import type { TableModel } from './model.svelte.ts';

const THRESHOLD = 8;

export class Drag {
  slot = $state<number | null>(null);
  over = $state<'+' | '-' | null>(null);
  x = $state(0);
  y = $state(0);
  #start: { x: number; y: number; slot: number; pointer: number } | null = null;
  #justDragged = false;

  constructor(
    private readonly model: TableModel,
    /** What a point on the table means: play, discard or back into the hand. */
    private readonly zone: (x: number, y: number) => '+' | '-' | null,
    private readonly ghost: () => DOMRect | null,
  ) {}

  down(event: PointerEvent, slot: number): void {
    this.#justDragged = false;
    // At a table that rests no card comes along, and whoever pulls one is told why.
    const answered = this.model.myTurn || this.model.rests;
    if (event.button !== 0 || !event.isPrimary || !answered) return;
    this.#start = { x: event.clientX, y: event.clientY, slot, pointer: event.pointerId };
    const move = (next: PointerEvent): void => this.#move(next);
    const unhand = (): void => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', escape);
      removeEventListener('touchmove', keep);
    };
    const end = (next: PointerEvent): void => {
      if (next.pointerId !== this.#start?.pointer) return;
      unhand();
      this.#end(next);
    };
    // The table puts the card back by the same key.
    const escape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape' || this.slot === null) return;
      unhand();
      this.#drop();
    };
    // Or else the browser may take a quick drag for a fling and swallow the tap that follows it.
    const keep = (touch: TouchEvent): void => {
      if (this.slot !== null && touch.cancelable) touch.preventDefault();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    addEventListener('keydown', escape);
    addEventListener('touchmove', keep, { passive: false });
  }

  #move(event: PointerEvent): void {
    const start = this.#start;
    if (start === null || event.pointerId !== start.pointer) return;
    this.x = event.clientX;
    this.y = event.clientY;
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > THRESHOLD;
    if (this.slot === null && far) this.#lift(start.slot);
    if (this.slot !== null) this.over = this.zone(event.clientX, event.clientY);
  }

  #lift(slot: number): void {
    const { staging } = this.model;
    if (staging?.lay != null || staging?.slot !== slot) this.model.pick(slot);
    if (this.model.staging?.slot === slot) this.slot = slot;
  }

  /** Nothing hangs at the pointer any more; the click that may follow picks nothing up. */
  #drop(): void {
    this.#start = null;
    this.#justDragged = true;
    this.slot = null;
    this.over = null;
  }

  #end(event: PointerEvent): void {
    this.#start = null;
    if (this.slot === null) return;
    const rect = this.ghost();
    const kind = event.type === 'pointercancel' ? null : this.zone(event.clientX, event.clientY);
    this.#drop();
    if (kind === null) this.model.undo();
    else void this.model.lay(kind, rect).then(() => this.#unlessLaid());
  }

  /** A card let go where it may not lie returns to the hand. */
  #unlessLaid(): void {
    const { staging } = this.model;
    if (staging !== null && staging.lay === null) this.model.undo(true);
  }

  click(slot: number): void {
    if (this.#justDragged) {
      this.#justDragged = false;
      return;
    }
    this.model.pick(slot);
  }
}
