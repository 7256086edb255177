"""Bodies of the HTTP API about company: the lobby, the room's door, the host's desk, classes.

=========================================  =====================================================
``GET  /api/lobby``                        :class:`Lobby`: open tables, and those one may watch
``POST /api/tables/{match}/join``          :class:`.http.Join` takes the free seat of an open
                                           table: :class:`.http.Joined`
``POST /api/enter``                        :class:`Password` opens a locked room
``POST /api/tables/{match}/forget-chat``   deletes the chat of a table where one sits
``POST /api/host``                         :class:`HostCode` makes this browser the host's
``GET  /api/host``                         :class:`Desk`: tables, people, bans, classes
``POST /api/host/tables/{match}``          :class:`TableOrder`: close, pause, go on, say
``POST /api/host/people``                  :class:`PersonOrder`: kick, mute, ban and back
``POST /api/host/classes``                 :class:`NewClass` makes a class link: :class:`ClassMade`
``POST /api/host/classes/{code}``          :class:`ClassOrder`: pause, go on, seat the odd one, end
``GET  /api/classes/{code}``               :class:`ClassInfo`; changes nothing
``POST /api/classes/{code}``               :class:`.http.Join` sits down: :class:`.http.Joined`
=========================================  =====================================================
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from lostcities.protocol.http import Body, Name
from lostcities.protocol.messages import PaceInfo
from lostcities.protocol.terms import Terms


class OpenTable(Body, frozen=True):
    """A table of the lobby. ``free`` while a seat is; ``here`` whether its maker is present; ``kinds`` by
    seat as in :class:`lostcities.protocol.messages.SeatInfo`.
    """

    match: str
    names: list[str]
    kinds: list[str]
    rules: str
    phase: str
    round: int
    totals: list[int]
    free: bool
    here: bool
    mine: bool
    terms: Terms
    url: str
    pace: PaceInfo


class Lobby(Body, frozen=True):
    """Tables that anybody in the room may join or watch, those with a free seat first."""

    tables: list[OpenTable]


class Password(Body, frozen=True):
    """The room's password."""

    password: Annotated[str, msgspec.Meta(max_length=200)]


class HostCode(Body, frozen=True):
    """The code that the room printed when it opened."""

    code: Annotated[str, msgspec.Meta(max_length=100)]


class PersonHere(Body, frozen=True):
    """Somebody at a table, for the host. ``person`` is a handle for orders, not a secret."""

    person: str
    name: str
    seat: int | None
    present: bool
    address: str | None
    muted: bool


class HostedTable(Body, frozen=True):
    """A table as the host sees it: who and how far, no card.

    ``created`` and ``changed`` are milliseconds since 1970; ``changed`` is when anything last happened
    there, null for not since the room was opened. ``kinds`` by seat as in
    :class:`lostcities.protocol.messages.SeatInfo`.
    """

    match: str
    created: int
    changed: int | None
    names: list[str]
    kinds: list[str]
    rules: str
    phase: str
    round: int
    turns: int
    totals: list[int]
    paused: bool
    watching: int
    people: list[PersonHere]
    group: str | None
    url: str


class BanInfo(Body, frozen=True):
    """Somebody who may not come in; ``kind`` is ``player`` or ``address``."""

    kind: str
    value: str
    name: str
    created: int


class Waiting(Body, frozen=True):
    """Somebody of a class who waits alone at a table; ``present`` is false once they are gone for longer
    than a reload takes. Nobody is seated with who is gone.
    """

    name: str
    present: bool


class ClassState(Body, frozen=True):
    """A class link and how it stands; ``tables`` counts those that are not over, ``waiting`` are in the
    order in which they first came.
    """

    code: str
    label: str
    rules: str
    agent: str | None
    wait: int
    paused: bool
    tables: int
    waiting: list[Waiting]
    url: str


class Desk(Body, frozen=True):
    """What the host sees. Only tables that are live or waiting."""

    tables: list[HostedTable]
    bans: list[BanInfo]
    classes: list[ClassState]


class TableOrder(Body, frozen=True):
    """What the host does with a table. ``text`` is for ``say``."""

    do: Literal["close", "pause", "go_on", "say", "forget_chat"]
    text: str = ""


class PersonOrder(Body, frozen=True):
    """What the host does with a person: a handle of :class:`PersonHere`, or a ban to lift.

    ``kick`` ends the person's place at ``match``; ``mute`` holds in the whole room; ``ban`` shuts
    the room to the browser and (``address``) to its address.
    """

    do: Literal["kick", "mute", "unmute", "ban", "unban"]
    person: str
    match: str | None = None
    address: bool = False


class NewClass(Body, frozen=True):
    """A class link. ``agent`` plays the odd one out, by itself after ``wait`` seconds (0: only
    when the host says so); null leaves the odd one waiting.
    """

    label: Name
    rules: Annotated[str, msgspec.Meta(max_length=200)] = "room"
    agent: str | None = None
    wait: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 30


class ClassMade(Body, frozen=True):
    """The link to hand out."""

    code: str
    url: str


class ClassOrder(Body, frozen=True):
    """What the host does with a class."""

    do: Literal["pause", "go_on", "seat_odd", "end"]


class ClassInfo(Body, frozen=True):
    """What an arrival is told."""

    label: str
    rules: str
    match: str | None = None
    """The table of the class where this browser sits, unless its match is over."""
