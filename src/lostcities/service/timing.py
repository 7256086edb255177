"""The time of one table: whose time runs, how much is left, who has been away for how long.

Reads committed state and the room's clocks; decides nothing. What happens when a time is out is in
:mod:`lostcities.service.overdue`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lostcities.core.match import Phase, seats_to_act
from lostcities.core.pace import DAY, Pace
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.protocol.messages import ClockInfo
from lostcities.service.state import TableState
from lostcities.service.timekeeper import Timekeeper
from lostcities.store.interfaces import Deadline

RETURN = 30_000
"""After a restart a clock stands until somebody is back, and so many milliseconds more if that is
not the seat to act."""
LONGEST_NAP = 3600 * 1000
"""After so many milliseconds at most a table looks at the calendar again."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What a table waits for; another one means that a new turn or pause has begun."""

    phase: Phase
    number: int
    ply: int
    seat: Seat | None

    @property
    def first(self) -> bool:
        """Whether it is the first turn of a match."""
        return self.number == 1 and self.ply == 0 and self.phase is Phase.PLAYING


def wait_of(state: TableState) -> Wait | None:
    """What a table waits for; None before the match, after it, and while the host has paused it."""
    match = state.match
    if match is None or state.over or state.paused or not seats_to_act(match):
        return None
    if match.phase is Phase.BETWEEN:
        return Wait(match.phase, match.number, 0, None)
    assert match.round is not None
    return Wait(match.phase, match.number, match.round.ply, match.round.to_move)


def deadlines(
    match: str, pace: Pace, before: Wait | None, after: Wait | None, wall: int
) -> tuple[Deadline, ...]:
    """What the calendar of deadlines has to learn from a change."""
    if not pace.days or before == after:
        return ()
    return (Deadline(match, None if after is None else wall + pace.days * DAY),)


class Standing(Enum):
    """Why a clock does not run yet."""

    FIRST = "first"
    """A match begins when both are at the table."""
    OPENED = "opened"
    """The room was closed meanwhile; nobody is back yet."""
    PROGRAM = "program"
    """A program waits for a processor, which is not its fault."""


class Timing:
    """The time of one table.

    Args:
        pace: the time rules.
        keeper: the room's clocks.
    """

    def __init__(self, pace: Pace, keeper: Timekeeper) -> None:
        self.pace = pace
        self.due: int | None = None
        """Until when the table waits by the calendar, with days for a turn."""
        self._keeper = keeper
        self._wait: Wait | None = None
        self._agents: frozenset[Seat] = frozenset()
        self._standing: Standing | None = None
        self._since = 0
        """When the seats waited for began to use their time; may lie ahead after a restart."""
        self._began = keeper.now
        self._gone: BySeat[int | None] = BySeat(keeper.now, keeper.now)

    # ---- what happens ---------------------------------------------------------------------------

    def follow(self, state: TableState, agents: frozenset[Seat], *, opened: bool = False) -> None:
        """A change was committed (or the table was taken out of the store: ``opened``)."""
        wait = wait_of(state)
        self._agents = agents
        if wait == self._wait:
            return
        self._wait = wait
        self._began = self._since = self._keeper.now
        self._standing = None
        if wait is None or self.pace.days:
            return  # the calendar stands for nobody
        if wait.seat in agents:
            self._standing = Standing.PROGRAM
        elif opened:
            self._standing = Standing.OPENED
        elif wait.first and not agents:
            self._standing = Standing.FIRST

    def seen(self, state: TableState, present: BySeat[bool]) -> bool:
        """Who is at the table now; whether a clock begins to run by that."""
        now = self._keeper.now
        for seat in SEATS:
            if present[seat]:
                self._gone = self._gone.replace(seat, None)
            elif self._gone[seat] is None:
                self._gone = self._gone.replace(seat, now)
        if self._wait is None:
            return False
        if self._standing is Standing.FIRST and all(present):
            return self._run(now)
        if self._standing is Standing.OPENED and any(present):
            return self._run(now if self._is_back(state, present) else now + RETURN)
        if self._since > now and self._is_back(state, present):
            return self._run(now)
        return False

    def _is_back(self, state: TableState, present: BySeat[bool]) -> bool:
        people = [seat for seat in self._waited(state) if seat not in self._agents]
        return any(present[seat] for seat in people)

    def _run(self, since: int) -> bool:
        self._standing, self._since = None, since
        return True

    def thinks(self) -> bool:
        """The program to move has got a processor; whether its clock begins to run by that."""
        return self._standing is Standing.PROGRAM and self._run(self._keeper.now)

    # ---- how much is left -----------------------------------------------------------------------

    def _waited(self, state: TableState) -> tuple[Seat, ...]:
        return () if state.match is None or self._wait is None else seats_to_act(state.match)

    def used(self, at: int | None = None) -> int:
        """Milliseconds used of the present turn, until now or ``at``; negative before it counts."""
        if self._standing is not None:
            return 0
        return (self._keeper.now if at is None else at) - self._since

    def left(self, state: TableState, seat: Seat) -> int | None:
        """Milliseconds that a seat has; None where it has no time of its own now."""
        wait = self._wait
        acts = seat in self._waited(state)
        if wait is None or self.pace.kind == "none":
            return None
        if self.pace.kind == "clock" and wait.phase is Phase.PLAYING:
            return max(0, state.banks[seat] - (self.used() if acts else 0))
        if not acts:
            return None
        if self.pace.days:
            return self._left_by_calendar()
        whole = self.pace.turn_ms if wait.phase is Phase.PLAYING else self.pace.pause_ms
        return None if whole is None else max(0, whole - self.used())

    def _left_by_calendar(self) -> int | None:
        if self.due is None:
            return None
        wall, whole = self._keeper.wall, self.pace.days * DAY
        self.due = min(self.due, wall + whole)  # it may have been set by a clock that was ahead
        return max(0, self.due - wall)

    def told(self, state: TableState) -> ClockInfo | None:
        """The clocks, for the wire; None where nothing runs."""
        left = [self.left(state, seat) for seat in SEATS]
        if left == [None, None]:
            return None
        acts = self._waited(state)
        runs = self._standing is None
        return ClockInfo(left, [runs and seat in acts for seat in SEATS])

    def overdue(self, state: TableState) -> tuple[Seat, ...]:
        """The seats whose time is out."""
        if self._standing is not None or (self.pace.days and self._keeper.patience):
            return ()
        return tuple(seat for seat in self._waited(state) if self.left(state, seat) == 0)

    def alarm(self, state: TableState) -> int | None:
        """Milliseconds until a time may be out; None if none runs."""
        times = [self.left(state, seat) for seat in self._waited(state)]
        known = [time for time in times if time is not None]
        if not known or self._standing is not None:
            return None
        soonest = min(known)
        if not self.pace.days:
            return soonest
        return min(LONGEST_NAP, max(soonest, self._keeper.patience))

    # ---- absence --------------------------------------------------------------------------------

    def away(self, state: TableState) -> list[int | None]:
        """By seat: milliseconds until the match may be ended for its absence; None if not counted.

        Absence counts only while the table waits for that seat.
        """
        return [self._away(state, seat) for seat in SEATS]

    def _away(self, state: TableState, seat: Seat) -> int | None:
        gone, limit = self._gone[seat], self.pace.absent_ms
        if gone is None or limit is None or seat not in self._waited(state):
            return None
        return max(0, limit - (self._keeper.now - max(gone, self._began)))
