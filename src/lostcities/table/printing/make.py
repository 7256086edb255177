"""Everything that can be printed, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lostcities.core.rules import Rules
from lostcities.table.deck import Deck
from lostcities.table.printing.board import board_pdf
from lostcities.table.printing.deck_pages import deck_pdf
from lostcities.table.printing.leaflet import leaflet_pdf
from lostcities.table.printing.paint import colours_of
from lostcities.table.printing.score_sheet import sheet_pdf
from lostcities.table.printing.words import Words, languages

THINGS = ("deck", "board", "rules", "sheet")
"""What can be printed."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to print and how.

    Attributes:
        things: some of :data:`THINGS`.
        folder: where the files go; it is made if need be.
        paper: ``a4`` or ``letter``.
        language: of deck, board and sheet; None for English.
        colours: 5 or 6; None for six in deck and board, and sheets for both.
        backs: ``duplex``, ``once`` or ``none``.
        deck: whose colours deck, board and sheets have; it then says how many they are. The rules
            name their colours, so they keep them.
    """

    things: tuple[str, ...]
    folder: Path
    paper: str = "a4"
    language: str | None = None
    colours: int | None = None
    backs: str = "duplex"
    deck: Deck | None = None


@dataclass(frozen=True, slots=True)
class Printed:
    """A file written.

    Attributes:
        path: where it is.
        pages: how many it has.
    """

    path: Path
    pages: int


def print_all(order: Order) -> Iterator[Printed]:
    """Write every file of an order, one after the other.

    Raises:
        OSError: a file cannot be written.
    """
    order.folder.mkdir(parents=True, exist_ok=True)
    for thing in THINGS:
        if thing in order.things:
            with colours_of(None if thing == "rules" else order.deck):
                made = list(_write(thing, order))
            yield from made


def _write(thing: str, order: Order) -> Iterator[Printed]:
    words = languages()[order.language or "en"]
    if thing == "rules":
        for each in _languages(order):
            path = order.folder / f"rules-{each.code}.pdf"
            yield Printed(path, leaflet_pdf(path, order.paper, each, Rules()))
    elif thing == "sheet":
        for colours in (5, 6) if order.colours is None else (order.colours,):
            path = order.folder / f"sheet-{colours}.pdf"
            yield Printed(path, sheet_pdf(path, order.paper, words, Rules(colours=colours)))
    else:
        rules = Rules(colours=order.colours or 6)
        path = order.folder / f"{thing}.pdf"
        if thing == "deck":
            yield Printed(path, deck_pdf(path, order.paper, words, rules, backs=order.backs))
        else:
            yield Printed(path, board_pdf(path, order.paper, words, rules))


def _languages(order: Order) -> list[Words]:
    every = languages()
    return list(every.values()) if order.language is None else [every[order.language]]
