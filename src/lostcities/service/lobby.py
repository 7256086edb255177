"""The lobby: tables that their makers opened to the room. A private table never stands here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lostcities.protocol.company import Lobby, OpenTable
from lostcities.protocol.http import Joined
from lostcities.service.seeing import pace_info, seat_kinds, seat_names
from lostcities.service.table import Table
from lostcities.service.wishes import LOBBY, Visitor, WishError, clean_name
from lostcities.store.interfaces import Store

if TYPE_CHECKING:
    from lostcities.service.room import Room

SHOWN = 100
"""Tables that are listed at most."""
FORGOTTEN = 30 * 60_000
"""Milliseconds after which a table stands no longer in the list while nobody sits at it; not one of days a turn."""


async def lobby(room: Room, store: Store, player: str | None, now: int) -> Lobby:
    """The open tables.

    Those that are over leave the list for good. An old one at which nobody is stands in it again when
    somebody is back: whoever sits down there would meet nobody, and there is nothing to watch.
    """
    found: list[OpenTable] = []
    for match in await store.listed(LOBBY, SHOWN):
        table = await room.table(match)
        if table is None or table.state.over:
            await store.unlist(match, LOBBY)
            continue
        free = table.state.phase == "waiting"
        listed = table.info.terms.listed and (free or table.info.terms.watch)
        if listed and not _is_forgotten(table, player, now):
            found.append(_open_table(table, player))
    return Lobby(sorted(found, key=lambda each: (not each.free, not each.here)))


def _is_forgotten(table: Table, player: str | None, now: int) -> bool:
    people = [who.seat for who in table.occupants if who is not None and who.kind == "person"]
    alone = not any(table.present[seat] for seat in people) and not table.seats_of(player)
    return alone and table.info.pace.kind != "days" and now - table.info.created > FORGOTTEN


def _open_table(table: Table, player: str | None) -> OpenTable:
    state, match = table.state, table.state.match
    return OpenTable(
        match=table.match,
        names=seat_names(state),
        kinds=seat_kinds(state),
        rules=str(state.rules),
        phase=state.phase,
        round=state.number,
        totals=[0, 0] if match is None else list(match.totals),
        free=state.phase == "waiting",
        here=all(table.present[who.seat] for who in table.occupants if who is not None),
        mine=bool(table.seats_of(player)),
        terms=table.info.terms,
        url=f"/t/{table.match}",
        pace=pace_info(table.info.pace),
    )


async def join(room: Room, match: str, visitor: Visitor, name: str) -> Joined:
    """Take the free seat of an open table.

    Raises:
        WishError: there is no such open table, or its seat is taken.
        StoreError: it could not be saved.
    """
    table = await room.table(match)
    if table is None or not table.info.terms.listed:
        # The same words for both: whether a private table exists is nobody's business.
        raise WishError(404, "no_table", "there is no such open table")
    return await room.sit(table, visitor, clean_name(name))
