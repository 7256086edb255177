// The service worker: opens the page without the room, and never changes a page under a match.
//
// It keeps every file of its build. Pages come from the room where it answers, so that an update is
// seen at the next visit; without it, from what is kept. A newer worker waits while a table is open
// anywhere; what the former build consisted of is kept for pages that still run on it.
//
// The build puts BUILD and FILES before this file (tools/installable.mjs); it imports nothing.

export {};

declare const self: ServiceWorkerGlobalScope;
declare const BUILD: string;
declare const FILES: readonly string[];

const PREFIX = 'page-';
const CACHE = `${PREFIX}${BUILD}`;
/** How long the room may take to answer with a page before the one kept is shown. */
const PATIENCE = 4000;

self.addEventListener('install', (event) => {
  goAround(event);
  event.waitUntil(keep());
});
self.addEventListener('activate', (event) => event.waitUntil(tidy()));

/** What no worker has to see: the room's answers, and what a page reads to learn of an update. */
const AROUND = ['/api/*', '/index.html', '/sw.js'];

/** Not in every browser yet. */
type Routing = ExtendableEvent & {
  addRoutes?: (rules: readonly { condition: { urlPattern: string }; source: 'network' }[]) => Promise<void>;
};

/**
 * Requests that no worker answers shall start none. It saves time, and more: Chromium ends the worker in
 * charge before a waiting one begins, and a page that asks the room something in that very moment starts
 * it again; then the waiting one waits until no page has asked for anything for half a minute.
 */
function goAround(event: Routing): void {
  const rules = AROUND.map((urlPattern) => ({ condition: { urlPattern }, source: 'network' as const }));
  if (event.addRoutes !== undefined) event.waitUntil(event.addRoutes(rules).catch(() => undefined));
}

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: 'no-cache' })));
}

/** The caches of this build and of the one before it stay. */
async function tidy(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/api/') || pathname === '/sw.js') return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/') || FILES.includes(pathname)) {
    event.respondWith(file(request));
  }
});

async function page(request: Request): Promise<Response> {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), PATIENCE);
  try {
    const answer = await fetch(request, { signal: gone.signal });
    if (answer.status < 500) return answer;
  } catch {
    // Offline, or the room is gone: the page kept says so.
  } finally {
    clearTimeout(timer);
  }
  const kept = await caches.open(CACHE).then((cache) => cache.match('/'));
  return kept ?? Response.error();
}

/** Files have their content's hash in their names, so whoever kept one kept the right one. */
async function file(request: Request): Promise<Response> {
  const own = await caches.open(CACHE).then((cache) => cache.match(request));
  return own ?? (await caches.match(request)) ?? fetch(request);
}

// ---- notices --------------------------------------------------------------------------------------

/** What the room pushes: texts in the person's language, and what is opened by it. */
interface Notice {
  title: string;
  body: string;
  tag: string;
  url: string;
}

const ICON = '/icon-192.png';

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

async function show(data: PushMessageData | null): Promise<void> {
  const { title, body, tag, url } = readNotice(data);
  await self.registration.showNotification(title, { body, tag, icon: ICON, data: { url } });
}

/** A browser asks for something to be shown whatever came; what cannot be read leads to the home page. */
function readNotice(data: PushMessageData | null): Notice {
  const plain = { title: self.location.host, body: '', tag: 'unread', url: '/' };
  try {
    return { ...plain, ...(data?.json() as Partial<Notice>) };
  } catch {
    return plain;
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = (event.notification.data ?? {}) as { url?: unknown };
  event.waitUntil(open(typeof url === 'string' && url.startsWith('/') ? url : '/'));
});

/** How long a page may take to say whether it is where the notice leads. */
const ANSWER = 500;

/** Go to the page that shows it already; else to one where nobody plays; else to a new one. */
async function open(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = await Promise.all(pages.map((page) => where(page, url)));
  const chosen = pages[answers.indexOf('there')] ?? pages[answers.indexOf('free')];
  if (chosen === undefined) {
    await self.clients.openWindow(url);
    return;
  }
  await chosen.focus().catch(() => undefined);
  if (!answers.includes('there')) chosen.postMessage({ type: 'go', url });
}

/** A page knows itself where it is: its address here is the one that it was opened with. */
function where(page: Client, url: string): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve('silent'), ANSWER);
    page.postMessage({ type: 'where', url }, [port2]);
  });
}

/** The browser has another address at its push service now: the room has to know. */
self.addEventListener('pushsubscriptionchange', (event) => {
  (event as ExtendableEvent).waitUntil(subscribeAnew());
});

async function subscribeAnew(): Promise<void> {
  const answer = await fetch('/api/notices');
  const { key } = (await answer.json()) as { key?: string | null };
  if (typeof key !== 'string') return;
  const found = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { keys } = found.toJSON();
  await fetch('/api/notices/push', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      endpoint: found.endpoint,
      key: keys?.['p256dh'],
      secret: keys?.['auth'],
      language: self.navigator.language,
    }),
  });
}

self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'take-over') event.waitUntil(takeOver());
});

/** What every page with a table open holds (offline.svelte.ts); an address would not do, for a
 * client's is the one it was opened with, and most tables are come to from the home page. */
const AT_TABLE = 'at-table';

/** Milliseconds between looks, and how often: a page that has just closed lets go after a moment. */
const LOOK_AGAIN = 400;
const LOOKS = 5;

/** A page asks the waiting worker to begin; it does unless somebody plays. */
async function takeOver(): Promise<void> {
  for (let looks = 1; await somebodyPlays(); looks += 1) {
    if (looks === LOOKS) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
  await self.skipWaiting();
}

async function somebodyPlays(): Promise<boolean> {
  const { held } = await self.navigator.locks.query();
  return held?.some((lock) => lock.name === AT_TABLE) ?? true;
}
