// Rules as one writes them: a preset, and the keys that differ from it.

import type { RulesInForce } from '../net/wire.ts';

export interface Wishes {
  preset: string;
  colours: number | null;
  rounds: string | null;
  more: string;
}

export function writeRules(wishes: Wishes): string {
  const words = [wishes.preset];
  if (wishes.colours !== null) words.push(`colours=${wishes.colours}`);
  if (wishes.rounds !== null) words.push(`rounds=${wishes.rounds}`);
  return [...words, ...wishes.more.trim().split(/\s+/)].filter((word) => word !== '').join(' ');
}

const KEPT = { own_discard: false, stall: 0, wagers: 3, top: 10 };

/** Rules as written by the room (the first eight keys always, others when they differ). */
export function readRules(text: string): RulesInForce {
  const values = Object.fromEntries(
    text.split(/\s+/).flatMap((word) => {
      const [key, value] = word.split('=');
      return key !== undefined && value !== undefined ? [[key, readValue(value)]] : [];
    }),
  );
  return { ...KEPT, ...values } as RulesInForce;
}

function readValue(value: string): string | number | boolean {
  if (value === 'yes' || value === 'no') return value === 'yes';
  return /^\d+$/.test(value) ? Number(value) : value;
}
