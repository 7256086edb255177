import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NoticeInfo } from '../net/wire.ts';
import { bytesOf, deviceOf, type Facts } from './device.ts';
import { hideNotice, showNotice } from './show.ts';

const INFO: NoticeInfo = {
  push: 'on',
  key: 'AQID',
  here: false,
  browsers: 0,
  mail: false,
  address: null,
  pending: null,
  when: 'unseen',
};
const LAPTOP: Facts = {
  secure: true,
  apple: false,
  installed: false,
  permission: 'default',
  pushes: true,
  subscribed: false,
};

describe('what a device can do', () => {
  test.each<[string, Partial<Facts>, Partial<NoticeInfo>, string, string]>([
    ['a browser that was not asked yet', {}, {}, 'ready', 'ready'],
    ['allowed', { permission: 'granted' }, {}, 'on', 'ready'],
    ['switched on', { permission: 'granted', subscribed: true }, { here: true }, 'on', 'on'],
    ['forgotten by the room', { permission: 'granted', subscribed: true }, {}, 'on', 'ready'],
    ['gone from the browser', { permission: 'granted' }, { here: true }, 'on', 'ready'],
    ['blocked', { permission: 'denied', subscribed: true }, { here: true }, 'blocked', 'blocked'],
    ['plain HTTP', { secure: false, permission: null, pushes: false }, {}, 'insecure', 'insecure'],
    ['a phone by Apple', { apple: true, permission: null, pushes: false }, {}, 'install', 'install'],
    ['the same, installed', { apple: true, installed: true }, {}, 'ready', 'ready'],
    ['an old one, installed', { apple: true, installed: true, permission: null, pushes: false }, {}, 'none', 'none'],
    ['no push', { pushes: false }, {}, 'ready', 'none'],
    ['a room without', { permission: 'granted' }, { push: 'missing', key: null }, 'on', 'room'],
    ['a room without, plain HTTP', { secure: false, permission: null }, { push: 'off', key: null }, 'insecure', 'room'],
  ])('%s', (_, facts, info, system, push) => {
    expect(deviceOf({ ...LAPTOP, ...facts }, { ...INFO, ...info })).toEqual({ system, push });
  });

  test('the key is read as browsers want it', () => {
    expect([...bytesOf('-_8A')]).toEqual([251, 255, 0]);
  });
});

describe('a notification that the page shows', () => {
  const NOTICE = { title: 'a', body: 'b', tag: 'turn-m', url: '/t/m' };
  afterEach(() => vi.unstubAllGlobals());

  test('is not shown unless it is allowed', async () => {
    vi.stubGlobal('Notification', { permission: 'default' });
    expect(await showNotice(NOTICE)).toBe(false);
  });

  test('goes by the worker, with the tag that push has too', async () => {
    const shown = vi.fn(() => Promise.resolve());
    const close = vi.fn();
    vi.stubGlobal('Notification', { permission: 'granted' });
    vi.stubGlobal('navigator', {
      serviceWorker: {
        getRegistration: () =>
          Promise.resolve({ showNotification: shown, getNotifications: () => Promise.resolve([{ close }]) }),
      },
    });
    expect(await showNotice(NOTICE)).toBe(true);
    expect(shown).toHaveBeenCalledWith('a', expect.objectContaining({ tag: 'turn-m', data: { url: '/t/m' } }));
    await hideNotice('turn-m');
    expect(close).toHaveBeenCalledOnce();
  });

  test('needs no worker on a desk', async () => {
    class Shown {
      static permission = 'granted';
      static titles: string[] = [];
      constructor(title: string) {
        Shown.titles.push(title);
      }
    }
    vi.stubGlobal('Notification', Shown);
    expect(await showNotice(NOTICE)).toBe(true);
    expect(Shown.titles).toEqual(['a']);
  });
});
