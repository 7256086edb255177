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
  ['/t/', { page: 'nowhere' }],
  ['/x/abc', { page: 'nowhere' }],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
