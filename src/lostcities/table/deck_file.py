"""Deck files: TOML read into a :class:`~lostcities.table.deck.Deck`, with every reason why not.

The format is documented in ``docs/decks.md``. The decks that come with this project are files of the
same kind in ``decks/``.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from lostcities.core.said import INSIDE
from lostcities.core.sentences import LINE
from lostcities.table import sentences as say
from lostcities.table.deck import Deck, DeckError
from lostcities.table.deck_reader import read_deck

_SAID = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#.*')
"""Texts and comments, in which nothing is nested."""
_LEVELS = {"[": 1, "{": 1, "]": -1, "}": -1}
_LARGEST = 1 << 16


@cache
def shipped() -> tuple[Deck, ...]:
    """The decks that come with this project, by name."""
    folder = resources.files("lostcities.table") / "decks"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")),
                   key=lambda each: each.name)  # fmt: skip
    return tuple(parse_deck(each.read_text("utf-8"), each.name, own=False) for each in files)


def find_deck(name: str) -> Deck:
    """A deck by name, or from a file if ``name`` is a path that ends in ``.toml``.

    Raises:
        DeckError: no such deck, or a file that cannot serve; gives every reason.
        OSError: the file cannot be read.
    """
    if name.endswith(".toml"):
        return load_deck(Path(name))
    for deck in shipped():
        if name.lower() in (deck.name, *deck.other_names):
            return deck
    names = ", ".join(deck.name for deck in shipped())
    raise DeckError(repr(name), (say.NO_DECK(due=names),))


def load_deck(path: Path) -> Deck:
    """Read a deck file; as :func:`find_deck`."""
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise DeckError(str(path), (say.LARGE(),))
    try:
        return parse_deck(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise DeckError(str(path), (say.NOT_UTF8(),)) from None


def parse_deck(text: str, where: str, *, own: bool = True) -> Deck:
    """Read a deck from the text of its file.

    Args:
        text: what stands in the file.
        where: how to call the file.
        own: whether it is somebody's own, as for :func:`deck_of_table`.

    Raises:
        DeckError: it cannot serve; every reason found, each with its place.
    """
    try:
        return deck_of_table(tomllib.loads(text), where, own=own)
    except tomllib.TOMLDecodeError as error:
        raise DeckError(where, (say.NOT_TOML(why=str(error)),)) from None
    except RecursionError:  # while it was read, or while what stands there was to be told
        place = LINE(n=_deepest_line(text))
        raise DeckError(where, (INSIDE(place=place, what=say.DEEP()),)) from None


def _deepest_line(text: str) -> int:
    """The line, from 1, within which TOML is nested deepest."""
    depth, depths = 0, list[int]()
    for line in _SAID.sub(lambda found: "\n" * found[0].count("\n"), text).splitlines():
        levels = list(accumulate((_LEVELS.get(sign, 0) for sign in line), initial=depth))
        depths.append(max(levels) + line.count("."))
        depth = levels[-1]
    return depths.index(max(depths)) + 1


def deck_of_table(table: dict[str, Any], where: str, *, own: bool = False) -> Deck:
    """Read a deck from the table of its file; as :func:`parse_deck`.

    Args:
        table: what stands in the file.
        where: how to call the file.
        own: a file that somebody writes. Its name must be free and its symbols known; a deck that
            came with an older sheet is read all the same, as both do no harm there.
    """
    names = ((deck.name, *deck.other_names) for deck in (shipped() if own else ()))
    deck, problems = read_deck(table, frozenset(chain.from_iterable(names)), own=own)
    if deck is None:
        raise DeckError(where, problems)
    return deck
