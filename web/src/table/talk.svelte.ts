// The talk at a table: what was said, what is new, and whether the other is to be heard.

import type { Chat, ChatLine, ChatRefused } from '../net/wire.ts';
import { CHAT, CHAT_REFUSED, PHRASE } from '../words/company.ts';

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

  constructor(private readonly match: string) {
    this.muted = sessionStorage.getItem(MUTED) === match;
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
    const fresh = message.whole ? [] : message.lines;
    this.lines = [...(message.whole ? [] : this.lines), ...message.lines].slice(-KEPT);
    this.answer = '';
    const others = fresh.filter((line) => line.seat === null || (line.seat !== me && !this.muted));
    if (!this.open) this.unread += others.length;
    return others.map((line) => CHAT.says(speaker(line, me), said(line))).join(' ');
  }

  read(): void {
    this.unread = 0;
  }
}

export function speaker(line: ChatLine, me: number | null): string {
  if (line.seat === null) return CHAT.host;
  return line.seat === me ? CHAT.you : line.name;
}

export const said = (line: ChatLine): string =>
  line.kind === 'phrase' ? (PHRASE[line.body] ?? line.body) : line.body;
