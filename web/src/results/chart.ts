// The geometry of the chart: points of rounds over their order, and a running mean.

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

export interface Chart {
  readonly spots: readonly Spot[];
  readonly mean: string;
  readonly lines: readonly { y: number; value: number }[];
}

export const HEIGHT = 240;
const LEFT = 40;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 14;
const WINDOW = 10;

/** A step that divides the range into four to eight parts, in numbers that people read easily. */
export function stepOf(range: number): number {
  for (const step of [5, 10, 20, 50, 100, 200]) if (range / step <= 8) return step;
  return 500;
}

/** The mean of the last ten values up to each. */
export function runningMean(values: readonly number[]): number[] {
  return values.map((_, index) => {
    const last = values.slice(Math.max(0, index - WINDOW + 1), index + 1);
    return last.reduce((sum, value) => sum + value, 0) / last.length;
  });
}

export function chart(values: readonly number[], width: number): Chart {
  const step = stepOf(Math.max(0, ...values) - Math.min(0, ...values));
  const low = Math.floor(Math.min(0, ...values) / step) * step;
  const high = Math.max(step, Math.ceil(Math.max(0, ...values) / step) * step);
  const across = width - LEFT - RIGHT;
  const x = (index: number): number =>
    LEFT + (values.length < 2 ? across / 2 : (index * across) / (values.length - 1));
  const y = (value: number): number =>
    TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const lines = [];
  for (let value = low; value <= high; value += step) lines.push({ y: y(value), value });
  return {
    spots: values.map((value, index) => ({ x: x(index), y: y(value), value })),
    mean: runningMean(values)
      .map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
      .join(''),
    lines,
  };
}
