"""A deck as data: what is printed on the cards that people hold, and which card of the game it is.

A deck never changes the rules. It says how its cards are called (by an index, a colour's name, a
wager's name) and how they look, so that a sheet can be typed and shown in its words. Everywhere else
cards keep their code (``R10``, ``WX``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lostcities.core.cards import Card, Colour
from lostcities.core.errors import LostCitiesError
from lostcities.core.rules import Rules
from lostcities.core.said import Said
from lostcities.table import sentences as say
from lostcities.table.contrast import readable_ink

FILLS = {
    "Y": "#FFBD25", "B": "#0D47CF", "W": "#FBF8EF", "G": "#48A89C", "R": "#AA3A18", "P": "#49275D",
}  # fmt: skip
"""The fill of each letter's colour where a deck says none: that of the decks ``five`` and ``six``."""
SYMBOLS = ("sun", "wave", "peak", "leaf", "flame", "crescent")
"""The pictures that can stand for a colour, in the order of the colours whose own they are."""


class DeckError(LostCitiesError):
    """A deck that cannot serve.

    Attributes:
        where: the file or the deck's name.
        problems: every reason found, each naming its place in the file.
        why: all of them as one sentence that other languages can say.
    """

    def __init__(self, where: str, problems: tuple[Said, ...]) -> None:
        super().__init__(f"{where}: {'; '.join(map(str, problems))}")
        self.where = where
        self.problems = tuple(map(str, problems))
        self.why = _together(problems)


def _together(problems: tuple[Said, ...]) -> Said:
    """All as one sentence, halved and halved again, so that thousands of them are nested in few."""
    if len(problems) == 1:
        return problems[0]
    half = len(problems) // 2
    return say.BOTH(one=_together(problems[:half]), two=_together(problems[half:]))


@dataclass(frozen=True, slots=True)
class PrintedColour:
    """One colour of a deck.

    Attributes:
        colour: the colour of the game that it stands for.
        name: what the people who own the deck call it.
        other_names: more names that may be typed.
        fill: the colour of the card, ``#RRGGBB``.
        ink: the colour of what stands on it, ``#RRGGBB``.
        symbol: the picture that stands for the colour, one of :data:`SYMBOLS`; empty for that of
            its letter.
        numbers: the printed indices of the numbers from 2 on, in order; empty without indices.
        wagers: the printed indices of the wagers; empty without indices.
    """

    colour: Colour
    name: str
    other_names: tuple[str, ...]
    fill: str
    ink: str
    symbol: str
    numbers: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ()

    @property
    def shown_ink(self) -> str:
        """The ink in which the card is shown: the file's, unless it cannot be read on the fill."""
        return readable_ink(self.ink, self.fill)

    @property
    def indices(self) -> tuple[str, ...]:
        """Every index of this colour: the numbers, then the wagers."""
        return (*self.numbers, *self.wagers)


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck that can serve.

    Attributes:
        name: how commands and the record's tag ``[Cards]`` name it.
        title: its name for people.
        other_names: more names that commands take.
        rules: the rules that it is usually played by; also how many cards it has.
        colours: in the order in which they lie on its table, which need not be the canonical one.
        wager: what its people call a wager.
        other_wagers: more words or signs for a wager that may be typed.
        mark: what is printed on a wager in place of a number.
        take: what to know when taking the cards out of the box; may be empty.
        preset: the preset that its file names as the rules, and nothing beside it; else empty.
    """

    name: str
    title: str
    other_names: tuple[str, ...]
    rules: Rules
    colours: tuple[PrintedColour, ...]
    wager: str
    other_wagers: tuple[str, ...]
    mark: str
    take: str
    preset: str = ""

    @property
    def indexed(self) -> bool:
        """Whether its cards bear indices."""
        return bool(self.colours[0].numbers)

    def printed(self, colour: Colour) -> PrintedColour:
        """How a colour of the game is printed.

        Raises:
            KeyError: the deck lacks that colour.
        """
        for each in self.colours:
            if each.colour == colour:
                return each
        raise KeyError(colour.letter)

    def figures(self) -> dict[Colour, Colour]:
        """By colour, the one whose picture stands for it. Pictures tell colours apart: where two name
        the same one, or one that nobody draws, each has its own.
        """
        own = dict(zip(SYMBOLS, Colour, strict=True))
        wanted = {each.colour: own.get(each.symbol.lower(), each.colour) for each in self.colours}
        apart = len(set(wanted.values())) == len(wanted)
        return wanted if apart else {colour: colour for colour in wanted}

    def by_index(self) -> dict[str, Card]:
        """The card of every index; empty without indices."""
        return {
            index: card
            for each in self.colours
            for index, card in zip(each.indices, self._faces(each), strict=False)
        }

    def _faces(self, each: PrintedColour) -> tuple[Card, ...]:
        numbers = tuple(Card(each.colour, rank) for rank in range(2, self.rules.top + 1))
        return (*numbers, *(Card(each.colour, 0) for _ in range(self.rules.wagers)))

    def indices_of(self, card: Card) -> tuple[str, ...]:
        """The indices that bear a card: one for a number, several for a wager; none without."""
        each = self.printed(card.colour)
        return each.wagers if card.is_wager else each.numbers[card.rank - 2 : card.rank - 1]

    def say(self, card: Card) -> str:
        """A card in the deck's words: ``purple 4``, ``grey funding``."""
        return f"{self.printed(card.colour).name} {self.wager if card.is_wager else card.rank}"

    def to_dict(self) -> dict[str, Any]:
        """The deck as JSON: what a page needs to draw it and to read what is typed."""
        return {
            "name": self.name,
            "title": self.title,
            "rules": self.rules.to_dict(),
            "wager": {
                "name": self.wager, "other_names": list(self.other_wagers), "mark": self.mark,
            },
            "take": self.take,
            "colours": [_colour_dict(each) for each in self.colours],
        }  # fmt: skip


def _colour_dict(each: PrintedColour) -> dict[str, Any]:
    return {
        "letter": each.colour.letter,
        "name": each.name,
        "other_names": list(each.other_names),
        "fill": each.fill,
        "ink": each.ink,
        "symbol": each.symbol,
        "numbers": list(each.numbers),
        "wagers": list(each.wagers),
    }


def ranges(indices: tuple[str, ...]) -> str:
    """Indices for people, neighbours drawn together: ``2–10, 81–83``."""
    parts: list[list[str]] = []
    for index in indices:
        if parts and _follows(parts[-1][-1], index):
            parts[-1].append(index)
        else:
            parts.append([index])
    return ", ".join(part[0] if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)


def _follows(before: str, index: str) -> bool:
    return before.isdecimal() and index.isdecimal() and int(index) == int(before) + 1
