"""Deck files: TOML read into a :class:`~lostcities.table.deck.Deck`, with every reason why not.

The format is documented in ``docs/decks.md``. The decks that come with this project are files of the
same kind in ``decks/``.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from lostcities.core.cards import Colour, parse_card, parse_colour
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules
from lostcities.table.deck import Deck, DeckError, PrintedColour

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_PAINT = re.compile(r"#[0-9A-Fa-f]{6}")
_RANGE = re.compile(r"([0-9]{1,4})\s*[-–]\s*([0-9]{1,4})")
_INDEX = re.compile(r"[0-9A-Za-z♠♥♦♣]{1,6}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]| (?=\S))*")
_LARGEST = 1 << 16
_DECK_KEYS = {"name", "title", "other_names", "rules", "take", "wager", "colours"}
_WAGER_KEYS = {"name", "other_names", "mark"}
_COLOUR_KEYS = {"letter", "name", "other_names", "fill", "ink", "symbol", "numbers", "wagers"}


@cache
def shipped() -> tuple[Deck, ...]:
    """The decks that come with this project, by name."""
    folder = resources.files("lostcities.table") / "decks"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")),
                   key=lambda each: each.name)  # fmt: skip
    return tuple(parse_deck(each.read_text("utf-8"), each.name) for each in files)


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
    raise DeckError(repr(name), (f"no such deck (one of {names}, or a file NAME.toml)",))


def load_deck(path: Path) -> Deck:
    """Read a deck file; as :func:`find_deck`."""
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise DeckError(str(path), ("larger than 64 KiB, that is no deck file",))
    try:
        return parse_deck(content.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise DeckError(str(path), ("not UTF-8",)) from None


def parse_deck(text: str, where: str) -> Deck:
    """Read a deck from the text of its file.

    Raises:
        DeckError: it cannot serve; every reason found, each with its place.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DeckError(where, (f"not TOML: {error}",)) from None
    return deck_of_table(table, where)


def deck_of_table(table: dict[str, Any], where: str) -> Deck:
    """Read a deck from the table of its file; as :func:`parse_deck`."""
    reader = _Reader(table)
    deck = reader.deck()
    problems = tuple(reader.problems)
    if deck is None or problems:
        raise DeckError(where, problems)
    return deck


class _Reader:
    """Reads one file, collecting what is wrong with it rather than stopping at the first."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.problems: list[str] = []

    def wrong(self, place: str, reason: str) -> None:
        self.problems.append(f"{place}: {reason}")

    def deck(self) -> Deck | None:
        self.known_keys(self.table, _DECK_KEYS, "")
        name = self.text(self.table, "name", "", required=True)
        if name and not _NAME.fullmatch(name):
            self.wrong("name", f"{name!r} is not lower-case letters, digits and hyphens")
        rows = self.table.get("colours")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            self.wrong("colours", "missing: a deck has a [[colours]] part for each colour")
            return None
        rules = self.rules(len(rows))
        if rules is None:
            return None
        colours = [self.colour(row, number, rules) for number, row in enumerate(rows, 1)]
        wager = self.table.get("wager", {})
        if not isinstance(wager, dict):
            self.wrong("wager", "is not a part [wager]")
            wager = {}
        self.known_keys(wager, _WAGER_KEYS, "wager")
        deck = Deck(
            name, self.text(self.table, "title", "") or name,
            self.names(self.table, "other_names", ""), rules,
            tuple(each for each in colours if each is not None),
            self.text(wager, "name", "wager") or "wager",
            self.names(wager, "other_names", "wager"),
            self.text(wager, "mark", "wager") or "X",
            self.text(self.table, "take", ""),
        )  # fmt: skip
        self.problems += _contradictions(deck) if not self.problems else ()
        return deck

    def rules(self, colours: int) -> Rules | None:
        text = self.text(self.table, "rules", "")
        try:
            rules = Rules.parse(text, Rules(colours=min(colours, 6)))
        except NotationError as error:
            self.wrong("rules", str(error))
            return None
        if rules.colours != colours:
            self.wrong("colours", f"{colours} of them, but its rules have {rules.colours}")
            return None
        return rules

    def colour(self, row: dict[str, Any], number: int, rules: Rules) -> PrintedColour | None:
        place = f"colour {number}"
        self.known_keys(row, _COLOUR_KEYS, place)
        name = self.text(row, "name", place, required=True)
        place = f"{place} ({name})" if name else place
        colour = self.letter(row, place)
        if colour is None:
            return None
        numbers = self.indices(row, "numbers", place)
        wagers = self.indices(row, "wagers", place)
        if numbers or wagers:
            self.count(numbers, rules.top - 1, f"{place}: numbers", f"2 to {rules.top}")
            self.count(wagers, rules.wagers, f"{place}: wagers", "wagers")
        return PrintedColour(
            colour, name, self.names(row, "other_names", place),
            self.paint(row, "fill", place, "#FFFFFF"), self.paint(row, "ink", place, "#16202A"),
            self.text(row, "symbol", place), numbers, wagers,
        )  # fmt: skip

    def count(self, indices: tuple[str, ...], due: int, place: str, what: str) -> None:
        if len(indices) != due:
            self.wrong(place, f"{len(indices)} indices, but the {what} need {due}")

    def letter(self, row: dict[str, Any], place: str) -> Colour | None:
        text = self.text(row, "letter", place, required=True)
        try:
            return parse_colour(text) if text else None
        except NotationError as error:
            self.wrong(f"{place}: letter", str(error))
            return None

    def known_keys(self, table: dict[str, Any], known: set[str], place: str) -> None:
        for key in table:
            if key not in known:
                self.wrong(f"{place}: {key}" if place else key,
                           f"unknown (one of {', '.join(sorted(known))})")  # fmt: skip

    def text(self, table: dict[str, Any], key: str, place: str, *, required: bool = False) -> str:
        value = table.get(key, "")
        at = f"{place}: {key}" if place else key
        if not isinstance(value, str) or any(sign < " " for sign in value):
            self.wrong(at, f"{value!r} is not a line of text")
            return ""
        if required and not value.strip():
            self.wrong(at, "missing")
        return value.strip()

    def names(self, table: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.wrong(f"{place}: {key}" if place else key, "is not a list of words")
            return ()
        return tuple(each.strip().lower() for each in value)

    def paint(self, row: dict[str, Any], key: str, place: str, default: str) -> str:
        text = self.text(row, key, place) or default
        if not _PAINT.fullmatch(text):
            self.wrong(f"{place}: {key}", f"{text!r} is not a colour #RRGGBB")
        return text.upper()

    def indices(self, row: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        value = row.get(key, [])
        parts = value if isinstance(value, list) else [value]
        found: list[str] = []
        for part in parts:
            found += self.index(part, f"{place}: {key}")
        return tuple(found)

    def index(self, part: object, place: str) -> Iterator[str]:
        text = str(part).strip() if isinstance(part, str | int) else ""
        if isinstance(part, bool) or not text or text.startswith("-"):
            self.wrong(place, f"{part!r} is not an index or a range such as 2-10")
        elif span := _RANGE.fullmatch(text):
            first, last = int(span[1]), int(span[2])
            if first > last:
                self.wrong(place, f"the range {text} runs backwards")
            yield from map(str, range(first, min(last, first + 99) + 1))
        elif _INDEX.fullmatch(text):
            yield text.upper()
        else:
            self.wrong(place, f"{text!r} is not an index: at most 6 letters or digits")


def _contradictions(deck: Deck) -> Iterator[str]:
    """What makes a deck ambiguous although each part of it can be read."""
    yield from _missing_colours(deck)
    words = [(each.name.lower(), *each.other_names) for each in deck.colours]
    yield from _clashes([word for names in words for word in names], "the name {} of a colour")
    wagers = [deck.wager.lower(), *deck.other_wagers]
    yield from _clashes(wagers, "the name {} of a wager")
    for word in [word for names in words for word in names] + [deck.wager.lower()]:
        if not _WORD.fullmatch(word):
            yield f"name {word!r}: only letters, so that a number can follow it"
    for word in deck.other_wagers:
        if any(sign.isdigit() or sign.isspace() for sign in word):
            yield f"wager: {word!r}: a word or sign without digits"
    fills = [each.fill for each in deck.colours]
    yield from _clashes([fill for fill in fills if fill != "#FFFFFF"], "the fill {}")
    yield from _index_clashes(deck)


def _missing_colours(deck: Deck) -> Iterator[str]:
    letters = [each.colour.letter for each in deck.colours]
    yield from _clashes(letters, "the letter {}")
    for colour in deck.rules.all_colours():
        if colour.letter not in letters:
            yield (
                f"letter {colour.letter}: no colour has it, and a deck of {deck.rules.colours} "
                f"colours needs {' '.join(each.letter for each in deck.rules.all_colours())}"
            )


def _clashes(words: list[str], what: str) -> Iterator[str]:
    for word, count in Counter(words).items():
        if count > 1:
            yield f"{what.format(word)} stands {count} times"


def _index_clashes(deck: Deck) -> Iterator[str]:
    with_indices = [each for each in deck.colours if each.indices]
    if with_indices and len(with_indices) < len(deck.colours):
        bare = ", ".join(each.name for each in deck.colours if not each.indices)
        yield f"{bare}: no indices, though other colours have them"
        return
    everything = [index for each in deck.colours for index in each.indices]
    yield from _clashes(everything, "the index {}")
    names = {name for each in deck.colours for name in (each.name.lower(), *each.other_names)}
    for index, card in deck.by_index().items():
        if index.lower() in names | {deck.wager.lower(), *deck.other_wagers}:
            yield f"the index {index} is also a name"
        try:
            coded = parse_card(index)
        except NotationError:
            continue
        if coded != card:
            yield f"the index {index} is the code of another card than {card}"
