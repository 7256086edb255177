// The keyboard's part of the table. Single letters act only while no dialog is open and nothing is
// being typed, and can be switched off.

import { SUITS, type Suit } from '../game/cards.ts';
import { handShown } from '../skin.svelte.ts';
import type { TableModel } from './model.svelte.ts';
import { reading } from './reading.ts';

export interface Actions {
  menu(): void;
  help(): void;
  /** Type a turn. */
  type?(): void;
  /** Open the sheet of counts. */
  counts?(): void;
}

/** True if the key did something. */
export function press(key: string, model: TableModel, actions: Actions): boolean {
  const laid = model.staging?.lay != null;
  const letter = key.length === 1 ? key.toUpperCase() : key;
  if (key === 'Escape' || letter === 'U') return done(() => model.undo());
  if (letter === 'L') return done(() => void model.replay());
  if (letter === 'Z' && model.back === 'mayAsk') return done(() => model.askBack());
  if (letter === 'M') return done(() => actions.menu());
  if (key === '?') return done(() => actions.help());
  if (key === '/' && actions.type !== undefined) return done(actions.type);
  const { counts } = model;
  if (letter === 'C' && actions.counts !== undefined && (counts.gone || counts.lays)) {
    return done(actions.counts);
  }
  const told = reading(letter, model);
  if (told !== '') return done(() => (model.spoken = told));
  if (laid) return draw(letter, model);
  if (/^[1-9]$/.test(key)) return pickNth(Number(key) - 1, model);
  if (letter === 'P') return done(() => void model.lay('+'));
  if (letter === 'D') return done(() => void model.lay('-'));
  return false;
}

function draw(letter: string, model: TableModel): boolean {
  if (letter === '0' || letter === ' ' || letter === '*') return done(() => model.draw('*'));
  if (!SUITS.includes(letter as Suit)) return false;
  return done(() => model.draw(`<${letter}`));
}

function pickNth(place: number, model: TableModel): boolean {
  const slot = handShown(model.view?.hand ?? [])[place];
  if (slot === undefined) return false;
  return done(() => model.pick(slot));
}

function done(action: () => void): true {
  action();
  return true;
}
