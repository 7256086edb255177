"""The words of what is printed: a file for each language in ``languages/``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from lostcities.core.cards import Colour, parse_colour

Block = tuple[str, tuple[str, ...]]
"""A heading and its lines or paragraphs."""


@dataclass(frozen=True, slots=True)
class Words:
    """One language.

    Attributes:
        code: as on the command line.
        colours: the name of each suit.
        lands: the name of each suit's land.
        deck: the deck's place on the board.
        reference_title: the head of the reference card.
        reference: its blocks.
        sheet: the labels of a score sheet by key, ``title`` its head.
        how_title: the head of the page that tells how to print the deck.
        how: its steps, ``{backs}`` and ``{colours}`` where a step depends on what is printed.
        backs: how to deal with the backs, by ``duplex``, ``once`` and ``none``.
        how_many: what to do with the colours, by their number.
        behind: what stands on the back of that page, where sheets are printed on both sides.
        ruler: what stands under the line to measure.
        rules_title: the head of the leaflet.
        rules_lead: its first sentence.
        rules_front: blocks of its first page.
        rules_back: blocks of its second page.
        example: what the worked example says: each row, then the total.
        notice: whose game it is, and that this is not from them.
        captions: what stands under the leaflet's rows of cards.
    """

    code: str
    colours: dict[Colour, str]
    lands: dict[Colour, str]
    deck: str
    reference_title: str
    reference: tuple[Block, ...]
    sheet: dict[str, str]
    how_title: str
    how: tuple[str, ...]
    backs: dict[str, str]
    how_many: dict[int, str]
    behind: str
    ruler: str
    rules_title: str
    rules_lead: str
    rules_front: tuple[Block, ...]
    rules_back: tuple[Block, ...]
    example: tuple[str, ...]
    captions: tuple[str, ...]
    notice: str

    def steps(self, backs: str, colours: int) -> list[str]:
        """How to print a deck of so many colours with such backs."""
        said = {"{backs}": self.backs[backs], "{colours}": self.how_many[colours]}
        return [said.get(step, step) for step in self.how]


@cache
def languages() -> dict[str, Words]:
    """Every language by its code."""
    folder = resources.files("lostcities.table.printing") / "languages"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    read = (tomllib.loads(file.read_text("utf-8")) for file in files if file.name.endswith(".toml"))
    return {table["code"]: _words(table) for table in read}


def _words(table: dict[str, Any]) -> Words:
    reference, how, rules = table["reference"], table["how"], table["rules"]
    return Words(
        table["code"],
        _by_colour(table["colours"]),
        _by_colour(table["lands"]),
        table["deck"],
        reference["title"],
        _blocks(reference["blocks"]),
        table["sheet"],
        how["title"],
        tuple(how["steps"]),
        how["backs"],
        {int(number): text for number, text in how["colours"].items()},
        how["behind"],
        how["ruler"],
        rules["title"],
        rules["lead"],
        _blocks(rules["front"]),
        _blocks(rules["back"]),
        tuple(rules["example"]),
        tuple(rules["captions"]),
        rules["notice"],
    )


def _by_colour(names: dict[str, str]) -> dict[Colour, str]:
    return {parse_colour(letter): name for letter, name in names.items()}


def _blocks(rows: list[dict[str, Any]]) -> tuple[Block, ...]:
    return tuple((row["head"], tuple(row["lines"])) for row in rows)
