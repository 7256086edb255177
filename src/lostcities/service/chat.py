"""The chat of a table: kept beside the log, so that it delays no turn and can be deleted."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from lostcities.core.seats import Seat
from lostcities.protocol import messages as wire
from lostcities.protocol.terms import Terms
from lostcities.service.refusing import No
from lostcities.store.interfaces import ChatLine, Store

KEPT = 200
"""Lines that a table remembers."""
AT_ONCE = 8
WITHIN = 20_000
"""A seat may say ``AT_ONCE`` things within so many milliseconds."""


def clean_line(text: str) -> str:
    """A line as it is shown: what cannot be seen becomes a space, runs of them one."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def to_wire(line: ChatLine) -> wire.ChatLine:
    """A line for the page."""
    return wire.ChatLine(line.number, line.at, line.seat, line.name, line.kind, line.body)


class ChatBook:
    """What was said at one table.

    Args:
        match: the table.
        store: where lines are kept.
        lines: those that are kept already.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(
        self, match: str, store: Store, lines: tuple[ChatLine, ...], clock: Callable[[], int]
    ) -> None:
        self._match, self._store, self._clock = match, store, clock
        self._lines = deque(lines, KEPT)
        self._number = lines[-1].number if lines else 0
        self._lock = asyncio.Lock()
        self._times: dict[Seat, deque[int]] = {}

    @property
    def used(self) -> bool:
        """Whether anything is kept."""
        return bool(self._lines)

    def all(self) -> wire.Chat:
        """Everything that is kept, for a socket that has just come."""
        return wire.Chat([to_wire(line) for line in self._lines], whole=True)

    def refusal(self, terms: Terms, seat: Seat | None, say: wire.Say) -> No | None:
        """Why a line is not taken; None if it is (and is then counted against the seat's rate)."""
        if seat is None:
            return No("watching", "only those who play may write")
        if not terms.chat:
            return No("chat_off", "there is no chat at this table")
        if say.phrase is not None:
            if say.phrase not in wire.PHRASES:
                return No("bad_phrase", "there is no such ready phrase")
        elif not clean_line(say.text or ""):
            return No("empty", "there is nothing to say in that")
        elif len(clean_line(say.text or "")) > wire.SAY_MOST:
            return No("too_long", f"at most {wire.SAY_MOST} letters at once")
        return None if self._in_time(seat) else No("too_fast", "too much at once, wait a moment")

    def _in_time(self, seat: Seat) -> bool:
        now, times = self._clock(), self._times.setdefault(seat, deque(maxlen=AT_ONCE))
        if len(times) == AT_ONCE and now - times[0] < WITHIN:
            return False
        times.append(now)
        return True

    async def add(self, seat: Seat | None, name: str, kind: str, body: str) -> wire.Chat:
        """Keep a line, and answer what everybody at the table is to be told.

        Raises:
            StoreError: it could not be kept.
        """
        async with self._lock:
            line = ChatLine(self._number + 1, self._clock(), seat, name, kind, body)
            await self._store.say(self._match, line)
            self._number += 1
            self._lines.append(line)
        return wire.Chat([to_wire(line)])

    async def forget(self) -> wire.Chat:
        """Delete everything."""
        async with self._lock:
            await self._store.unsay(self._match)
            self._lines.clear()
        return self.all()
