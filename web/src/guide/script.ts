// Boards that explain: played out by the core beforehand, so that the page knows no rule here either.

import { stillTable } from '../game/still.ts';
import type { Socket, Surroundings } from '../net/socket.ts';
import type {
  ClientMessage,
  RulesInForce,
  SeatView,
  SeenEvent,
  ServerMessage,
  TableInfo,
  Working,
} from '../net/wire.ts';

type Shared = 'rules' | 'rounds' | 'round' | 'totals' | 'seat';

/** A view, and by each turn that may be played the one after it. */
export interface ScriptNode {
  /** The turn that led here, as the seat of the board may know it. */
  turn?: string;
  view: Omit<SeatView, Shared>;
  workings: Record<string, Working>[];
  next?: Record<string, ScriptNode>;
}

export interface Script {
  seat: number;
  rules: RulesInForce;
  start: ScriptNode;
}

/** How long the other side seems to think. */
const THINKING = 700;

/** A room inside the page: it knows one board and answers like the real one. */
export class ScriptedRoom implements Surroundings {
  #at: ScriptNode;
  #seq = 1;
  #log: SeenEvent[] = [];
  #socket: Socket | null = null;
  #over: boolean;

  constructor(
    private readonly script: Script,
    private readonly names: readonly [string, string],
    /** Called after every turn, with the node that it led to. */
    private readonly onturn: (node: ScriptNode, turn: string, mine: boolean) => void = () => undefined,
  ) {
    this.#at = script.start;
    this.#over = script.start.view.to_move === null;
  }

  now = (): number => Date.now();
  random = (): number => 0;
  commandId = (): string => `${this.#seq}`;
  setTimer = (callback: () => void, milliseconds: number): unknown =>
    setTimeout(callback, milliseconds);
  clearTimer = (timer: unknown): void => clearTimeout(timer as number | undefined);

  open(): Socket {
    const socket: Socket = {
      send: (data) => queueMicrotask(() => this.#receive(JSON.parse(data) as ClientMessage)),
      close: () => (this.#socket = null),
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
    };
    this.#socket = socket;
    queueMicrotask(() => socket.onopen?.());
    return socket;
  }

  #tell(message: ServerMessage): void {
    this.#socket?.onmessage?.({ data: JSON.stringify(message) });
  }

  #receive(message: ClientMessage): void {
    switch (message.type) {
      case 'hello':
        this.#tell({
          type: 'snapshot',
          seq: this.#seq,
          seat: this.script.seat,
          table: this.#table(),
          view: this.#view(),
          log: this.#log,
        } as ServerMessage);
        return this.#tell({ type: 'ready', seq: this.#seq, run: 'script' });
      case 'ping':
        return this.#tell({ type: 'pong', n: message.n ?? 0 });
      case 'play':
        this.#play(message.turn, this.script.seat);
        return this.#tell({ type: 'ack', cmd_id: message.cmd_id, seq: this.#seq });
      default:
        return;
    }
  }

  #play(turn: string, seat: number): void {
    const next = this.#at.next?.[turn];
    if (next === undefined) return;
    const { ply } = this.#at.view;
    this.#at = next;
    this.#over = next.view.to_move === null;
    const event = { seq: this.#seq + 1, kind: 'turn', seat, round: 1, ply: ply + 1, turn: next.turn ?? turn };
    this.#log = [...this.#log, event];
    this.#tell({
      type: 'update',
      from_seq: this.#seq,
      seq: (this.#seq += 1),
      events: [event],
      table: this.#table(),
      view: this.#view(),
    } as ServerMessage);
    this.onturn(next, turn, seat === this.script.seat);
    this.#answer();
  }

  /** The other side plays what the script says. */
  #answer(): void {
    const [reply] = Object.keys(this.#at.next ?? {});
    const { to_move } = this.#at.view;
    if (reply === undefined || to_move === null || to_move === this.script.seat) return;
    setTimeout(() => this.#play(reply, to_move), THINKING);
  }

  #view(): SeatView {
    const { seat, rules } = this.script;
    const legal = Object.keys(this.#at.next ?? {});
    const mine = this.#at.view.to_move === seat;
    const shared = { seat, rules, rounds: rules.rounds, round: 1, totals: [0, 0] };
    return { ...shared, ...this.#at.view, legal: mine ? legal : [] } as SeatView;
  }

  #table(): TableInfo {
    const { rules } = this.script;
    const score = [...this.#at.view.scores];
    return stillTable({
      match: 'guide',
      phase: this.#over ? 'between' : 'playing',
      seats: this.names.map((name) => ({ kind: 'person', name, present: true, continued: false })),
      rules,
      rounds_done: this.#over ? [{ start: 0, score, termination: null, turns: this.#at.view.ply }] : [],
      totals: this.#over ? score : [0, 0],
      starter: 0,
      workings: [...this.#at.workings],
    });
  }
}
