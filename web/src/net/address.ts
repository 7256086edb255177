import type { RoomInfo } from './wire.ts';

/** Where others reach the room; who sits at its own machine may have another address in the browser. */
export const addressOf = (room: RoomInfo | null): string => room?.base_url ?? location.origin;
