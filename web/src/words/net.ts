import { find, t, words } from './language.svelte.ts';

export const noAnswer = (): string => t('net.noAnswer');
export const oddAnswer = (status: number): string => t('net.oddAnswer', { status });
export const reload = (): string => t('net.reload');

/** What the room refused, by its reason; in the room's own words where the page knows none. */
export const refusal = (reason: string, text: string): string =>
  find(`net.refusals.${reason}`, { text }) ?? text;

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
