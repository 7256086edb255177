// The page's side of the service worker, and of updates of the room: whoever sits at a table is left
// alone; elsewhere a newer page is offered.

import { router } from './router.svelte.ts';

/** Whether the room has a newer page than this one. */
class Update {
  ready = $state(false);
}
export const update = new Update();

/** The script that this page runs on, as its document names it. */
const own =
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src') ?? '';
const HOUR = 3_600_000;

/** Say to the worker, for as long as this page shows a table, that somebody plays; the answer ends it. */
export function holdTable(): () => void {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (locks === undefined) return () => undefined; // without HTTPS; then there is no worker either
  let letGo = (): void => undefined;
  const played = new Promise<void>((resolve) => (letGo = resolve));
  void locks.request('at-table', { mode: 'shared' }, () => played);
  return () => letGo();
}

/** Register the worker where the browser has one (over HTTPS, or on this machine), and look for updates. */
export function beReady(atTable: () => boolean): void {
  if (!import.meta.env.PROD) return;
  void register(atTable);
  listen(atTable);
  const look = (): void => {
    if (document.visibilityState === 'visible') void check(atTable);
  };
  document.addEventListener('visibilitychange', look);
  setInterval(look, HOUR);
}

/** Only over HTTPS, or on this machine, is there one. */
const workers = (): ServiceWorkerContainer | undefined =>
  (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;

/** What the worker asks when a notice was clicked: is this page where it leads, or free to go there? */
function listen(atTable: () => boolean): void {
  workers()?.addEventListener('message', ({ data, ports }: MessageEvent) => {
    const { type, url } = data as { type?: string; url?: string };
    if (typeof url !== 'string') return;
    const there = location.pathname === url;
    if (type === 'where') ports[0]?.postMessage(there ? 'there' : atTable() ? 'plays' : 'free');
    if (type === 'go') router.go(url);
  });
}

async function register(atTable: () => boolean): Promise<void> {
  const container = workers();
  if (container === undefined) return;
  try {
    const registration = await container.register('/sw.js');
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', () => offer(registration, atTable));
    });
    offer(registration, atTable);
  } catch {
    // A browser that forbids workers still plays.
  }
}

/** Ask a waiting worker to begin, unless somebody plays here; it looks at the other pages itself. */
function offer(registration: ServiceWorkerRegistration, atTable: () => boolean): void {
  if (registration.waiting === null || navigator.serviceWorker.controller === null) return;
  update.ready = true;
  if (!atTable()) registration.waiting.postMessage({ type: 'take-over' });
}

/** Compare this page with the room's: its document names another script after an update. */
export async function check(atTable: () => boolean): Promise<void> {
  const registration = await workers()
    ?.getRegistration()
    .catch(() => undefined);
  await registration?.update().catch(() => undefined);
  if (registration !== undefined) offer(registration, atTable);
  try {
    const answer = await fetch('/index.html', { cache: 'no-cache' });
    if (answer.ok && !(await answer.text()).includes(own)) update.ready = true;
  } catch {
    // Offline: nothing newer can be had.
  }
}
