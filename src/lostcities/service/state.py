"""The state of a table: its log folded, committed events only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lostcities.core.events import (
    DrawDeclined,
    Event,
    MatchStarted,
    PositionSet,
    RoundDealt,
    TakebackDeclined,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import MatchState, Phase, evolve, new_match
from lostcities.core.pace import USUAL, Pace
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.store.interfaces import (
    AgainAsked,
    AgainWithdrawn,
    HintTaken,
    LogEvent,
    MovedOn,
    Overdue,
    SeatTaken,
    SentAway,
    TableClosed,
    TablePaused,
    TimeUsed,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log.

    Attributes:
        seq: its number.
        round: the round it belongs to; 0 before the first.
        event: what happened.
        withdrawn: a seat has taken back what it had offered or asked itself.
    """

    seq: int
    round: int
    event: LogEvent
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole truth of a table; it stays on the server.

    Attributes:
        rules: the rules in force.
        seq: the number of the last event.
        taken: by seat, who sat down.
        match: the match, once both seats were taken.
        dealt_at: the seq of the present round's deal; 0 before the first.
        closed: nothing more happens here, however the match stands.
        closed_by: the seat that gave the table up before the match began; None for the host.
        moved_on: the table where that seat sits now instead, if it was brought together there.
        paused: the host has stopped the table for a while.
        opening: what follows the start of the match by itself, instead of a deal: practice.
        again: the table where the same two can play again, once one has asked.
        again_by: who has asked.
        sent_away: whom the host has sent away, until it plays again.
        pace: the time rules.
        takebacks: a turn may be taken back here.
        banks: by seat, milliseconds on its clock when its turn began; a round begins with full ones.
    """

    rules: Rules
    seq: int = 0
    taken: BySeat[SeatTaken | None] = BySeat(None, None)
    match: MatchState | None = None
    dealt_at: int = 0
    closed: bool = False
    closed_by: Seat | None = None
    moved_on: str | None = None
    paused: bool = False
    again: str | None = None
    again_by: Seat | None = None
    sent_away: Seat | None = None
    opening: tuple[Event, ...] = ()
    pace: Pace = USUAL
    takebacks: bool = False
    banks: BySeat[int] = BySeat(0, 0)

    @property
    def phase(self) -> str:
        """``waiting``, ``dealing``, ``playing``, ``between`` or ``over``."""
        if self.closed:
            return "over"
        return "waiting" if self.match is None else self.match.phase.value

    @property
    def over(self) -> bool:
        """Whether nothing can happen here any more, except to play again."""
        return self.phase == "over"

    @property
    def free(self) -> Seat | None:
        """The seat that somebody may still take; None if there is none."""
        if self.closed:
            return None
        return next((seat for seat in SEATS if self.taken[seat] is None), None)

    @property
    def never_began(self) -> bool:
        """Whether the table was closed before its match began."""
        return self.closed and self.match is None

    @property
    def number(self) -> int:
        """The number of the present round, 0 before the first."""
        return 0 if self.match is None else self.match.number

    @property
    def playing(self) -> MatchState | None:
        """The match if a seat is to move, and may."""
        match = self.match
        if match is None or self.closed or self.paused or match.phase is not Phase.PLAYING:
            return None
        return match


def advance(state: TableState, event: LogEvent) -> TableState:
    """The state after one more event."""
    seq = state.seq + 1
    match event:
        case SeatTaken(seat):
            return replace(state, seq=seq, taken=state.taken.replace(seat, event))
        case TableClosed(seat):
            return replace(state, seq=seq, closed=True, closed_by=seat)
        case HintTaken():
            return replace(state, seq=seq)
        case AgainAsked(seat, again):
            return replace(state, seq=seq, again=again, again_by=seat)
        case AgainWithdrawn():
            return replace(state, seq=seq, again=None, again_by=None)
        case SentAway(seat):
            return replace(state, seq=seq, sent_away=seat)
        case MovedOn(seat, match):
            return replace(state, seq=seq, closed=True, closed_by=seat, moved_on=match)
        case TablePaused(paused):
            return replace(state, seq=seq, paused=paused)
        case TimeUsed(seat, ms):
            left = state.pace.after_turn(state.banks[seat], ms)
            return replace(state, seq=seq, banks=state.banks.replace(seat, left))
        case Overdue():
            return replace(state, seq=seq)
        case _:
            return _play(state, event, seq)


def _play(state: TableState, event: Event, seq: int) -> TableState:
    if isinstance(event, MatchStarted):
        return replace(state, seq=seq, match=new_match(event.rules))
    if state.match is None:
        raise ValueError(f"event {seq} comes before the match began")
    match = evolve(state.match, event)
    if isinstance(event, TurnPlayed) and event.seat == state.sent_away:
        state = replace(state, sent_away=None)
    if isinstance(event, (RoundDealt, PositionSet)):
        banks = BySeat.both(state.pace.bank_ms)
        return replace(state, seq=seq, match=match, dealt_at=seq, banks=banks)
    if isinstance(event, TurnTakenBack) and state.pace.bank:
        left = state.pace.turn_back(state.banks[event.seat])
        return replace(state, seq=seq, match=match, banks=state.banks.replace(event.seat, left))
    return replace(state, seq=seq, match=match)


def advance_all(state: TableState, events: Iterable[LogEvent]) -> tuple[TableState, list[Entry]]:
    """The state after several events, and their entries for the log."""
    entries = []
    for event in events:
        withdrawn = _withdraws(state.match, event)
        state = advance(state, event)
        entries.append(Entry(state.seq, state.number, event, withdrawn))
    return state, entries


def _withdraws(match: MatchState | None, event: LogEvent) -> bool:
    """The rules know one event for "no" and for "never mind"; people want to know which it was."""
    if isinstance(event, DrawDeclined):
        return match is not None and match.offer == event.seat
    return isinstance(event, TakebackDeclined) and match is not None and match.asked == event.seat
