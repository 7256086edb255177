import { beforeEach, describe, expect, test } from 'vitest';
import { backoff, FIRST_WAIT, LONGEST_WAIT } from './backoff.ts';
import { TableSocket, type Link, type Listener, type Socket, type Surroundings } from './socket.ts';
import type { ClientMessage, Refused, ServerMessage, Snapshot, TableInfo, Update } from './wire.ts';

class FakeSocket implements Socket {
  sent: ClientMessage[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientMessage);
  }
  close(): void {
    this.closed = true;
  }
  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

class World implements Surroundings {
  sockets: FakeSocket[] = [];
  clock = 0;
  chance = 0.5;
  ids = 0;
  timers = new Map<number, { at: number; callback: () => void }>();
  #next = 1;
  open(): Socket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
  now = (): number => this.clock;
  random = (): number => this.chance;
  commandId = (): string => `command-${++this.ids}`;
  setTimer(callback: () => void, milliseconds: number): unknown {
    this.timers.set(this.#next, { at: this.clock + milliseconds, callback });
    return this.#next++;
  }
  clearTimer(timer: unknown): void {
    this.timers.delete(timer as number);
  }
  pass(milliseconds: number): void {
    const end = this.clock + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end);
      const first = due.sort(([, a], [, b]) => a.at - b.at)[0];
      if (first === undefined) break;
      this.timers.delete(first[0]);
      this.clock = first[1].at;
      first[1].callback();
    }
    this.clock = end;
  }
  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (last === undefined) throw new Error('no socket was opened');
    return last;
  }
}

class Heard implements Listener {
  links: Link[] = [];
  snapshots: Snapshot[] = [];
  updates: Update[] = [];
  answers: (Refused | null)[] = [];
  link = (link: Link): void => void this.links.push(link);
  snapshot = (message: Snapshot): void => void this.snapshots.push(message);
  update = (message: Update): void => void this.updates.push(message);
  presence = (): void => undefined;
  chat = (): void => undefined;
  answered = (_command: unknown, refusal: Refused | null): void => void this.answers.push(refusal);
  pending = (): void => undefined;
  get last(): Link | undefined {
    return this.links.at(-1);
  }
}

const table = { match: 'm1' } as TableInfo;
const snapshot = (seq: number): Snapshot => ({
  type: 'snapshot',
  seq,
  seat: 0,
  table,
  view: null,
  log: [],
});
const update = (from: number, seq: number): Update => ({
  type: 'update',
  from_seq: from,
  seq,
  events: Array.from({ length: seq - from }, (_, index) => ({
    seq: from + 1 + index,
    kind: 'turn',
    seat: 0,
    round: 1,
    ply: 1,
    turn: '+R5*',
  })),
  table,
  view: null,
});
const turn = { type: 'play', round: 1, ply: 0, turn: '+R5*' } as const;

let world: World;
let heard: Heard;
let line: TableSocket;

beforeEach(() => {
  world = new World();
  heard = new Heard();
  line = new TableSocket('m1', world, heard);
});

function live(seq = 5): void {
  line.connect();
  world.socket.onopen?.();
  world.socket.says(snapshot(seq));
  world.socket.says({ type: 'ready', seq, run: 'r1' });
}

describe('saying hello', () => {
  test('it names the match and what was last seen', () => {
    line.connect();
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([{ type: 'hello', match: 'm1', last_seq: 0, protocol: 5, seat: null, run: null }]);
  });

  test('after a drop it names the seq reached', () => {
    live();
    world.socket.says(update(5, 7));
    world.socket.onclose?.();
    world.pass(LONGEST_WAIT);
    world.socket.onopen?.();
    expect(world.socket.sent[0]).toEqual({ type: 'hello', match: 'm1', last_seq: 7, protocol: 5, seat: null, run: 'r1' });
  });
});

describe('updates', () => {
  test('what was already seen is not shown twice', () => {
    live();
    world.socket.says(update(5, 6));
    world.socket.says(update(4, 6));
    world.socket.says(update(5, 7));
    expect(heard.updates.map((each) => each.events.map((event) => event.seq))).toEqual([[6], [7]]);
  });

  test('a gap asks for everything anew on a fresh socket', () => {
    live();
    const first = world.socket;
    first.says(update(7, 8));
    expect(heard.updates).toEqual([]);
    expect(first.closed).toBe(true);
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([{ type: 'hello', match: 'm1', last_seq: 0, protocol: 5, seat: null, run: 'r1' }]);
  });

  test('ready beyond what was seen is a gap as well', () => {
    line.connect();
    world.socket.onopen?.();
    world.socket.says(snapshot(5));
    world.socket.says({ type: 'ready', seq: 6, run: 'r1' });
    expect(world.sockets).toHaveLength(2);
    expect(heard.last?.kind).toBe('connecting');
  });
});

describe('the command', () => {
  test('only one is on its way at a time', () => {
    live();
    expect(line.submit(turn)).toBe(true);
    expect(line.submit(turn)).toBe(false);
    world.socket.says({ type: 'ack', cmd_id: 'command-1', seq: 6 });
    expect(heard.answers).toEqual([null]);
    expect(line.submit(turn)).toBe(true);
  });

  test('without an answer it is sent again under the same id, once the line is level', () => {
    live();
    line.submit(turn);
    world.socket.onclose?.();
    world.pass(LONGEST_WAIT);
    world.socket.onopen?.();
    expect(world.socket.sent).toHaveLength(1);
    world.socket.says({ type: 'ready', seq: 5, run: 'r1' });
    expect(world.socket.sent[1]).toEqual({ ...turn, cmd_id: 'command-1' });
  });

  test('given while the line is down, it waits', () => {
    live();
    world.socket.onclose?.();
    expect(line.submit(turn)).toBe(true);
    world.pass(LONGEST_WAIT);
    world.socket.onopen?.();
    world.socket.says({ type: 'ready', seq: 5, run: 'r1' });
    expect(world.socket.sent[1]).toMatchObject({ type: 'play', cmd_id: 'command-1' });
  });

  test('an answer to another id changes nothing', () => {
    live();
    line.submit(turn);
    world.socket.says({ type: 'ack', cmd_id: 'somebody-else', seq: 6 });
    expect(heard.answers).toEqual([]);
    expect(line.pending).not.toBeNull();
  });
});

describe('the line', () => {
  test('waits grow and carry full jitter', () => {
    expect(backoff(0, () => 1)).toBe(FIRST_WAIT);
    expect(backoff(3, () => 1)).toBe(4000);
    expect(backoff(60, () => 1)).toBe(LONGEST_WAIT);
    expect(backoff(60, () => 0)).toBe(0);
  });

  test('each failed try waits longer; success begins anew', () => {
    world.chance = 1;
    line.connect();
    const waits: number[] = [];
    for (let index = 0; index < 7; index++) {
      world.socket.onclose?.();
      const { last } = heard;
      if (last?.kind !== 'lost') throw new Error('the drop was not noticed');
      waits.push(last.retryAt - world.clock);
      world.pass(last.retryAt - world.clock);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000]);
    world.socket.onopen?.();
    world.socket.says(snapshot(1));
    world.socket.says({ type: 'ready', seq: 1, run: 'r1' });
    world.socket.onclose?.();
    expect(heard.last).toMatchObject({ kind: 'lost', retryAt: world.clock + 500 });
  });

  test('a silent line is asked, and given up if nothing comes', () => {
    live();
    world.pass(20_000);
    expect(world.socket.sent.at(-1)).toEqual({ type: 'ping' });
    world.socket.says({ type: 'pong', n: 0 });
    world.pass(20_000);
    expect(world.sockets).toHaveLength(1);
    world.pass(8_000);
    expect(heard.links.some((link) => link.kind === 'lost')).toBe(true);
  });

  test.each(['no_table', 'not_allowed', 'moved', 'protocol'])('%s is final', (reason) => {
    live();
    world.socket.says({ type: 'failed', reason, text: 'words' });
    expect(heard.last).toEqual({ kind: 'stopped', reason, text: 'words' });
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    expect(line.submit(turn)).toBe(false);
  });

  test('a shutdown is only a drop', () => {
    live();
    world.socket.says({ type: 'failed', reason: 'shutdown', text: 'words' });
    expect(heard.last?.kind).toBe('lost');
    world.pass(FIRST_WAIT);
    expect(world.sockets).toHaveLength(2);
  });

  test('a person may try at once', () => {
    live();
    world.socket.onclose?.();
    line.retryNow();
    expect(world.sockets).toHaveLength(2);
    line.retryNow();
    expect(world.sockets).toHaveLength(2);
  });

  test('left for good, it stays away', () => {
    live();
    line.close();
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
  });
});

describe('looking', () => {
  const looks = (): ClientMessage[] => world.socket.sent.filter((each) => each.type === 'look');

  test('is told when it changes, and nothing is said of a page that is looked at', () => {
    live();
    expect(looks()).toEqual([]);
    line.look(false);
    line.look(true);
    expect(looks()).toEqual([
      { type: 'look', looking: false },
      { type: 'look', looking: true },
    ]);
  });

  test('away is told again on a new line, once it is level', () => {
    live();
    line.look(false);
    world.socket.onclose?.();
    line.retryNow();
    world.socket.onopen?.();
    expect(looks()).toEqual([]);
    world.socket.says({ type: 'ready', seq: 5, run: 'r1' });
    expect(looks()).toEqual([{ type: 'look', looking: false }]);
  });
});
