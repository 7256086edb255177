// Whether a sheet that is looked at through a link stands on this device already.

import { writeLink } from './link.ts';
import type { Match } from './match.ts';
import type { KeptSheet } from './storage.ts';

/** The sheet that says the same, whichever round is looked at; undefined if there is none. */
export function sameSheet(match: Match, kept: readonly KeptSheet[]): KeptSheet | undefined {
  const link = linkOf(match);
  return kept.find((each) => linkOf(each.match) === link);
}

const linkOf = (match: Match): string => writeLink({ ...match, at: 0 });
