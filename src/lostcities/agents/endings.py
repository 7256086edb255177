"""The last card of the deck, played exactly.

Where one card is left, the best turn is to make the lay that adds most to the own rows and to draw that
card, which ends the round. Proof: let the seat to act draw from a pile instead. Then the other may discard
any card and draw the last one, which leaves both scores as they are. So drawing from a pile comes to no
more than what the lay alone comes to, whatever is hidden; and of lays that end the round the best is the one
with most points. It holds for the chance to win a match as well, which only grows with the lead.
"""

from __future__ import annotations

from lostcities.agents.steady_compiled import whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.round import (
    TEN,
    PackedRules,
    Row,
    colour_of,
    colour_score,
    deck_left,
    laying,
    legal_discards,
    legal_plays,
)


@inlined
def last_card(row: Row) -> bool:
    """Whether one card is left in the deck."""
    return deck_left(row) == 1


@inlined
def _added(row: Row, rules: PackedRules, base: int, face: Word) -> int:
    """Points that playing a face adds to the rows of the seat whose words begin at ``base``."""
    colour = colour_of(face)
    is_wager = U(face == colour * TEN)
    laid, counts = row[base + at.LAID], row[base + at.WAGERS]
    more = counts + (is_wager << ((colour << U(3)) + U(at.IN_LAID)))
    before = colour_score(rules, laid, counts, whole(colour))
    return colour_score(rules, laid | (ONE << face), more, whole(colour)) - before


@in_place
def last_action(row: Row, rules: PackedRules) -> int:
    """The best half-turn where one card is left in the deck.

    Args:
        row: such a round.
        rules: packed rules.

    Returns:
        The draw from the deck after the lay. Else the lay that adds most points: among equals the play of
        the lowest face, and a discard, of the lowest face too, where every play would cost points.
    """
    if not laying(row):
        return 20 * whole(rules[at.COLOURS])
    base = at.SEAT * whole(row[at.MOVER])
    faces, best, chosen = legal_plays(row), 0, -1
    while faces != ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        added = _added(row, rules, base, face)
        if added > best or (added == best and chosen < 0):
            best, chosen = added, whole(face)
    if chosen < 0:
        chosen = 10 * whole(rules[at.COLOURS]) + whole(lowest(legal_discards(row)))
    return chosen
