// The socket of one table. It says hello with the last seq it has seen, keeps at most one command
// that was not yet answered and sends it again under the same id, comes back by itself when the line
// drops, and asks for everything anew when a number is missing.

import { backoff } from './backoff.ts';
import type {
  Chat,
  ChatRefused,
  ClientMessage,
  Presence,
  ProtocolVersion,
  ServerMessage,
  Snapshot,
  Update,
  Refused,
} from './wire.ts';

type SentCommand = Extract<ClientMessage, { cmd_id: string }>;
type Bare<T> = T extends unknown ? Omit<T, 'cmd_id'> : never;
/** A command before it has an id. */
export type Command = Bare<SentCommand>;

export type Link =
  | { kind: 'connecting'; attempt: number }
  | { kind: 'live' }
  | { kind: 'lost'; retryAt: number; attempt: number }
  /** It will not come back by itself; `reason` is the server's. */
  | { kind: 'stopped'; reason: string; text: string };

export interface Socket {
  send(data: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
}

export interface Surroundings {
  open(): Socket;
  now(): number;
  random(): number;
  commandId(): string;
  setTimer(callback: () => void, milliseconds: number): unknown;
  clearTimer(timer: unknown): void;
}

export interface Listener {
  link(link: Link): void;
  snapshot(message: Snapshot): void;
  update(message: Update): void;
  presence(message: Presence): void;
  chat(message: Chat | ChatRefused): void;
  /** The command was accepted (null) or refused. */
  answered(command: Command, refusal: Refused | null): void;
  pending(command: Command | null): void;
}

/** What this page was built for; a room that has moved on says so. */
const PROTOCOL: ProtocolVersion = 5;
/** Silence after which a line is asked whether it is still there, and then given up. */
const QUIET = 20_000;
const PATIENCE = 8_000;
/** Reasons after which trying again by itself would not help. */
const FINAL = new Set(['no_table', 'not_allowed', 'moved', 'protocol', 'kicked', 'banned', 'locked']);

export class TableSocket {
  #socket: Socket | null = null;
  #retry: unknown = null;
  #watch: unknown = null;
  #attempt = 0;
  #seq = 0;
  /** The room's name for its present opening: after another one the numbers may mean other events. */
  #run: string | null = null;
  #command: SentCommand | null = null;
  #ended = false;
  #asked = false;

  constructor(
    private readonly match: string,
    private readonly around: Surroundings,
    private readonly listener: Listener,
    /** Which of two seats this browser wants, where it holds both. */
    private readonly seat: number | null = null,
  ) {}

  /** The last seq seen. */
  get seq(): number {
    return this.#seq;
  }

  /** The command that awaits its answer. */
  get pending(): Command | null {
    return this.#command;
  }

  connect(): void {
    this.#clear();
    this.#ended = false;
    this.listener.link({ kind: 'connecting', attempt: this.#attempt });
    const socket = this.around.open();
    this.#socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event) => this.#receive(socket, event.data);
    socket.onclose = () => this.#dropped(socket);
    socket.onerror = () => undefined;
    this.#listen(PATIENCE);
  }

  /** Try at once instead of waiting (the network is back, or the person asks). */
  retryNow(): void {
    if (this.#socket === null && !this.#ended) this.connect();
  }

  /** Leave for good. */
  close(): void {
    this.#ended = true;
    this.#clear();
  }

  /**
   * Send a command, or keep it until the line is back. False while another awaits its answer: a
   * second one would be decided on what the first may change.
   */
  submit(command: Command): boolean {
    if (this.#command !== null || this.#ended) return false;
    this.#command = { ...command, cmd_id: this.around.commandId() } as SentCommand;
    this.listener.pending(command);
    if (this.#live) this.#send(this.#command);
    return true;
  }

  /** Write to the table; false while there is no line, since talk is not sent again later. */
  say(say: { text: string } | { phrase: string }): boolean {
    if (this.#live) this.#send({ type: 'say', ...say });
    return this.#live;
  }

  /** Say whether the page is looked at; the room takes it that it is until it hears otherwise. */
  look(looking: boolean): void {
    this.#looking = looking;
    if (this.#live) this.#send({ type: 'look', looking });
  }

  #live = false;
  #looking = true;

  #hello(): void {
    const { match, seat } = this;
    this.#send({ type: 'hello', match, last_seq: this.#seq, protocol: PROTOCOL, seat, run: this.#run });
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive(socket: Socket, data: unknown): void {
    if (socket !== this.#socket || typeof data !== 'string') return;
    this.#asked = false;
    this.#listen(QUIET);
    this.#handle(JSON.parse(data) as ServerMessage);
  }

  #handle(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.#seq = message.seq;
        return this.listener.snapshot(message);
      case 'update':
        return this.#update(message);
      case 'ready':
        this.#run = message.run;
        return this.#ready(message.seq);
      case 'presence':
        return this.listener.presence(message);
      case 'chat':
      case 'chat_refused':
        return this.listener.chat(message);
      case 'ack':
        return this.#answered(message.cmd_id, null);
      case 'refused':
        return this.#answered(message.cmd_id, message);
      case 'failed':
        return this.#failed(message.reason, message.text);
      case 'pong':
        return;
    }
  }

  #update(message: Update): void {
    if (message.seq <= this.#seq) return;
    if (message.from_seq > this.#seq) return this.#resync();
    const events = message.events.filter((event) => event.seq > this.#seq);
    this.#seq = message.seq;
    this.listener.update({ ...message, events });
  }

  /** Something was missed: ask for everything from the beginning. */
  #resync(): void {
    this.#seq = 0;
    this.connect();
  }

  #ready(seq: number): void {
    if (seq > this.#seq) return this.#resync();
    this.#attempt = 0;
    this.#live = true;
    this.listener.link({ kind: 'live' });
    if (!this.#looking) this.#send({ type: 'look', looking: false });
    if (this.#command !== null) this.#send(this.#command);
  }

  #answered(id: string, refusal: Refused | null): void {
    const sent = this.#command;
    if (sent === null || sent.cmd_id !== id) return;
    this.#command = null;
    this.listener.pending(null);
    const { cmd_id: _id, ...command } = sent;
    this.listener.answered(command as Command, refusal);
  }

  #failed(reason: string, text: string): void {
    if (!FINAL.has(reason)) return this.#dropped(this.#socket);
    this.#ended = true;
    this.#clear();
    this.#command = null;
    this.listener.pending(null);
    this.listener.link({ kind: 'stopped', reason, text });
  }

  #dropped(socket: Socket | null): void {
    if (socket !== this.#socket || this.#ended) return;
    this.#clear();
    const wait = backoff(this.#attempt, () => this.around.random());
    this.#attempt += 1;
    const retryAt = this.around.now() + wait;
    this.listener.link({ kind: 'lost', retryAt, attempt: this.#attempt });
    this.#retry = this.around.setTimer(() => this.connect(), wait);
  }

  /** After a while of silence ask; if nothing comes even then, the line is dead. */
  #listen(milliseconds: number): void {
    this.around.clearTimer(this.#watch);
    this.#watch = this.around.setTimer(() => {
      if (!this.#live || this.#asked) return this.#dropped(this.#socket);
      this.#asked = true;
      this.#send({ type: 'ping' });
      this.#listen(PATIENCE);
    }, milliseconds);
  }

  #clear(): void {
    this.around.clearTimer(this.#retry);
    this.around.clearTimer(this.#watch);
    this.#live = false;
    this.#asked = false;
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }
}
