import type { RoomInfo } from './wire.ts';

/** Where others reach the room; who sits at its own machine may have another address in the browser. */
export const addressOf = (room: RoomInfo | null): string => room?.base_url ?? location.origin;

/** Whether an address leads nowhere but to the machine that it is opened on. */
export function onlyHere(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
