"""The store on SQLite or PostgreSQL: one schema, one set of queries."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, insert, literal, select, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from lostcities.core.pace import Pace
from lostcities.core.rules import Rules
from lostcities.protocol.terms import terms_from_text, terms_to_text
from lostcities.store import schema
from lostcities.store.codec import decode, encode
from lostcities.store.engine import (
    advisory_lock,
    file_lock,
    is_sqlite,
    make_engine,
    migrate,
    parse_url,
    reason_of,
)
from lostcities.store.interfaces import (
    CLASS_LIST,
    Append,
    Changes,
    CommandRecord,
    Deadline,
    DeviceGrant,
    Lesson,
    MatchInfo,
    MovedSeat,
    Occupant,
    Reservation,
    SitDown,
    StoredMatch,
    StoreError,
)
from lostcities.store.side import SqlSide
from lostcities.store.sql_archive import SqlArchive
from lostcities.store.sql_notices import SqlNotices
from lostcities.store.sql_people import SqlPeople
from lostcities.store.writer import Rows, Writer

T = TypeVar("T")


def now_ms() -> int:
    """Milliseconds since 1970 (UTC)."""
    return time.time_ns() // 1_000_000


def stop_process(reason: str) -> None:
    """End the process at once: after an unknown commit nothing may be acknowledged or refused."""
    print(f"lostcities: stopping, {reason}", file=sys.stderr, flush=True)  # noqa: T201
    os._exit(1)


class SqlStore(SqlSide):
    """A :class:`lostcities.store.interfaces.Store` in SQL. Open one with :meth:`open`."""

    def __init__(self, url: str, fatal: Callable[[str], None] = stop_process) -> None:
        self._url = parse_url(url)
        self._held = contextlib.ExitStack()
        self._writer = Writer(
            make_engine(self._url, writer=True),
            self._prepare,
            schema.metadata.sorted_tables,
            fatal,
        )
        self._read_engine = make_engine(self._url, writer=False)
        self._reader: Connection | None = None
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-reader")
        self.archive = SqlArchive(self._read, self._writer.call)
        self.people = SqlPeople(self._read, self._writer.call)
        self.notices = SqlNotices(self._read, self._writer.call)

    @classmethod
    def open(cls, url: str, fatal: Callable[[str], None] = stop_process) -> SqlStore:
        """Open a database, lock it for this process and migrate it; blocks for a moment.

        Args:
            url: ``sqlite:///PATH`` (the folder is made if missing) or ``postgresql://…``.
            fatal: what to do when the outcome of a commit is unknown; must not return.

        Raises:
            StoreError: in use by another room, not writable, not reachable, or of a newer version.
        """
        store = cls(url, fatal)
        try:
            store._open()
        except (SQLAlchemyError, OSError) as error:
            store._abandon()
            raise StoreError(f"cannot open {store.where}: {reason_of(error)}") from error
        except BaseException:
            store._abandon()
            raise
        return store

    @property
    def where(self) -> str:
        """Where the data is, for people: a path, or an address without its password."""
        if is_sqlite(self._url):
            return str(self._url.database)
        return self._url.set(drivername="postgresql").render_as_string(hide_password=True)

    @property
    def batches(self) -> tuple[int, int]:
        """Transactions and jobs so far: their ratio is the size of the group commits."""
        return self._writer.batches, self._writer.jobs

    def _open(self) -> None:
        if is_sqlite(self._url):
            path = Path(str(self._url.database))
            path.parent.mkdir(parents=True, exist_ok=True)
            self._held.enter_context(file_lock(path))
            # Hidden cards and the key that notices are signed with are nobody else's on this machine.
            if not path.exists():
                path.touch(mode=0o600)
        self._writer.start()

    def _prepare(self, connection: Connection) -> None:
        if not is_sqlite(self._url):
            advisory_lock(connection)
        migrate(connection)

    def _abandon(self) -> None:
        self._reading.shutdown()
        self._held.close()

    async def close(self) -> None:
        """See :meth:`lostcities.store.interfaces.Store.close`."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        # The reader first: the last connection to close a SQLite file checkpoints it.
        self._reading.submit(self._close_reader).result()
        self._reading.shutdown()
        self._writer.close()
        self._held.close()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    async def write(self, changes: Changes) -> None:
        """See :meth:`lostcities.store.interfaces.Store.write`."""
        rows, deadlines = _rows(changes, now_ms()), changes.deadlines
        if deadlines:
            await self._writer.insert(
                rows, lambda connection: _set_deadlines(connection, deadlines)
            )
        else:
            await self._writer.insert(rows)

    async def load(self, match: str) -> StoredMatch | None:
        """See :meth:`lostcities.store.interfaces.Store.load`."""
        return await self._read(lambda connection: _load(connection, match))

    async def player(self, token_hash: str) -> str | None:
        """See :meth:`lostcities.store.interfaces.Store.player`."""
        table = schema.sessions
        query = select(table.c.player).where(table.c.token_hash == token_hash)
        return await self._read(lambda connection: connection.execute(query).scalar())

    async def match_of_invite(self, code: str) -> str | None:
        """See :meth:`lostcities.store.interfaces.Store.match_of_invite`."""
        query = select(schema.invites.c.match).where(schema.invites.c.code == code)
        return await self._read(lambda connection: connection.execute(query).scalar())

    async def matches_of(self, player: str, limit: int) -> tuple[str, ...]:
        """See :meth:`lostcities.store.interfaces.Store.matches_of`."""
        query = (
            select(schema.matches.c.match, schema.matches.c.created)
            .join(schema.seats, schema.seats.c.match == schema.matches.c.match)
            .where(schema.seats.c.player == player)
            .distinct()
            .order_by(schema.matches.c.created.desc(), schema.matches.c.match)
            .limit(limit)
        )
        return await self._read(lambda connection: tuple(connection.execute(query).scalars().all()))

    async def overdue(self, now: int, limit: int) -> tuple[str, ...]:
        """See :meth:`lostcities.store.interfaces.Store.overdue`."""
        table = schema.deadlines
        query = select(table.c.match).where(table.c.due <= now).order_by(table.c.due).limit(limit)
        return await self._read(lambda connection: tuple(connection.execute(query).scalars().all()))

    async def grant(self, grant: DeviceGrant) -> None:
        """See :meth:`lostcities.store.interfaces.Store.grant`."""
        await self._call(lambda connection: _grant(connection, grant))

    async def redeem(self, code_hash: str, player: str, now: int) -> MovedSeat | None:
        """See :meth:`lostcities.store.interfaces.Store.redeem`."""
        return await self._call(lambda c: _redeem(c, code_hash, player, now))

    async def _call(self, function: Callable[[Connection], T]) -> T:
        return await self._writer.call(function)

    async def _read(self, query: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, self._read_now, query)

    def _read_now(self, query: Callable[[Connection], T]) -> T:
        """Run a query in one reading transaction; once more if the line had gone dead."""
        try:
            try:
                return self._try_read(query)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            return self._try_read(query)
        except SQLAlchemyError as error:
            raise StoreError(f"cannot read {self.where}: {reason_of(error)}") from error

    def _try_read(self, query: Callable[[Connection], T]) -> T:
        if self._reader is None or self._reader.invalidated:
            self._close_reader()
            self._reader = self._read_engine.connect()
        with self._reader.begin():
            return query(self._reader)


def _rows(changes: Changes, now: int) -> Rows:
    rows: list[tuple[Any, list[dict[str, Any]]]] = []
    for session in changes.sessions:
        player = {"player": session.player, "created": session.created}
        rows.append((schema.players, [player]))
        rows.append((schema.sessions, [{**player, "token_hash": session.token_hash}]))
    for info in changes.matches:
        rows.extend(_match_rows(info))
    rows.append((schema.seats, [_seat_row(sit) for sit in changes.seats]))
    for append in changes.appends:
        rows.extend(_append_rows(append, now))
    listings = [{"match": e.match, "list": e.list, "created": e.created} for e in changes.listings]
    rows.append((schema.listings, listings))
    return rows


def _match_rows(info: MatchInfo) -> Rows:
    match = {"match": info.match}
    rows: list[tuple[Any, list[dict[str, Any]]]] = [
        (
            schema.matches,
            [
                {
                    **match,
                    "rules": str(info.rules),
                    "created": info.created,
                    "terms": terms_to_text(info.terms),
                    "pace": str(info.pace),
                }
            ],
        )
    ]
    if info.invite is not None:
        rows.append((schema.invites, [{**match, "code": info.invite}]))
    kept = info.reserved
    if kept is not None:
        row = {**match, "seat": kept.seat, "name": kept.name, "player": kept.player}
        rows.append((schema.reservations, [row]))
    if info.lesson is not None:
        rows.append((schema.practices, [{**match, "lesson": info.lesson.code}]))
    return rows


def _seat_row(sit: SitDown) -> dict[str, Any]:
    who = sit.occupant
    return {
        "match": sit.match,
        "seat": who.seat,
        "kind": who.kind,
        "name": who.name,
        "player": who.player,
        "agent": who.agent,
    }


def _append_rows(append: Append, now: int) -> Rows:
    events = [
        {"match": append.match, "seq": seq, "at": now, "body": encode(event)}
        for seq, event in enumerate(append.events, append.expected_seq + 1)
    ]
    rows: list[tuple[Any, list[dict[str, Any]]]] = [(schema.events, events)]
    rows.extend(_result_rows(append, now))
    command = append.command
    if command is not None:
        row = {"match": append.match, "cmd_id": command.cmd_id, "seat": command.seat,
               "content": command.content, "seq": command.seq}  # fmt: skip
        rows.append((schema.commands, [row]))
    return rows


def _result_rows(append: Append, now: int) -> Rows:
    match = {"match": append.match, "at": now}
    rounds = [
        {
            **match, "round": each.number, "start": each.start, "score0": each.score[0],
            "score1": each.score[1], "turns": each.turns,
        }
        for each in append.rounds
    ]  # fmt: skip
    rows: list[tuple[Any, list[dict[str, Any]]]] = [(schema.round_scores, rounds)]
    end = append.outcome
    if end is not None:
        outcome = {
            **match, "termination": end.termination, "winner": end.winner,
            "score0": end.totals[0], "score1": end.totals[1], "rounds": end.rounds,
        }  # fmt: skip
        rows.append((schema.outcomes, [outcome]))
    return rows


def _set_deadlines(connection: Connection, deadlines: tuple[Deadline, ...]) -> None:
    table = schema.deadlines
    for each in deadlines:
        connection.execute(delete(table).where(table.c.match == each.match))
        if each.due is not None:
            connection.execute(insert(table).values(match=each.match, due=each.due))


def _load(connection: Connection, match: str) -> StoredMatch | None:
    info = _load_info(connection, match)
    if info is None:
        return None
    info = replace(info, lesson=_load_lesson(connection, match))
    seats, events, commands = schema.seats, schema.events, schema.commands
    occupants = connection.execute(
        select(seats.c.seat, seats.c.kind, seats.c.name, seats.c.player, seats.c.agent)
        .where(seats.c.match == match)
        .order_by(seats.c.seat)
    )
    bodies = connection.execute(
        select(events.c.body).where(events.c.match == match).order_by(events.c.seq)
    ).scalars()
    accepted = connection.execute(
        select(commands.c.cmd_id, commands.c.seat, commands.c.content, commands.c.seq).where(
            commands.c.match == match
        )
    )
    due = schema.deadlines
    return StoredMatch(
        info,
        tuple(Occupant(*row) for row in occupants),
        tuple(decode(body) for body in bodies),
        {row.cmd_id: CommandRecord(*row) for row in accepted},
        connection.execute(select(due.c.due).where(due.c.match == match)).scalar(),
    )


def _load_lesson(connection: Connection, match: str) -> Lesson | None:
    lessons, practices = schema.lessons, schema.practices
    row = connection.execute(
        select(lessons.c.code, lessons.c.body)
        .join(practices, practices.c.lesson == lessons.c.code)
        .where(practices.c.match == match)
    ).one_or_none()
    return None if row is None else Lesson(*row)


def _load_info(connection: Connection, match: str) -> MatchInfo | None:
    table, invites, kept = schema.matches, schema.invites, schema.reservations
    lists = schema.listings
    of_class = (lists.c.match == table.c.match) & lists.c.list.startswith(CLASS_LIST)
    row = connection.execute(
        select(
            table.c.rules, table.c.created, table.c.terms, table.c.pace, invites.c.code,
            kept.c.seat, kept.c.player, kept.c.name, lists.c.list,
        )
        .outerjoin_from(table, invites, invites.c.match == table.c.match)
        .outerjoin(kept, kept.c.match == table.c.match)
        .outerjoin(lists, of_class)
        .where(table.c.match == match)
    ).one_or_none()  # fmt: skip
    if row is None:
        return None
    rules, created, terms, pace, code, seat, player, name, group = row
    reserved = None if seat is None else Reservation(seat, player, name)
    return MatchInfo(
        match, Rules.parse(rules), code, created, reserved, terms_from_text(terms),
        pace=Pace.parse(pace), group=None if group is None else group.removeprefix(CLASS_LIST),
    )  # fmt: skip


def _grant(connection: Connection, grant: DeviceGrant) -> None:
    table = schema.device_codes
    connection.execute(
        update(table)
        .where(table.c.match == grant.match, table.c.seat == grant.seat)
        .values(used=True)
    )
    connection.execute(
        insert(table).values(
            code_hash=grant.code_hash, match=grant.match, seat=grant.seat,
            player=grant.player, expires=grant.expires,
        )
    )  # fmt: skip


def _redeem(connection: Connection, code_hash: str, player: str, now: int) -> MovedSeat | None:
    codes, seats = schema.device_codes, schema.seats
    row = connection.execute(
        update(codes)
        .where(codes.c.code_hash == code_hash, codes.c.used.is_(False), codes.c.expires > now)
        .values(used=True)
        .returning(codes.c.match, codes.c.seat, codes.c.player)
    ).one_or_none()
    if row is None:
        return None
    match, seat, owner = row
    already = select(literal(1)).where(seats.c.match == match, seats.c.player == player)
    moved = connection.execute(
        update(seats)
        .where(seats.c.match == match, seats.c.seat == seat, seats.c.player == owner)
        .where(~already.exists())
        .values(player=player)
    )
    return MovedSeat(match, seat) if moved.rowcount == 1 else None
