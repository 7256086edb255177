import { expect, test } from 'vitest';
import { arc } from './motion.ts';

const home = { left: 0, top: 0, width: 390, height: 844 };
const card = (left: number, top: number) => ({ left, top, width: 59, height: 83 });

test.each([
  ['the right edge', card(326, 600), card(326, 300)],
  ['the left edge', card(4, 600), card(4, 300)],
  ['the last row to the deck', card(326, 100), card(264, 380)],
])('a flight along %s stays on the table', (_, from, to) => {
  const [, half] = arc(from, to, home);
  const x = Number(/translate\((-?[\d.]+)px/.exec(String(half?.transform))?.[1]);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + to.width).toBeLessThanOrEqual(home.width);
  expect(x).not.toBeCloseTo((from.left + to.left) / 2, 1);
});
