"""The board: a place for each pile, on two sheets that lie side by side."""

from __future__ import annotations

from pathlib import Path

from lostcities.core.cards import Colour
from lostcities.core.rules import Rules
from lostcities.table.printing.cards import CARD, symbol
from lostcities.table.printing.paint import DESK, INK, LINE, SOFT, figure, fill, ink, lying, mix
from lostcities.table.printing.pen import BOLD, SANS, Pen
from lostcities.table.printing.scenes import TOP, WIDTH, scene, sky
from lostcities.table.printing.words import Words

_PLACE = (CARD[0] + 7, CARD[1] + 7)
_PITCH = 84.0


def board_pdf(path: Path, paper: str, words: Words, rules: Rules) -> int:
    """Write the board; answers the number of pages.

    Three places a page: five colours and the deck, or six colours. Each land's name stands at both
    of its ends, so that both sides can read it.
    """
    pen = Pen(path, paper, "Lost Cities: board", landscape=True)
    places: list[Colour | None] = [*lying(rules)]
    places += [None] * (-len(places) % 3)
    for number, place in enumerate(places):
        if number % 3 == 0:
            if number:
                pen.new_page()
            _ground(pen, last=number + 3 >= len(places), first=number == 0)
        x = pen.width / 2 + (number % 3 - 1) * _PITCH
        with pen.at(x, pen.height / 2):
            if place is None:
                _deck(pen, words)
            else:
                _land(pen, place, words)
    return pen.save()


def _ground(pen: Pen, *, first: bool, last: bool) -> None:
    """A band across the page, with a line to cut along where the next sheet joins on."""
    reach = pen.width / 2 - 1.5 * _PITCH
    top, height = pen.height / 2 - 78, 156.0
    pen.box(reach - 2, top, 3 * _PITCH + 4, height, radius=4, fill=DESK)
    for x, joined in ((reach, not first), (reach + 3 * _PITCH, not last)):
        if joined:
            pen.box(x - 4 if x == reach else x, top, 4, height, fill="#FFFFFF")
            pen.line(x, top - 4, x, top + height + 4, line=SOFT, weight=0.2, dash=(1.5, 1.5))


def _land(pen: Pen, colour: Colour, words: Words) -> None:
    ground, paint = fill(colour), ink(colour)
    width, height = _PLACE
    frame = mix(ground, INK, 0.35)
    pen.box(-width / 2, -height / 2, width, height, radius=7, fill=ground, line=frame, weight=0.5)
    with pen.clipped(-width / 2 + 3.5, -height / 2 + 3.5, width - 7, height - 7, 5):
        scale = (width - 7) / WIDTH
        pen.box(-width / 2, -height / 2, width, height, fill=sky(colour))
        with pen.at(-width / 2 + 3.5, height / 2 - 3.5 - 106 * scale - TOP * scale, scale=scale):
            scene(pen, colour, 0.5)
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn):
            y = height / 2 + 15
            pen.text(
                0,
                y,
                words.lands[figure(colour)],
                size=6.4,
                font=BOLD,
                fill=INK,
                align="centre",
                track=0.15,
            )
            pen.circle(0, height / 2 + 3, 6, fill=ground, line=frame, weight=0.5)
            symbol(pen, colour, -3.9, height / 2 - 0.9, 7.8, paint, ground)


def _deck(pen: Pen, words: Words) -> None:
    width, height = _PLACE
    pen.box(-width / 2, -height / 2, width, height, radius=7, fill="#FFFFFF", line=LINE, weight=0.6)
    pen.box(-CARD[0] / 2, -CARD[1] / 2, *CARD, radius=4, line=LINE, weight=0.3)
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn):
            pen.text(
                0,
                height / 2 + 15,
                words.deck,
                size=6.4,
                font=BOLD,
                fill=INK,
                align="centre",
                track=0.15,
            )
    pen.text(0, 1.5, "44", size=9, font=SANS, fill=LINE, align="centre")
