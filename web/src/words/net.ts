import type { Problem, Said } from '../net/wire.ts';
import { find, need, t, words, type Values } from './language.svelte.ts';
import { shortened } from './plain.ts';

export const noAnswer = (): string => t('net.noAnswer');
export const oddAnswer = (status: number): string => t('net.oddAnswer', { status });
export const reload = (): string => t('net.reload');

/** What the room refused, by its reason; in the room's own words where the page knows none. */
export const refusal = (reason: string, text: string): string =>
  find(`net.refusals.${reason}`, { text }) ?? text;

/** What of a file, or of what somebody has typed, is shown in a sentence at most. */
const LONGEST = 200;

/** What the room complains of, in the language of the page; in the room's own words where the page lacks one. */
export async function complaint({ text, said }: Problem): Promise<string> {
  if (said == null) return text;
  try {
    await need('faults');
  } catch {
    return text;
  }
  return sentence(said) ?? text;
}

function sentence({ code, facts }: Said): string | undefined {
  const told: Values = {};
  for (const [name, fact] of Object.entries(facts)) {
    const value = typeof fact === 'object' ? sentence(fact) : fact;
    if (value === undefined) return undefined;
    told[name] = typeof fact === 'string' ? cut(fact) : value;
  }
  return find(`faults.${code}`, told);
}

function cut(fact: string): string {
  const short = shortened(fact, LONGEST);
  return short === fact ? fact : `${short}…`;
}

export const LINK = words('net.link', {
  retrying: (seconds: number): string =>
    seconds <= 0 ? t('net.link.retryingNow') : t('net.link.retrying', { seconds }),
});

/** Why a table cannot be shown, by the room's reason. */
export function stopped(reason: string): { title: string; text: string } | undefined {
  const title = find(`net.stopped.${reason}.title`);
  const text = find(`net.stopped.${reason}.text`);
  return title === undefined || text === undefined ? undefined : { title, text };
}
