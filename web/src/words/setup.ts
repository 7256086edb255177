// Tests speak English unless they say otherwise.
import { speak } from './language.svelte.ts';

await speak('en');
