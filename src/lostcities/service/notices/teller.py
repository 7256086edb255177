"""Tells people that it is their turn: who is to be told, when, and by which way.

A table says that something was committed; if by that a new turn has begun, whoever is to move is
told a little later, unless the turn is over by then or they look at the table. Each turn is told
once by each way. Of matches with days for a turn the store knows which turns were not told yet, so
that a room that was closed in between makes up for it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import functools
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from lostcities.core.seats import SEATS, Seat, other
from lostcities.service.notices.channels import Channels
from lostcities.service.notices.mail import Mail, Mailer, MailError
from lostcities.service.notices.post import Again, Parcel, Post
from lostcities.service.notices.push import Letter, WebPush, as_text
from lostcities.service.notices.texts import say
from lostcities.service.table import Table
from lostcities.service.timing import Wait, wait_of
from lostcities.store.interfaces import Store, StoreError
from lostcities.store.notices import ALWAYS, AWAY, PushTarget, Wishes

log = logging.getLogger("lostcities.notices")

BROWSERS = 20
"""Browsers of one person that are told at most, the newest first."""
CAUGHT_UP = 1000
"""Matches of which nobody was told yet that are looked at when the room opens."""
LIVE_SECONDS = 3600
"""How long a push service keeps a notice of a match without days for a turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat is to act."""

    match: str
    seat: Seat
    wait: Wait


class Teller:
    """Watches tables and hands notices to the post.

    Args:
        store: the room's.
        channels: which ways there are.
        push: to browsers, if there is that way.
        mailer: by mail, if there is that way.
        table: the live table of a match.
        post: sends them; a test may bring its own.
    """

    def __init__(
        self,
        store: Store,
        channels: Channels,
        push: WebPush | None,
        mailer: Mailer | None,
        table: Callable[[str], Awaitable[Table | None]],
        post: Post | None = None,
    ) -> None:
        self._store, self._channels = store, channels
        self._push, self._mailer = push, mailer
        self._table = table
        self.post = post or Post()
        self._timers: dict[str, list[asyncio.TimerHandle]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._closed = False

    # ---- when -----------------------------------------------------------------------------------

    def follow(self, table: Table) -> None:
        """Look after a table that was just taken out; the turn that it stands at is not new."""
        if not self._tells_of(table):
            return
        now = last = wait_of(table.state)
        broken_off = False

        def changed() -> None:
            nonlocal now, last, broken_off
            before, now = now, wait_of(table.state)
            if now == before:
                return
            pending = self._cancel(table.match)
            if now is None:
                broken_off = pending
            elif now != last or broken_off:  # after a pause a turn is not told a second time
                last, broken_off = now, False
                self._begin(table, now)

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
                self._begin(table, wait)

    def _cancel(self, match: str) -> bool:
        """Whether anything was still to be told."""
        timers = self._timers.pop(match, ())
        for timer in timers:
            timer.cancel()
        return bool(timers)

    def _begin(self, table: Table, wait: Wait) -> None:
        self._cancel(table.match)
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        turns = [Turn(table.match, seat, wait) for seat in SEATS if table.waits_for(seat)]
        timers = self._timers[table.match] = []
        channels = self._channels
        if self._push is not None:
            timers.append(loop.call_later(channels.push_after, self._ripe, turns, self._by_push))
        if self._mailer is not None and by_mail(table):
            timers.append(loop.call_later(channels.mail_after, self._ripe, turns, self._by_mail))
        last = max(channels.push_after, channels.mail_after)
        timers.append(loop.call_later(last, self._was_told, table.match, table.timing.due))

    def _ripe(self, turns: list[Turn], way: Callable[[Turn, Table, str], Awaitable[None]]) -> None:
        for turn in turns:
            self._run(self._tell(turn, way))

    def _was_told(self, match: str, due: int | None) -> None:
        self._timers.pop(match, None)
        if due is not None:
            self._run(self._store.notices.told(match, due))

    def _run(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_without_fail(work))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def close(self) -> None:
        """Stop telling, whatever tables still do."""
        self._closed = True
        for match in list(self._timers):
            self._cancel(match)
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)
        await self.post.close()

    # ---- who ------------------------------------------------------------------------------------

    async def _tell(self, turn: Turn, way: Callable[[Turn, Table, str], Awaitable[None]]) -> None:
        table = await self._standing(turn)
        who = None if table is None else table.occupants[turn.seat]
        if table is not None and who is not None and who.player is not None:
            await way(turn, table, who.player)

    async def _standing(self, turn: Turn) -> Table | None:
        """The table, if it still waits for this very turn of this seat."""
        table = await self._table(turn.match)
        if table is None or wait_of(table.state) != turn.wait or not table.waits_for(turn.seat):
            return None
        return table

    async def _by_push(self, turn: Turn, table: Table, player: str) -> None:
        wishes = await self._store.notices.wishes(player)
        if not wanted(table, turn.seat, wishes.when):
            return
        for target in await self._store.notices.targets(player, BROWSERS):
            letter = letter_of(table, turn.seat, target.language)
            send = functools.partial(self._send_push, turn, target, letter)
            self.post.put(Parcel("a push", send))

    async def _send_push(self, turn: Turn, target: PushTarget, letter: Letter) -> Again | None:
        assert self._push is not None
        if await self._standing(turn) is None:
            return None
        pushed = await self._push.send(target, letter)
        if pushed.gone:
            await self._store.notices.gone(target.endpoint)
        elif not pushed.sent and pushed.again is None:
            log.warning("a push service answered %s and gets no second try", pushed.status)
        return pushed.again

    async def _by_mail(self, turn: Turn, table: Table, player: str) -> None:
        wishes = await self._store.notices.wishes(player)
        if wishes.address is None or not wanted(table, turn.seat, wishes.when):
            return
        send = functools.partial(self._send_mail, turn, player)
        self.post.put(Parcel("a mail", send))

    async def _send_mail(self, turn: Turn, player: str) -> Again | None:
        assert self._mailer is not None
        table = await self._standing(turn)
        wishes = await self._store.notices.wishes(player)  # it may have been stopped meanwhile
        if table is None or wishes.address is None:
            return None
        try:
            return await self._mailer.send(
                mail_of(table, turn.seat, wishes, self._channels.base_url)
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


# ---- what is said -------------------------------------------------------------------------------


def _their_name(table: Table, seat: Seat) -> str:
    who = table.state.taken[other(seat)]
    return "" if who is None else who.name


def letter_of(table: Table, seat: Seat, language: str) -> Letter:
    """What a browser is told: whose turn at which table, and no card."""
    days = table.info.pace.days
    body = {
        "title": say(language, "turn", "title"),
        "body": say(language, "turn", "body", name=_their_name(table, seat)),
        "url": f"/t/{table.match}",
        "tag": f"turn-{table.match}",
    }
    topic = as_text(hashlib.sha256(table.match.encode()).digest())[:32]
    seconds = days * 24 * 3600 if days else LIVE_SECONDS
    return Letter(msgspec.json.encode(body), seconds, topic, urgent=not days)


def mail_of(table: Table, seat: Seat, wishes: Wishes, base_url: str) -> Mail:
    """What is written: the same, until when, and how to end such mail."""
    assert wishes.address is not None
    language, name = wishes.language, _their_name(table, seat)
    lines = [say(language, "turn", "mail", name=name, url=f"{base_url}/t/{table.match}")]
    due = table.timing.due
    if due is not None:
        until = dt.datetime.fromtimestamp(due / 1000, dt.UTC).strftime("%Y-%m-%d %H:%M")
        lines.append(say(language, "turn", "days", until=until))
    page = f"{base_url}/notices/stop/{wishes.stop}"
    lines.append("-- \n" + say(language, "stop", "line", url=page))
    subject = f"{say(language, 'turn', 'title')}: {name}"
    post = f"{base_url}/api/notices/mail/stop/{wishes.stop}"
    return Mail(wishes.address, subject, "\n\n".join(lines) + "\n", post)
