"""What a person takes along: every match as records, every round as a line, every sheet."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from lostcities.protocol.history import KeptSheet
from lostcities.service.history import History
from lostcities.store.archive import Played

COLUMNS = (
    "match", "played", "rules", "seat", "name", "opponent", "kind", "round", "own", "theirs",
    "result", "termination", "practice",
)  # fmt: skip


def games_csv(games: Iterable[Played]) -> str:
    """A line a finished round, the newest match first; a match without one has a line of its own."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for game in games:
        writer.writerows(_lines(game))
    return text.getvalue()


def _lines(game: Played) -> Iterator[tuple[object, ...]]:
    before = (
        game.match, _day(game.created, "%Y-%m-%d"), game.rules, game.seat, _plain(game.name),
        _plain(game.opponent.name), game.opponent.kind,
    )  # fmt: skip
    after = (game.result, game.termination or "", "yes" if game.practice else "no")
    for number, score in enumerate(game.scores, 1):
        yield (*before, number, score[game.seat], score[1 - game.seat], *after)
    if not game.scores:
        yield (*before, "", "", "", *after)


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def _day(milliseconds: int, form: str) -> str:
    return dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC).strftime(form)


SHEET_COLUMNS = (
    "sheet", "played", "rules", "deck", "name0", "name1", "round", "score0", "score1", "cards0",
    "cards1",
)  # fmt: skip


def sheets_csv(sheets: Iterable[KeptSheet]) -> str:
    """A line a round of a real table, with what lay there."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(SHEET_COLUMNS)
    for each in sheets:
        names = (_plain(name) for name in each.names)
        before = (each.id, _day(each.played, "%Y-%m-%d"), each.rules, _plain(each.deck), *names)
        for number, told in enumerate(each.rounds, 1):
            writer.writerow((*before, number, *told.score, *told.cards))
    return text.getvalue()


async def games_zip(
    history: History, games: Iterable[Played], sheets: Sequence[KeptSheet] = ()
) -> bytes:
    """A folder of records, and the lines beside them; a table never dealt has no record.

    Sheets of real tables are in it as lines, and whole, as the room tells them.
    """
    listed = list(games)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("lostcities/games.csv", games_csv(listed))
        for game in listed:
            date = _day(game.created, "%Y.%m.%d")
            record = await history.record(game.match, game.seat, date)
            if record is not None:
                await asyncio.to_thread(folder.writestr, _path(game), record)
        if sheets:
            folder.writestr("lostcities/sheets.csv", sheets_csv(sheets))
        for each in sheets:
            name = f"lostcities/{_day(each.played, '%Y-%m-%d')}_sheet_{each.id}.json"
            folder.writestr(name, msgspec.json.format(msgspec.json.encode(each)))
    return content.getvalue()


def _path(game: Played) -> str:
    rival = re.sub(r"[^\w-]+", "-", game.opponent.name).strip("-") or "opponent"
    return f"lostcities/{_day(game.created, '%Y-%m-%d')}_{rival}_{game.match}.lcr"
