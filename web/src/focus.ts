// An element that goes while it has the focus must not leave the keyboard, and who hears the page, nowhere.

/** Where the focus goes, the first that is there: the dialog in front, the hand, the menu, the heading. */
const HAVENS = ['.hand [tabindex="0"]', '.tops .menu', 'main h1'];
const FOCUSED = ['a', 'button', 'input', 'select', 'textarea', 'summary', 'label', '[tabindex]'].join();

function haven(): HTMLElement | null {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  if (dialog !== undefined) return dialog.querySelector<HTMLElement>('h2');
  for (const each of HAVENS) {
    const found = document.querySelector<HTMLElement>(each);
    if (found !== null) return found;
  }
  return null;
}

/** Watch over the focus of the page; the answer ends that. A page that is left leaves its focus behind. */
export function keepFocus(): { leave: () => void; end: () => void } {
  let last: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const focused = (event: FocusEvent): void => void (last = event.target as Element);
  // Who presses where there is nothing wants the focus nowhere.
  const pressed = ({ target }: PointerEvent): void => {
    if (target instanceof Element && target.closest(FOCUSED) === null) last = null;
  };
  const look = (): void => {
    timer = undefined;
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    const next = haven();
    if (next !== null && next.tabIndex < 0) next.tabIndex = -1;
    next?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    // Later, as whoever took the element away may have a better place.
    if (last !== null && !last.isConnected) timer ??= setTimeout(look);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', focused);
  document.addEventListener('pointerdown', pressed);
  return {
    leave: () => void (last = null),
    end: () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', pressed);
    },
  };
}
