"""Deck files: TOML read into a :class:`~lostcities.table.deck.Deck`, with every reason why not.

The format is documented in ``docs/decks.md``. The decks that come with this project are files of the
same kind in ``decks/``.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any
from unicodedata import normalize

from lostcities.core.cards import WAGER, Card, Colour, parse_card, parse_colour
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS, Rules
from lostcities.table.contrast import alike
from lostcities.table.deck import FILLS, SYMBOLS, Deck, DeckError, PrintedColour
from lostcities.table.plain import folded, plain, unseen

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_PAINT = re.compile(r"#[0-9A-Fa-f]{6}")
_RANGE = re.compile(r"([0-9]{1,4})\s*[-–]\s*([0-9]{1,4})")
_INDEX = re.compile(r"[0-9A-Za-z♠♥♦♣]{1,6}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]| (?=\S))*")
_SAID = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#.*')
"""Texts and comments, in which nothing is nested."""
_LEVELS = {"[": 1, "{": 1, "]": -1, "}": -1}
_LEAST = 5
"""Colours of the smallest deck."""
_LARGEST = 1 << 16
_LONGEST_TITLE = 60
_DECK_KEYS = {"name", "title", "other_names", "rules", "take", "wager", "colours"}
_WAGER_KEYS = {"name", "other_names", "mark"}
_COLOUR_KEYS = {"letter", "name", "other_names", "fill", "ink", "symbol", "numbers", "wagers"}


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
        raise DeckError(where, (f"not TOML: {error}",)) from None
    except RecursionError:  # while it was read, or while what stands there was to be told
        place = f"line {_deepest_line(text)}"
        raise DeckError(where, (f"{place}: parts within parts, deeper than can be read",)) from None


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
    reader = _Reader(table, own=own)
    deck = reader.deck()
    if deck is None:
        raise DeckError(where, tuple(reader.problems))
    return deck


@dataclass(frozen=True, slots=True)
class _Row:
    """What could be read of one colour; ``printed`` has a colour of no meaning if ``letter`` is None."""

    letter: Colour | None
    printed: PrintedColour
    indexed: bool
    fits: bool

    @property
    def words(self) -> tuple[str, ...]:
        """Every name of the colour, in lower case."""
        names = (self.printed.name.lower(), *self.printed.other_names)
        return tuple(name for name in names if name)

    def compared(self, *, own: bool) -> tuple[str, ...]:
        """Every name as it is compared with others."""
        return tuple(_compared(word, own=own) for word in self.words)

    def faces(self, rules: Rules) -> Iterator[tuple[str, Card]]:
        """Which card each index bears; none if that cannot be told."""
        if self.letter is not None and self.fits:
            ranks = (*range(2, rules.top + 1), *(WAGER,) * rules.wagers)
            for index, rank in zip(self.printed.indices, ranks, strict=True):
                yield index, Card(self.letter, rank)


class _Reader:
    """Reads one file, collecting what is wrong with it rather than stopping at the first."""

    def __init__(self, table: dict[str, Any], *, own: bool) -> None:
        self.table = table
        self.own = own
        self.problems: list[str] = []

    def wrong(self, place: str, reason: str) -> None:
        self.problems.append(f"{place}: {reason}")

    def deck(self) -> Deck | None:
        """The deck; None if anything is wrong with it."""
        self.known_keys(self.table, _DECK_KEYS, "")
        name = self.name()
        found = self.table.get("colours")
        tables = (
            found if isinstance(found, list) and all(isinstance(r, dict) for r in found) else []
        )
        if not tables:
            self.wrong("colours", "missing: a deck has a [[colours]] part for each colour")
        rules = self.rules(len(tables))
        rows = [self.colour(row, number, rules) for number, row in enumerate(tables, 1)]
        wager = self.table.get("wager", {})
        if not isinstance(wager, dict):
            self.wrong("wager", "is not a part [wager]")
            wager = {}
        self.known_keys(wager, _WAGER_KEYS, "wager")
        title, names = self.title(), self.names(self.table, "other_names", "")
        called = (self.text(wager, "name", "wager") or "wager",
                  self.names(wager, "other_names", "wager"),
                  self.text(wager, "mark", "wager") or "X")  # fmt: skip
        take = self.text(self.table, "take", "")
        self.problems += _contradictions(rows, (called[0].lower(), *called[1]), rules, own=self.own)
        wagers = tuple(map(folded, (called[0], *called[1])))
        self.problems += _ambiguous(rows, wagers) if self.own else ()
        self.problems += _fills(rows, own=self.own)
        if rules is None or self.problems:
            return None
        printed = tuple(row.printed for row in rows)
        named = self.text(self.table, "rules", "")
        preset = named if named in PRESETS else ""
        return Deck(name, title or name, names, rules, printed, *called, take, preset)

    def title(self) -> str:
        title = self.text(self.table, "title", "")
        # What came with an older sheet is shown as it is.
        if self.own and len(title) > _LONGEST_TITLE:
            self.wrong("title", f"{len(title)} letters, at most {_LONGEST_TITLE}")
        return title

    def name(self) -> str:
        name = self.text(self.table, "name", "", required=True)
        if name and not _NAME.fullmatch(name):
            self.wrong("name", f"{name!r} is not lower-case letters, digits and hyphens")
        taken = shipped() if self.own else ()
        if any(name in (deck.name, *deck.other_names) for deck in taken):
            self.wrong("name", f"{name!r} is that of a deck that comes with this program")
        return name

    def rules(self, colours: int) -> Rules | None:
        text = self.text(self.table, "rules", "")
        try:
            rules = Rules.parse(text, Rules(colours=self.usual_size(colours)))
        except NotationError as error:
            self.wrong("rules", str(error))
            return None
        if self.own and rules.colours < _LEAST:
            self.wrong("rules", f"colours={rules.colours}: a deck has five colours or six")
        if colours and rules.colours != colours:
            self.wrong("colours", f"{colours} of them, but its rules have {rules.colours}")
        return rules

    def usual_size(self, colours: int) -> int:
        """How many colours a deck has whose file says nothing of rules. That of a kept sheet may be
        smaller; in a new file colours are lacking then.
        """
        return max(min(colours, 6), _LEAST) if self.own else min(colours, 6) or _LEAST

    def colour(self, row: dict[str, Any], number: int, rules: Rules | None) -> _Row:
        place = f"colour {number}"
        self.known_keys(row, _COLOUR_KEYS, place)
        name = self.text(row, "name", place, required=True)
        place = f"{place} ({name})" if name else place
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
        return _Row(letter, printed, indexed, fits)

    def symbol(self, row: dict[str, Any], place: str) -> str:
        symbol = self.text(row, "symbol", place)
        if self.own and symbol and symbol.lower() not in SYMBOLS:
            known = ", ".join(sorted(SYMBOLS))
            self.wrong(f"{place}: symbol", f"{symbol!r} is not one of {known}")
        return symbol

    def counts(self, printed: PrintedColour, rules: Rules, place: str) -> bool:
        before = len(self.problems)
        self.count(printed.numbers, rules.top - 1, f"{place}: numbers", f"2 to {rules.top}")
        self.count(printed.wagers, rules.wagers, f"{place}: wagers", "wagers")
        return len(self.problems) == before

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
        if not isinstance(value, str) or any(sign < " " for sign in value) or self.hides(value):
            self.wrong(at, f"{value!r} is not a line of text")
            return ""
        value = normalize("NFC", plain(value))
        if required and not value.strip():
            self.wrong(at, "missing")
        return value.strip()

    def names(self, table: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        value = table.get(key, [])
        texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if not texts or any(self.hides(each) for each in value):
            self.wrong(f"{place}: {key}" if place else key, "is not a list of words")
            return ()
        return tuple(normalize("NFC", plain(each)).strip().lower() for each in value)

    def hides(self, text: str) -> bool:
        """Whether somebody's own file says what cannot be seen; where it came by link, it is left out."""
        return self.own and any(map(unseen, text))

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


def _compared(word: str, *, own: bool) -> str:
    """A name as it is compared with others; where a sheet has brought it along, by each letter."""
    return folded(word) if own else word


def _contradictions(
    rows: list[_Row], wagers: tuple[str, ...], rules: Rules | None, *, own: bool
) -> Iterator[str]:
    """What makes a deck ambiguous although each part of it can be read."""
    yield from _letters(rows, rules)
    wager, *other_wagers = wagers
    words = [word for row in rows for word in row.words]
    names = [name for row in rows for name in row.compared(own=own)]
    marks = [_compared(each, own=own) for each in wagers]
    yield from _clashes(names, "the name {} of a colour")
    yield from _clashes(marks, "the name {} of a wager")
    for word in [*words, wager]:
        if not _WORD.fullmatch(word):
            yield f"name {word!r}: only letters, so that a number can follow it"
    for word in other_wagers:
        if any(sign.isdigit() or sign.isspace() for sign in word):
            yield f"wager: {word!r}: a word or sign without digits"
    yield from _index_clashes(rows, {*names, *marks}, rules)


def _ambiguous(rows: list[_Row], wagers: tuple[str, ...]) -> Iterator[str]:
    """Which words of a new file would be read as something else; decks of kept sheets may have them."""
    letters = {row.letter.letter for row in rows if row.letter is not None}
    for row in rows:
        own = "" if row.letter is None else row.letter.letter
        for word in map(folded, row.words):
            # A name is read before a code, so cards that lie already would be read as others.
            if word.upper() in letters - {own}:
                yield f"the name {word} of a colour is the letter of another colour than {own}"
            if word in wagers:
                yield f"the name {word} of a colour is also a word for a wager"
            if " " in word:
                yield f"the name {word} of a colour has a space, so that it cannot be typed"


def _fills(rows: list[_Row], *, own: bool) -> Iterator[str]:
    """Which fills cannot be told apart. A deck that came with an older sheet may have them in white."""
    fills = [row.printed.fill for row in rows if own or row.printed.fill != "#FFFFFF"]
    yield from _clashes(fills, "the fill {}")
    known = [fill for fill in dict.fromkeys(fills) if _PAINT.fullmatch(fill)] if own else []
    for one, two in combinations(known, 2):
        if alike(one, two):
            yield f"the fills {one} and {two} cannot be told apart"


def _letters(rows: list[_Row], rules: Rules | None) -> Iterator[str]:
    letters = [row.letter.letter for row in rows if row.letter is not None]
    yield from _clashes(letters, "the letter {}")
    # Which ones lack is told only where it is no mere consequence of what was said before.
    if rules is None or not 0 < len(letters) == len(rows) <= rules.colours:
        return
    due = [colour.letter for colour in rules.all_colours()]
    if lacking := [letter for letter in due if letter not in letters]:
        one = len(lacking) == 1
        yield (
            f"{'letter' if one else 'letters'} {' '.join(lacking)}: no colour has "
            f"{'it' if one else 'them'}, and a deck of {rules.colours} colours needs {' '.join(due)}"
        )


def _clashes(words: list[str], what: str) -> Iterator[str]:
    for word, count in Counter(words).items():
        if count > 1:
            yield f"{what.format(word)} stands {count} times"


def _index_clashes(rows: list[_Row], names: set[str], rules: Rules | None) -> Iterator[str]:
    bare = [row.printed.name for row in rows if not row.indexed]
    if bare and len(bare) < len(rows):
        yield f"{', '.join(bare)}: no indices, though other colours have them"
    everything = [index for row in rows for index in row.printed.indices]
    yield from _clashes(everything, "the index {}")
    for index in dict.fromkeys(everything):
        if index.lower() in names:
            yield f"the index {index} is also a name"
    told = [face for row in rows for face in row.faces(rules)] if rules else []
    for index, card in dict(told).items():
        if _is_code(index) and parse_card(index) != card:
            yield f"the index {index} is the code of another card than {card}"


def _is_code(index: str) -> bool:
    try:
        parse_card(index)
    except NotationError:
        return False
    return True
