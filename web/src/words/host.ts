import { region, t, words } from './language.svelte.ts';

/** A time of this day, to the second; of another day with its date. */
function timeOf(at: number): string {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(region(), { timeStyle: 'medium', ...(today ? {} : { dateStyle: 'short' }) });
}

export const HOST = words('host', {
  state: (n: number): string => t('host.state', { n }),
  waiting: (name: string): string => t('host.waiting', { name }),
  waitedGone: (name: string): string => t('host.waitedGone', { name }),
  kickSure: (name: string): string => t('host.kickSure', { name }),
  banSure: (name: string): string => t('host.banSure', { name }),
  /** Without the address where it is not known just now. */
  banAddressSure: (name: string, address: string | null): string =>
    address === null ? t('host.banSure', { name }) : t('host.banAddressSure', { name, address }),
  waitHint: (): string => t('host.waitHint', { seatOdd: t('host.seatOdd') }),
  /** What becomes of the odd one of a class. */
  odd: (agent: string | null, wait: number): string =>
    agent === null
      ? t('host.oddWaits')
      : wait > 0
        ? t('host.oddAfter', { agent, wait })
        : t('host.oddBidden', { agent, seatOdd: t('host.seatOdd') }),
  begun: (at: number): string => t('host.begun', { time: timeOf(at) }),
  last: (at: number): string => t('host.last', { time: timeOf(at) }),
  progress: (round: number, turns: number): string => t('host.progress', { round, turns }),
});
