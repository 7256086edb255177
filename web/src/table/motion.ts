// Cards that travel: a copy flies over the table while the card itself, already in its place, waits
// unseen. Nothing here blocks input; a flight can be ended at any moment.

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
    const target = this.#find(spot);
    const face = target?.querySelector<SVGElement>('svg.face');
    if (target === null || face === null || face === undefined) return;
    if (from === null || from.width === 0 || this.reduced()) return this.#fade(target);
    const to = face.getBoundingClientRect();
    const copy = face.cloneNode(true) as SVGElement;
    const style = { position: 'absolute', width: `${to.width}px`, height: `${to.height}px` };
    Object.assign(copy.style, style);
    const home = this.layer.getBoundingClientRect();
    copy.style.left = `${to.left - home.left}px`;
    copy.style.top = `${to.top - home.top}px`;
    this.layer.append(copy);
    face.style.visibility = 'hidden';
    await this.#run(copy.animate(arc(from, to), { duration: BEAT, easing: 'ease-in-out' }));
    face.style.visibility = '';
    copy.remove();
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

  #run(animation: Animation): Promise<void> {
    const end = (): void => animation.finish();
    this.#running.add(end);
    return animation.finished
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#running.delete(end));
  }

  /** End all that moves; what flew is where it belongs. */
  finish(): void {
    for (const end of [...this.#running]) end();
  }
}

function arc(from: DOMRect, to: DOMRect): Keyframe[] {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const scale = from.width / to.width;
  const lift = Math.min(40, Math.hypot(x, y) / 6);
  const side = Math.abs(y) > Math.abs(x) ? [lift, 0] : [0, -lift];
  const half = `translate(${x / 2 + (side[0] ?? 0)}px, ${y / 2 + (side[1] ?? 0)}px) scale(${(1 + scale) / 2})`;
  return [
    { transform: `translate(${x}px, ${y}px) scale(${scale})` },
    { transform: half },
    { transform: 'none' },
  ];
}
