import { untrack } from 'svelte';
import { afterPaint } from './paint.ts';

/** A value that follows what is read once that has been painted: for what is only heard, or leads further. */
export function late<T>(read: () => T): () => T {
  let shown = $state.raw(untrack(read));
  let gone = false;
  // What is read may be of a page that has been left by the time of the paint.
  $effect(() => () => (gone = true));
  $effect(() => {
    // What it is by then: in between it may have changed back.
    if (read() !== untrack(() => shown)) afterPaint(() => gone || (shown = untrack(read)));
  });
  return () => shown;
}
