"""What happens at two tables at once: in one transaction, so that neither is without the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lostcities.service.refusing import No
from lostcities.service.table import TRIES, Decision, Table
from lostcities.store.interfaces import (
    Changes,
    ConflictError,
    MovedOn,
    SeatTaken,
    SitDown,
    Store,
    StoreError,
)


async def commit_both(
    store: Store, one: Table, two: Table, wish: Callable[[], tuple[Decision, Decision] | No]
) -> No | None:
    """Decide for two tables and write both; then tell the first one, then the second.

    Both writers are held meanwhile. Whoever calls sees to it that no two calls hold the same tables
    the other way round.

    Raises:
        StoreError: nothing was written.
        BusyError: too much waits at one of the tables.
    """
    return await one.do(lambda: two.do(lambda: _commit(store, one, two, wish)))


async def _commit(
    store: Store, one: Table, two: Table, wish: Callable[[], tuple[Decision, Decision] | No]
) -> No | None:
    for _ in range(TRIES):
        decided = wish()
        if isinstance(decided, No):
            return decided
        (first, at_one), (second, at_two) = one.prepare(decided[0]), two.prepare(decided[1])
        try:
            await store.write(first.with_those(second))
        except ConflictError:
            await one.reload()
            await two.reload()
            continue
        one.install(at_one)
        two.install(at_two)
        return None
    raise StoreError("other writers were always first")


async def bring_together(store: Store, comes: Table, stays: Table) -> bool:
    """Seat whoever waits at the table ``comes`` at the table ``stays``, and close the first.

    Returns:
        Whether it was done; not where one of them waits no longer, both are one person, or the host
        lets only one of the tables rest.

    Raises:
        StoreError: nothing was written.
        BusyError: too much waits at one of the tables.
    """
    refused = await commit_both(store, stays, comes, lambda: _moving(comes, stays))
    return refused is None


def _moving(comes: Table, stays: Table) -> tuple[Decision, Decision] | No:
    who = next((each for each in comes.occupants if each is not None), None)
    seat = stays.state.free
    if who is None or seat is None or comes.state.free is None:
        return No("nothing", "")
    if stays.seat_of(who.player) is not None or comes.state.paused != stays.state.paused:
        return No("nothing", "")
    sits = SitDown(stays.match, replace(who, seat=seat))
    there = Decision((SeatTaken(seat, who.kind, who.name),), Changes(seats=(sits,)))
    return there, Decision((MovedOn(who.seat, stays.match),))
