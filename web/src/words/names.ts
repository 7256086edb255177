import { lookup } from './language.svelte.ts';

const PROGRAMS = lookup('home.programs');

/** What sits in a seat by its name: a person as they call themselves, a program of the room in this language. */
export function nameOf(kind: string | undefined, name: string): string {
  if (kind !== 'agent') return name;
  return PROGRAMS[name.toLowerCase().replaceAll(' ', '_')] ?? name;
}

/** The same of both seats. */
export function namesOf(kinds: readonly string[], names: readonly string[]): string[] {
  return names.map((name, seat) => nameOf(kinds[seat], name));
}
