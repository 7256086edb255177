import { readRules } from '../game/rulestext.ts';
import type { RulesInForce } from '../net/wire.ts';
import { find, t } from './language.svelte.ts';

const ID = 'history.games';

/** Rules in a few words: colours and rounds, then whatever is unusual. */
export function rulesName(written: string): string {
  const rules = readRules(written);
  const { colours, rounds } = rules;
  const named =
    rounds === 'open'
      ? t(`${ID}.rulesOpen`, { colours })
      : t(`${ID}.rulesShort`, { colours, rounds });
  return [named, ...unusual(rules)].join(' · ');
}

/** The rules of a match of which so many rounds were played: the rounds are told once. */
export function rulesPlayed(written: string, played: number): string {
  const rules = readRules(written);
  const { colours, rounds } = rules;
  return [t(`${ID}.colours`, { colours }), ...unusual(rules), roundsPlayed(rounds, played)].join(' · ');
}

function roundsPlayed(rounds: RulesInForce['rounds'], played: number): string {
  if (rounds === 'open') return t(`${ID}.roundsOpen`, { n: played });
  const due = Number(rounds);
  return played === due ? t(`${ID}.rounds`, { n: played }) : t(`${ID}.roundsOf`, { n: played, due });
}

/** What differs from most matches, in words. */
function unusual(rules: RulesInForce): string[] {
  const said: string[] = [];
  if (rules.hand !== 8) said.push(t(`${ID}.hand`, { n: rules.hand }));
  if (rules.cost !== 20) said.push(t('table.rules.cost', { cost: rules.cost }));
  if (rules.bonus !== 20 || rules.bonus_at !== 8) said.push(bonus(rules));
  if (rules.first !== 'random') said.push(t(`${ID}.first`, { n: Number(rules.first) + 1 }));
  if (rules.next !== 'alternate') said.push(find(`${ID}.next.${rules.next}`) ?? rules.next);
  if (rules.own_discard) said.push(t('table.rules.ownDiscard'));
  if (rules.stall > 0) said.push(t('table.rules.stall', { n: rules.stall }));
  if (rules.wagers !== 3) said.push(t('table.rules.wagers', { n: rules.wagers }));
  if (rules.top !== 10) said.push(t('table.rules.top', { top: rules.top }));
  return said;
}

const bonus = ({ bonus, bonus_at }: RulesInForce): string =>
  bonus_at > 12 || bonus === 0
    ? t('table.rules.noBonus')
    : t('table.rules.bonus', { bonus, cards: bonus_at });
