"""Score sheets of real tables in a person's history: kept, listed, taken along, forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lostcities.core.errors import NotationError
from lostcities.core.said import INSIDE
from lostcities.core.sentences import ROUND
from lostcities.protocol import history as wire
from lostcities.service.history import write_cursor
from lostcities.service.wishes import WishError
from lostcities.store.archive import PaperSheet, WantedSheets
from lostcities.store.interfaces import Store
from lostcities.table.sheet_link import PaperMatch, read_link, write_link
from lostcities.table.sheets import Sheet

MOST = 100
"""Sheets on one page at most."""


class Sheets:
    """The sheets that people keep.

    Args:
        store: where they are kept.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    async def keep(self, player: str | None, brought: wire.SheetLink) -> wire.KeptSheet:
        """Keep a sheet for whoever is signed in.

        Raises:
            WishError: not signed in, a sheet that cannot be read or cannot be, or one that the
                history has otherwise than its writer knows.
        """
        if player is None or await self._store.people.account_of(player) is None:
            raise WishError(403, "no_account", "this browser is not signed in")
        match = read(brought.link)
        now = self._clock()
        kept = PaperSheet(
            brought.id, now, min(brought.played, now), str(match.rules), write_link(match)
        )
        name = await self._store.archive.keep_sheet(player, kept, brought.knows, brought.over)
        if name is None:
            raise WishError(409, "newer_sheet", "the history has this sheet otherwise")
        return told(replace(kept, sheet=name))

    async def sheets(self, player: str | None, wanted: WantedSheets) -> wire.KeptSheets:
        """A page of a player's sheets."""
        if player is None:
            return wire.KeptSheets([], None)
        more = replace(wanted, limit=wanted.limit + 1)
        found = await self._store.archive.kept_sheets(player, more)
        page = found[: wanted.limit]
        last = page[-1] if len(found) > len(page) else None
        after = None if last is None else write_cursor(last.played, last.sheet)
        return wire.KeptSheets([told(each) for each in page], after)

    async def everything(self, player: str) -> list[wire.KeptSheet]:
        """All sheets of a player."""
        found: list[PaperSheet] = []
        wanted = WantedSheets(limit=MOST)
        while page := await self._store.archive.kept_sheets(player, wanted):
            found += page
            wanted = replace(wanted, before=(page[-1].played, page[-1].sheet))
        return [told(each) for each in found]

    async def drop(self, player: str | None, name: str) -> None:
        """Forget one of a player's sheets.

        Raises:
            WishError: there is none.
        """
        if player is None or not await self._store.archive.drop_sheet(player, name):
            raise WishError(404, "no_sheet", "there is no such sheet of yours")


def read(link: str) -> PaperMatch:
    """The sheet in a link.

    Raises:
        WishError: it cannot be read, or shows what cannot be; names the place and the reason.
    """
    try:
        match = read_link(link)
    except NotationError as error:
        raise WishError(400, "bad_sheet", error.said) from None
    for number, sheet in enumerate(match.sheets(), 1):
        for problem in sheet.problems:
            raise WishError(400, "bad_sheet", INSIDE(place=ROUND(n=number), what=problem.said))
    return match


def told(kept: PaperSheet) -> wire.KeptSheet:
    """A kept sheet, read from its link."""
    match = read_link(kept.link)
    rounds = [_round(sheet) for sheet in match.sheets()]
    return wire.KeptSheet(
        id=kept.sheet,
        added=kept.added,
        played=kept.played,
        names=list(match.names),
        rules=str(match.rules),
        deck=match.deck.title,
        rounds=rounds,
        totals=[sum(each.score[seat] for each in rounds) for seat in (0, 1)],
        finished=match.finished,
        link=kept.link,
    )


def _round(sheet: Sheet) -> wire.SheetRound:
    cards = sheet.rows.map(lambda rows: " ".join(str(card) for row in rows for card in row))
    return wire.SheetRound(list(sheet.totals), list(cards))
