"""What the time rules make happen when a time is out. Changes nothing and reads no clock."""

from __future__ import annotations

from lostcities.core import match as core
from lostcities.core.events import Event
from lostcities.core.match import MatchState, Phase
from lostcities.core.pace import Pace, safe_turn
from lostcities.core.refusal import Refusal
from lostcities.core.seats import Seat
from lostcities.core.views import view_for
from lostcities.service.state import TableState
from lostcities.store.interfaces import LogEvent, Overdue, TimeUsed


def what_time_does(
    state: TableState, pace: Pace, seats: tuple[Seat, ...], agents: frozenset[Seat]
) -> tuple[LogEvent, ...]:
    """The events for seats whose time is out.

    In a round the seat has lost, or its safe turn is played. A program always gets the safe turn:
    how fast it thinks depends on this machine. Between rounds silence means going on, and in a
    match with an open end it means stopping there.
    """
    match = state.match
    if match is None or not seats:
        return ()
    if match.phase is Phase.BETWEEN:
        return _between(match, seats)
    seat = seats[0]
    if pace.timeout == "forfeit" and seat not in agents:
        return (_accepted(core.decide_time(match, seat)),)
    used = (TimeUsed(seat, state.banks[seat]),) if pace.bank else ()
    return (*used, Overdue(seat), _safe(match, seat))


def _safe(match: MatchState, seat: Seat) -> Event:
    assert match.round is not None
    turn = safe_turn(view_for(match, seat))
    return _accepted(core.decide_turn(match, seat, turn, match.round.ply))


def _between(match: MatchState, seats: tuple[Seat, ...]) -> tuple[LogEvent, ...]:
    if match.rules.rounds == "open":
        return (Overdue(seats[0]), _accepted(core.decide_continue(match, seats[0], False)))
    happened: list[LogEvent] = []
    for seat in seats:
        happened += [Overdue(seat), _accepted(core.decide_continue(match, seat, True))]
    return tuple(happened)


def _accepted(decided: Event | Refusal) -> Event:
    if isinstance(decided, Refusal):
        raise TypeError(f"what the time rules do was refused: {decided}")
    return decided
