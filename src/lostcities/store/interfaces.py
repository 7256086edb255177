"""What the room asks of a store, and the values that go in and out.

A store keeps for each match one log of events numbered by seq from 1 without gaps. Everything that
must happen together is one :class:`Changes`, written in one transaction; when ``write`` returns, it
is on disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, Protocol

from lostcities.core.events import Event
from lostcities.core.pace import USUAL, Pace
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat
from lostcities.protocol.terms import DEFAULT, Terms

if TYPE_CHECKING:
    from lostcities.store.archive import Archive
    from lostcities.store.notices import NoticeStore
    from lostcities.store.people import People

OccupantKind = Literal["person", "agent"]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down: a person, or an agent, under a name that everybody may see."""

    seat: Seat
    kind: OccupantKind
    name: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was given up by the seat that made it, before the match began; or (None) the room's
    host closed it.
    """

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class AgainAsked:
    """After the match a seat asked to play again, at the table ``match``."""

    seat: Seat
    match: str


@dataclass(frozen=True, slots=True)
class AgainWithdrawn:
    """The seat that asked to play again has closed the new table before the other came."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TimeUsed:
    """A seat's clock ran for so many milliseconds until the turn that follows in the log."""

    seat: Seat
    ms: int


@dataclass(frozen=True, slots=True)
class Overdue:
    """A seat's time was out: the next event is what the time rules do for it, not its own doing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SentAway:
    """The host sent a seat away, from the table or from the room: that it is missing is not its doing."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The seat that waited here alone was brought together with somebody at the table ``match``, in
    the same transaction; this table is closed.
    """

    seat: Seat
    match: str


@dataclass(frozen=True, slots=True)
class TablePaused:
    """The host stopped the table for a while, or (``paused`` false) let it go on."""

    paused: bool


@dataclass(frozen=True, slots=True)
class HintTaken:
    """A seat has asked what a program would do in its place."""

    seat: Seat


TableEvent = (
    SeatTaken
    | TableClosed
    | AgainAsked
    | AgainWithdrawn
    | SentAway
    | MovedOn
    | TablePaused
    | HintTaken
    | TimeUsed
    | Overdue
)
"""What happens at a table besides the match itself."""

CLASS_LIST = "class:"
"""What the name of a class's list begins with; its code follows."""

LogEvent = Event | TableEvent
"""Every kind of event in a table's log; a match over these ends in ``assert_never``."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A free seat is kept for this player, who sat there in the match before."""

    seat: Seat
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """Where a practice match begins: its code, and the service's own text with every card."""

    code: str
    body: str


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match as it was made.

    Attributes:
        match: its id, in the URL of its table; names the table and opens nothing.
        rules: the rules in force.
        invite: the code that takes the free seat once; None if no seat was left free.
        created: when, in milliseconds since 1970 (UTC).
        reserved: for whom the free seat is kept, when playing again.
        lesson: where it begins, if it is for practice.
        terms: what was agreed besides the rules.
        pace: the time rules.
        group: the code of the class whose table it is.
    """

    match: str
    rules: Rules
    invite: str | None
    created: int
    reserved: Reservation | None = None
    terms: Terms = DEFAULT
    lesson: Lesson | None = None
    pace: Pace = USUAL
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who holds a seat: the player behind a person, the registered name behind an agent."""

    seat: Seat
    kind: OccupantKind
    name: str
    player: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """An accepted command: who sent what, and the last seq of its events, which is its answer.

    Attributes:
        cmd_id: chosen by the client, unique in its match.
        seat: who sent it.
        content: SHA-256 of the message, 64 hex digits.
        seq: the acknowledgement sent for it.
    """

    cmd_id: str
    seat: Seat
    content: str
    seq: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """Points of a finished round: who started it, points by seat, how many turns."""

    number: int
    start: Seat
    score: BySeat[int]
    turns: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    Attributes:
        termination: as in records, None for a normal end; ``closed`` for a table given up before.
        winner: a seat; None for a draw.
        totals: points of the finished rounds by seat.
        rounds: how many rounds were finished.
    """

    termination: str | None
    winner: Seat | None
    totals: BySeat[int]
    rounds: int


@dataclass(frozen=True, slots=True)
class Append:
    """Events for the log of a match, the first one being number ``expected_seq + 1``; and what
    they bring about for lists and results: rounds that ended by them, and the match's end.
    """

    match: str
    expected_seq: int
    events: tuple[LogEvent, ...]
    command: CommandRecord | None = None
    rounds: tuple[RoundScored, ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class NewSession:
    """A browser seen for the first time: a new player, known by the hash of its token."""

    player: str
    token_hash: str
    created: int


@dataclass(frozen=True, slots=True)
class SitDown:
    """A seat of a match gets its occupant; each seat once."""

    match: str
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class Listing:
    """A match stands in a list: the lobby's, or a class's."""

    match: str
    list: str
    created: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a match waits, in milliseconds since 1970 (UTC); None for no longer at all.

    Kept for matches with days for a turn alone: their time goes on while the room is closed.
    """

    match: str
    due: int | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What one transaction writes, all or nothing."""

    sessions: tuple[NewSession, ...] = ()
    matches: tuple[MatchInfo, ...] = ()
    seats: tuple[SitDown, ...] = ()
    appends: tuple[Append, ...] = ()
    listings: tuple[Listing, ...] = ()
    deadlines: tuple[Deadline, ...] = ()

    def with_those(self, others: Changes) -> Changes:
        """These and others, in one transaction."""
        return Changes(
            *(getattr(self, each.name) + getattr(others, each.name) for each in fields(self))
        )


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """Everything kept of one match; secret, for the room alone."""

    info: MatchInfo
    occupants: tuple[Occupant, ...]
    events: tuple[LogEvent, ...]
    commands: dict[str, CommandRecord] = field(default_factory=dict)
    due: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceGrant:
    """A one-use code that moves a seat to another browser until ``expires`` (ms since 1970)."""

    code_hash: str
    match: str
    seat: Seat
    player: str
    expires: int


@dataclass(frozen=True, slots=True)
class MovedSeat:
    """What using a device code did."""

    match: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something said at a table. It is no event of the match, and can be deleted.

    Attributes:
        number: from 1 within its match.
        at: milliseconds since 1970 (UTC).
        seat: who said it; None for a watcher, or the host.
        name: the speaker's name as it was then.
        kind: ``text``, ``phrase`` (``body`` is its code) or ``host``.
        body: what was said.
    """

    number: int
    at: int
    seat: Seat | None
    name: str
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Ban:
    """Somebody may not come in: ``kind`` is ``player`` or ``address``, ``name`` is for the host."""

    kind: str
    value: str
    name: str
    created: int


@dataclass(frozen=True, slots=True)
class Class:
    """A link that seats arrivals in pairs.

    Attributes:
        code: in the link.
        label: what the host calls it.
        rules: of its tables, in written form.
        agent: whom the odd one out plays; None for nobody.
        wait: seconds after which the odd one gets the agent; 0 for only when the host says so.
        created: milliseconds since 1970 (UTC).
        paused: its tables rest, and new ones begin resting.
    """

    code: str
    label: str
    rules: str
    agent: str | None
    wait: int
    created: int
    paused: bool = False


class StoreError(Exception):
    """Nothing was written, and the store says why in one sentence."""


class ConflictError(StoreError):
    """Another writer was first: a seq, a seat or a command id is taken. Reload and decide again."""


class SideStore(Protocol):
    """Where a room keeps what belongs to no match's log."""

    async def listed(self, name: str, limit: int) -> tuple[str, ...]:
        """The matches of a list, newest first."""
        ...

    async def unlist(self, match: str, name: str) -> None:
        """Take a match off a list."""
        ...

    async def say(self, match: str, line: ChatLine) -> None:
        """Keep a line of a table's chat."""
        ...

    async def said(self, match: str, limit: int) -> tuple[ChatLine, ...]:
        """The last lines of a table's chat, oldest first."""
        ...

    async def unsay(self, match: str) -> None:
        """Delete a table's chat."""
        ...

    async def ban(self, ban: Ban) -> None:
        """Keep a ban."""
        ...

    async def unban(self, kind: str, value: str) -> None:
        """Lift a ban."""
        ...

    async def bans(self) -> tuple[Ban, ...]:
        """Every ban, newest first."""
        ...

    async def fact(self, name: str) -> str | None:
        """A fact about the room itself, such as the hash of its password."""
        ...

    async def set_fact(self, name: str, value: str | None) -> None:
        """Keep such a fact, or (None) forget it."""
        ...

    async def enter(self, player: str, now: int) -> None:
        """The player has given the room's password."""
        ...

    async def entered(self, player: str) -> bool:
        """Whether the player has given the room's password."""
        ...

    async def forget_entrances(self) -> None:
        """Everybody must give the password anew."""
        ...

    async def put_class(self, group: Class) -> None:
        """Keep a class, or what has changed of it."""
        ...

    async def classes(self) -> tuple[Class, ...]:
        """Every class, newest first."""
        ...

    async def drop_class(self, code: str) -> None:
        """Forget a class; its tables stay."""
        ...


class Store(SideStore, Protocol):
    """Where a room keeps its matches."""

    @property
    def archive(self) -> Archive:
        """What was played, for looking back."""
        ...

    @property
    def people(self) -> People:
        """Passphrases, sessions, and being forgotten."""
        ...

    @property
    def notices(self) -> NoticeStore:
        """How people are told that it is their turn."""
        ...

    async def write(self, changes: Changes) -> None:
        """Write all of it, or nothing; on return it is on disk.

        Raises:
            ConflictError: a seq, seat, command or code is taken already.
            StoreError: the database refused; nothing was written.
        """
        ...

    async def load(self, match: str) -> StoredMatch | None:
        """Everything kept of a match at one instant; None if there is no such match."""
        ...

    async def player(self, token_hash: str) -> str | None:
        """The player behind a session token."""
        ...

    async def match_of_invite(self, code: str) -> str | None:
        """The match whose free seat this code takes."""
        ...

    async def matches_of(self, player: str, limit: int) -> tuple[str, ...]:
        """Matches in which a player has a seat, newest first."""
        ...

    async def overdue(self, now: int, limit: int) -> tuple[str, ...]:
        """Matches whose deadline has passed, the longest first."""
        ...

    async def grant(self, grant: DeviceGrant) -> None:
        """Keep a device code; earlier ones of the same seat end."""
        ...

    async def redeem(self, code_hash: str, player: str, now: int) -> MovedSeat | None:
        """Move the seat behind a code to this player, once.

        None if the code is unknown, used or too old, if its seat has moved since, or if the player
        sits at that table already.
        """
        ...

    async def close(self) -> None:
        """Finish what was begun and let go of the database."""
        ...
