/** The longest wait for a frame, in milliseconds: a page that is not seen paints none. */
const LATEST = 200;

/** Do something as the next frame begins, before its paint; the answer calls it off. */
export function nextFrame(act: () => void): () => void {
  const cancel = (): void => {
    clearTimeout(late);
    cancelAnimationFrame(asked);
  };
  const once = (): void => {
    cancel();
    act();
  };
  const late = setTimeout(once, document.hidden ? 0 : LATEST);
  const asked = requestAnimationFrame(once);
  return cancel;
}

/** Do something once the next frame has been painted: what nobody waits for must not hold up what is seen. */
export function afterPaint(act: () => void): void {
  // A frame's callbacks come before its paint, and a task after them behind it.
  nextFrame(() => setTimeout(act));
}
