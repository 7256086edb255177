// Cards that travel: the drawing of a card is lifted from its place and flies over the table until it lies
// there again. Nothing here blocks input; a flight can be ended at any moment.

import { nextFrame } from './paint.ts';

export const BEAT = 220;
export const PAUSE = 160;

export class Motion {
  #running = new Set<() => void>();

  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
    private readonly reduced: () => boolean,
  ) {}

  /** Where a spot is now, or null. */
  rect(spot: string): DOMRect | null {
    return this.#find(spot)?.getBoundingClientRect() ?? null;
  }

  #find(spot: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-spot="${spot}"]`);
  }

  /** Let what now lies at `spot` arrive there from `from`. */
  async fly(from: DOMRect | null, spot: string): Promise<void> {
    // In the frame that shows it, before its paint: measured at once, it would all be laid out twice,
    // and the first time within the input's own task.
    if (!(await this.#frame()) || !this.root.isConnected) return;
    const target = this.#find(spot);
    const face = target?.querySelector<SVGElement>('svg.face');
    if (target === null || face === null || face === undefined) return;
    if (from === null || from.width === 0 || this.reduced()) return this.#fade(target);
    // Lifted before anything is measured, and itself, not a copy: the browser styles it once.
    const place = face.parentElement ?? target;
    const putBack = this.#lift(face);
    const to = place.getBoundingClientRect();
    const home = this.layer.getBoundingClientRect();
    // The layer's style has made it as large as a card of the table (Board.svelte).
    if (Math.abs(face.clientWidth - to.width) > 1) {
      Object.assign(face.style, { width: `${to.width}px`, height: `${to.height}px` });
    }
    const keyframes = arc(from, to, home);
    await this.#run(face.animate(keyframes, { duration: BEAT, easing: 'ease-in-out' }), putBack);
  }

  /** Take a face out of its place; the answer lays it back, unless the page has done away with it. */
  #lift(face: SVGElement): () => void {
    const { parentNode: place, nextSibling: next } = face;
    const { layer } = this;
    layer.append(face);
    return () => {
      if (face.parentNode !== layer) return;
      face.removeAttribute('style');
      if (place === null) face.remove();
      else place.insertBefore(face, next?.parentNode === place ? next : null);
    };
  }

  #fade(target: HTMLElement): Promise<void> {
    return this.#run(target.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 180 }));
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#running.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#running.add(end);
    });
  }

  /** The beginning of the next frame; false where all was ended before. */
  #frame(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        settle(false);
      };
      const settle = (whether: boolean): void => {
        this.#running.delete(end);
        resolve(whether);
      };
      const cancel = nextFrame(() => settle(true));
      this.#running.add(end);
    });
  }

  #run(animation: Animation, landed = (): void => undefined): Promise<void> {
    const end = (): void => {
      animation.finish();
      landed();
    };
    this.#running.add(end);
    return animation.finished
      .then(landed, () => undefined)
      .finally(() => this.#running.delete(end));
  }

  /** End all that moves; what flew is where it belongs. */
  finish(): void {
    for (const end of [...this.#running]) end();
  }
}

type Place = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** The way over the table, of what lies in the corner of the layer whose place is `home`; bent inwards. */
export function arc(from: Place, to: Place, home: Place): Keyframe[] {
  const [left, top] = [to.left - home.left, to.top - home.top];
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const scale = from.width / to.width;
  const lift = Math.min(40, Math.hypot(x, y) / 6);
  const right = left + (x + to.width) / 2 > home.width / 2;
  const side = Math.abs(y) > Math.abs(x) ? [right ? -lift : lift, 0] : [0, -lift];
  const half = `translate(${left + x / 2 + (side[0] ?? 0)}px, ${top + y / 2 + (side[1] ?? 0)}px) scale(${(1 + scale) / 2})`;
  return [
    { transform: `translate(${left + x}px, ${top + y}px) scale(${scale})` },
    { transform: half },
    { transform: `translate(${left}px, ${top}px)` },
  ];
}
