// The talk at a table: what was said, what is new, and whether the other is to be heard.

import type { Chat, ChatLine, ChatRefused } from '../net/wire.ts';
import { CHAT, CHAT_REFUSED, PHRASE } from '../words/company.ts';
import { keepRead, readUpTo } from './read.ts';

const KEPT = 200;
const MUTED = 'lostcities-muted';

export class Talk {
  lines = $state.raw<readonly ChatLine[]>([]);
  /** Why the last line was not taken, or what a command answered. */
  answer = $state('');
  unread = $state(0);
  muted = $state(false);
  /** Whether the chat is before the person's eyes. */
  open = false;
  /** The time of the last line read here, on this visit or an earlier one. */
  #read: number;

  constructor(private readonly match: string) {
    this.muted = sessionStorage.getItem(MUTED) === match;
    this.#read = readUpTo(match);
  }

  /** Lines to show: without those of a muted seat, never without the host's. */
  shown(me: number | null): readonly ChatLine[] {
    if (!this.muted) return this.lines;
    return this.lines.filter((line) => line.seat === null || line.seat === me);
  }

  mute(muted: boolean): void {
    this.muted = muted;
    if (muted) sessionStorage.setItem(MUTED, this.match);
    else sessionStorage.removeItem(MUTED);
  }

  /** Take what came in; answers what is to be spoken. */
  take(message: Chat | ChatRefused, me: number | null): string {
    if (message.type === 'chat_refused') {
      this.answer = CHAT_REFUSED[message.reason] ?? message.text;
      return this.answer;
    }
    const last = this.lines.at(-1)?.at;
    // All comes again with every connection; what was said meanwhile is new, what was there is not.
    const fresh = message.whole
      ? message.lines.filter((line) => last !== undefined && line.at > last)
      : message.lines;
    this.lines = [...(message.whole ? [] : this.lines), ...message.lines].slice(-KEPT);
    this.answer = '';
    if (this.open) this.read();
    else this.unread = this.#others(this.lines, me).filter((line) => line.at > this.#read).length;
    const others = this.#others(fresh, me);
    return others.map((line) => CHAT.says(speaker(line, me), said(line))).join(' ');
  }

  #others(lines: readonly ChatLine[], me: number | null): ChatLine[] {
    return lines.filter((line) => line.seat === null || (line.seat !== me && !this.muted));
  }

  read(): void {
    this.unread = 0;
    const at = this.lines.at(-1)?.at ?? 0;
    if (at <= this.#read) return;
    this.#read = at;
    keepRead(this.match, at);
  }
}

export function speaker(line: ChatLine, me: number | null): string {
  if (line.seat === null) return CHAT.host;
  return line.seat === me ? CHAT.you : line.name;
}

export const said = (line: ChatLine): string =>
  line.kind === 'phrase' ? (PHRASE[line.body] ?? line.body) : line.body;
