import { expect, test } from 'vitest';
import { routeOf } from './router.svelte.ts';

test.each([
  ['/', { page: 'home' }],
  ['/t/abc', { page: 'table', match: 'abc' }],
  ['/i/x-y/', { page: 'invite', code: 'x-y' }],
  ['/sheet', { page: 'sheet' }],
  ['/t/', { page: 'nowhere' }],
  ['/x/abc', { page: 'nowhere' }],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
