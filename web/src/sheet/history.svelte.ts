// A finished sheet in the history of whoever is signed in. Nobody else's sheet is sent anywhere, and
// the room is asked for nothing until a match is finished.

import { historyApi } from '../net/history.ts';
import { change, settings } from '../settings.svelte.ts';
import { writeLink } from './link.ts';
import type { KeptSheet, SheetStore } from './storage.ts';

/** How a sheet stands: not in the history, on its way, waiting for the room, in it, or refused. */
export type Standing = 'absent' | 'sending' | 'waiting' | 'kept' | 'refused';

/** What a sheet is remembered by that waits for the room. */
const WAITING = '';

export class HistoryDesk {
  private readonly store: SheetStore;
  private readonly renamed: (id: string, to: string) => boolean;
  private sending = $state('');
  private refused = $state.raw<{ id: string; text: string } | null>(null);
  /** Grows with everything that the store has been told. */
  private told = $state(0);

  /**
   * `renamed` is asked to keep a sheet by the name that the history has for it already, and says whether
   * it does: what is written on it later is the same sheet there.
   */
  constructor(store: SheetStore, renamed: (id: string, to: string) => boolean) {
    this.store = store;
    this.renamed = renamed;
  }

  /** Whether this browser is signed in, as far as it knows. */
  get open(): boolean {
    return settings.account !== '';
  }

  standing(sheet: KeptSheet): Standing {
    void this.told;
    if (this.sending === sheet.id) return 'sending';
    if (this.refused?.id === sheet.id) return 'refused';
    const sent = this.store.sent(sheet.id);
    if (sent === null) return 'absent';
    if (sent === WAITING) return 'waiting';
    return sent === writeLink(sheet.match) ? 'kept' : 'absent';
  }

  reason(id: string): string {
    return this.refused?.id === id ? this.refused.text : '';
  }

  /** Keep a sheet; without an answer it waits until there is one. */
  async keep(sheet: KeptSheet): Promise<void> {
    if (!this.open || this.sending !== '') return;
    this.sending = sheet.id;
    this.refused = null;
    const link = writeLink(sheet.match);
    const answer = await historyApi.keepSheet({ id: sheet.id, link, played: sheet.changed });
    this.sending = '';
    if (answer.ok) {
      const { id } = answer.value;
      this.tell(this.renamed(sheet.id, id) ? id : sheet.id, link);
    } else if (answer.problem.reason === 'no_answer' || answer.problem.reason === 'odd_answer') {
      this.tell(sheet.id, WAITING);
    } else {
      // Another page may have signed out.
      if (answer.problem.reason === 'no_account') change({ account: '' });
      this.refused = { id: sheet.id, text: answer.problem.text };
    }
  }

  /** A sheet that came out of the history is in it, and need not be sent there again. */
  found(sheet: KeptSheet): void {
    this.tell(sheet.id, writeLink(sheet.match));
  }

  /** Send what has waited for the room. */
  async catchUp(): Promise<void> {
    for (const sheet of this.store.sheets()) {
      if (this.store.sent(sheet.id) === WAITING) await this.keep(sheet);
      if (this.store.sent(sheet.id) === WAITING) return;
    }
  }

  private tell(id: string, link: string): void {
    this.store.setSent(id, link);
    this.told += 1;
  }
}
