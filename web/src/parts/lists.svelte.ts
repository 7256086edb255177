// The tables that a person may go to, looked at anew every few seconds while the page is seen.

import { api } from '../net/api.ts';
import { door } from '../net/door.svelte.ts';
import type { OpenTable, TableSummary } from '../net/wire.ts';

const EVERY = 4000;

export class Lists {
  /** This browser's own, those that wait for the person first. */
  mine = $state.raw<readonly TableSummary[]>([]);
  /** The room's open ones. */
  open = $state.raw<readonly OpenTable[]>([]);
  /** Whether open tables stand before the settings of a new one. */
  openFirst = $state(false);
  /** Once the person has begun to choose, nothing may move under the finger. */
  touched = false;

  /** `fresh` where the person looks anew: then everything may take its best place. */
  async look(fresh = false): Promise<void> {
    const [mine, open] = await Promise.all([api.tables(), api.lobby()]);
    if (mine.ok) this.mine = fresh ? mine.value.tables : inPlace(mine.value.tables, this.mine);
    if (!open.ok) return;
    this.open = open.value.tables;
    if (fresh || !this.touched) this.openFirst = this.open.some((table) => !table.mine);
  }

  /** Go on looking until the answer is called. */
  watch(): () => void {
    const timer = setInterval(() => void (document.hidden || door.shut || this.look()), EVERY);
    const again = (): void => void (document.hidden || this.look(true));
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }
}

/** The rows where they stood before, new ones behind them. */
function inPlace(rows: readonly TableSummary[], before: readonly TableSummary[]): TableSummary[] {
  const place = ({ match }: TableSummary): number => {
    const at = before.findIndex((each) => each.match === match);
    return at < 0 ? before.length : at;
  };
  return [...rows].sort((a, b) => place(a) - place(b));
}
