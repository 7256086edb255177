"""What visitors wish of a room, read and answered in words."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from lostcities.core.errors import RecordError, RulesError
from lostcities.core.events import TurnPlayed
from lostcities.core.pace import Pace
from lostcities.core.record import Record, record_of
from lostcities.core.record_text import format_record
from lostcities.core.rules import Rules
from lostcities.core.said import Said
from lostcities.core.seats import BySeat, Seat
from lostcities.protocol.http import NewTable, TableMade, TableSummary, told
from lostcities.protocol.terms import DEFAULT, Terms
from lostcities.service import sentences as say
from lostcities.service.seeing import seat_kinds
from lostcities.service.state import TableState
from lostcities.service.table import Table
from lostcities.store.interfaces import Listing, MatchInfo, NewSession, Overdue

LOBBY = "lobby"
"""The list of open tables."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever is behind a browser. ``token`` is set for a new one and belongs into its cookie."""

    player: str
    token: str | None = None
    session: NewSession | None = None


class WishError(Exception):
    """A wish that the room does not grant.

    Attributes:
        status: the fitting one of HTTP.
        reason: for programs.
        text: for people.
        said: the text so that other languages can say it; None where ``reason`` tells it all.
    """

    def __init__(self, status: int, reason: str, text: str | Said) -> None:
        super().__init__(str(text))
        self.status = status
        self.reason = reason
        self.text = str(text)
        self.said = told(text) if isinstance(text, Said) else None


def made(info: MatchInfo, seat: Seat) -> TableMade:
    """The answer to making a table."""
    invite = None if info.invite is None else f"/i/{info.invite}"
    return TableMade(info.match, seat, f"/t/{info.match}", invite)


def table_record(table: Table, seat: Seat | None, date: str) -> str:
    """A table's record as text, see :meth:`.Room.record`.

    Raises:
        WishError: no cards have been dealt, so that there is nothing to tell, or a round began from
            a position, which a record cannot hold.
    """
    if table.state.never_began:
        raise WishError(409, "never_began", "no match began at this table")
    if table.state.number == 0:
        raise WishError(409, "not_dealt", "the cards have not been dealt yet")
    names = BySeat(*(None if w is None else w.name for w in table.state.taken))
    try:
        record = record_of(
            table.core_events(), table.state.rules, whole=table.state.over, seat=seat,
            names=names, date=date,
        )  # fmt: skip
    except RecordError as error:
        raise WishError(409, "unrecordable", error.said) from None
    return format_record(_with_time(record, table))


def _with_time(record: Record, table: Table) -> Record:
    """The time rules as a tag of the match, and which turns they played as tags of the rounds."""
    pace = table.info.pace
    if pace.kind == "none":
        return record
    safe: dict[int, list[str]] = {}
    for before, entry in itertools.pairwise(table.entries):
        if isinstance(before.event, Overdue) and isinstance(entry.event, TurnPlayed):
            safe.setdefault(entry.round, []).append(str(entry.event.ply + 1))
    rounds = tuple(
        replace(each, tags=(*each.tags, ("SafeTurns", " ".join(safe[each.number]))))
        if each.number in safe
        else each
        for each in record.rounds
    )
    return replace(record, rounds=rounds, tags=(("TimeControl", str(pace)),))


def summary(table: Table, seat: Seat) -> TableSummary:
    """One line of a browser's list of tables."""
    state = table.state
    match = state.match
    kept = table.info.reserved
    names = [w.name if w is not None else "" if kept is None else kept.name for w in state.taken]
    totals = [0, 0] if match is None else list(match.totals)
    return TableSummary(
        table.match, state.phase, names, seat_kinds(state), seat, totals, _waits(table, seat),
        f"/t/{table.match}", table.info.pace.kind, table.timing.left(state, seat),
    )  # fmt: skip


def _waits(table: Table, seat: Seat) -> bool:
    if table.info.terms.one_device:
        return any(table.waits_for(each) for each in (0, 1))
    return table.waits_for(seat)


def read_rules(text: str) -> Rules:
    """Rules as wished; raises WishError."""
    try:
        return Rules.parse(text)
    except RulesError as error:
        raise WishError(400, "bad_rules", error.said) from None


def read_terms(wish: NewTable) -> Terms:
    """The terms as wished; raises WishError where they contradict each other."""
    terms = wish.terms or DEFAULT
    if terms.one_device and (terms.listed or wish.against != "friend" or wish.second is None):
        raise WishError(400, "bad_terms", say.ONE_DEVICE())
    if terms.listed and wish.against != "friend":
        raise WishError(400, "bad_terms", say.LISTED())
    if terms.takebacks and wish.against != "friend":
        raise WishError(400, "bad_terms", say.TAKEBACKS())
    if wish.second is not None and not terms.one_device:
        raise WishError(400, "bad_terms", say.SECOND())
    return terms


def listings(info: MatchInfo) -> tuple[Listing, ...]:
    """Where a new table is to be listed."""
    return (Listing(info.match, LOBBY, info.created),) if info.terms.listed else ()


def rules_again(state: TableState) -> Rules:
    """The rules for playing again: as seats change sides, the same seat number is the other person,
    and that is who starts this time.
    """
    match = state.match
    assert match is not None
    starter = match.results[0].start if match.results else match.start
    return replace(state.rules, first=1 if starter else 0)


def read_pace(text: str) -> Pace:
    """Time rules as wished; raises WishError."""
    try:
        return Pace.parse(text)
    except RulesError as error:
        raise WishError(400, "bad_pace", error.said) from None


def read_seat(seat: int) -> Seat:
    """A seat as wished; raises WishError."""
    if seat not in (0, 1):
        raise WishError(400, "bad_seat", f"a seat is 0 or 1, not {seat}")
    return seat


def clean_name(name: str) -> str:
    """A name as it is shown, without what cannot be seen; raises WishError if nothing is left."""
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not cleaned:
        raise WishError(400, "bad_name", "a name needs at least one visible letter")
    return cleaned
