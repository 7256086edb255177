// Tests speak English unless they say otherwise.
import { need, speak } from './language.svelte.ts';

await speak('en');
await need('sheet');
await need('speech');
await need('notices');
await need('host');
