/** The latest moment, in milliseconds: a page in the background paints nothing. */
const LATEST = 200;

/** Do something once the next frame has been painted: what nobody waits for must not hold up what is seen. */
export function afterPaint(act: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    clearTimeout(late);
    act();
  };
  const late = setTimeout(once, document.hidden ? 0 : LATEST);
  // A frame's callbacks come before its paint, and a task after them behind it.
  requestAnimationFrame(() => setTimeout(once));
}
