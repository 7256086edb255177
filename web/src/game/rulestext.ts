// Rules as one writes them: a preset, and the keys that differ from it.

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
