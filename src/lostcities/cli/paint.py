"""Colour on a terminal for the commands that print a few lines; none into a pipe or a file."""

from __future__ import annotations

import os
import sys

from lostcities.core.cards import Card, Colour

_SGR = {
    Colour.YELLOW: "33;1",
    Colour.BLUE: "94;1",
    Colour.WHITE: "97;1",
    Colour.GREEN: "32;1",
    Colour.RED: "31;1",
    Colour.PURPLE: "35;1",
}


def wanted() -> bool:
    """Whether standard output shows colour: a terminal, and NO_COLOR is not set."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def colour(text: str, of: Colour) -> str:
    """Text in a colour of the deck."""
    return f"\x1b[{_SGR[of]}m{text}\x1b[0m" if wanted() else text


def bold(text: str) -> str:
    """Text that stands out."""
    return f"\x1b[1m{text}\x1b[0m" if wanted() else text


def faint(text: str) -> str:
    """Text that stands back."""
    return f"\x1b[2m{text}\x1b[0m" if wanted() else text


def cards(row: tuple[Card, ...], width: int = 0) -> str:
    """Cards separated by spaces, filled up with spaces to a width."""
    space = " " * max(0, width - sum(len(str(card)) for card in row) - max(0, len(row) - 1))
    return " ".join(colour(str(card), card.colour) for card in row) + space
