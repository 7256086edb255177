"""The wish to play again, and what becomes of it when its new table is closed."""

from __future__ import annotations

from lostcities.core.events import MatchStarted
from lostcities.service.refusing import No
from lostcities.service.table import Decision, Table
from lostcities.store.interfaces import AgainWithdrawn, MovedOn, StoredMatch, TableClosed


def never_began(stored: StoredMatch | None) -> bool:
    """Whether a table was closed before its match began."""
    if stored is None:
        return False
    kinds = {type(event) for event in stored.events}
    return not kinds.isdisjoint({TableClosed, MovedOn}) and MatchStarted not in kinds


async def take_back(table: Table, match: str) -> None:
    """Let a table forget that one wanted to play again at ``match``, and say so there.

    Raises:
        StoreError: it could not be saved; the table still tells of the offer.
    """

    def wish() -> Decision | No:
        state = table.state
        if state.again != match or state.again_by is None:
            return No("nothing", "")
        return Decision((AgainWithdrawn(state.again_by),))

    await table.do(lambda: table.commit(wish))
