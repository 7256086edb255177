// A program that plays Lost Cities by the engine protocol, in JavaScript (Node), without dependency:
//
//     lostcities arena "cmd:node examples/engine.mjs" greedy --deals 100
//
// One JSON object a line comes in, {"view": {...}, "time_ms": 1000}, and one goes out, {"turn": "+R5*"}.
// It opens a colour when it holds enough of it, plays low cards first, and throws the rest away.

import { createInterface } from "node:readline";

const rank = (card) => (card.endsWith("X") ? 0 : Number(card.slice(1)));
const highest = (row) => Math.max(0, ...row.map(rank));
const fits = (card, row) => rank(card) > highest(row) || (rank(card) === 0 && highest(row) === 0);

function layPoints(lay, view) {
  const card = lay.slice(1);
  const mine = view.expeditions[view.seat][card[0]] ?? [];
  const theirs = view.expeditions[1 - view.seat][card[0]] ?? [];
  const held = view.hand.filter((other) => other[0] === card[0]);
  const wanted = mine.length > 0 || held.reduce((sum, each) => sum + rank(each), 0) >= 17;
  if (lay[0] === "+") return wanted ? 30 - rank(card) : -50;
  const keep = wanted && fits(card, mine) ? 20 + rank(card) : 0;
  const gift = theirs.length > 0 && fits(card, theirs) ? 10 + rank(card) : 0;
  return -keep - gift - rank(card) / 10;
}

function drawPoints(draw, view) {
  if (draw === "*") return 5;
  const pile = view.piles[draw[1]] ?? [];
  const row = view.expeditions[view.seat][draw[1]] ?? [];
  const top = pile[pile.length - 1];
  return top !== undefined && row.length > 0 && fits(top, row) ? rank(top) : 0;
}

function points(turn, view) {
  const at = turn.search(/[*<]/);
  return layPoints(turn.slice(0, at), view) + drawPoints(turn.slice(at), view);
}

function answer(line) {
  try {
    const { view } = JSON.parse(line);
    const best = (a, b) => (points(b, view) > points(a, view) ? b : a);
    return { turn: view.legal.reduce(best) };
  } catch (error) {
    return { error: `cannot read this: ${error.message}` };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(`${JSON.stringify(answer(line))}\n`);
});
