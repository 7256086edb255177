"""Tells people that it is their turn, or that the other asks something: who, when, by which way.

A table says that something was committed; if by that a new turn has begun or something is offered,
whoever it waits for is told a little later, unless it is over by then or they look at the table.
Each turn and each offer is told once by each way. Of matches with days for a turn the store knows
which turns were not told yet, so that a room that was closed in between makes up for it.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable

from lostcities.core.seats import SEATS, Seat
from lostcities.service.notices.channels import Channels
from lostcities.service.notices.mail import Mailer, MailError
from lostcities.service.notices.occasions import TURN, Occasion, Offer, offers_of, stands
from lostcities.service.notices.post import Again, Parcel, Post
from lostcities.service.notices.push import Letter, WebPush
from lostcities.service.notices.saying import letter_of, mail_of
from lostcities.service.table import Table
from lostcities.service.timing import Wait, wait_of
from lostcities.store.interfaces import Store, StoreError
from lostcities.store.notices import ALWAYS, AWAY, PushTarget

log = logging.getLogger("lostcities.notices")

BROWSERS = 20
"""Browsers of one person that are told at most, the newest first."""
CAUGHT_UP = 1000
"""Matches of which nobody was told yet that are looked at when the room opens."""
Way = Callable[[Occasion, Table, str], Awaitable[None]]


class Watch:
    """What is known of one table, and whether it was told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.now = self.last = wait_of(table.state)
        self.broken_off = False
        self.offers = offers_of(table.state)

    def turn(self, cancel: Callable[[], bool]) -> Wait | None:
        """The turn that has begun by a change; None if none has, or it was told before a pause."""
        before, self.now = self.now, wait_of(self.table.state)
        if self.now == before:
            return None
        pending = cancel()
        if self.now is None:
            self.broken_off = pending
            return None
        if self.now == self.last and not self.broken_off:
            return None
        self.last, self.broken_off = self.now, False
        return self.now

    def offered(self, cancel: Callable[[str], bool]) -> list[Offer]:
        """What is offered anew by a change; nothing is while the table rests."""
        if self.table.state.paused:
            self.offers = frozenset(each for each in self.offers if not cancel(each.kind))
            return []
        before, self.offers = self.offers, offers_of(self.table.state)
        for gone in before - self.offers:
            cancel(gone.kind)
        return sorted(self.offers - before, key=lambda offer: offer.kind)


class Teller:
    """Watches tables and hands notices to the post.

    Args:
        store: the room's.
        channels: which ways there are.
        push: to browsers, if there is that way.
        mailer: by mail, if there is that way.
        table: the live table of a match.
        shut_out: whether a player may not come to a table any more, or into the room.
        post: sends them; a test may bring its own.
    """

    def __init__(
        self,
        store: Store,
        channels: Channels,
        push: WebPush | None,
        mailer: Mailer | None,
        table: Callable[[str], Awaitable[Table | None]],
        shut_out: Callable[[str, str], Awaitable[bool]],
        post: Post | None = None,
    ) -> None:
        self._store, self._channels = store, channels
        self._push, self._mailer = push, mailer
        self._table, self._shut_out = table, shut_out
        self.post = post or Post()
        self._timers: dict[tuple[str, str], list[asyncio.TimerHandle]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._closed = False

    # ---- when -----------------------------------------------------------------------------------

    def follow(self, table: Table) -> None:
        """Look after a table that was just taken out; what it stands at is not new."""
        if not self._tells_of(table):
            return
        watch, match = Watch(table), table.match

        def changed() -> None:
            wait = watch.turn(lambda: self._cancel(match, TURN))
            if wait is not None:
                self._begin_turn(table, wait)
            for offer in watch.offered(lambda kind: self._cancel(match, kind)):
                self._begin(table, [Occasion(match, offer.seat, offer)])

        table.changed = changed

    def _tells_of(self, table: Table) -> bool:
        """Nobody is told about a table that a program or the other person here keeps going."""
        ways = self._push is not None or self._mailer is not None
        return ways and not table.agent_seats and not table.info.terms.one_device

    async def catch_up(self) -> None:
        """Tell of what began before the room was closed and was not told.

        Raises:
            StoreError: the store cannot be read now.
        """
        if self._push is None and self._mailer is None:
            return
        for match in await self._store.notices.untold(CAUGHT_UP):
            table = await self._table(match)
            wait = None if table is None else wait_of(table.state)
            if table is not None and wait is not None and self._tells_of(table):
                self._begin_turn(table, wait)

    def _cancel(self, match: str, kind: str) -> bool:
        """Whether anything was still to be told."""
        timers = self._timers.pop((match, kind), ())
        for timer in timers:
            timer.cancel()
        return bool(timers)

    def _begin_turn(self, table: Table, wait: Wait) -> None:
        seats = [seat for seat in SEATS if table.waits_for(seat)]
        self._begin(table, [Occasion(table.match, seat, wait) for seat in seats])

    def _begin(self, table: Table, occasions: list[Occasion]) -> None:
        """Tell of something of one kind a little later, by each way."""
        if self._closed or not occasions:
            return
        match, kind = table.match, occasions[0].kind
        self._cancel(match, kind)
        loop = asyncio.get_running_loop()
        timers = self._timers[match, kind] = []
        channels = self._channels
        if self._push is not None:
            timers.append(
                loop.call_later(channels.push_after, self._ripe, occasions, self._by_push)
            )
        if self._mailer is not None and by_mail(table):
            timers.append(
                loop.call_later(channels.mail_after, self._ripe, occasions, self._by_mail)
            )
        last = max(channels.push_after, channels.mail_after)
        due = table.timing.due if kind == TURN else None
        timers.append(loop.call_later(last, self._was_told, match, kind, due))

    def _ripe(self, occasions: list[Occasion], way: Way) -> None:
        for occasion in occasions:
            self._run(self._tell(occasion, way))

    def _was_told(self, match: str, kind: str, due: int | None) -> None:
        self._timers.pop((match, kind), None)
        if due is not None:
            self._run(self._store.notices.told(match, due))

    def _run(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_without_fail(work))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def close(self) -> None:
        """Stop telling, whatever tables still do."""
        self._closed = True
        for match, kind in list(self._timers):
            self._cancel(match, kind)
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)
        await self.post.close()

    # ---- who ------------------------------------------------------------------------------------

    async def _tell(self, occasion: Occasion, way: Way) -> None:
        table = await self._standing(occasion)
        who = None if table is None else table.occupants[occasion.seat]
        if table is not None and who is not None and who.player is not None:
            await way(occasion, table, who.player)

    async def _standing(self, occasion: Occasion) -> Table | None:
        """The table, if it still waits for this very answer of this seat, who may give it."""
        table = await self._table(occasion.match)
        if table is None or not await self._waits(table, occasion):
            return None
        who = table.occupants[occasion.seat]
        if who is not None and who.player and await self._shut_out(table.match, who.player):
            return None
        return table

    async def _waits(self, table: Table, occasion: Occasion) -> bool:
        what = occasion.what
        if not isinstance(what, Offer):
            return wait_of(table.state) == what and table.waits_for(occasion.seat)
        return await stands(what, table, self._table)

    async def _by_push(self, occasion: Occasion, table: Table, player: str) -> None:
        wishes = await self._store.notices.wishes(player)
        if not wanted(table, occasion.seat, wishes.when):
            return
        for target in await self._store.notices.targets(player, BROWSERS):
            letter = letter_of(occasion, table, target.language)
            send = functools.partial(self._send_push, occasion, target, letter)
            self.post.put(Parcel("a push", send))

    async def _send_push(
        self, occasion: Occasion, target: PushTarget, letter: Letter
    ) -> Again | None:
        assert self._push is not None
        if await self._standing(occasion) is None:
            return None
        pushed = await self._push.send(target, letter)
        if pushed.gone:
            await self._store.notices.gone(target.endpoint)
        elif not pushed.sent and pushed.again is None:
            log.warning("a push service answered %s and gets no second try", pushed.status)
        return pushed.again

    async def _by_mail(self, occasion: Occasion, table: Table, player: str) -> None:
        wishes = await self._store.notices.wishes(player)
        if wishes.address is None or not wanted(table, occasion.seat, wishes.when):
            return
        send = functools.partial(self._send_mail, occasion, player)
        self.post.put(Parcel("a mail", send))

    async def _send_mail(self, occasion: Occasion, player: str) -> Again | None:
        assert self._mailer is not None
        table = await self._standing(occasion)
        wishes = await self._store.notices.wishes(player)  # it may have been stopped meanwhile
        if table is None or wishes.address is None:
            return None
        try:
            return await self._mailer.send(
                mail_of(occasion, table, wishes, self._channels.base_url)
            )
        except MailError as error:
            log.warning("a mail is not sent: %s", error)
            return None


async def _without_fail(work: Awaitable[None]) -> None:
    try:
        await work
    except StoreError as error:
        log.warning("a notice is not sent, the store cannot be read: %s", error)
    except Exception:
        log.exception("a notice is not sent")


def by_mail(table: Table) -> bool:
    """Whether mail is worth it: where there is no clock, or one of days."""
    return not table.info.pace.live


def wanted(table: Table, seat: Seat, when: str) -> bool:
    """Whether somebody who wants to be told at such times wants it now."""
    if when == ALWAYS:
        return True
    sockets = [socket for socket in table.sockets if socket.seat == seat]
    if when == AWAY:
        return not sockets
    return not any(socket.looking for socket in sockets)
