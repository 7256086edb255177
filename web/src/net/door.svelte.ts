// A room with a password says so to whatever is asked of it; the page then asks for it, once.

export const door = $state({ shut: false });

/** Take note of why the room refused. */
export function heard(reason: string): void {
  if (reason === 'locked') door.shut = true;
}
