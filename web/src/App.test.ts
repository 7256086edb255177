import { mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import App from './App.svelte';
import { noAnswer } from './words/net.ts';

afterEach(() => vi.unstubAllGlobals());

/** The pages are files of their own. */
const LOADS = { timeout: 4000 };
const heading = (): string | null | undefined => document.querySelector('h1')?.textContent;

test('the page mounts and shows the name of its room', async () => {
  const room = { name: 'The attic', agents: [], presets: [], secure: true };
  const answers: Record<string, unknown> = { '/api/room': room, '/api/tables': { tables: [] } };
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  vi.stubGlobal('fetch', (path: string) => asked.then(() => Response.json(answers[path])));
  const app = mount(App, { target: document.body });
  await vi.waitFor(() => expect(heading()).toBe('Lost Cities'), LOADS);
  answer();
  await vi.waitFor(() => expect(heading()).toBe('The attic'));
  await unmount(app);
});

test('a room that does not answer is told in words', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')));
  const app = mount(App, { target: document.body });
  await vi.waitFor(() => expect(document.body.textContent).toContain(noAnswer()), LOADS);
  await unmount(app);
});
