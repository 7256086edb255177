// The room's HTTP API. Every answer is a value: what was asked for, or a problem in words.

import { complaint, noAnswer, oddAnswer, refusal } from '../words/net.ts';
import { heard } from './door.svelte.ts';
import type {
  ClassInfo,
  Desk,
  Lobby,
  DeviceCode,
  ErrorBody,
  InviteInfo,
  Joined,
  MyTables,
  NewTable,
  Problem,
  RoomInfo,
  TableMade,
} from './wire.ts';

/** Why something was not done: for the program, and in the language of the page. */
export type Trouble = Pick<Problem, 'reason' | 'text'>;

export type Answer<T> = { ok: true; value: T } | { ok: false; problem: Trouble };

export async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>> {
  const request: RequestInit = { method, headers: { accept: 'application/json' } };
  if (method === 'POST') {
    request.headers = { ...request.headers, 'content-type': 'application/json' };
    request.body = JSON.stringify(body ?? {});
  }
  try {
    const response = await fetch(path, request);
    return await read<T>(response);
  } catch {
    return { ok: false, problem: { reason: 'no_answer', text: noAnswer() } };
  }
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (response.ok) return { ok: true, value: value as T };
    const problem = (value as ErrorBody).error;
    if (typeof problem?.text === 'string') {
      heard(problem.reason);
      return { ok: false, problem: await inWords(problem) };
    }
  } catch {
    // Not JSON: a proxy's own page, perhaps.
  }
  return { ok: false, problem: { reason: 'odd_answer', text: oddAnswer(response.status) } };
}

/** The room's sentence in the language of the page, where the page knows its reason. */
const inWords = async (problem: Problem): Promise<Trouble> => ({
  reason: problem.reason,
  text: refusal(problem.reason, await complaint(problem)),
});

const at = (match: string): string => `/api/tables/${encodeURIComponent(match)}`;

export const api = {
  room: () => ask<RoomInfo>('GET', '/api/room'),
  tables: () => ask<MyTables>('GET', '/api/tables'),
  make: (table: NewTable) => ask<TableMade>('POST', '/api/tables', table),
  invite: (code: string) => ask<InviteInfo>('GET', `/api/invites/${encodeURIComponent(code)}`),
  join: (code: string, name: string) =>
    ask<Joined>('POST', `/api/invites/${encodeURIComponent(code)}`, { name }),
  lobby: () => ask<Lobby>('GET', '/api/lobby'),
  sit: (match: string, name: string) => ask<Joined>('POST', `${at(match)}/join`, { name }),
  forgetChat: (match: string) => ask<object>('POST', `${at(match)}/forget-chat`),
  enter: (password: string) => ask<object>('POST', '/api/enter', { password }),
  group: (code: string) => ask<ClassInfo>('GET', `/api/classes/${encodeURIComponent(code)}`),
  arrive: (code: string, name: string) =>
    ask<Joined>('POST', `/api/classes/${encodeURIComponent(code)}`, { name }),
  desk: () => ask<Desk>('GET', '/api/host'),
  signIn: (code: string) => ask<object>('POST', '/api/host', { code }),
  order: (path: string, body: object) => ask<object>('POST', `/api/host/${path}`, body),
  leave: (match: string) => ask<object>('POST', `${at(match)}/leave`),
  again: (match: string) => ask<TableMade>('POST', `${at(match)}/again`),
  deviceCode: (match: string) => ask<DeviceCode>('POST', `${at(match)}/device`),
  useDeviceCode: (code: string) => ask<Joined>('POST', '/api/device', { code }),
  recordPath: (match: string) => `${at(match)}/record`,
  qrPath: (match: string) => `${at(match)}/qr.svg`,
};

/** The room, for a page that asks it for nothing else at first: who owes the password is at the door at once. */
export async function behindDoor(): Promise<Answer<RoomInfo>> {
  const answer = await api.room();
  if (answer.ok && answer.value.locked) heard('locked');
  return answer;
}
