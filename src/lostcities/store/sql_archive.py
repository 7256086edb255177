"""Looking back in SQL: lists of matches, results, shared replays, imported records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
)

from lostcities.core.seats import BySeat
from lostcities.store import schema
from lostcities.store.archive import (
    KeptRecord,
    Opponent,
    PaperSheet,
    Played,
    Result,
    RoundPoints,
    Tally,
    Wanted,
    WantedSheets,
)
from lostcities.store.interfaces import Lesson
from lostcities.store.ways import TwoWays

_mine = schema.seats.alias("mine")
_rival = schema.seats.alias("rival")
_matches, _ends, _scores = schema.matches, schema.outcomes, schema.round_scores
_practices = schema.practices
_OPPONENT = (_rival.c.kind, func.coalesce(_rival.c.agent, _rival.c.name).label("key"))
"""By what results are counted together."""
_OWN = case((_mine.c.seat == 0, _scores.c.score0), else_=_scores.c.score1)
_THEIRS = case((_mine.c.seat == 0, _scores.c.score1), else_=_scores.c.score0)


class SqlArchive(TwoWays):
    """An :class:`lostcities.store.archive.Archive` over a store's two connections."""

    async def played(self, player: str, wanted: Wanted) -> tuple[Played, ...]:
        """See :meth:`lostcities.store.archive.Archive.played`."""
        found: tuple[Played, ...] = await self._read(lambda c: _played(c, player, wanted))
        return found

    async def played_rules(self, player: str) -> tuple[str, ...]:
        """See :meth:`lostcities.store.archive.Archive.played_rules`."""
        query = _seated(select(_matches.c.rules).distinct(), player).order_by(_matches.c.rules)
        found: tuple[str, ...] = await self._read(lambda c: tuple(c.execute(query).scalars()))
        return found

    async def tallies(self, player: str) -> tuple[Tally, ...]:
        """See :meth:`lostcities.store.archive.Archive.tallies`."""
        found: tuple[Tally, ...] = await self._read(lambda c: _tallies(c, player))
        return found

    async def points(self, player: str, limit: int) -> tuple[RoundPoints, ...]:
        """See :meth:`lostcities.store.archive.Archive.points`."""
        found: tuple[RoundPoints, ...] = await self._read(lambda c: _points(c, player, limit))
        return found

    # ---- shared replays -------------------------------------------------------------------------

    async def share(self, match: str, player: str, code: str) -> str:
        """See :meth:`lostcities.store.archive.Archive.share`."""
        table = schema.shares

        def keep(connection: Connection) -> str:
            kept: str | None = connection.execute(
                select(table.c.code).where(table.c.match == match, table.c.player == player)
            ).scalar()
            if kept is None:
                connection.execute(insert(table).values(code=code, match=match, player=player))
            return kept or code

        shared: str = await self._write(keep)
        return shared

    async def share_of(self, match: str, player: str) -> str | None:
        """See :meth:`lostcities.store.archive.Archive.share_of`."""
        table = schema.shares
        query = select(table.c.code).where(table.c.match == match, table.c.player == player)
        code: str | None = await self._read(lambda c: c.execute(query).scalar())
        return code

    async def is_practice(self, match: str) -> bool:
        """See :meth:`lostcities.store.archive.Archive.is_practice`."""
        query = (
            select(_matches.c.match)
            .outerjoin(_practices, _practices.c.match == _matches.c.match)
            .where(_matches.c.match == match, ~_FOR_RESULTS)
        )
        return await self._read(lambda c: c.execute(query).scalar()) is not None

    async def keep_lesson(self, lesson: Lesson, player: str, now: int) -> None:
        """See :meth:`lostcities.store.archive.Archive.keep_lesson`."""
        row = {"code": lesson.code, "player": player, "created": now, "body": lesson.body}
        await self._write(lambda c: c.execute(insert(schema.lessons).values(row)).rowcount)

    async def lesson(self, code: str) -> Lesson | None:
        """See :meth:`lostcities.store.archive.Archive.lesson`."""
        table = schema.lessons
        query = select(table.c.code, table.c.body).where(table.c.code == code)
        row = await self._read(lambda c: c.execute(query).one_or_none())
        return None if row is None else Lesson(*row)

    async def unshare(self, match: str, player: str) -> None:
        """See :meth:`lostcities.store.archive.Archive.unshare`."""
        table = schema.shares
        gone = delete(table).where(table.c.match == match, table.c.player == player)
        await self._write(lambda c: c.execute(gone).rowcount)

    async def shared(self, code: str) -> str | None:
        """See :meth:`lostcities.store.archive.Archive.shared`."""
        query = select(schema.shares.c.match).where(schema.shares.c.code == code)
        match: str | None = await self._read(lambda c: c.execute(query).scalar())
        return match

    # ---- records brought along ------------------------------------------------------------------

    async def keep_record(self, player: str, record: KeptRecord, digest: str) -> str:
        """See :meth:`lostcities.store.archive.Archive.keep_record`."""
        table = schema.imports

        def keep(connection: Connection) -> str:
            known: str | None = connection.execute(
                select(table.c.record).where(table.c.player == player, table.c.hash == digest)
            ).scalar()
            if known is None:
                connection.execute(
                    insert(table).values(
                        record=record.record, player=player, added=record.added, hash=digest,
                        text=record.text,
                    )
                )  # fmt: skip
            return known or record.record

        kept: str = await self._write(keep)
        return kept

    async def kept_records(
        self, player: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[KeptRecord, ...]:
        """See :meth:`lostcities.store.archive.Archive.kept_records`."""
        table = schema.imports
        query = _kept(player).order_by(table.c.added.desc(), table.c.record.desc()).limit(limit)
        if before is not None:
            query = query.where(_earlier(table.c.added, table.c.record, before))
        found: tuple[KeptRecord, ...] = await self._read(
            lambda c: tuple(KeptRecord(*row) for row in c.execute(query))
        )
        return found

    async def kept_record(self, player: str, record: str) -> KeptRecord | None:
        """See :meth:`lostcities.store.archive.Archive.kept_record`."""
        query = _kept(player).where(schema.imports.c.record == record)
        row = await self._read(lambda c: c.execute(query).one_or_none())
        return None if row is None else KeptRecord(*row)

    async def drop_record(self, player: str, record: str) -> bool:
        """See :meth:`lostcities.store.archive.Archive.drop_record`."""
        table = schema.imports
        return await self._drop(table, table.c.player == player, table.c.record == record)

    # ---- sheets of real tables ------------------------------------------------------------------

    async def keep_sheet(
        self, player: str, sheet: PaperSheet, knows: str | None = None, over: bool = False
    ) -> str | None:
        """See :meth:`lostcities.store.archive.Archive.keep_sheet`."""
        table = schema.sheets
        mine = table.c.player == player

        def keep(connection: Connection) -> str | None:
            there = select(table.c.played, table.c.link).where(mine, table.c.sheet == sheet.sheet)
            before = connection.execute(there).one_or_none()
            # What nobody has seen on this device is not overwritten without a question. The clocks of
            # devices differ: they settle nothing but for old pages, which do not say what they know.
            later = before is not None and before.played > sheet.played
            unseen = before is not None and (later if knows is None else before.link != knows)
            if before is not None and unseen and not over:
                if before.link != sheet.link:
                    return None
                if later:
                    return sheet.sheet
            played = before.played if before is not None and later else sheet.played
            connection.execute(delete(table).where(mine, table.c.sheet == sheet.sheet))
            same = select(table.c.sheet).where(mine, table.c.link == sheet.link)
            known: str | None = connection.execute(same).scalar()
            if known is None:
                row = asdict(sheet) | {"played": played}
                connection.execute(insert(table).values(player=player, **row))
            return known or sheet.sheet

        kept: str | None = await self._write(keep)
        return kept

    async def kept_sheets(self, player: str, wanted: WantedSheets) -> tuple[PaperSheet, ...]:
        """See :meth:`lostcities.store.archive.Archive.kept_sheets`."""
        table = schema.sheets
        query = select(
            table.c.sheet, table.c.added, table.c.played, table.c.rules, table.c.link
        ).where(table.c.player == player)
        if wanted.rules is not None:
            query = query.where(table.c.rules == wanted.rules)
        if wanted.before is not None:
            query = query.where(_earlier(table.c.played, table.c.sheet, wanted.before))
        query = query.order_by(table.c.played.desc(), table.c.sheet.desc()).limit(wanted.limit)
        found: tuple[PaperSheet, ...] = await self._read(
            lambda c: tuple(PaperSheet(*row) for row in c.execute(query))
        )
        return found

    async def drop_sheet(self, player: str, sheet: str) -> bool:
        """See :meth:`lostcities.store.archive.Archive.drop_sheet`."""
        table = schema.sheets
        return await self._drop(table, table.c.player == player, table.c.sheet == sheet)

    async def _drop(self, table: Table, *which: ColumnElement[bool]) -> bool:
        gone = delete(table).where(*which)
        dropped: int = await self._write(lambda c: c.execute(gone).rowcount)
        return dropped > 0


def _kept(player: str) -> Select[Any]:
    table = schema.imports
    return select(table.c.record, table.c.added, table.c.text).where(table.c.player == player)


def _earlier(
    when: ColumnElement[int], key: ColumnElement[str], before: tuple[int, str]
) -> ColumnElement[bool]:
    return or_(when < before[0], and_(when == before[0], key < before[1]))


def _seated(query: Select[Any], player: str) -> Select[Any]:
    """Matches of a player in which both seats were taken and which were not closed before."""
    return (
        query.select_from(_mine)
        .join(_matches, _matches.c.match == _mine.c.match)
        .join(_rival, and_(_rival.c.match == _mine.c.match, _rival.c.seat != _mine.c.seat))
        .outerjoin(_ends, _ends.c.match == _mine.c.match)
        .outerjoin(_practices, _practices.c.match == _mine.c.match)
        .where(_mine.c.player == player)
        # At a table with one device for both, both seats are the player's: listed once.
        .where(or_(_rival.c.player.is_(None), _rival.c.player != player, _mine.c.seat == 0))
    )


_FOR_RESULTS = and_(
    _practices.c.match.is_(None),
    _matches.c.terms.not_like('%"aids":true%'),
    _matches.c.terms.not_like('%"takebacks":true%'),
)
"""Neither from a lesson nor with aids or takebacks; see :func:`~lostcities.protocol.terms.terms_to_text`."""


def _of_result(result: Result) -> ColumnElement[bool]:
    ended = and_(
        _ends.c.match.is_not(None),
        or_(_ends.c.termination.is_(None), _ends.c.termination != "closed"),
    )
    if result == "unfinished":
        return ~ended
    if result == "drawn":
        return and_(ended, _ends.c.winner.is_(None))
    same = _ends.c.winner == _mine.c.seat
    return same if result == "won" else and_(_ends.c.winner.is_not(None), ~same)


def _played(connection: Connection, player: str, wanted: Wanted) -> tuple[Played, ...]:
    query = _seated(
        select(
            _matches.c.match, _matches.c.created, _matches.c.rules, _mine.c.seat,
            _mine.c.name.label("own_name"), *_OPPONENT, _rival.c.name, _ends.c.at,
            _ends.c.termination, _ends.c.winner, _FOR_RESULTS.label("counts"),
        ),
        player,
    )  # fmt: skip
    if wanted.opponent is not None:
        kind, key = wanted.opponent
        named = _rival.c.agent if kind == "agent" else _rival.c.name
        query = query.where(_rival.c.kind == kind, named == key)
    if wanted.rules is not None:
        query = query.where(_matches.c.rules == wanted.rules)
    if wanted.result is not None:
        query = query.where(_of_result(wanted.result))
    if wanted.before is not None:
        query = query.where(_earlier(_matches.c.created, _matches.c.match, wanted.before))
    query = query.order_by(_matches.c.created.desc(), _matches.c.match.desc()).limit(wanted.limit)
    rows = connection.execute(query).all()
    scores = _scores_of(connection, [row.match for row in rows])
    return tuple(_one(row, scores.get(row.match, ())) for row in rows)


def _one(row: Row[Any], scores: Sequence[BySeat[int]]) -> Played:
    return Played(
        match=row.match,
        created=row.created,
        rules=row.rules,
        seat=row.seat,
        name=row.own_name,
        opponent=Opponent(row.kind, row.key, row.name),
        ended=row.at,
        termination=row.termination,
        winner=row.winner,
        scores=tuple(scores),
        practice=not row.counts,
    )


def _scores_of(connection: Connection, matches: Iterable[str]) -> dict[str, list[BySeat[int]]]:
    query = (
        select(_scores.c.match, _scores.c.score0, _scores.c.score1)
        .where(_scores.c.match.in_(list(matches)))
        .order_by(_scores.c.match, _scores.c.round)
    )
    found: dict[str, list[BySeat[int]]] = {}
    for match, zero, one in connection.execute(query):
        found.setdefault(match, []).append(BySeat(zero, one))
    return found


def _tallies(connection: Connection, player: str) -> tuple[Tally, ...]:
    kind, key = _OPPONENT
    counted = [
        func.sum(case((_of_result(result), 1), else_=0)).label(result)
        for result in ("won", "lost", "drawn", "unfinished")
    ]
    matches = (
        _seated(select(kind, key, func.max(_rival.c.name).label("name"), *counted), player)
        .where(_FOR_RESULTS)
        .group_by(kind, key)
        .order_by(func.count().desc(), key)
    )
    rounds = (
        _seated(
            select(kind, key, func.count(), func.sum(_OWN), func.sum(_THEIRS)), player
        )
        .join(_scores, _scores.c.match == _mine.c.match)
        .where(_FOR_RESULTS)
        .group_by(kind, key)
    )  # fmt: skip
    sums = {(row[0], row[1]): row[2:] for row in connection.execute(rounds)}
    return tuple(_tally(row, sums.get((row.kind, row.key))) for row in connection.execute(matches))


def _tally(row: Row[Any], sums: Sequence[Any] | None) -> Tally:
    count, own, theirs = (0, 0, 0) if sums is None else (int(each) for each in sums)
    return Tally(
        Opponent(row.kind, row.key, row.name),
        int(row.won),
        int(row.lost),
        int(row.drawn),
        int(row.unfinished),
        count,
        own / count if count else None,
        theirs / count if count else None,
    )


def _points(connection: Connection, player: str, limit: int) -> tuple[RoundPoints, ...]:
    query = (
        _seated(
            select(
                _scores.c.match, _scores.c.round, _scores.c.at, _OWN.label("own"),
                _THEIRS.label("theirs"), *_OPPONENT, _rival.c.name,
            ),
            player,
        )
        .join(_scores, _scores.c.match == _mine.c.match)
        .where(_FOR_RESULTS)
        .order_by(_scores.c.at.desc(), _scores.c.match, _scores.c.round.desc())
        .limit(limit)
    )  # fmt: skip
    rows = connection.execute(query).all()
    return tuple(
        RoundPoints(
            row.match, row.round, row.at, row.own, row.theirs,
            Opponent(row.kind, row.key, row.name),
        )
        for row in reversed(rows)
    )  # fmt: skip
