"""The room together with what stands around it: the door, the host's desk, classes, the lobby."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lostcities.protocol import company as wire
from lostcities.protocol.http import Joined
from lostcities.service import lobby
from lostcities.service.classes import Classes
from lostcities.service.desk import Desk
from lostcities.service.door import SHUT_OUT, Door
from lostcities.service.ids import Ids, RandomIds
from lostcities.service.subscriber import Subscriber
from lostcities.service.table import Table
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import Store

if TYPE_CHECKING:
    from lostcities.service.room import Room


class House:
    """Who may come in, and where they find each other.

    Args:
        room: the tables.
        store: where everything is kept; the same as the room's.
        clock: milliseconds since 1970 (UTC).
        now: milliseconds of a clock that only goes forward.
        host_code: what makes a browser the host's; None for no host.
        ids: where codes come from.
    """

    def __init__(
        self,
        room: Room,
        store: Store,
        *,
        clock: Callable[[], int],
        now: Callable[[], int],
        host_code: str | None = None,
        ids: Ids | None = None,
    ) -> None:
        self._room, self._store = room, store
        self.door = Door(store, clock)
        self._clock = clock
        self.desk = Desk(store, self.door, lambda: room.tables, host_code, clock, room.offers_end)
        self.classes = Classes(room, store, self.desk, ids or RandomIds(), clock, now)

    async def close(self) -> None:
        """Let go of threads and timers; the room is closed by itself."""
        await self.classes.close()
        self.door.close()

    async def admit(self, player: str | None, address: str | None, *, locked: bool = True) -> None:
        """Let a request in.

        Args:
            player: who asks, if known.
            address: from where.
            locked: whether what is asked for is behind the password.

        Raises:
            WishError: banned, or the password is missing.
        """
        if self.desk.is_host(player):
            return
        if await self.door.banned(player, address):
            raise WishError(403, "banned", SHUT_OUT["banned"])
        if locked and not await self.door.open_for(player):
            raise WishError(401, "locked", "this room has a password")

    def welcome(self, table: Table, socket: Subscriber) -> str | None:
        """See :meth:`.desk.Desk.welcome`."""
        return self.desk.welcome(table, socket)

    async def lobby(self, player: str | None) -> wire.Lobby:
        """The open tables."""
        return await lobby.lobby(self._room, self._store, player, self._clock())

    async def join(self, match: str, visitor: Visitor, name: str) -> Joined:
        """Sit down at an open table."""
        return await lobby.join(self._room, match, visitor, name)

    async def forget_chat(self, match: str, player: str | None) -> None:
        """Delete the chat of a table, for both; either of the two may.

        Raises:
            WishError: no seat there.
        """
        table = await self._room.table(match)
        if table is None or not table.seats_of(player):
            raise WishError(404, "no_table", "this browser has no seat at such a table")
        table.tell(await table.chat.forget())

    async def overview(self) -> wire.Desk:
        """What the host sees."""
        classes, groups = await self.classes.states()
        tables = [
            self.desk.hosted(table, groups.get(table.match))
            for table in self._room.tables
            if not table.state.over
        ]
        bans = [wire.BanInfo(b.kind, b.value, b.name, b.created) for b in await self.door.bans()]
        return wire.Desk(tables, bans, classes)

    async def order_table(self, match: str, order: wire.TableOrder) -> None:
        """Carry out what the host wants of a table."""
        table = await self._room.table(match)
        if table is None:
            raise WishError(404, "no_table", "there is no such table")
        await self.desk.order_table(table, order)
