// Sheets on their way to a history: whose, in which order, and what is told of them afterwards.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { change } from '../settings.svelte.ts';
import { usualDeck } from './decks.ts';
import { HistoryDesk } from './history.svelte.ts';
import { writeLink } from './link.ts';
import { finish, newMatch, setSide, type Match } from './match.ts';
import { DEFAULTS } from './rules.ts';
import { forgetSent } from './sent.ts';
import { DeviceStore, type KeptSheet } from './storage.ts';

const match = (card: string): Match => finish(setSide(newMatch(['A', 'B'], DEFAULTS, usualDeck(5)), 0, [card as 'Y5']));
const sheet = (id: string, card = 'Y5'): KeptSheet => ({ id, changed: 1000, match: match(card) });

interface Call {
  body: { id: string; link: string; played: number; knows: string; over: boolean };
  answer: (status: number, body: object) => void;
  fail: () => void;
}
let calls: Call[] = [];
let store: DeviceStore;
let desk: HistoryDesk;
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 5));
const kept = async (at: number): Promise<void> => {
  calls[at]?.answer(201, { id: calls[at]?.body.id, link: calls[at]?.body.link });
  await settle();
};

/** The list of sheets in the history, as the room answers it. */
const history = (at: number, id: string, link: string): void =>
  calls[at]?.answer(200, { sheets: [{ id, link }], next: null });

beforeEach(() => {
  localStorage.clear();
  calls = [];
  store = new DeviceStore(localStorage);
  desk = new HistoryDesk(store, () => true);
  change({ account: 'Ada' });
  vi.stubGlobal(
    'fetch',
    (_: string, init?: RequestInit) =>
      new Promise((done, fail) => {
        calls.push({
          body: JSON.parse((init?.body as string | undefined) ?? '{}') as Call['body'],
          answer: (status, body) => done(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })),
          fail: () => fail(new TypeError('offline')),
        });
      }),
  );
});
afterEach(() => vi.unstubAllGlobals());

test('a sheet that waits for one person is not sent to the history of the next', async () => {
  const one = sheet('one000');
  store.keep(one);
  void desk.keep(one);
  calls[0]?.fail();
  await settle();
  expect(desk.standing(one)).toBe('waiting');
  change({ account: 'Bea' });
  await desk.catchUp();
  expect([calls.length, desk.standing(one)]).toEqual([1, 'absent']);
  change({ account: 'Ada' });
  void desk.catchUp();
  await kept(1);
  expect([calls.length, desk.standing(one)]).toEqual([2, 'kept']);
});

test('a sheet is said to be kept only for whose history it is in, and while it is', async () => {
  const one = sheet('one000');
  store.keep(one);
  void desk.keep(one);
  await kept(0);
  expect(desk.standing(one)).toBe('kept');
  change({ account: 'Bea' });
  expect(desk.standing(one)).toBe('absent');
  change({ account: 'Ada' });
  void desk.check(one);
  calls[1]?.answer(200, { sheets: [{ id: 'other0' }], next: null });
  await settle();
  expect(desk.standing(one)).toBe('absent');
  desk.found(one, writeLink(one.match));
  forgetSent('one000');
  expect(new HistoryDesk(store, () => true).standing(one)).toBe('absent');
});

test('what is finished while another is on its way is sent after it', async () => {
  const [one, two] = [sheet('one000'), sheet('two000')];
  const mended = sheet('one000', 'Y7');
  for (const each of [one, two]) store.keep(each);
  void desk.keep(one);
  void desk.keep(mended);
  void desk.keep(two);
  expect([calls.length, desk.standing(two)]).toEqual([1, 'waiting']);
  await kept(0);
  expect(desk.standing(mended)).toBe('sending');
  await kept(1);
  await kept(2);
  expect(calls.map(({ body }) => [body.id, body.link])).toEqual(
    [one, mended, two].map((each) => [each.id, writeLink(each.match)]),
  );
  expect([desk.standing(mended), desk.standing(two)]).toEqual(['kept', 'kept']);
});

test('a sheet that has grown beyond a link is not sent', async () => {
  const one = sheet('one000');
  const rounds = Array.from({ length: 100 }, () => one.match.rounds[0]!);
  const long = { ...one, match: { ...one.match, rounds } };
  store.keep(long);
  await desk.keep(long);
  await desk.catchUp();
  expect([calls.length, desk.standing(long)]).toEqual([0, 'absent']);
});

/** A sheet that the room has not taken, because the history has it otherwise. */
async function refused(): Promise<ReturnType<typeof sheet>> {
  const one = sheet('one000');
  store.keep(one);
  void desk.keep(one);
  calls[0]?.answer(409, { error: { reason: 'newer_sheet', text: 'later' } });
  await settle();
  history(1, 'one000', '#1.else');
  await settle();
  return one;
}

test('an older sheet is not put in the place of a newer one unless somebody says so', async () => {
  const one = await refused();
  expect(desk.standing(one)).toBe('older');
  await desk.catchUp();
  expect([calls.length, desk.elsewhere('one000')]).toEqual([2, '#1.else']);
  void desk.keep(one, true);
  expect(calls.map(({ body }) => body.over)).toEqual([false, undefined, true]);
  await kept(2);
  expect(desk.standing(one)).toBe('kept');
});

test('that a sheet goes over a newer one holds while it waits, and beyond a reload', async () => {
  const one = await refused();
  void desk.keep(one, true);
  calls[2]?.fail();
  await settle();
  const again = new HistoryDesk(new DeviceStore(localStorage), () => true);
  expect(again.standing(one)).toBe('waiting');
  void again.catchUp();
  expect(calls[3]?.body.over).toBe(true);
  await kept(3);
  const mended = sheet('one000', 'Y7');
  void again.keep(mended);
  // From then on the history has what this device has seen, whatever its clock says.
  expect(calls[4]?.body).toMatchObject({ over: false, knows: writeLink(one.match) });
});

test('what was known of the history holds while a sheet waits, and until it is refused', async () => {
  const [one, two, three] = [sheet('one000'), sheet('one000', 'Y7'), sheet('one000', 'Y9')];
  store.keep(one);
  const there = writeLink({ ...one.match, at: 1 });
  desk.found(one, there);
  expect(desk.standing(one)).toBe('kept');
  void desk.keep(two);
  calls[0]?.fail();
  await settle();
  void desk.keep(three);
  expect(calls.map(({ body }) => body.knows)).toEqual([there, there]);
  calls[1]?.answer(409, { error: { reason: 'newer_sheet', text: 'later' } });
  await settle();
  history(2, 'one000', '#1.else');
  await settle();
  void desk.keep(three);
  expect(calls[3]?.body.knows).toBe('');
});

test('a sheet that another device has written on is not said to be kept', async () => {
  const one = sheet('one000');
  store.keep(one);
  void desk.keep(one);
  await kept(0);
  void desk.check(one);
  history(1, 'one000', writeLink(one.match));
  await settle();
  expect(desk.standing(one)).toBe('kept');
  void desk.check(one);
  history(2, 'one000', '#1.else');
  await settle();
  expect([desk.standing(one), desk.elsewhere('one000')]).toEqual(['older', '#1.else']);
  // What is written on without an answer to that still knows nothing of what is there.
  void desk.keep(sheet('one000', 'Y7'));
  expect(calls[3]?.body).toMatchObject({ over: false, knows: '' });
  calls[3]?.fail();
  await settle();
  const again = new HistoryDesk(new DeviceStore(localStorage), () => true);
  again.found(one, writeLink(one.match));
  expect(again.standing(one)).toBe('kept');
});

test('a sheet whose answer was lost is written on without a question', async () => {
  const [one, two] = [sheet('one000'), sheet('one000', 'Y7')];
  store.keep(one);
  void desk.keep(one);
  calls[0]?.fail();
  await settle();
  store.keep(two);
  store.keepSteps('one000', { past: [one.match], future: [] });
  void desk.keep(two);
  calls[1]?.answer(409, { error: { reason: 'newer_sheet', text: 'otherwise' } });
  await settle();
  history(2, 'one000', writeLink(one.match));
  await settle();
  expect(calls[3]?.body).toMatchObject({ over: false, knows: writeLink(one.match), link: writeLink(two.match) });
  await kept(3);
  expect(desk.standing(two)).toBe('kept');
});
