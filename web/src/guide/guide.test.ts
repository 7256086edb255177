import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { SeatView } from '../net/wire.ts';
import { DEFAULTS } from '../sheet/rules.ts';
import { scoreSide } from '../sheet/scoring.ts';
import { TableModel } from '../table/model.svelte.ts';
import { afterTurn, question, stepText, stepTitle } from '../words/guide.ts';
import { need } from '../words/language.svelte.ts';
import lessons from './lessons.json';
import order from './order.json';
import { ScriptedRoom, type Script } from './script.ts';
import { keep, leftOff, STEPS } from './steps.ts';
import worked from './worked.json';

await Promise.all([need('guide'), need('rules')]);
const boards = lessons as unknown as Record<string, Script>;
const positions = JSON.parse(
  readFileSync(`${process.cwd()}/src/guide/positions.json`, 'utf8'),
) as Record<string, Script[]>;

test.each(worked)('the worked example $id', ({ cards, total }) => {
  expect(scoreSide(cards.split(' '), DEFAULTS).total).toBe(total);
});

test('every question has words and a board', () => {
  for (const id of order.slice(1).flatMap((each) => each.questions)) {
    expect([id, question(id)?.answer.length ?? 0]).not.toEqual([id, 0]);
    expect([id, positions[id]?.length ?? 0]).not.toEqual([id, 0]);
  }
});

test('every step has its words, and every turn that it offers is spoken of', () => {
  for (const step of STEPS) {
    expect(stepTitle(step.id)).not.toBe('');
    expect(stepText(step.id)).not.toBe('');
    const offered = step.play ? Object.keys(boards[step.board]?.start.next ?? {}) : [];
    for (const turn of offered) expect([turn, afterTurn(step.id, turn)]).not.toEqual([turn, '']);
  }
});

test('where one left off is remembered', () => {
  keep(7);
  expect(leftOff()).toBe(7);
  localStorage.setItem('lostcities-learn', 'a step that is no more');
  expect(leftOff()).toBe(0);
});

describe('a room inside the page', () => {
  const begin = async (name: string): Promise<TableModel> => {
    const script = boards[name];
    if (script === undefined) throw new Error(`no lesson ${name}`);
    const model = new TableModel('guide', new ScriptedRoom(script, ['Reader', 'Other']));
    model.start();
    await vi.waitFor(() => expect(model.link.kind).toBe('live'));
    return model;
  };
  const play = (model: TableModel, turn: string): void =>
    model.send({ type: 'play', round: 1, ply: model.view?.ply ?? 0, turn });

  test('offers the turns of the lesson and shows what the core made of them', async () => {
    const model = await begin('bonus');
    expect(model.view?.legal).toContain('+R10<G');
    play(model, '+R10*');
    await vi.waitFor(() => expect(model.view?.scores[0]).toBe(44));
    expect(model.table?.workings[0]?.R).toMatchObject({ sum: 26, multiplier: 4, bonus: 20 });
    expect(model.spoken).toContain('You play red 10');
    model.stop();
  });

  test('lets the other side answer', async () => {
    const model = await begin('end');
    play(model, '+Y9<G');
    await vi.waitFor(() => expect(model.view?.to_move).toBeNull(), 3000);
    expect(model.table?.phase).toBe('between');
    model.stop();
  });

  test('plays nothing that the lesson does not offer', async () => {
    const model = await begin('bonus');
    const before = model.view as SeatView;
    play(model, '+R2*');
    await vi.waitFor(() => expect(model.pending).toBeNull());
    expect(model.view).toEqual(before);
    model.stop();
  });
});
