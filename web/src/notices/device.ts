// What this device can do to say that it is somebody's turn, and switching it on and off.

import { ask, type Answer } from '../net/api.ts';
import type { NoticeInfo, NoticeTried } from '../net/wire.ts';
import { registration } from './show.ts';

/** A way of being told: works, could be switched on, or why not. */
export type State = 'on' | 'ready' | 'blocked' | 'install' | 'none' | 'insecure' | 'room';

export interface Device {
  system: State;
  push: State;
}

/** What is looked at of a browser. */
export interface Facts {
  secure: boolean;
  /** An iPhone or iPad, where only a page on the home screen may show anything. */
  apple: boolean;
  /** Opened from the home screen. */
  installed: boolean;
  permission: NotificationPermission | null;
  pushes: boolean;
  subscribed: boolean;
}

/** What follows for the device from what its browser can do and what the room offers. */
export function deviceOf(facts: Facts, info: NoticeInfo): Device {
  const system = systemOf(facts);
  if (info.push !== 'on') return { system, push: 'room' };
  if (system === 'insecure' || system === 'install' || system === 'blocked') return { system, push: system };
  if (!facts.pushes || system === 'none') return { system, push: 'none' };
  const on = facts.subscribed && info.here && system === 'on';
  return { system, push: on ? 'on' : 'ready' };
}

function systemOf(facts: Facts): State {
  if (!facts.secure) return 'insecure';
  if (facts.apple && !facts.installed) return 'install';
  if (facts.permission === null) return 'none';
  return facts.permission === 'granted' ? 'on' : facts.permission === 'denied' ? 'blocked' : 'ready';
}

const browser = (): Navigator & { standalone?: boolean; serviceWorker?: ServiceWorkerContainer } => navigator;
const known = globalThis as { Notification?: typeof Notification; PushManager?: typeof PushManager };
const WORKER_PATIENCE = 4000;

/** The page's worker, once there is one; a page that was opened first has to wait for it a little. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = browser().serviceWorker;
  if (workers === undefined) return undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_PATIENCE));
  return Promise.race([workers.ready, late]);
}

async function subscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager?.getSubscription()) ?? null;
}

export async function readFacts(): Promise<Facts> {
  const { userAgent, platform, maxTouchPoints, standalone } = browser();
  return {
    secure: isSecureContext,
    apple: /iP(hone|ad|od)/.test(userAgent) || (/^Mac/.test(platform) && maxTouchPoints > 1),
    installed: standalone === true || matchMedia('(display-mode: standalone)').matches,
    permission: known.Notification?.permission ?? null,
    pushes: browser().serviceWorker !== undefined && known.PushManager !== undefined,
    subscribed: (await subscription().catch(() => null)) !== null,
  };
}

export const noticeApi = {
  info: (): Promise<Answer<NoticeInfo>> => ask('GET', '/api/notices'),
  test: (): Promise<Answer<NoticeTried>> => ask('POST', '/api/notices/test'),
  when: (when: string): Promise<Answer<NoticeInfo>> => ask('POST', '/api/notices/when', { when }),
  mail: (address: string, language: string): Promise<Answer<NoticeInfo>> =>
    ask('POST', '/api/notices/mail', { address, language }),
  noMail: (): Promise<Answer<NoticeInfo>> => ask('POST', '/api/notices/mail/drop'),
  confirm: (code: string): Promise<Answer<object>> => ask('POST', '/api/notices/mail/confirm', { code }),
  stop: (code: string): Promise<Answer<object>> =>
    ask('POST', `/api/notices/mail/stop/${encodeURIComponent(code)}`),
};

/** Ask the person; true if they allow notifications. */
export async function allow(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

const text = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const plain = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

const tell = (found: PushSubscription, language: string): Promise<Answer<NoticeInfo>> =>
  ask('POST', '/api/notices/push', {
    endpoint: found.endpoint,
    key: text(found.getKey('p256dh')),
    secret: text(found.getKey('auth')),
    language,
  });

/** Subscribe at the push service and tell the room; null if the browser does not want to. */
export async function switchOn(info: NoticeInfo, language: string): Promise<Answer<NoticeInfo> | null> {
  if (info.key === null || !(await allow())) return null;
  const manager = (await worker())?.pushManager;
  if (manager === undefined) return null;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(info.key) };
  try {
    // One that was made with another room's key at this address would take nothing from this one.
    const old = await manager.getSubscription();
    const key = old?.options.applicationServerKey ?? null;
    if (old !== null && text(key) !== info.key) await old.unsubscribe();
    return await tell(await manager.subscribe(options), language);
  } catch {
    return null;
  }
}

export async function switchOff(): Promise<Answer<NoticeInfo>> {
  await subscription()
    .then((found) => found?.unsubscribe())
    .catch(() => undefined);
  return ask('POST', '/api/notices/push/drop');
}

/** What was switched on here goes with whoever signs in or out here. */
export async function keepUp(language: string): Promise<Answer<NoticeInfo> | null> {
  const found = await subscription().catch(() => null);
  if (found === null || known.Notification?.permission !== 'granted') return null;
  return tell(found, language);
}
