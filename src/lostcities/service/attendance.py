"""Who sits at the tables of a class; who waits alone, since when, and whether they are still there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from lostcities.service.table import Table

GRACE = 10_000
"""For so many milliseconds somebody still counts as present whose page has gone, as in a reload or a
phone's flicker; or whose page has not opened yet, having just sat down."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A time of being there.

    Attributes:
        since: when it began.
        left: when the last page went; None while one is open.
    """

    since: int
    left: int | None


class Attendance:
    """Who waits, by table.

    After a restart of the room nobody counts as present before their page has come back.

    Args:
        now: milliseconds of a clock that only goes forward.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._stays: dict[str, Stay] = {}

    def arrives(self, table: Table) -> None:
        """Somebody has just sat down there, or asked for the way back: their page comes at once."""
        stay = self._lasting(table.match)
        if stay is None or stay.left is not None:
            now = self._now()
            self._stays[table.match] = Stay(now if stay is None else stay.since, now)

    def look(self, table: Table) -> None:
        """Take down whether somebody is there now; only for tables where one sits alone."""
        stay = self._stays.get(table.match)
        if here(table):
            lasting = self._lasting(table.match)
            self._stays[table.match] = Stay(self._now() if lasting is None else lasting.since, None)
        elif stay is not None and stay.left is None:
            self._stays[table.match] = replace(stay, left=self._now())

    def present(self, table: Table) -> bool:
        """Whether whoever waits there is there, but for the grace."""
        return self._lasting(table.match) is not None

    def waited(self, table: Table) -> int:
        """For how many milliseconds they have been there; 0 if they are not."""
        stay = self._lasting(table.match)
        return 0 if stay is None else self._now() - stay.since

    def keep(self, tables: Iterable[Table]) -> None:
        """Forget all but these tables."""
        kept = {table.match for table in tables}
        self._stays = {match: stay for match, stay in self._stays.items() if match in kept}

    def _lasting(self, match: str) -> Stay | None:
        stay = self._stays.get(match)
        if stay is None or stay.left is None or self._now() - stay.left <= GRACE:
            return stay
        return None


def here(table: Table) -> bool:
    """Whether whoever waits at a table has a page open there now."""
    return any(table.present)


def alone(table: Table) -> bool:
    """Whether one person sits at a table and waits for another."""
    return table.state.phase == "waiting" and table.state.free is not None


def names_at(table: Table) -> list[str]:
    """Who sits at a table, by name."""
    return [who.name for who in table.state.taken if who is not None]


def table_of(tables: Sequence[Table], player: str | None) -> Table | None:
    """The newest table where a player sits."""
    return next((table for table in reversed(tables) if table.seats_of(player)), None)


def distinct(name: str, tables: Sequence[Table]) -> str:
    """A nickname that nobody else in the class goes by now."""
    used = {each for table in tables for each in names_at(table)}
    number, wished = 2, name
    while name in used:
        name, number = f"{wished[:36]} {number}", number + 1
    return name
