"""``lostcities score LINK``: a whole match from the link of a score sheet."""

from __future__ import annotations

from typing import Any

from lostcities.cli import paint
from lostcities.cli.complaint import printable
from lostcities.cli.options import Shown
from lostcities.cli.score import drawn, sheet_json
from lostcities.core.errors import NotationError
from lostcities.core.seats import SEATS, BySeat
from lostcities.table.deck import Deck
from lostcities.table.sheet_link import PaperMatch, read_link
from lostcities.table.sheets import Sheet

PLAIN = ("five", "six")
"""Decks whose colours go by the letters of the notation."""


def scored(text: str, *, as_json: bool) -> Shown:
    """Every round of the sheet behind a link, with its working, and the totals.

    Raises:
        NotationError: no sheet, or one that cannot be; names the round and the reason.
    """
    match = read_link(text)
    sheets = match.sheets()
    for number, sheet in enumerate(sheets, 1):
        for problem in sheet.problems:
            raise NotationError(f"round {number}", problem.text)
    totals = BySeat(*(sum(sheet.totals[seat] for sheet in sheets) for seat in SEATS))
    return _told(match, sheets, totals) if as_json else _drawn(match, sheets, totals)


def _told(match: PaperMatch, sheets: tuple[Sheet, ...], totals: BySeat[int]) -> dict[str, Any]:
    return {
        "names": list(match.names),
        "rules": str(match.rules),
        "deck": match.deck.name,
        "finished": match.finished,
        "rounds": [
            {
                "score": list(sheet.totals),
                "sides": [sheet_json(side, match.rules) for side in sheet.rows],
                **_wagers(match, at),
            }
            for at, sheet in enumerate(sheets)
        ],
        "totals": list(totals),
    }


def _wagers(match: PaperMatch, at: int) -> dict[str, Any]:
    """Which wagers lie there, where the sheet says so."""
    return {"wagers": [list(side) for side in match.wagers[at]]} if match.wagers else {}


def _named(match: PaperMatch, at: int, seat: int) -> list[str]:
    """The wagers of a side by index, as a line."""
    if not match.wagers or not match.wagers[at][seat]:
        return []
    cards = match.deck.by_index()
    said = (f"{match.deck.say(cards[each])} ({each})" for each in match.wagers[at][seat])
    return [f"by index: {', '.join(said)}"]


def _drawn(match: PaperMatch, sheets: tuple[Sheet, ...], totals: BySeat[int]) -> list[str]:
    names = BySeat(*(printable(match.names[seat]) or f"player {seat + 1}" for seat in SEATS))
    deck: Deck | None = None if match.deck.name in PLAIN else match.deck
    lines: list[str] = []
    for number, sheet in enumerate(sheets, 1):
        for seat in SEATS:
            lines.append(paint.bold(f"Round {number}, {names[seat]}"))
            *rows, _, total = drawn(sheet.rows[seat], match.rules, deck)
            lines += [*rows, total, *_named(match, number - 1, seat), ""]
    score = f"{names[0]} {totals[0]} : {totals[1]} {names[1]}"
    return [*lines, paint.bold(f"{score}, {'finished' if match.finished else 'in play'}")]
