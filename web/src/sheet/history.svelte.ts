// A finished sheet in the history of whoever is signed in. Nobody else's sheet is sent anywhere, and
// the room is asked for nothing until a match is finished.

import { historyApi } from '../net/history.ts';
import { change, settings } from '../settings.svelte.ts';
import { linkBar, writeLink } from './link.ts';
import type { Sent } from './sent.ts';
import type { KeptSheet, SheetStore } from './storage.ts';

/**
 * How a sheet stands: not in the history, on its way, waiting for the room, in it, refused, or there as
 * it was written on elsewhere.
 */
export type Standing = 'absent' | 'sending' | 'waiting' | 'kept' | 'refused' | 'older';

/** What a sheet is remembered by that waits for the room. */
const WAITING = '';
/** What the room will say to the same sheet again, however often it is sent. */
const FINAL = ['bad_sheet', 'bad_body'];

interface Errand {
  sheet: KeptSheet;
  account: string;
}

export class HistoryDesk {
  private readonly store: SheetStore;
  private readonly renamed: (id: string, to: string) => boolean;
  private sending = $state('');
  /** What was finished while another sheet was on its way. */
  private readonly next = new Map<string, Errand>();
  private refused = $state.raw<{ id: string; text: string } | null>(null);
  /** What the history has of a sheet that it has otherwise. */
  private other = $state.raw<{ id: string; link: string } | null>(null);
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
    const sent = this.mark(sheet.id);
    if (sent === null) return 'absent';
    if (sent.link === WAITING) return 'waiting';
    if (sent.link !== writeLink(sheet.match)) return 'absent';
    return sent.older === true ? 'older' : 'kept';
  }

  reason(id: string): string {
    return this.refused?.id === id ? this.refused.text : '';
  }

  /** The link of the sheet as the history has it, where that is another one; empty if that is not known. */
  elsewhere(id: string): string {
    return this.other?.id === id ? this.other.link : '';
  }

  /**
   * Keep a sheet; without an answer it waits until there is one. `over` puts it in the place of what the
   * history has otherwise, also where it has to wait.
   */
  async keep(sheet: KeptSheet, over = false): Promise<void> {
    if (!this.open || linkBar(sheet.match) !== null) return;
    const { account } = settings;
    const before = this.mark(sheet.id);
    this.tell(sheet.id, {
      account,
      link: WAITING,
      ...knownBy(before),
      ...(over || before?.over ? { over: true } : {}),
    });
    this.next.set(sheet.id, { sheet, account });
    if (this.sending !== '') return;
    for (const [id, errand] of this.next) {
      this.next.delete(id);
      if (errand.account === settings.account) await this.send(errand);
    }
    this.sending = '';
  }

  private async send({ sheet, account }: Errand): Promise<void> {
    this.sending = sheet.id;
    this.refused = null;
    const link = writeLink(sheet.match);
    const { knows = '', over = false } = this.mark(sheet.id) ?? {};
    const wish = { id: sheet.id, link, played: sheet.changed, over };
    let answer = await historyApi.keepSheet({ ...wish, knows });
    let there: string | null = null;
    if (!answer.ok && answer.problem.reason === 'newer_sheet') {
      there = (await this.inHistory(sheet.id)) ?? null;
      // It may be what this device has sent itself, where the answer was lost.
      if (there !== null && this.wrote(sheet.id, there)) answer = await historyApi.keepSheet({ ...wish, knows: there });
    }
    // What was written on in the meantime waits to be sent as it is now.
    const later = this.next.get(sheet.id);
    if (answer.ok) {
      const { id, link: kept } = answer.value;
      const now = this.renamed(sheet.id, id) ? id : sheet.id;
      const mark = kept === link ? { account, link } : { account, link, knows: kept };
      this.tell(now, later === undefined ? mark : { account, link: WAITING, knows: kept });
      if (later !== undefined && now !== sheet.id) {
        this.next.delete(sheet.id);
        this.next.set(now, { ...later, sheet: { ...later.sheet, id: now } });
      }
      return;
    }
    const { reason, text } = answer.problem;
    if (reason === 'no_answer' || reason === 'odd_answer') return;
    if (reason === 'newer_sheet') {
      if (later === undefined) this.otherwise(sheet.id, link, there);
      return;
    }
    if (FINAL.includes(reason) && later === undefined) this.tell(sheet.id, null);
    // Another page may have signed out.
    if (reason === 'no_account') change({ account: '' });
    this.refused = { id: sheet.id, text };
  }

  /** A sheet that came out of the history by its link there is in it, and need not be sent there again. */
  found(sheet: KeptSheet, there: string): void {
    const link = writeLink(sheet.match);
    if (this.open) this.tell(sheet.id, { account: settings.account, link, ...(there === link ? {} : { knows: there }) });
  }

  /** Send what has waited for the room. */
  async catchUp(): Promise<void> {
    if (this.sending !== '') return;
    for (const sheet of this.store.sheets()) {
      if (this.mark(sheet.id)?.link === WAITING) await this.keep(sheet);
      if (this.mark(sheet.id)?.link === WAITING) return;
    }
  }

  /**
   * Whether the history has a sheet as this device says: it may have gone from it elsewhere, or have been
   * written on there.
   */
  async check(sheet: KeptSheet): Promise<void> {
    const said = this.mark(sheet.id);
    if (!sheet.match.finished || said === null || !['kept', 'older'].includes(this.standing(sheet))) return;
    const there = await this.inHistory(sheet.id);
    // What has been sent in the meantime has had its own answer.
    if (there === undefined || JSON.stringify(this.mark(sheet.id)) !== JSON.stringify(said)) return;
    const { account, link } = said;
    if (there === null) this.tell(sheet.id, null);
    else if (there !== link && there !== said.knows) this.otherwise(sheet.id, link, there);
    else if (said.older) this.tell(sheet.id, { account, link });
  }

  /** The history has a sheet otherwise than it stands here: whoever writes it is asked which one stays. */
  private otherwise(id: string, link: string, there: string | null): void {
    this.other = there === null ? null : { id, link: there };
    this.tell(id, { account: settings.account, link, older: true });
  }

  /** The link of a sheet in the history; null if it is not there, undefined without an answer. */
  private async inHistory(id: string): Promise<string | null | undefined> {
    let before = '';
    do {
      const answer = await historyApi.sheets('', before);
      if (!answer.ok) return undefined;
      const found = answer.value.sheets.find((each) => each.id === id);
      if (found !== undefined) return found.link;
      before = answer.value.next ?? '';
    } while (before !== '');
    return null;
  }

  /** Whether a sheet has stood so on this device, as far as its changes are remembered. */
  private wrote(id: string, link: string): boolean {
    const { past, future } = this.store.steps(id);
    return [...past, ...future].some((match) => writeLink(match) === link);
  }

  /** What is remembered of a sheet for who is signed in; what was sent for another is not told. */
  private mark(id: string): Sent | null {
    const sent = this.store.sent(id);
    return sent?.account === settings.account ? sent : null;
  }

  private tell(id: string, sent: Sent | null): void {
    this.store.setSent(id, sent);
    this.told += 1;
  }
}

/** What a device knows of a sheet in the history, by the mark it has. */
function knownBy(before: Sent | null): Pick<Sent, 'knows'> {
  if (before === null) return {};
  const known = before.older || before.link === WAITING ? before.knows : (before.knows ?? before.link);
  return known === undefined ? {} : { knows: known };
}
