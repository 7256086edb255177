// What was typed with another deck in mind is read again once the deck is changed: what can be read now
// is laid, and the rest is told in the words of this deck.

import { readTyped, type Spoken } from './entry.ts';
import { allBegun, type Match } from './match.ts';
import { hasUnread, noteOf, withNotes, type Note, type Round } from './notes.ts';
import type { Seat } from './rules.ts';
import { sorted, type Side } from './sides.ts';

export function reread(match: Match, spoken: Spoken): Match {
  if (!match.rounds.some(hasUnread)) return match;
  const rounds = match.rounds.map((round) => (hasUnread(round) ? readAgain(round, match, spoken) : round));
  return allBegun({ ...match, rounds });
}

function readAgain(round: Round, { deck }: Match, spoken: Spoken): Round {
  const read = (seat: Seat): [Side, Note] => {
    const note = noteOf(round, seat);
    const words = note.unread.map((each) => each.token).join(' ');
    const { cards, indices, unread } = readTyped(words, deck, spoken);
    return [sorted([...round.sides[seat], ...cards]), { unread, indices: [...note.indices, ...indices] }];
  };
  const [one, two] = [read(0), read(1)];
  return withNotes(round, [one[0], two[0]], [one[1], two[1]]);
}
