"""How a suit is printed: its fill of the six-colour deck, or of another one, tints of it, and whose
picture stands for it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lostcities.core.cards import Colour
from lostcities.core.rules import Rules
from lostcities.table.contrast import DARK, WHITE
from lostcities.table.deck import Deck, PrintedColour
from lostcities.table.deck_file import find_deck

INK, PAPER = DARK, WHITE
SOFT = "#5A5240"
LINE = "#C9BDA4"
DESK = "#F4EFE4"
BACK = "#5E4F3B"
ON_BACK = "#F8F2E4"

_SIX = find_deck("six")
_USED: ContextVar[Deck] = ContextVar("deck", default=_SIX)


@contextmanager
def colours_of(deck: Deck | None) -> Iterator[None]:
    """Print in a deck's colours, with its symbols and in its order; in the usual ones if it is None."""
    token = _USED.set(deck or _SIX)
    try:
        yield
    finally:
        _USED.reset(token)


def _printed(colour: Colour) -> PrintedColour:
    try:
        return _USED.get().printed(colour)
    except KeyError:  # pictures may show a suit that a deck of five colours lacks
        return _SIX.printed(colour)


def fill(colour: Colour) -> str:
    """The fill of a suit."""
    return _printed(colour).fill


def ink(colour: Colour) -> str:
    """The ink on that fill, which can be read there."""
    return _printed(colour).shown_ink


def figure(colour: Colour) -> Colour:
    """The suit whose symbol and land stand for a suit."""
    return _USED.get().figures().get(colour, colour)


def lying(rules: Rules) -> list[Colour]:
    """The suits of the rules in the order in which they lie on the deck's table."""
    order = [each.colour for each in _USED.get().colours]
    due = rules.all_colours()
    return [*(each for each in order if each in due), *(each for each in due if each not in order)]


def mix(one: str, two: str, share: float) -> str:
    """``share`` of the second colour in the first, 0 to 1."""
    pairs = zip(_rgb(one), _rgb(two), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _rgb(paint: str) -> tuple[int, ...]:
    return tuple(int(paint[at : at + 2], 16) for at in (1, 3, 5))


def lighter(paint: str, share: float) -> str:
    """The colour with white in it."""
    return mix(paint, "#FFFFFF", share)


def darker(paint: str, share: float) -> str:
    """The colour with black in it."""
    return mix(paint, "#000000", share)
