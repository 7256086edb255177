"""A table as seen from outside: who sits where, who watches, and what they are told.

Everything here reads the committed state and changes no match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import msgspec

from lostcities.core.events import Event
from lostcities.core.match import seats_to_act
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.protocol.messages import (
    ClassWait,
    Hello,
    Presence,
    Ready,
    ServerMessage,
    Snapshot,
    TableInfo,
    Update,
)
from lostcities.service.beginnings import first_state
from lostcities.service.seeing import seat_view, seen, table_info
from lostcities.service.state import Entry, advance_all
from lostcities.service.subscriber import Subscriber, encoded
from lostcities.service.takebacks import turns_that_count
from lostcities.service.timekeeper import Timekeeper
from lostcities.service.timing import Timing
from lostcities.store.interfaces import (
    AgainAsked,
    AgainWithdrawn,
    CommandRecord,
    HintTaken,
    MovedOn,
    Occupant,
    Overdue,
    SeatTaken,
    SentAway,
    StoredMatch,
    TableClosed,
    TablePaused,
    TimeUsed,
)

TABLE_EVENTS = (
    SeatTaken, TableClosed, AgainAsked, AgainWithdrawn, SentAway, MovedOn, TablePaused, HintTaken,
    TimeUsed, Overdue,
)  # fmt: skip
TAIL = 100
"""A socket that is further behind gets a snapshot rather than the events it missed."""
SOCKETS_A_SEAT = 16
"""Tabs that one seat may have open."""
WATCHERS = 200
"""Sockets that may watch one table."""


class Audience:
    """The committed state of a table, and the sockets that are told of it."""

    def __init__(self, stored: StoredMatch, keeper: Timekeeper) -> None:
        self.info = stored.info
        self.state = first_state(stored.info)
        self.timing = Timing(stored.info.pace, keeper)
        """Whose time runs."""
        self.occupants: BySeat[Occupant | None] = BySeat(None, None)
        self.touched = 0.0
        """When something last happened here, on the loop's clock."""
        self.group: ClassWait | None = None
        """What a table of a class tells whoever waits there."""
        self.attended: Callable[[], None] = nobody_cares
        """Called after who is here has changed; must neither wait nor fail."""
        self._opening = keeper.run
        self._log: list[Entry] = []
        self._commands: dict[str, CommandRecord] = {}
        self._sockets: list[Subscriber] = []
        self._restore(stored, opened=True)

    def _restore(self, stored: StoredMatch, *, opened: bool = False) -> None:
        state, entries = advance_all(first_state(stored.info), stored.events)
        occupants: BySeat[Occupant | None] = BySeat(None, None)
        for who in stored.occupants:
            occupants = occupants.replace(who.seat, who)
        self.state, self._log, self._commands = state, entries, dict(stored.commands)
        self.occupants = occupants
        self.timing.due = stored.due
        self.timing.follow(state, self.agent_seats, opened=opened)

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.info.match

    # ---- who sits where -------------------------------------------------------------------------

    def seat_of(self, player: str | None) -> Seat | None:
        """The seat that a player holds."""
        for who in self.occupants:
            if who is not None and who.player is not None and who.player == player:
                return who.seat
        return None

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """The seats that a player holds: both where one device is passed to and fro."""
        return tuple(
            who.seat
            for who in self.occupants
            if who is not None and who.player is not None and who.player == player
        )

    @property
    def agent_seats(self) -> frozenset[Seat]:
        """The seats in which programs sit."""
        return frozenset(w.seat for w in self.occupants if w is not None and w.kind == "agent")

    @property
    def present(self) -> BySeat[bool]:
        """By seat, whether a socket of it is open (agents always are)."""
        here = {socket.seat for socket in self._sockets} | self.agent_seats
        if self.info.terms.one_device and here & set(SEATS):
            here |= set(SEATS)
        return BySeat(*(seat in here for seat in SEATS))

    def moved(self, seat: Seat, player: str) -> None:
        """The seat is another browser's now: its sockets end."""
        who = self.occupants[seat]
        if who is None or who.player == player:
            return
        self.occupants = self.occupants.replace(seat, replace(who, player=player))
        for socket in self._sockets:
            if socket.seat == seat:
                socket.fail("moved", "this seat has moved to another device")

    def waits_for(self, seat: Seat) -> bool:
        """Whether the table waits for this seat: to move, or to say that it goes on."""
        match = self.state.match
        return match is not None and not self.state.over and seat in seats_to_act(match)

    @property
    def watching(self) -> int:
        """How many sockets watch."""
        return sum(socket.seat is None for socket in self._sockets)

    @property
    def sockets(self) -> tuple[Subscriber, ...]:
        """Everybody's sockets."""
        return tuple(self._sockets)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The whole log; secret until the match is over."""
        return tuple(self._log)

    def core_events(self) -> list[Event]:
        """The log of the match itself; secret until the match is over."""
        return [e.event for e in self._log if not isinstance(e.event, TABLE_EVENTS)]

    # ---- sockets --------------------------------------------------------------------------------

    def join(self, socket: Subscriber, hello: Hello) -> None:
        """Bring a socket level with the table, and keep it so."""
        watching = self.watching
        most = WATCHERS if socket.seat is None else 2 * SOCKETS_A_SEAT
        if (watching if socket.seat is None else len(self._sockets) - watching) >= most:
            socket.fail("too_fast", "too many tabs are open at this table")
            return
        before = self._who()
        self._sockets.append(socket)
        runs = self._look_around()
        # A page may have slept while a backup took the place of what it has seen: the numbers can
        # fit and mean something else. Within one run of the room they cannot.
        same = hello.run in (None, self._opening)
        self._catch_up(socket, hello.last_seq if same else 0)
        self._greet(socket)
        socket.send(Ready(self.state.seq, self._opening))
        if runs or self._who() != before:
            self._tell_presence()
        else:
            socket.send(self._there())
        self.attended()

    def _greet(self, socket: Subscriber) -> None:
        """More that a socket is told before it is level."""

    def leave(self, socket: Subscriber) -> None:
        """A socket is gone."""
        if socket in self._sockets:
            before = self._who()
            self._sockets.remove(socket)
            self.touched = asyncio.get_running_loop().time()
            self._look_around()
            if self._who() != before:
                self._tell_presence()
            self.attended()

    def _look_around(self) -> bool:
        """Who is here now; whether a clock begins to run by that."""
        runs = self.timing.seen(self.state, self.present)
        if runs:
            self._arm()
        return runs

    def _arm(self) -> None:
        """The clocks have changed: be woken when a time may be out."""

    def end_sockets(self, reason: str, text: str) -> None:
        """End every socket of the table."""
        for socket in self._sockets:
            socket.fail(reason, text)

    def _there(self) -> Presence:
        timing, state = self.timing, self.state
        return Presence(list(self.present), timing.told(state), timing.away(state), self.watching)

    def _who(self) -> tuple[BySeat[bool], int]:
        return self.present, self.watching

    def _tell_presence(self) -> None:
        self.tell(self._there())

    def tell(self, message: ServerMessage) -> None:
        """Tell everybody the same thing, which no seat may find out more from than another."""
        frame = encoded(message)
        for socket in self._sockets:
            socket.send_frame(frame)

    def _catch_up(self, socket: Subscriber, last_seq: int) -> None:
        behind = self.state.seq - last_seq
        if last_seq > 0 and behind == 0:
            return
        if last_seq > 0 and 0 < behind <= TAIL:
            socket.send(self._update(socket.seat, last_seq, self._told(socket.seat)))
        else:
            socket.send(self.snapshot(socket.seat))

    def snapshot(self, seat: Seat | None) -> Snapshot:
        """Everything that a seat may see, as committed."""
        state = self.state
        turns = self._log[state.dealt_at :] if state.dealt_at else []
        return Snapshot(
            state.seq,
            seat,
            self._told(seat),
            seat_view(state, seat),
            [seen(entry, seat) for entry in turns_that_count(turns)],
        )

    def _told(self, seat: Seat | None) -> TableInfo:
        return _as_told(self._info(), seat)

    def _info(self) -> TableInfo:
        return table_info(self.state, self.info, self.present, self.timing, self.group)

    def tell_anew(self) -> None:
        """Tell every socket everything, where something has changed that is no event."""
        for socket in self._sockets:
            socket.send(self.snapshot(socket.seat))

    def _update(self, seat: Seat | None, from_seq: int, told: TableInfo) -> Update:
        state = self.state
        events = [seen(entry, seat) for entry in self._log[from_seq : state.seq]]
        return Update(from_seq, state.seq, events, told, seat_view(state, seat))

    def _push(self, from_seq: int) -> None:
        table = self._info()
        frames: dict[Seat | None, bytes] = {}
        for socket in self._sockets:
            seat = socket.seat
            if seat not in frames:
                frames[seat] = encoded(self._update(seat, from_seq, _as_told(table, seat)))
            socket.send_frame(frames[seat])


def _as_told(table: TableInfo, seat: Seat | None) -> TableInfo:
    """Who watches a table of two friends is not thereby invited to it, nor told where they went."""
    if seat is not None:
        return table
    return msgspec.structs.replace(table, invite=None, group=None, moved_to=None)


def nobody_cares() -> None:
    """What is called where nobody wants to know."""
