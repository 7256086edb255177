import { find, lines, lookup, t, words } from './language.svelte.ts';

export const NAV = words('guide.nav');
export const GUIDE = words('guide.rules', {
  nth: (n: number): string => t('guide.rules.nth', { n }),
  wagers: (n: number, suit: string): string => t('guide.rules.wagers', { n, suit }),
});
export const WORKED = lookup('guide.worked');
export const PARTS = lookup('rules.parts');

export const LEARN = words('guide.learn', {
  step: (n: number, of: number): string => t('guide.learn.step', { n, of }),
  row: (suit: string, working: string, points: string): string =>
    t('guide.learn.row', { suit, working, points }),
});

/** The names of both seats on a board that explains. */
export const guideNames = (reader: string): [string, string] => [
  reader || t('guide.names.reader'),
  t('guide.names.other'),
];

export const stepTitle = (step: string): string => find(`guide.learn.steps.${step}.title`) ?? '';
export const stepText = (step: string): string => find(`guide.learn.steps.${step}.text`) ?? '';

/** What is said of a turn: of this very one, of its lay, or of its kind. */
export function afterTurn(step: string, turn: string): string {
  const at = `guide.learn.steps.${step}.after`;
  const lay = turn.replace(/[*<].*$/, '');
  const kind = lay.startsWith('+') ? 'play' : 'discard';
  const pile = turn.includes('<') ? find(`${at}.pile`) : undefined;
  return find(`${at}.${turn}`) ?? pile ?? find(`${at}.${lay}`) ?? find(`${at}.${kind}`) ?? find(`guide.learn.${kind}ed`) ?? '';
}

export interface Question {
  title: string;
  answer: string[];
  others: string[];
}

export function question(id: string): Question | undefined {
  const at = `rules.questions.${id}`;
  const title = find(`${at}.title`);
  if (title === undefined) return undefined;
  return { title, answer: lines(`${at}.answer`), others: lines(`${at}.others`) };
}
