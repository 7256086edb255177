"""The table of a deck file read part by part, with every reason why it cannot serve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from unicodedata import normalize

from lostcities.core.cards import Colour, parse_colour
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.said import INSIDE, Said, inside
from lostcities.table import sentences as say
from lostcities.table.deck import FILLS, SYMBOLS, Deck, PrintedColour
from lostcities.table.deck_rows import PAINT, Row, ambiguous, contradictions, fill_clashes
from lostcities.table.plain import folded, plain, unseen

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_RANGE = re.compile(r"([0-9]{1,4})\s*[-–]\s*([0-9]{1,4})")
_INDEX = re.compile(r"[0-9A-Za-z♠♥♦♣]{1,6}")
_LEAST = 5
"""Colours of the smallest deck."""
_LONGEST_TITLE = 60
_LONGEST_NAME = 40
"""Letters of a name of a colour or a wager, as of a player's name."""
_DECK_KEYS = {"name", "title", "other_names", "rules", "take", "wager", "colours"}
_WAGER_KEYS = {"name", "other_names", "mark"}
_COLOUR_KEYS = {"letter", "name", "other_names", "fill", "ink", "symbol", "numbers", "wagers"}


def read_deck(
    table: dict[str, Any], taken: frozenset[str], *, own: bool
) -> tuple[Deck | None, tuple[Said, ...]]:
    """The deck that a table tells, or None and every reason why it cannot serve.

    Args:
        table: what stands in the file.
        taken: names that a deck may not have.
        own: whether it is somebody's own, as for :func:`lostcities.table.deck_file.deck_of_table`.
    """
    reader = _Reader(table, taken, own=own)
    return reader.deck(), tuple(reader.problems)


class _Reader:
    """Reads one file, collecting what is wrong with it rather than stopping at the first."""

    def __init__(self, table: dict[str, Any], taken: frozenset[str], *, own: bool) -> None:
        self.table = table
        self.taken = taken
        self.own = own
        self.problems: list[Said] = []

    def wrong(self, place: str | Said, reason: Said) -> None:
        self.problems.append(INSIDE(place=place, what=reason))

    def deck(self) -> Deck | None:
        """The deck; None if anything is wrong with it."""
        self.known_keys(self.table, _DECK_KEYS, "")
        name = self.name()
        found = self.table.get("colours")
        tables = (
            found if isinstance(found, list) and all(isinstance(r, dict) for r in found) else []
        )
        if not tables:
            self.wrong("colours", say.NO_COLOURS())
        rules = self.rules(len(tables))
        rows = [self.colour(row, number, rules) for number, row in enumerate(tables, 1)]
        wager = self.table.get("wager", {})
        if not isinstance(wager, dict):
            self.wrong("wager", say.NO_WAGER_PART())
            wager = {}
        self.known_keys(wager, _WAGER_KEYS, "wager")
        title, names = self.title(), self.names(self.table, "other_names", "")
        called = (self.wager_name(wager),
                  self.names(wager, "other_names", "wager"),
                  self.text(wager, "mark", "wager") or "X")  # fmt: skip
        take = self.text(self.table, "take", "")
        self.problems += contradictions(rows, (called[0].lower(), *called[1]), rules, own=self.own)
        wagers = tuple(map(folded, (called[0], *called[1])))
        self.problems += ambiguous(rows, wagers) if self.own else ()
        self.problems += fill_clashes(rows, own=self.own)
        if rules is None or self.problems:
            return None
        printed = tuple(row.printed for row in rows)
        named = self.text(self.table, "rules", "")
        preset = named if named in PRESETS else ""
        return Deck(name, title or name, names, rules, printed, *called, take, preset)

    def wager_name(self, wager: dict[str, Any]) -> str:
        name = self.text(wager, "name", "wager") or "wager"
        self.measure(name, "wager: name")
        return name

    def title(self) -> str:
        title = self.text(self.table, "title", "")
        self.measure(title, "title", _LONGEST_TITLE)
        return title

    def measure(self, text: str, place: str | Said, most: int = _LONGEST_NAME) -> None:
        # What came with an older sheet is shown as it is.
        if self.own and len(text) > most:
            self.wrong(place, say.LONG(n=len(text), most=most))

    def name(self) -> str:
        name = self.text(self.table, "name", "", required=True)
        if name and not _NAME.fullmatch(name):
            self.wrong("name", say.NAME_FORM(found=name))
        if name in self.taken:
            self.wrong("name", say.NAME_TAKEN(found=name))
        return name

    def rules(self, colours: int) -> Rules | None:
        text = self.text(self.table, "rules", "")
        try:
            rules = Rules.parse(text, Rules(colours=self.usual_size(colours)))
        except NotationError as error:
            self.wrong("rules", error.said)
            return None
        if self.own and rules.colours < _LEAST:
            self.wrong("rules", say.FEW_COLOURS(n=rules.colours))
        if colours and rules.colours != colours:
            self.wrong("colours", say.COLOUR_COUNT(n=colours, due=rules.colours))
        return rules

    def usual_size(self, colours: int) -> int:
        """How many colours a deck has whose file says nothing of rules. That of a kept sheet may be
        smaller; in a new file colours are lacking then.
        """
        return max(min(colours, 6), _LEAST) if self.own else min(colours, 6) or _LEAST

    def colour(self, row: dict[str, Any], number: int, rules: Rules | None) -> Row:
        place = say.COLOUR(n=number)
        self.known_keys(row, _COLOUR_KEYS, place)
        name = self.text(row, "name", place, required=True)
        self.measure(name, inside(place, "name"))
        place = say.COLOUR_NAMED(n=number, name=name) if name else place
        letter = self.letter(row, place)
        numbers = self.indices(row, "numbers", place)
        wagers = self.indices(row, "wagers", place)
        usual = FILLS["Y" if letter is None else letter.letter]
        printed = PrintedColour(
            Colour.YELLOW if letter is None else letter, name,
            self.names(row, "other_names", place),
            self.paint(row, "fill", place, usual), self.paint(row, "ink", place, "#16202A"),
            self.symbol(row, place), numbers, wagers,
        )  # fmt: skip
        indexed = any(row.get(key) not in (None, []) for key in ("numbers", "wagers"))
        fits = indexed and rules is not None and self.counts(printed, rules, place)
        return Row(letter, printed, indexed, fits)

    def symbol(self, row: dict[str, Any], place: str | Said) -> str:
        symbol = self.text(row, "symbol", place)
        if self.own and symbol and symbol.lower() not in SYMBOLS:
            known = ", ".join(sorted(SYMBOLS))
            self.wrong(inside(place, "symbol"), say.NO_SYMBOL(found=symbol, due=known))
        return symbol

    def counts(self, printed: PrintedColour, rules: Rules, place: str | Said) -> bool:
        before = len(self.problems)
        numbers, wagers = len(printed.numbers), len(printed.wagers)
        if numbers != rules.top - 1:
            reason = say.NUMBER_COUNT(n=numbers, top=rules.top, due=rules.top - 1)
            self.wrong(inside(place, "numbers"), reason)
        if wagers != rules.wagers:
            self.wrong(inside(place, "wagers"), say.WAGER_COUNT(n=wagers, due=rules.wagers))
        return len(self.problems) == before

    def letter(self, row: dict[str, Any], place: str | Said) -> Colour | None:
        text = self.text(row, "letter", place, required=True)
        try:
            return parse_colour(text) if text else None
        except NotationError as error:
            self.wrong(inside(place, "letter"), error.said)
            return None

    def known_keys(self, table: dict[str, Any], known: set[str], place: str | Said) -> None:
        for key in table:
            if key not in known:
                self.wrong(inside(place, key), say.UNKNOWN_KEY(due=", ".join(sorted(known))))

    def text(
        self, table: dict[str, Any], key: str, place: str | Said, *, required: bool = False
    ) -> str:
        value = table.get(key, "")
        at = inside(place, key)
        if not isinstance(value, str) or any(sign < " " for sign in value) or self.hides(value):
            self.wrong(at, say.NO_LINE(found=value))
            return ""
        value = normalize("NFC", plain(value))
        if required and not value.strip():
            self.wrong(at, say.MISSING())
        return value.strip()

    def names(self, table: dict[str, Any], key: str, place: str | Said) -> tuple[str, ...]:
        value = table.get(key, [])
        texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if not texts or any(self.hides(each) for each in value):
            self.wrong(inside(place, key), say.NO_WORDS())
            return ()
        found = tuple(normalize("NFC", plain(each)).strip().lower() for each in value)
        for each in found:
            self.measure(each, inside(place, key))
        return found

    def hides(self, text: str) -> bool:
        """Whether somebody's own file says what cannot be seen; where it came by link, it is left out."""
        return self.own and any(map(unseen, text))

    def paint(self, row: dict[str, Any], key: str, place: str | Said, default: str) -> str:
        text = self.text(row, key, place) or default
        if not PAINT.fullmatch(text):
            self.wrong(inside(place, key), say.NO_PAINT(found=text))
        return text.upper()

    def indices(self, row: dict[str, Any], key: str, place: str | Said) -> tuple[str, ...]:
        value = row.get(key, [])
        parts = value if isinstance(value, list) else [value]
        found: list[str] = []
        for part in parts:
            found += self.index(part, inside(place, key))
        return tuple(found)

    def index(self, part: object, place: str | Said) -> Iterator[str]:
        text = str(part).strip() if isinstance(part, str | int) else ""
        if isinstance(part, bool) or not text or text.startswith("-"):
            self.wrong(place, say.NO_RANGE(found=part))
        elif span := _RANGE.fullmatch(text):
            first, last = int(span[1]), int(span[2])
            if first > last:
                self.wrong(place, say.BACKWARDS(found=text))
            yield from map(str, range(first, min(last, first + 99) + 1))
        elif _INDEX.fullmatch(text):
            yield text.upper()
        else:
            self.wrong(place, say.NO_INDEX(found=text))
