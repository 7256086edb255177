import { expect, test } from 'vitest';
import { routeOf } from './router.svelte.ts';

test.each([
  ['/', { page: 'home' }],
  ['/t/abc', { page: 'table', match: 'abc' }],
  ['/i/x-y/', { page: 'invite', code: 'x-y' }],
  ['/sheet', { page: 'sheet' }],
  ['/rules', { page: 'rules' }],
  ['/rules/a-single-card', { page: 'question', question: 'a-single-card' }],
  ['/learn/', { page: 'learn' }],
  ['/rules/A', { page: 'nowhere' }],
  ['/notices', { page: 'notices' }],
  ['/notices/confirm/c0de', { page: 'mail', act: 'confirm', code: 'c0de' }],
  ['/notices/stop/c0de/', { page: 'mail', act: 'stop', code: 'c0de' }],
  ['/notices/other/c0de', { page: 'nowhere' }],
  ['/t/', { page: 'nowhere' }],
  ['/x/abc', { page: 'nowhere' }],
  ['/host/', { page: 'host' }],
  ['/games/', { page: 'games' }],
  ['/device/', { page: 'home' }],
  ['/t/%ff', { page: 'nowhere' }],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
