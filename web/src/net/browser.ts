// What the table's socket needs of a browser.

import type { Socket, Surroundings } from './socket.ts';

export function inBrowser(): Surroundings {
  return {
    open: () => new WebSocket(socketAddress(location)) as unknown as Socket,
    now: () => Date.now(),
    random: Math.random,
    commandId,
    setTimer: (callback, milliseconds) => setTimeout(callback, milliseconds),
    clearTimer: (timer) => clearTimeout(timer as number | undefined),
  };
}

export function socketAddress(here: { protocol: string; host: string }): string {
  return `${here.protocol === 'https:' ? 'wss' : 'ws'}://${here.host}/api/socket`;
}

/** 128 random bits; `crypto.randomUUID` is missing on a plain HTTP home network. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
