"""Class links: whoever follows one is seated with the next who does, of those who are there.

An arrival is paired with whoever has waited the longest and is present. Who comes back to a table where
they wait alone, while somebody else does at another one, is brought to that one. All of it happens under
one lock, so that no two ever take the same seat, and none waits beside another.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lostcities.core.seats import Seat
from lostcities.protocol import company as wire
from lostcities.protocol.http import Joined
from lostcities.protocol.messages import ClassWait
from lostcities.protocol.terms import Terms
from lostcities.service.attendance import Attendance, alone, distinct, here, names_at, table_of
from lostcities.service.desk import Desk
from lostcities.service.ids import Ids
from lostcities.service.refusing import No
from lostcities.service.table import BusyError, Decision, Table
from lostcities.service.together import bring_together
from lostcities.service.wishes import Visitor, WishError, clean_name, read_rules
from lostcities.store.interfaces import (
    CLASS_LIST,
    Changes,
    Class,
    Listing,
    MatchInfo,
    Occupant,
    SeatTaken,
    SitDown,
    Store,
    StoreError,
)

if TYPE_CHECKING:
    from lostcities.service.room import Room

log = logging.getLogger("lostcities.classes")

TERMS = Terms(chat=False)
"""Of a class's tables: private, and quiet."""
MOST = 200
"""Tables of a class."""


class Classes:
    """The room's class links.

    Args:
        room: where tables are made.
        store: where classes are kept.
        desk: the host's, which lets tables rest.
        ids: where codes come from.
        clock: milliseconds since 1970 (UTC).
        now: milliseconds of a clock that only goes forward.
    """

    def __init__(
        self,
        room: Room,
        store: Store,
        desk: Desk,
        ids: Ids,
        clock: Callable[[], int],
        now: Callable[[], int],
    ) -> None:
        self._room, self._store, self._desk = room, store, desk
        self._ids, self._clock = ids, clock
        self._known: dict[str, Class] | None = None
        self._matches: dict[str, dict[str, None]] = {}
        self._lock = asyncio.Lock()
        self._there = Attendance(now)
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._doing: set[asyncio.Task[None]] = set()
        self._closed = False

    # ---- the host's side ------------------------------------------------------------------------

    async def make(self, wish: wire.NewClass) -> wire.ClassMade:
        """A new class link.

        Raises:
            WishError: rules that cannot be read, an unknown agent.
        """
        rules = read_rules(wish.rules)
        agent = None if wish.agent is None else self._room.agent(wish.agent, 0).agent
        code = self._ids.invite()
        group = Class(
            code, clean_name(wish.label), str(rules), agent, wish.wait, self._clock()
        )  # fmt: skip
        await self._store.put_class(group)
        (await self._all())[code] = group
        return wire.ClassMade(code, f"/c/{code}")

    async def order(self, code: str, order: wire.ClassOrder) -> None:
        """Let a class rest or go on, seat its odd one out, or end its link."""
        async with self._lock:
            group = await self._find(code)
            if order.do in ("pause", "go_on"):
                await self._pause(group, order.do == "pause")
            elif order.do == "seat_odd":
                for table in await self._waiting(group):
                    await self._seat_agent(group, table)
            else:
                await self._end(group)

    async def _pause(self, group: Class, paused: bool) -> None:
        group = replace(group, paused=paused)
        await self._store.put_class(group)
        (await self._all())[group.code] = group
        for table in await self._of(group):
            await self._desk.pause(table, paused)
            self._set_alarm(group, table)
        await self._pair_up(group)

    async def _end(self, group: Class) -> None:
        tables = await self._of(group)
        await self._store.drop_class(group.code)
        (await self._all()).pop(group.code, None)
        for table in tables:
            self._silence(table)
            if alone(table):
                table.group = _waits_for(None)
                table.tell_anew()

    async def states(self) -> tuple[list[wire.ClassState], dict[str, str]]:
        """Every class for the host, and of which class each of their tables is."""
        told: list[wire.ClassState] = []
        groups: dict[str, str] = {}
        for group in (await self._all()).values():
            tables = await self._of(group)
            groups |= {table.match: group.label for table in tables}
            waiting = [
                wire.Waiting(names_at(table)[0], self._there.present(table))
                for table in tables
                if alone(table)
            ]
            told.append(
                wire.ClassState(
                    group.code, group.label, group.rules, group.agent, group.wait, group.paused,
                    len(tables), waiting, f"/c/{group.code}",
                )
            )  # fmt: skip
        return told, groups

    # ---- the arrivals' side ---------------------------------------------------------------------

    async def info(self, code: str, player: str | None) -> wire.ClassInfo:
        """What an arrival is told; changes nothing.

        Raises:
            WishError: there is no such class.
        """
        group = await self._find(code)
        mine = table_of(await self._of(group), player)
        return wire.ClassInfo(group.label, group.rules, None if mine is None else mine.match)

    async def arrive(self, code: str, visitor: Visitor, name: str) -> Joined:
        """Seat an arrival with whoever waits and is there, else at a table of its own.

        Raises:
            WishError: there is no such class.
            StoreError: it could not be saved.
        """
        name = clean_name(name)
        async with self._lock:
            group = await self._find(code)
            tables = await self._of(group)
            mine = table_of(tables, visitor.player)
            if mine is not None:
                return self._joined(await self._back_at(group, mine), visitor)
            name = distinct(name, tables)
            for free in await self._waiting(group):
                try:
                    return await self._room.sit(free, visitor, name)
                except WishError:
                    continue  # the host has just closed it
            return await self._new_table(group, visitor, name)

    async def _back_at(self, group: Class, mine: Table) -> Table:
        """The table for somebody who sits at one already: another one if a partner waits there."""
        if not alone(mine):
            return mine
        self._there.arrives(mine)
        for other in await self._waiting(group):
            if other is not mine and here(other) and await self._bring(mine, other):
                return other
        return mine

    def _joined(self, table: Table, visitor: Visitor) -> Joined:
        seat = table.seat_of(visitor.player)
        assert seat is not None
        return Joined(table.match, seat, f"/t/{table.match}")

    async def _new_table(self, group: Class, visitor: Visitor, name: str) -> Joined:
        rules = read_rules(group.rules)
        info = MatchInfo(
            self._ids.match(), rules, None, self._clock(), terms=TERMS, group=group.code
        )
        me = Occupant(self._ids.coin(), "person", name, visitor.player)
        listing = Listing(info.match, CLASS_LIST + group.code, info.created)
        table = await self._room.begin(info, (me,), visitor, (listing,))
        self._matches[group.code][table.match] = None
        self._there.arrives(table)
        if group.paused:
            await self._desk.pause(table, True)
        return self._joined(table, visitor)

    # ---- who is there ---------------------------------------------------------------------------

    async def known(self) -> None:
        """Read the classes; before that no table of theirs can be adopted."""
        await self._all()

    def adopt(self, table: Table) -> None:
        """Follow who comes to a table and leaves it, if it is a class's; once it is open."""
        if table.info.group is None:
            return
        table.group = self._told(table.info.group)
        table.attended = lambda: self._attended(table)

    def _told(self, code: str) -> ClassWait:
        group = (self._known or {}).get(code)
        agent = None if group is None or not group.wait else self._agent(group, 0)
        return _waits_for(group, None if agent is None else agent.name)

    def _attended(self, table: Table) -> None:
        group = (self._known or {}).get(str(table.info.group))
        if group is None or not alone(table):
            self._silence(table)
            return
        self._there.look(table)
        self._set_alarm(group, table)
        if here(table):
            self._later(self._gather(group.code))

    async def _gather(self, code: str) -> None:
        """Bring those together who wait and are there."""
        async with self._lock:
            group = (await self._all()).get(code)
            if group is not None:
                await self._pair_up(group)

    async def _pair_up(self, group: Class) -> None:
        while await self._one_pair(group):
            pass

    async def _one_pair(self, group: Class) -> bool:
        """Whoever came last, or came back last, goes to who has waited the longest."""
        waiting = [table for table in await self._waiting(group) if here(table)]
        for comes in reversed(waiting[1:]):
            if await self._bring(comes, waiting[0]):
                return True
        return False

    async def _bring(self, comes: Table, stays: Table) -> bool:
        if not await bring_together(self._store, comes, stays):
            return False
        self._silence(comes)
        self._silence(stays)
        return True

    async def _waiting(self, group: Class) -> list[Table]:
        """Tables where one waits alone and is there: first with an open page, then the longest.

        A table that the host lets rest by itself is passed over, and whoever is shut out.
        """
        found: list[Table] = []
        for table in await self._of(group):
            if not alone(table) or table.state.paused != group.paused:
                continue
            self._there.look(table)
            if self._there.present(table) and not await self._shut_out(table):
                found.append(table)
        return sorted(found, key=lambda each: (not here(each), -self._there.waited(each)))

    async def _shut_out(self, table: Table) -> bool:
        who = next(each for each in table.occupants if each is not None)
        return await self._desk.shut_out(table.match, str(who.player))

    # ---- the odd one out ------------------------------------------------------------------------

    def _set_alarm(self, group: Class, table: Table) -> None:
        """Look again when somebody who waits and is there has waited long enough for an agent."""
        self._silence(table)
        if group.agent is None or not group.wait or self._closed:
            return
        if alone(table) and here(table) and not table.state.paused:
            left = max(0, 1000 * group.wait - self._there.waited(table))
            self._alarms[table.match] = asyncio.get_running_loop().call_later(
                (left + 1) / 1000, self._waited, group.code, table
            )

    def _silence(self, table: Table) -> None:
        alarm = self._alarms.pop(table.match, None)
        if alarm is not None:
            alarm.cancel()

    def _waited(self, code: str, table: Table) -> None:
        self._alarms.pop(table.match, None)
        self._later(self._seat_odd(code, table))

    async def _seat_odd(self, code: str, table: Table) -> None:
        async with self._lock:
            group = (await self._all()).get(code)
            if group is not None and not await self._seat_if_due(group, table):
                self._set_alarm(group, table)  # a timer may be early by a hair

    async def _seat_if_due(self, group: Class, table: Table) -> bool:
        due = bool(group.wait) and self._there.waited(table) >= 1000 * group.wait
        if due and alone(table) and here(table):
            await self._seat_agent(group, table)
        return due

    async def tick(self) -> None:
        """Do what was missed: bring together who waits, and seat agents whose time has come."""
        async with self._lock:
            lone: list[Table] = []
            for group in tuple((await self._all()).values()):
                await self._pair_up(group)
                waiting = await self._waiting(group)
                for table in waiting:
                    await self._seat_if_due(group, table)
                lone += waiting
            self._there.keep(lone)

    async def _seat_agent(self, group: Class, table: Table) -> None:
        def wish() -> Decision | No:
            seat = table.state.free
            who = None if seat is None else self._agent(group, seat)
            if not alone(table) or seat is None or who is None or table.state.paused:
                return No("seated", "")
            changes = Changes(seats=(SitDown(table.match, who),))
            return Decision((SeatTaken(seat, who.kind, who.name),), changes)

        await table.do(lambda: table.commit(wish))

    def _agent(self, group: Class, seat: Seat) -> Occupant | None:
        """The class's agent, unless it has none, or one that this room has no longer."""
        try:
            return None if group.agent is None else self._room.agent(group.agent, seat)
        except WishError:
            return None

    # ---- finding --------------------------------------------------------------------------------

    async def _all(self) -> dict[str, Class]:
        if self._known is None:
            found = {group.code: group for group in await self._store.classes()}
            if self._known is None:  # still: others may have asked meanwhile
                self._known = found
        return self._known

    async def _find(self, code: str) -> Class:
        group = (await self._all()).get(code)
        if group is None:
            raise WishError(404, "no_class", "this class link leads nowhere")
        return group

    async def _of(self, group: Class) -> list[Table]:
        """The tables of a class that are not over, the oldest first."""
        if group.code not in self._matches:
            listed = await self._store.listed(CLASS_LIST + group.code, MOST)
            self._matches.setdefault(group.code, dict.fromkeys(reversed(listed)))
        matches = self._matches[group.code]
        found = [await self._room.table(match) for match in tuple(matches)]
        tables = [table for table in found if table is not None]
        for table in tables:
            if table.state.over:
                matches.pop(table.match, None)
        return [table for table in tables if not table.state.over]

    # ---- doing ----------------------------------------------------------------------------------

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(self._try(work))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    async def _try(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreError, BusyError) as error:
            log.warning("a class has to wait for the next look: %s", error)

    async def close(self) -> None:
        """Do nothing more."""
        self._closed = True
        for alarm in self._alarms.values():
            alarm.cancel()
        for task in self._doing:
            task.cancel()
        await asyncio.gather(*self._doing, return_exceptions=True)


def _waits_for(group: Class | None, agent: str | None = None) -> ClassWait:
    """What who waits in a class is told; None for one whose link has ended."""
    if group is None:
        return ClassWait("", open=False)
    return ClassWait(group.label, agent, None if agent is None else group.wait)
