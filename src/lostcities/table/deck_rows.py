"""The colours of a deck file side by side: what can be read of each, and where they contradict each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from lostcities.core.cards import WAGER, Card, Colour, parse_card
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules
from lostcities.core.said import Said, Sentence
from lostcities.table import sentences as say
from lostcities.table.contrast import alike
from lostcities.table.deck import PrintedColour
from lostcities.table.plain import folded

PAINT = re.compile(r"#[0-9A-Fa-f]{6}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]| (?=\S))*")


@dataclass(frozen=True, slots=True)
class Row:
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


def _compared(word: str, *, own: bool) -> str:
    """A name as it is compared with others; where a sheet has brought it along, by each letter."""
    return folded(word) if own else word


def contradictions(
    rows: list[Row], wagers: tuple[str, ...], rules: Rules | None, *, own: bool
) -> Iterator[Said]:
    """What makes a deck ambiguous although each part of it can be read."""
    yield from _letters(rows, rules)
    wager, *other_wagers = wagers
    words = [word for row in rows for word in row.words]
    names = [name for row in rows for name in row.compared(own=own)]
    marks = [_compared(each, own=own) for each in wagers]
    yield from _clashes(names, say.COLOUR_TWICE)
    yield from _clashes(marks, say.WAGER_TWICE)
    for word in [*words, wager]:
        if not _WORD.fullmatch(word):
            yield say.NAME_LETTERS(found=word)
    for word in other_wagers:
        if any(sign.isdigit() or sign.isspace() for sign in word):
            yield say.WAGER_FORM(found=word)
    yield from _index_clashes(rows, {*names, *marks}, rules)


def ambiguous(rows: list[Row], wagers: tuple[str, ...]) -> Iterator[Said]:
    """Which words of a new file would be read as something else; decks of kept sheets may have them."""
    letters = {row.letter.letter for row in rows if row.letter is not None}
    for row in rows:
        own = "" if row.letter is None else row.letter.letter
        for word in map(folded, row.words):
            # A name is read before a code, so cards that lie already would be read as others.
            if word.upper() in letters - {own}:
                yield say.NAME_IS_LETTER(found=word, letter=own)
            if word in wagers:
                yield say.NAME_IS_WAGER(found=word)
            if " " in word:
                yield say.NAME_SPACE(found=word)


def fill_clashes(rows: list[Row], *, own: bool) -> Iterator[Said]:
    """Which fills cannot be told apart. A deck that came with an older sheet may have them in white."""
    fills = [row.printed.fill for row in rows if own or row.printed.fill != "#FFFFFF"]
    yield from _clashes(fills, say.FILL_TWICE)
    known = [fill for fill in dict.fromkeys(fills) if PAINT.fullmatch(fill)] if own else []
    for one, two in combinations(known, 2):
        if alike(one, two):
            yield say.ALIKE(one=one, two=two)


def _letters(rows: list[Row], rules: Rules | None) -> Iterator[Said]:
    letters = [row.letter.letter for row in rows if row.letter is not None]
    yield from _clashes(letters, say.LETTER_TWICE)
    # Which ones lack is told only where it is no mere consequence of what was said before.
    if rules is None or not 0 < len(letters) == len(rows) <= rules.colours:
        return
    due = [colour.letter for colour in rules.all_colours()]
    if lacking := [letter for letter in due if letter not in letters]:
        sentence = say.LETTER_LACKS if len(lacking) == 1 else say.LETTERS_LACK
        yield sentence(letters=" ".join(lacking), n=rules.colours, due=" ".join(due))


def _clashes(words: list[str], sentence: Sentence) -> Iterator[Said]:
    for word, count in Counter(words).items():
        if count > 1:
            yield sentence(found=word, n=count)


def _index_clashes(rows: list[Row], names: set[str], rules: Rules | None) -> Iterator[Said]:
    bare = [row.printed.name for row in rows if not row.indexed]
    if bare and len(bare) < len(rows):
        yield say.SOME_INDICES(names=", ".join(bare))
    everything = [index for row in rows for index in row.printed.indices]
    yield from _clashes(everything, say.INDEX_TWICE)
    for index in dict.fromkeys(everything):
        if index.lower() in names:
            yield say.INDEX_IS_NAME(found=index)
    told = [face for row in rows for face in row.faces(rules)] if rules else []
    for index, card in dict(told).items():
        if _is_code(index) and parse_card(index) != card:
            yield say.INDEX_IS_CODE(found=index, card=str(card))


def _is_code(index: str) -> bool:
    try:
        parse_card(index)
    except NotationError:
        return False
    return True
