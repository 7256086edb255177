"""What a room keeps beside its matches, in SQL: lists, chat, bans, the password, classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, delete, insert, select

from lostcities.store import schema
from lostcities.store.interfaces import Ban, ChatLine, Class

T = TypeVar("T")


class SqlSide:
    """A :class:`lostcities.store.interfaces.SideStore` in SQL; needs the two ways to the database."""

    async def _call(self, function: Callable[[Connection], T]) -> T:
        raise NotImplementedError

    async def _read(self, query: Callable[[Connection], T]) -> T:
        raise NotImplementedError

    async def listed(self, name: str, limit: int) -> tuple[str, ...]:
        """See :meth:`lostcities.store.interfaces.SideStore.listed`."""
        table = schema.listings
        query = (
            select(table.c.match)
            .where(table.c.list == name)
            .order_by(table.c.created.desc(), table.c.match)
            .limit(limit)
        )
        return await self._read(lambda connection: tuple(connection.execute(query).scalars().all()))

    async def unlist(self, match: str, name: str) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.unlist`."""
        table = schema.listings
        await self._do(delete(table).where(table.c.match == match, table.c.list == name))

    async def say(self, match: str, line: ChatLine) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.say`."""
        await self._do(insert(schema.chat).values(match=match, **asdict(line)))

    async def said(self, match: str, limit: int) -> tuple[ChatLine, ...]:
        """See :meth:`lostcities.store.interfaces.SideStore.said`."""
        table = schema.chat
        query = (
            select(
                table.c.number, table.c.at, table.c.seat, table.c.name, table.c.kind, table.c.body
            )
            .where(table.c.match == match)
            .order_by(table.c.number.desc())
            .limit(limit)
        )
        rows = await self._read(lambda connection: connection.execute(query).all())
        return tuple(ChatLine(*row) for row in reversed(rows))

    async def unsay(self, match: str) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.unsay`."""
        await self._do(delete(schema.chat).where(schema.chat.c.match == match))

    async def ban(self, ban: Ban) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.ban`."""
        table = schema.bans
        key = (table.c.kind == ban.kind) & (table.c.value == ban.value)
        await self._replace(table, key, asdict(ban))

    async def unban(self, kind: str, value: str) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.unban`."""
        table = schema.bans
        await self._do(delete(table).where(table.c.kind == kind, table.c.value == value))

    async def bans(self) -> tuple[Ban, ...]:
        """See :meth:`lostcities.store.interfaces.SideStore.bans`."""
        table = schema.bans
        query = select(table.c.kind, table.c.value, table.c.name, table.c.created).order_by(
            table.c.created.desc(), table.c.kind, table.c.value
        )
        rows = await self._read(lambda connection: connection.execute(query).all())
        return tuple(Ban(*row) for row in rows)

    async def fact(self, name: str) -> str | None:
        """See :meth:`lostcities.store.interfaces.SideStore.fact`."""
        query = select(schema.facts.c.value).where(schema.facts.c.name == name)
        return await self._read(lambda connection: connection.execute(query).scalar())

    async def set_fact(self, name: str, value: str | None) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.set_fact`."""
        table = schema.facts
        values = None if value is None else {"name": name, "value": value}
        await self._replace(table, table.c.name == name, values)

    async def enter(self, player: str, now: int) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.enter`."""
        table = schema.entrances
        await self._replace(table, table.c.player == player, {"player": player, "created": now})

    async def entered(self, player: str) -> bool:
        """See :meth:`lostcities.store.interfaces.SideStore.entered`."""
        query = select(schema.entrances.c.player).where(schema.entrances.c.player == player)
        return await self._read(lambda connection: connection.execute(query).scalar()) is not None

    async def forget_entrances(self) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.forget_entrances`."""
        await self._do(delete(schema.entrances))

    async def put_class(self, group: Class) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.put_class`."""
        table = schema.classes
        await self._replace(table, table.c.code == group.code, asdict(group))

    async def classes(self) -> tuple[Class, ...]:
        """See :meth:`lostcities.store.interfaces.SideStore.classes`."""
        table = schema.classes
        query = select(
            table.c.code, table.c.label, table.c.rules, table.c.agent, table.c.wait,
            table.c.created, table.c.paused,
        ).order_by(table.c.created.desc(), table.c.code)  # fmt: skip
        rows = await self._read(lambda connection: connection.execute(query).all())
        return tuple(Class(*row) for row in rows)

    async def drop_class(self, code: str) -> None:
        """See :meth:`lostcities.store.interfaces.SideStore.drop_class`."""
        await self._do(delete(schema.classes).where(schema.classes.c.code == code))

    async def _do(self, statement: Any) -> None:
        def run(connection: Connection) -> None:
            connection.execute(statement)

        await self._call(run)

    async def _replace(self, table: Table, key: Any, values: dict[str, Any] | None) -> None:
        def run(connection: Connection) -> None:
            connection.execute(delete(table).where(key))
            if values is not None:
                connection.execute(insert(table).values(**values))

        await self._call(run)
