import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import App from './App.svelte';

test('the page mounts and shows its name', () => {
  const app = mount(App, { target: document.body });
  flushSync();
  expect(document.querySelector('h1')?.textContent).toBe('Lost Cities');
  void unmount(app);
});
