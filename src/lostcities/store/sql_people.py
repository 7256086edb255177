"""People in SQL: passphrases, sessions, and being forgotten."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from lostcities.store import schema
from lostcities.store.codec import decode, encode
from lostcities.store.interfaces import SeatTaken
from lostcities.store.people import NOBODY, Account, Held
from lostcities.store.ways import TwoWays


class SqlPeople(TwoWays):
    """A :class:`lostcities.store.people.People` over a store's two connections."""

    # ---- accounts -------------------------------------------------------------------------------

    async def account(self, folded: str) -> Account | None:
        """See :meth:`lostcities.store.people.People.account`."""
        return await self._account(schema.accounts.c.folded == folded)

    async def account_of(self, player: str) -> Account | None:
        """See :meth:`lostcities.store.people.People.account_of`."""
        return await self._account(schema.accounts.c.player == player)

    async def _account(self, which: Any) -> Account | None:
        table = schema.accounts
        query = select(
            table.c.player, table.c.folded, table.c.name, table.c.hash, table.c.must_change,
            table.c.changed,
        ).where(which)  # fmt: skip
        row = await self._read(lambda c: c.execute(query).one_or_none())
        return None if row is None else Account(*row)

    async def open_account(self, account: Account) -> bool:
        """See :meth:`lostcities.store.people.People.open_account`."""
        table = schema.accounts
        rival = or_(table.c.folded == account.folded, table.c.player == account.player)

        def keep(connection: Connection) -> bool:
            # One writer: nobody comes in between.
            if connection.execute(select(table.c.player).where(rival)).first() is not None:
                return False
            connection.execute(insert(table).values(asdict(account)))
            return True

        kept: bool = await self._write(keep)
        return kept

    async def set_passphrase(self, player: str, hashed: str, must_change: bool, now: int) -> None:
        """See :meth:`lostcities.store.people.People.set_passphrase`."""
        table = schema.accounts
        change = (
            update(table)
            .where(table.c.player == player)
            .values(hash=hashed, must_change=must_change, changed=now)
        )
        await self._write(lambda c: c.execute(change).rowcount)

    # ---- sessions -------------------------------------------------------------------------------

    async def open_session(self, token_hash: str, player: str, now: int) -> None:
        """See :meth:`lostcities.store.people.People.open_session`."""
        row = {"token_hash": token_hash, "player": player, "created": now}
        await self._write(lambda c: c.execute(insert(schema.sessions).values(row)).rowcount)

    async def sessions(self, player: str) -> tuple[str, ...]:
        """See :meth:`lostcities.store.people.People.sessions`."""
        table = schema.sessions
        query = select(table.c.token_hash).where(table.c.player == player)
        found: tuple[str, ...] = await self._read(lambda c: tuple(c.execute(query).scalars()))
        return found

    async def end_sessions(self, player: str, keep: str | None = None) -> tuple[str, ...]:
        """See :meth:`lostcities.store.people.People.end_sessions`."""
        ended: tuple[str, ...] = await self._write(lambda c: _end_sessions(c, player, keep))
        return ended

    async def end_session(self, token_hash: str) -> None:
        """See :meth:`lostcities.store.people.People.end_session`."""
        table = schema.sessions
        gone = delete(table).where(table.c.token_hash == token_hash)
        await self._write(lambda c: c.execute(gone).rowcount)

    # ---- whose things are whose -----------------------------------------------------------------

    async def seats(self, player: str) -> tuple[Held, ...]:
        """See :meth:`lostcities.store.people.People.seats`."""
        held: tuple[Held, ...] = await self._read(lambda c: _seats(c, player))
        return held

    async def claim(self, guest: str, player: str) -> tuple[Held, ...]:
        """See :meth:`lostcities.store.people.People.claim`."""
        moved: tuple[Held, ...] = await self._write(lambda c: _claim(c, guest, player))
        return moved

    async def forget(self, player: str) -> None:
        """See :meth:`lostcities.store.people.People.forget`."""
        await self._write(lambda c: forget(c, player))


def _end_sessions(connection: Connection, player: str, keep: str | None) -> tuple[str, ...]:
    table = schema.sessions
    gone = delete(table).where(table.c.player == player)
    if keep is not None:
        gone = gone.where(table.c.token_hash != keep)
    return tuple(connection.execute(gone.returning(table.c.token_hash)).scalars())


def _seats(connection: Connection, player: str) -> tuple[Held, ...]:
    table = schema.seats
    query = select(table.c.match, table.c.seat).where(table.c.player == player)
    return tuple(Held(*row) for row in connection.execute(query))


def _claim(connection: Connection, guest: str, player: str) -> tuple[Held, ...]:
    seats = schema.seats
    theirs = seats.alias("theirs")
    already = exists(
        select(theirs.c.seat).where(theirs.c.match == seats.c.match, theirs.c.player == player)
    )
    moved = connection.execute(
        update(seats)
        .where(seats.c.player == guest, ~already)
        .values(player=player)
        .returning(seats.c.match, seats.c.seat)
    ).all()
    connection.execute(update(seats).where(seats.c.player == guest).values(player=None))
    for table in (schema.reservations, schema.lessons):
        connection.execute(update(table).where(table.c.player == guest).values(player=player))
    _claim_unless_known(connection, schema.imports, "hash", guest, player)
    _claim_unless_known(connection, schema.shares, "match", guest, player)
    _claim_unless_known(connection, schema.sheets, "sheet", guest, player)
    _claim_wishes(connection, guest, player)
    for table in PERSONAL:
        connection.execute(delete(table).where(table.c.player == guest))
    connection.execute(delete(schema.players).where(schema.players.c.player == guest))
    return tuple(Held(*row) for row in moved)


def _claim_unless_known(
    connection: Connection, table: Any, key: str, guest: str, player: str
) -> None:
    known = select(table.c[key]).where(table.c.player == player)
    connection.execute(
        update(table)
        .where(table.c.player == guest, table.c[key].not_in(known.scalar_subquery()))
        .values(player=player)
    )


def _claim_wishes(connection: Connection, guest: str, player: str) -> None:
    table = schema.notice_wishes
    if connection.execute(select(table.c.player).where(table.c.player == player)).first() is None:
        mine = update(table).where(table.c.player == guest).values(player=player)
        connection.execute(mine)


PERSONAL = (
    schema.sessions,
    schema.accounts,
    schema.device_codes,
    schema.entrances,
    schema.reservations,
    schema.shares,
    schema.imports,
    schema.sheets,
    schema.notice_wishes,
)
"""Tables whose rows go with their player. A test finds any table of players that none names."""


def forget(connection: Connection, player: str) -> None:
    """Leave nothing personal of a player; see :meth:`lostcities.store.people.People.forget`."""
    for held in _seats(connection, player):
        _without_name(connection, held)
    seats, lessons, bans = schema.seats, schema.lessons, schema.bans
    mine = seats.c.player == player
    connection.execute(update(seats).where(mine).values(player=None, name=NOBODY))
    connection.execute(update(lessons).where(lessons.c.player == player).values(player=None))
    connection.execute(delete(bans).where(bans.c.kind == "player", bans.c.value == player))
    for table in PERSONAL:
        connection.execute(delete(table).where(table.c.player == player))
    connection.execute(delete(schema.players).where(schema.players.c.player == player))


def _without_name(connection: Connection, held: Held) -> None:
    """A seat's name goes from the log, and what it said from the chat."""
    events, chat, kept = schema.events, schema.chat, schema.reservations
    rows = connection.execute(
        select(events.c.seq, events.c.body).where(
            events.c.match == held.match, events.c.body.contains('"kind":"joined"')
        )
    ).all()
    for seq, body in rows:
        event = decode(body)
        if isinstance(event, SeatTaken) and event.seat == held.seat:
            connection.execute(
                update(events)
                .where(events.c.match == held.match, events.c.seq == seq)
                .values(body=encode(replace(event, name=NOBODY)))
            )
    connection.execute(delete(chat).where(chat.c.match == held.match, chat.c.seat == held.seat))
    connection.execute(
        update(kept).where(kept.c.match == held.match, kept.c.seat == held.seat).values(name=NOBODY)
    )
