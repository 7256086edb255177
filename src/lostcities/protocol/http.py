"""Bodies of the HTTP API, JSON both ways; the session is a cookie and never in a URL.

=======================================  ======================================================
``GET  /api/room``                       :class:`RoomInfo`; the presets, agents, own name
``POST /api/tables`` :class:`NewTable`   makes a table and seats its maker: :class:`TableMade`
``GET  /api/invites/{code}``             :class:`InviteInfo`; changes nothing
``POST /api/invites/{code}``             :class:`Join` takes the free seat: :class:`Joined`
``GET  /api/tables``                     :class:`MyTables`, where this browser has a seat
``POST /api/tables/{match}/leave``       gives up presence; a table that never began closes
``POST /api/tables/{match}/again``       a new table, same people and rules: :class:`TableMade`;
                                         the second seat to ask sits down at the same one
``POST /api/tables/{match}/device``      :class:`DeviceCode`, short-lived, for this seat
``POST /api/device``                     :class:`UseDeviceCode` moves that seat: :class:`Joined`
``GET  /api/tables/{match}/record``      the match as a record (text), as this seat may know
                                         it; whole once the match is over; refused before
                                         the first cards are dealt
``GET  /api/tables/{match}/qr.svg``      the invite link as a QR code, for the seat that may
                                         hand it out
``GET  /api/socket``                     upgrade to the socket, see :mod:`.messages`
``GET  /api/health``                     :class:`Health`
=======================================  ======================================================

Every ``url`` and ``invite`` is a path (``/t/…``, ``/i/…``); ``base_url`` of :class:`RoomInfo` before
it makes the link for another device. A ``POST`` without a body answers ``{}`` where none is named.

Errors are ``{"error": {"reason", "text"}}`` with a fitting status, and ``said`` where there is more to
tell than the reason: see :class:`Problem`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.core import said as core
from lostcities.protocol.messages import PaceInfo
from lostcities.protocol.terms import Terms

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all bodies."""


class AgentInfo(Body, frozen=True):
    """A program that one can play against."""

    name: str
    title: str
    description: str


class PresetInfo(Body, frozen=True):
    """A named set of rules; ``rules`` in written form."""

    name: str
    rules: str


class RoomInfo(Body, frozen=True):
    """What the home page needs. ``reach`` says how far links work: ``public`` (a URL was set),
    ``network`` (other devices of the home network) or ``machine`` (this machine only). ``secure``
    is false over plain HTTP, and the page then says so.
    """

    version: str
    protocol: int
    name: str | None
    agents: list[AgentInfo]
    presets: list[PresetInfo]
    reach: str
    base_url: str
    secure: bool
    locked: bool = False
    """The room has a password, and this browser has not given it yet."""
    host: bool = False
    """This browser is the host's."""


class NewTable(Body, frozen=True):
    """``rules`` as on the command line (a preset, keys, or both); ``against`` is ``friend`` or an
    agent's name; ``seat`` 0, 1 or null for chance. Without ``terms`` a table is private. With
    ``one_device`` among them ``second`` is the name of the other person here.
    """

    name: Name
    rules: Annotated[str, msgspec.Meta(max_length=200)] = "room"
    against: Annotated[str, msgspec.Meta(max_length=60)] = "friend"
    seat: int | None = None
    terms: Terms | None = None
    second: Name | None = None
    pace: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The time rules, such as ``turn=60 timeout=safe absent=180``; see :mod:`lostcities.core.pace`."""


class TableMade(Body, frozen=True):
    """``url`` is the table's page; ``invite`` the link for a friend (null against a program)."""

    match: str
    seat: int
    url: str
    invite: str | None


class InviteInfo(Body, frozen=True):
    """What a visitor of an invite link is told; ``open`` is false once the seat is taken."""

    host: str
    rules: str
    open: bool
    pace: PaceInfo
    terms: Terms
    match: str | None = None
    """The table, if this browser already sits there."""


class Join(Body, frozen=True):
    """Take the free seat under this name."""

    name: Name


class Joined(Body, frozen=True):
    """The seat is this browser's now."""

    match: str
    seat: int
    url: str


class TableSummary(Body, frozen=True):
    """One of this browser's tables."""

    match: str
    phase: str
    names: list[str]
    kinds: list[str]
    """By seat, as in :class:`lostcities.protocol.messages.SeatInfo`."""
    seat: int
    totals: list[int]
    your_turn: bool
    url: str
    pace: str
    """The kind of its time rules."""
    left: int | None
    """Milliseconds that this browser's seat has left; null where its time does not run."""
    offer: str | None = None
    """What the other offers there: ``draw``, ``back`` (to take a turn back) or ``again``."""


class MyTables(Body, frozen=True):
    """Tables of this browser, those that wait for it first."""

    tables: list[TableSummary]


class Health(Body, frozen=True):
    """The room answers and can write; ``tables`` is how many are live in this process."""

    ok: bool
    tables: int


class DeviceCode(Body, frozen=True):
    """Type ``code`` on the other device within ``seconds``."""

    code: str
    seconds: int


class UseDeviceCode(Body, frozen=True):
    """Move the seat behind a code to this browser."""

    code: Annotated[str, msgspec.Meta(max_length=20)]


class Said(Body, frozen=True):
    """A sentence for a page that words it itself: which one, and by name what it speaks of. A fact
    may be such a sentence in its turn.
    """

    code: str
    facts: dict[str, str | int | Said]


def told(said: core.Said) -> Said:
    """A sentence of the readers as the wire has it."""
    facts = {
        name: told(fact) if isinstance(fact, core.Said) else fact
        for name, fact in said.facts.items()
    }
    return Said(said.code, facts)


class Problem(Body, frozen=True, omit_defaults=True):
    """``reason`` for programs, ``text`` for people; ``said`` is the text in parts, where the reason
    alone does not tell it all.
    """

    reason: str
    text: str
    said: Said | None = None


class ErrorBody(Body, frozen=True):
    """Body of every error."""

    error: Problem
