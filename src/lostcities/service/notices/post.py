"""The post: notices wait here to be sent, a bounded number of them, and are tried again.

Whoever hands something in does not wait for it, and nothing here ever fails a turn.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

log = logging.getLogger("lostcities.notices")

WAITING = 1000
"""Notices that may wait; what comes on top is dropped."""
SENDING = 4
"""Notices that are sent at the same time."""
TRIES = 6
FIRST_PAUSE = 5.0
"""Seconds before the second try; each later pause is four times as long, but for chance: with these
tries long enough for a mail server that turns strangers away for some minutes.
"""
LONGEST_PAUSE = 600.0
LONGEST_ASKED = 24 * 3600.0
"""Seconds that the other side may ask for at most."""


@dataclass(frozen=True, slots=True)
class Again:
    """It may go through later: after so many seconds, if the other side has said so."""

    why: str
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Parcel:
    """Something to send.

    Attributes:
        what: for the log; names no person and no address.
        send: sends it; answers None when there is nothing more to do about it.
        tries: how often it was tried.
    """

    what: str
    send: Callable[[], Awaitable[Again | None]]
    tries: int = 0


class Post:
    """A bounded queue and those who empty it.

    Args:
        pause: seconds before a try, by how many there were and what the other side asked for.
        waiting: how many parcels may wait.
    """

    def __init__(
        self,
        pause: Callable[[int, float | None], float] | None = None,
        waiting: int = WAITING,
    ) -> None:
        self._pause = pause or pause_before
        self._queue: asyncio.Queue[Parcel] = asyncio.Queue(waiting)
        self._senders: list[asyncio.Task[None]] = []
        self._later: set[asyncio.TimerHandle] = set()

    def put(self, parcel: Parcel) -> bool:
        """Hand something in; false if too much is waiting already."""
        try:
            self._queue.put_nowait(parcel)
        except asyncio.QueueFull:
            log.warning("too many notices are waiting, one is dropped: %s", parcel.what)
            return False
        if not self._senders:
            self._senders = [asyncio.create_task(self._run()) for _ in range(SENDING)]
        return True

    async def close(self) -> None:
        """Stop sending; what waits is dropped."""
        for handle in self._later:
            handle.cancel()
        for task in self._senders:
            task.cancel()
        await asyncio.gather(*self._senders, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            parcel = await self._queue.get()
            try:
                again = await parcel.send()
            except Exception:
                log.exception("a notice failed: %s", parcel.what)
                continue
            if again is not None:
                self._try_again(replace(parcel, tries=parcel.tries + 1), again)

    def _try_again(self, parcel: Parcel, again: Again) -> None:
        if parcel.tries >= TRIES or len(self._later) >= self._queue.maxsize:
            log.warning("a notice is given up: %s (%s)", parcel.what, again.why)
            return

        def now() -> None:
            self._later.discard(handle)
            self.put(parcel)

        seconds = self._pause(parcel.tries, again.after)
        handle = asyncio.get_running_loop().call_later(seconds, now)
        self._later.add(handle)


def pause_before(tries: int, asked: float | None) -> float:
    """Seconds until the next try: by chance up to four times as long each time, and never less than
    the other side has asked for.
    """
    longest = FIRST_PAUSE * float(4 ** (tries - 1))
    chosen = random.uniform(longest / 2, longest)  # noqa: S311 - spreads tries, keeps no secret
    return max(min(LONGEST_PAUSE, chosen), min(LONGEST_ASKED, asked or 0.0))
