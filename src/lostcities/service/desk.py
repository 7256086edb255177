"""The host's desk: what the person who runs the room sees and may do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from lostcities.core.match import decide_abandon
from lostcities.core.refusal import Refusal
from lostcities.core.seats import Seat
from lostcities.protocol import company as wire
from lostcities.service.chat import clean_line
from lostcities.service.door import SHUT_OUT, Door, same_code
from lostcities.service.refusing import No
from lostcities.service.seeing import seat_kinds, seat_names
from lostcities.service.subscriber import Subscriber
from lostcities.service.table import Decision, Table
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import Ban, Changes, SentAway, Store, TableClosed, TablePaused


class Desk:
    """The host's orders.

    Args:
        store: where bans and sessions are kept.
        door: the room's door.
        tables: the tables in memory.
        code: what makes a browser the host's; None for no host at all.
        clock: milliseconds since 1970 (UTC).
        closed: told of each table that the host has closed, or sent somebody away from.
    """

    def __init__(
        self,
        store: Store,
        door: Door,
        tables: Callable[[], tuple[Table, ...]],
        code: str | None,
        clock: Callable[[], int],
        closed: Callable[[Table], Awaitable[None]],
    ) -> None:
        self._store, self._door, self._tables = store, door, tables
        self._code, self._clock, self._closed = code, clock, closed
        self._hosts: set[str] = set()
        self._muted: set[str] = set()
        self._kicked: set[tuple[str, str]] = set()

    # ---- who is the host ------------------------------------------------------------------------

    def is_host(self, player: str | None) -> bool:
        """Whether a browser is the host's, until the room closes."""
        return player in self._hosts

    async def sign_in(self, visitor: Visitor, code: str) -> None:
        """Make a browser the host's.

        Raises:
            WishError: the code is wrong.
        """
        if not same_code(code, self._code):
            raise WishError(403, "wrong_code", "this is not the host's code")
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
        self._hosts.add(visitor.player)

    def must_be_host(self, player: str | None) -> None:
        """Raise WishError for anybody else."""
        if not self.is_host(player):
            raise WishError(403, "not_host", "this is for the room's host")

    # ---- what a socket may do -------------------------------------------------------------------

    def welcome(self, table: Table, socket: Subscriber) -> str | None:
        """Why a socket may not come to a table, as a reason; None if it may."""
        if (table.match, _handle(socket)) in self._kicked:
            return "kicked"
        if not self.is_host(socket.player) and self._door.shut(socket.player, socket.address):
            return "banned"  # since the door let it in, a moment ago
        socket.muted = _handle(socket) in self._muted
        return None

    async def shut_out(self, match: str, player: str) -> bool:
        """Whether somebody was sent away from a table, or is not let into the room."""
        return (match, player) in self._kicked or await self._door.banned(player, None)

    # ---- seeing ---------------------------------------------------------------------------------

    def hosted(self, table: Table, group: str | None = None) -> wire.HostedTable:
        """A table for the host: who and how far."""
        state, match = table.state, table.state.match
        turns = 0 if match is None or match.round is None else match.round.ply
        return wire.HostedTable(
            match=table.match,
            created=table.info.created,
            changed=table.changed_at,
            names=seat_names(state),
            kinds=seat_kinds(state),
            rules=str(state.rules),
            phase=state.phase,
            round=state.number,
            turns=turns,
            totals=[0, 0] if match is None else list(match.totals),
            paused=state.paused,
            watching=table.watching,
            people=self._people(table),
            group=group,
            url=f"/t/{table.match}",
        )

    def _people(self, table: Table) -> list[wire.PersonHere]:
        found: dict[str, wire.PersonHere] = {}
        for who in table.occupants:
            if who is not None and who.player is not None:
                found[who.player] = self._person(table, who.player, who.name, who.seat)
        for socket in table.sockets:
            handle = _handle(socket)
            if handle and handle not in found:
                found[handle] = self._person(table, handle, "", None)
        return list(found.values())

    def _person(self, table: Table, handle: str, name: str, seat: Seat | None) -> wire.PersonHere:
        theirs = [socket for socket in table.sockets if _handle(socket) == handle]
        address = next((socket.address for socket in theirs), None)
        return wire.PersonHere(handle, name, seat, bool(theirs), address, handle in self._muted)

    # ---- tables ---------------------------------------------------------------------------------

    async def order_table(self, table: Table, order: wire.TableOrder) -> None:
        """Close a table, let it rest or go on, say something there, delete its chat."""
        if order.do == "close":
            await self._write(table, lambda: None if table.state.over else TableClosed(None))
            await self._closed(table)
        elif order.do in ("pause", "go_on"):
            await self.pause(table, order.do == "pause")
        elif order.do == "say":
            text = clean_line(order.text)[:200]
            if not text:
                raise WishError(400, "empty", "there is nothing to say in that")
            table.tell(await table.chat.add(None, "", "host", text))
        else:
            table.tell(await table.chat.forget())

    async def pause(self, table: Table, paused: bool) -> None:
        """Let a table rest, or go on; does nothing if it does already."""

        def step() -> TablePaused | None:
            state = table.state
            return None if state.over or state.paused == paused else TablePaused(paused)

        await self._write(table, step)

    async def _write(
        self, table: Table, step: Callable[[], TableClosed | TablePaused | None]
    ) -> None:
        def wish() -> Decision | No:
            event = step()
            return No("nothing", "") if event is None else Decision((event,))

        await table.do(lambda: table.commit(wish))

    # ---- people ---------------------------------------------------------------------------------

    async def order_person(self, order: wire.PersonOrder) -> None:
        """Kick, mute or ban somebody, or take it back."""
        if order.do in ("mute", "unmute"):
            self._mute(order.person, order.do == "mute")
        elif order.do == "kick":
            await self._kick(order)
        elif order.do == "ban":
            await self._ban(order)
        else:
            await self._door.unban(order.person)
            self._kicked = {each for each in self._kicked if each[1] != order.person}

    def _mute(self, person: str, muted: bool) -> None:
        (self._muted.add if muted else self._muted.discard)(person)
        for socket in self._sockets(person):
            socket.muted = muted

    def _sockets(self, person: str, address: str | None = None) -> list[Subscriber]:
        return [
            socket
            for table in self._tables()
            for socket in table.sockets
            if person == _handle(socket) or (address is not None and address == socket.address)
        ]

    async def _kick(self, order: wire.PersonOrder) -> None:
        table = next((each for each in self._tables() if each.match == order.match), None)
        if table is None:
            raise WishError(404, "no_table", "there is no such table")
        self._kicked.add((table.match, order.person))
        seat = table.seat_of(order.person)
        if seat is not None:
            await table.do(lambda: table.commit(lambda: _out(table, seat)))
        for socket in table.sockets:
            if order.person == _handle(socket):
                socket.fail("kicked", SHUT_OUT["kicked"])
        await self._closed(table)

    async def _ban(self, order: wire.PersonOrder) -> None:
        sockets = self._sockets(order.person)
        name = _name_of(self._tables(), order.person)
        now = self._clock()
        addresses = {socket.address for socket in sockets if socket.address and order.address}
        nameless = any(not socket.player for socket in sockets)
        if nameless and not order.address:
            raise WishError(
                400,
                "address_only",
                "this watcher is known by an address alone, which others may share",
            )
        await self._door.ban(Ban("address" if nameless else "player", order.person, name, now))
        for table in self._tables():
            await self._missed(table, order.person)
        for address in addresses:
            await self._door.ban(Ban("address", address, name, now))
        for socket in sockets:
            socket.fail("banned", SHUT_OUT["banned"])
        for address in addresses:
            for socket in self._sockets(order.person, address):
                socket.fail("banned", SHUT_OUT["banned"])

    async def look_at_bans(self, table: Table) -> None:
        """Tell those at a table that was just opened who may not come to it.

        Raises:
            StoreError: it could not be saved.
        """
        for who in table.occupants:
            if who is not None and who.player and await self._door.banned(who.player, None):
                await self._missed(table, who.player)

    async def _missed(self, table: Table, person: str) -> None:
        """At a match that goes on, the other is told why this seat stays empty."""
        seat = table.seat_of(person)
        if seat is None:
            return

        def wish() -> Decision | No:
            state = table.state
            if state.match is None or state.over or state.sent_away == seat:
                return No("nothing", "")
            return Decision((SentAway(seat),))

        await table.do(lambda: table.commit(wish))


def _handle(socket: Subscriber) -> str:
    """Whom an order is about: a person, or for a watcher without a session the address, which seated
    people may share: an order about it is not about them.
    """
    return socket.player or socket.address or ""


def _out(table: Table, seat: Seat) -> Decision | No:
    """What becomes of a table when the host sends a seated person away."""
    state = table.state
    if state.over:
        return No("over", "")
    if state.match is None:
        return Decision((TableClosed(None),))
    decided = decide_abandon(state.match, seat)
    if isinstance(decided, Refusal):
        return No("over", "")
    return Decision((SentAway(seat), decided))


def _name_of(tables: tuple[Table, ...], person: str) -> str:
    names = (w.name for t in tables for w in t.occupants if w is not None and w.player == person)
    return next(names, "")
