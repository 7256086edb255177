"""What time it is: a clock that never jumps for live play, the calendar's for days, and their odds."""

from __future__ import annotations

import time
from collections.abc import Callable

GRACE = 3600 * 1000
"""After the room has opened, or the calendar's clock has jumped, nobody loses by the calendar for so
many milliseconds."""
JUMP = 60 * 1000
"""The calendar's clock has jumped when it is so many milliseconds off from what passed."""


def monotonic_ms() -> int:
    """Milliseconds of a clock that only goes forward and is never set."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> int:
    """Milliseconds since 1970 (UTC), as this machine believes."""
    return time.time_ns() // 1_000_000


class Timekeeper:
    """The two clocks of a room.

    Live clocks run on :attr:`now`, which nobody can set. Days for a turn are of the calendar, which
    goes on while the room is closed; a calendar's clock can be wrong, is set, and jumps after a
    sleep of the machine. Then it is believed, but for an hour nobody loses by it.

    Args:
        wall: milliseconds since 1970.
        monotonic: milliseconds of a clock that only goes forward.
        run: another one each time that the room opens.
    """

    def __init__(
        self,
        wall: Callable[[], int] = wall_ms,
        monotonic: Callable[[], int] = monotonic_ms,
        run: str = "",
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self.run = run
        self._offset = wall() - monotonic()
        self._patient_until = monotonic() + GRACE

    @property
    def now(self) -> int:
        """Milliseconds, for differences only."""
        return self._monotonic()

    @property
    def wall(self) -> int:
        """Milliseconds since 1970; looks whether they have jumped."""
        now, wall = self._monotonic(), self._wall()
        if abs(wall - now - self._offset) > JUMP:
            self._patient_until = now + GRACE
        self._offset = wall - now
        return wall

    @property
    def patience(self) -> int:
        """For how many milliseconds more nobody loses by the calendar; 0 for no longer."""
        _ = self.wall
        return max(0, self._patient_until - self._monotonic())
