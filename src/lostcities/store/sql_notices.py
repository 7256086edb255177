"""Notices in SQL: which browsers take them, and where mail goes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select, update

from lostcities.store import schema
from lostcities.store.notices import Proposal, PushTarget, Wishes
from lostcities.store.ways import TwoWays


class SqlNotices(TwoWays):
    """A :class:`lostcities.store.notices.NoticeStore` over a store's two connections."""

    # ---- browsers -------------------------------------------------------------------------------

    async def subscribe(self, session: str, target: PushTarget, now: int) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.subscribe`."""
        table = schema.pushes
        rival = or_(table.c.session == session, table.c.endpoint == target.endpoint)
        row = {
            "session": session, "endpoint": target.endpoint, "key": target.key,
            "secret": target.secret, "language": target.language, "created": now,
        }  # fmt: skip

        def keep(connection: Connection) -> None:
            connection.execute(delete(table).where(rival))
            connection.execute(insert(table).values(row))

        await self._write(keep)

    async def unsubscribe(self, session: str) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.unsubscribe`."""
        await self._delete(schema.pushes.c.session == session)

    async def gone(self, endpoint: str) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.gone`."""
        await self._delete(schema.pushes.c.endpoint == endpoint)

    async def _delete(self, which: Any) -> None:
        gone = delete(schema.pushes).where(which)
        await self._write(lambda c: c.execute(gone).rowcount)

    async def target(self, session: str) -> PushTarget | None:
        """See :meth:`lostcities.store.notices.NoticeStore.target`."""
        query = _targets().where(schema.pushes.c.session == session)
        row = await self._read(lambda c: c.execute(query).one_or_none())
        return None if row is None else PushTarget(*row)

    async def targets(self, player: str, limit: int) -> tuple[PushTarget, ...]:
        """See :meth:`lostcities.store.notices.NoticeStore.targets`."""
        pushes, sessions = schema.pushes, schema.sessions
        query = (
            _targets()
            .join(sessions, sessions.c.token_hash == pushes.c.session)
            .where(sessions.c.player == player)
            .order_by(pushes.c.created.desc(), pushes.c.session)
            .limit(limit)
        )
        rows = await self._read(lambda c: c.execute(query).all())
        return tuple(PushTarget(*row) for row in rows)

    # ---- wishes ---------------------------------------------------------------------------------

    async def wishes(self, player: str) -> Wishes:
        """See :meth:`lostcities.store.notices.NoticeStore.wishes`."""
        table = schema.notice_wishes
        query = select(
            table.c.moment, table.c.language, table.c.address, table.c.stop, table.c.pending
        ).where(table.c.player == player)
        row = await self._read(lambda c: c.execute(query).one_or_none())
        return Wishes() if row is None else Wishes(*row)

    async def set_when(self, player: str, when: str) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.set_when`."""
        await self._write(lambda c: _set(c, player, {"moment": when}))

    async def propose(self, player: str, proposal: Proposal, now: int) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.propose`."""
        table = schema.notice_wishes
        nothing = dict.fromkeys(("pending", "code_hash", "code_until"))
        old = update(table).where(table.c.code_until <= now).values(nothing)
        new = {
            "language": proposal.language, "pending": proposal.address,
            "code_hash": proposal.code_hash, "code_until": proposal.until,
        }  # fmt: skip

        def keep(connection: Connection) -> None:
            connection.execute(old)
            _set(connection, player, new)

        await self._write(keep)

    async def confirm(self, code_hash: str, now: int, stop: str) -> str | None:
        """See :meth:`lostcities.store.notices.NoticeStore.confirm`."""
        player: str | None = await self._write(lambda c: _confirm(c, code_hash, now, stop))
        return player

    async def no_mail(self, player: str) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.no_mail`."""
        change = _without_mail(schema.notice_wishes.c.player == player)
        await self._write(lambda c: c.execute(change).rowcount)

    async def stop(self, stop: str) -> bool:
        """See :meth:`lostcities.store.notices.NoticeStore.stop`."""
        change = _without_mail(schema.notice_wishes.c.stop == stop)
        ended: int = await self._write(lambda c: c.execute(change).rowcount)
        return ended > 0

    # ---- what was told --------------------------------------------------------------------------

    async def untold(self, limit: int) -> tuple[str, ...]:
        """See :meth:`lostcities.store.notices.NoticeStore.untold`."""
        table = schema.deadlines
        query = select(table.c.match).where(~table.c.told).order_by(table.c.due).limit(limit)
        found: tuple[str, ...] = await self._read(lambda c: tuple(c.execute(query).scalars()))
        return found

    async def told(self, match: str, due: int) -> None:
        """See :meth:`lostcities.store.notices.NoticeStore.told`."""
        table = schema.deadlines
        change = update(table).where(table.c.match == match, table.c.due == due).values(told=True)
        await self._write(lambda c: c.execute(change).rowcount)


def _targets() -> Any:
    table = schema.pushes
    return select(table.c.endpoint, table.c.key, table.c.secret, table.c.language)


def _set(connection: Connection, player: str, values: dict[str, Any]) -> None:
    table = schema.notice_wishes
    change = update(table).where(table.c.player == player).values(values)
    # One writer: nobody comes in between.
    if connection.execute(change).rowcount == 0:
        connection.execute(insert(table).values(player=player, **values))


def _without_mail(which: Any) -> Any:
    nothing = dict.fromkeys(("address", "stop", "pending", "code_hash", "code_until"))
    return update(schema.notice_wishes).where(which).values(nothing)


def _confirm(connection: Connection, code_hash: str, now: int, stop: str) -> str | None:
    table = schema.notice_wishes
    waiting = (table.c.code_hash == code_hash) & (table.c.code_until > now)
    found = connection.execute(select(table.c.player, table.c.pending).where(waiting)).first()
    if found is None:
        return None
    player: str = found.player
    connection.execute(
        update(table)
        .where(table.c.player == player)
        .values(address=found.pending, stop=stop, pending=None, code_hash=None, code_until=None)
    )
    return player
