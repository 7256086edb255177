// What a table asks of the person before it, so that whoever looks elsewhere can be told.

/** In the order in which the page's title says them. */
export const CALLS = ['turn', 'draw', 'back', 'again'] as const;
export type Call = (typeof CALLS)[number];

export interface Asked {
  readonly myTurn: boolean;
  /** The seat whose draw offer stands. */
  readonly offer: number | null;
  readonly over: boolean;
  readonly theirBack: boolean;
  /** The other has asked to play again while this page was open. */
  readonly again: boolean;
  readonly far: number;
}

export function callsOf({ myTurn, offer, over, theirBack, again, far }: Asked): Call[] {
  const asked: Record<Call, boolean> = {
    turn: myTurn,
    draw: offer === far && !over,
    back: theirBack,
    again: again && over,
  };
  return CALLS.filter((call) => asked[call]);
}

/** One notice for each of them at a table; the room pushes it under the same name. */
export const tagOf = (call: Call, match: string): string => `${call}-${match}`;
