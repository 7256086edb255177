"""Class links: whoever follows one is seated with the next who does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lostcities.protocol import company as wire
from lostcities.protocol.http import Joined
from lostcities.protocol.terms import Terms
from lostcities.service.desk import Desk
from lostcities.service.ids import Ids
from lostcities.service.refusing import No
from lostcities.service.table import Decision, Table
from lostcities.service.wishes import Visitor, WishError, clean_name, read_rules
from lostcities.store.interfaces import (
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
    """

    def __init__(
        self, room: Room, store: Store, desk: Desk, ids: Ids, clock: Callable[[], int]
    ) -> None:
        self._room, self._store, self._desk = room, store, desk
        self._ids, self._clock = ids, clock
        self._known: dict[str, Class] | None = None
        self._tables: dict[str, list[Table]] = {}
        self._lock = asyncio.Lock()
        self._waits: dict[str, asyncio.TimerHandle] = {}
        self._seating: set[asyncio.Task[None]] = set()

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
        group = await self._find(code)
        if order.do in ("pause", "go_on"):
            await self._pause(group, order.do == "pause")
        elif order.do == "seat_odd":
            for table in await self._of(group):
                await self._seat_agent(group, table)
        else:
            await self._store.drop_class(code)
            (await self._all()).pop(code, None)

    async def _pause(self, group: Class, paused: bool) -> None:
        async with self._lock:
            group = replace(group, paused=paused)
            await self._store.put_class(group)
            (await self._all())[group.code] = group
        for table in await self._of(group):
            await self._desk.pause(table, paused)

    async def states(self) -> tuple[list[wire.ClassState], dict[str, str]]:
        """Every class for the host, and of which class each of their tables is."""
        told: list[wire.ClassState] = []
        groups: dict[str, str] = {}
        for group in (await self._all()).values():
            tables = [table for table in await self._of(group) if not table.state.over]
            groups |= {table.match: group.label for table in tables}
            waiting = next((_names(t)[0] for t in tables if t.state.phase == "waiting"), None)
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
        mine = _at(await self._of(group), player)
        return wire.ClassInfo(group.label, group.rules, None if mine is None else mine.match)

    async def arrive(self, code: str, visitor: Visitor, name: str) -> Joined:
        """Seat an arrival: with whoever waits, else at a table of its own. One at a time.

        Raises:
            WishError: there is no such class.
            StoreError: it could not be saved.
        """
        name = clean_name(name)
        async with self._lock:
            group = await self._find(code)
            tables = await self._of(group)
            mine = _at(tables, visitor.player)
            if mine is not None:
                return self._joined(mine, visitor)
            name = _distinct(name, tables)
            free = next((t for t in tables if t.state.phase == "waiting"), None)
            if free is None:
                return await self._new_table(group, visitor, name)
            return await self._room.sit(free, visitor, name)

    def _joined(self, table: Table, visitor: Visitor) -> Joined:
        seat = table.seat_of(visitor.player)
        assert seat is not None
        return Joined(table.match, seat, f"/t/{table.match}")

    async def _new_table(self, group: Class, visitor: Visitor, name: str) -> Joined:
        rules = read_rules(group.rules)
        info = MatchInfo(self._ids.match(), rules, None, self._clock(), terms=TERMS)
        me = Occupant(self._ids.coin(), "person", name, visitor.player)
        listing = Listing(info.match, _list(group.code), info.created)
        table = await self._room.begin(info, (me,), visitor, (listing,))
        self._tables[group.code].append(table)
        if group.paused:
            await self._desk.pause(table, True)
        elif group.agent is not None and group.wait:
            loop = asyncio.get_running_loop()
            self._waits[table.match] = loop.call_later(group.wait, self._waited, group, table)
        return self._joined(table, visitor)

    # ---- the odd one out ------------------------------------------------------------------------

    def _waited(self, group: Class, table: Table) -> None:
        self._waits.pop(table.match, None)
        task = asyncio.create_task(self._seat_agent(group, table))
        self._seating.add(task)
        task.add_done_callback(self._seating.discard)

    async def tick(self) -> None:
        """Seat agents whose time came while the room was closed or the class rested."""
        for group in (await self._all()).values():
            for table in await self._of(group) if group.agent and group.wait else ():
                late = self._clock() - table.info.created > 1000 * group.wait
                if late and table.state.phase == "waiting" and not group.paused:
                    await self._seat_agent(group, table)

    async def _seat_agent(self, group: Class, table: Table) -> None:
        if group.agent is None:
            return

        def wish() -> Decision | No:
            if table.state.phase != "waiting" or table.state.paused:
                return No("seated", "")
            seat = next(each for each in (0, 1) if table.state.taken[each] is None)
            who = self._room.agent(str(group.agent), seat)
            changes = Changes(seats=(SitDown(table.match, who),))
            return Decision((SeatTaken(seat, who.kind, who.name),), changes)

        try:
            await table.do(lambda: table.commit(wish))
        except StoreError:
            return  # the next tick tries again

    # ---- finding --------------------------------------------------------------------------------

    async def _all(self) -> dict[str, Class]:
        if self._known is None:
            self._known = {group.code: group for group in await self._store.classes()}
        return self._known

    async def _find(self, code: str) -> Class:
        group = (await self._all()).get(code)
        if group is None:
            raise WishError(404, "no_class", "this class link leads nowhere")
        return group

    async def _of(self, group: Class) -> list[Table]:
        """The tables of a class that may still matter, the oldest first."""
        if group.code not in self._tables:
            found = [await self._room.table(m) for m in await self._store.listed(
                _list(group.code), MOST)]  # fmt: skip
            self._tables[group.code] = [table for table in reversed(found) if table is not None]
        for at, table in enumerate(self._tables[group.code]):
            live = await self._room.table(table.match)  # it may have been put away since
            if live is not None:
                self._tables[group.code][at] = live
        return self._tables[group.code]

    def close(self) -> None:
        """Forget what was to be done later."""
        for handle in self._waits.values():
            handle.cancel()


def _list(code: str) -> str:
    return f"class:{code}"


def _names(table: Table) -> list[str]:
    return [who.name for who in table.state.taken if who is not None]


def _at(tables: list[Table], player: str | None) -> Table | None:
    mine = (t for t in reversed(tables) if t.seats_of(player) and not t.state.over)
    return next(mine, None)


def _distinct(name: str, tables: list[Table]) -> str:
    """A nickname that nobody else in the class goes by now."""
    used = {each for table in tables if not table.state.over for each in _names(table)}
    number, wished = 2, name
    while name in used:
        name, number = f"{wished[:36]} {number}", number + 1
    return name
