"""What a person can be told of: that a seat is to act, or that the other asks it something."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from lostcities.core.seats import Seat, other
from lostcities.service.state import TableState
from lostcities.service.table import Table
from lostcities.service.timing import Wait

TURN, DRAW, BACK, AGAIN = "turn", "draw", "back", "again"
KINDS = (TURN, DRAW, BACK, AGAIN)
"""In the order in which a table asks for them; each has texts of its own."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that the other asks, and that waits for an answer of this seat.

    Attributes:
        kind: :data:`DRAW`, :data:`BACK` (to take a turn back) or :data:`AGAIN` (to play again).
        seat: whose answer is wanted.
    """

    kind: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Occasion:
    """Somebody is to be told something about a table: what it waits for, or what is offered."""

    match: str
    seat: Seat
    what: Wait | Offer

    @property
    def kind(self) -> str:
        """One of :data:`KINDS`."""
        return self.what.kind if isinstance(self.what, Offer) else TURN


def offers_of(state: TableState) -> frozenset[Offer]:
    """What stands open between the two at a table."""
    match = state.match
    if match is None or state.closed:
        return frozenset()
    if state.over:
        asker = state.again_by
        return frozenset() if asker is None else frozenset({Offer(AGAIN, other(asker))})
    askers = {DRAW: match.offer, BACK: match.asked}
    return frozenset(Offer(kind, other(seat)) for kind, seat in askers.items() if seat is not None)


async def stands(
    offer: Offer, table: Table, find: Callable[[str], Awaitable[Table | None]]
) -> bool:
    """Whether an offer at a table can still be taken up.

    Args:
        offer: what was offered.
        table: where.
        find: the live table of a match.
    """
    state = table.state
    if offer not in offers_of(state) or state.paused:
        return False
    if offer.kind != AGAIN:
        return True
    # Whoever asks to play again sits at the new table, until the other comes or they leave.
    after = await find(str(state.again))
    return after is not None and after.state.phase == "waiting"
