"""The cards: faces, backs, and cards to look things up."""

from __future__ import annotations

from lostcities.core.cards import Card, Colour
from lostcities.core.rules import Rules
from lostcities.table.contrast import contrast, readable_ink
from lostcities.table.printing.paint import (
    BACK,
    DESK,
    INK,
    LINE,
    ON_BACK,
    PAPER,
    SOFT,
    darker,
    figure,
    fill,
    ink,
    lighter,
    mix,
)
from lostcities.table.printing.pen import BOLD, SANS, SERIF, Pen
from lostcities.table.printing.scenes import HEIGHT, WIDTH, scene
from lostcities.table.printing.scenes import TOP as SKY
from lostcities.table.printing.symbols import CUT, HANDS, HANDS_BOX, SIDE, SYMBOLS
from lostcities.table.printing.symbols import LINE as STROKE
from lostcities.table.printing.words import Words

CARD = (63.0, 88.0)
"""Poker size, in millimetres."""

_LEFT, _TOP = 6.2, 17.5
_INSIDE = CARD[0] - 2 * _LEFT


def symbol(
    pen: Pen, colour: Colour, x: float, y: float, size: float, paint: str, ground: str
) -> None:
    """The symbol of a suit in a square, by its top left corner."""
    with pen.at(x, y, scale=size / SIDE):
        for kind, data in SYMBOLS[figure(colour)]:
            if kind == "fill":
                pen.path(data, fill=paint)
            elif kind == "line":
                pen.path(data, line=paint, weight=STROKE)
            elif kind == "cut":
                pen.path(data, line=ground, weight=CUT)
            else:
                pen.path(data, fill=ground)


def hands(pen: Pen, x: float, y: float, width: float, paint: str, weight: float = 2.0) -> None:
    """The wager's two hands, by their top left corner."""
    with pen.at(x, y, scale=width / HANDS_BOX[0]):
        for data in HANDS:
            pen.path(data, line=paint, weight=weight)


def face(pen: Pen, card: Card) -> None:
    """A card's face; the ground reaches over the edge as bleed where the sheet lets it."""
    ground, paint = fill(card.colour), ink(card.colour)
    for turn in (0, 180):
        with pen.at(CARD[0] if turn else 0, CARD[1] if turn else 0, turn=turn):
            _corner(pen, card, paint, ground)
    _window(pen, card, paint, ground)


def _corner(pen: Pen, card: Card, paint: str, ground: str) -> None:
    if card.is_wager:
        _times(pen, 6.4, 6.4, 6.6, paint)
    else:
        text = str(card.rank)
        pen.text(5.4 if text != "10" else 4.9, 13.6, text, size=12, font=SERIF, fill=paint)
    symbol(pen, card.colour, CARD[0] - 13.6, 5.2, 8.6, paint, ground)


def _times(pen: Pen, x: float, y: float, size: float, paint: str) -> None:
    """A × with the weight of the numbers."""
    pen.line(x, y, x + size, y + size, line=paint, weight=1.7)
    pen.line(x, y + size, x + size, y, line=paint, weight=1.7)


def _window(pen: Pen, card: Card, paint: str, ground: str) -> None:
    height = CARD[1] - 2 * _TOP
    frame = mix(ground, paint, 0.55)
    with pen.clipped(_LEFT, _TOP, _INSIDE, height, 3.2):
        if card.is_wager:
            pen.box(_LEFT, _TOP, _INSIDE, height, fill=wash(ground))
        else:
            scale = _INSIDE / WIDTH
            with pen.at(_LEFT, _TOP - SKY * scale, scale=scale):
                scene(pen, card.colour, (card.rank - 2) / 8)
    if card.is_wager:
        hands(pen, _LEFT + 5.3, _TOP + 13, _INSIDE - 10.6, on_wash(card.colour), 1.7)
        for x in (0.5, 0.36, 0.64):
            _small_symbol(pen, card.colour, x, height)
    pen.box(_LEFT, _TOP, _INSIDE, height, radius=3.2, line=frame, weight=0.4)
    if not card.is_wager:
        _stops(pen, card.rank, paint, ground, height)


def _small_symbol(pen: Pen, colour: Colour, share: float, height: float) -> None:
    size, ground = 5.0, wash(fill(colour))
    x, y = CARD[0] * share - size / 2, _TOP + height - 10.5
    symbol(pen, colour, x, y, size, on_wash(colour), ground)


def on_wash(colour: Colour) -> str:
    """What is drawn in on the ground of a wager's picture, so that it can be seen there."""
    return readable_ink(INK if ink(colour) == INK else PAPER, wash(fill(colour)))


def wash(ground: str) -> str:
    """The ground of a wager's picture on a card of this fill: a tint on the side that the fill is on."""
    dark = contrast(ground, PAPER) > contrast(ground, INK)
    return darker(ground, 0.3) if dark else lighter(ground, 0.5)


def _stops(pen: Pen, rank: int, paint: str, ground: str, height: float) -> None:
    """Nine stops of the journey under the window, those passed filled: the number as pips."""
    y = _TOP + height + 3.8
    for stop in range(9):
        x = CARD[0] / 2 + (stop - 4) * 2.5
        passed = stop <= rank - 2
        pen.circle(x, y, 0.75, fill=paint if passed else ground, line=paint, weight=0.25)


assert (CARD[1] - 2 * _TOP) / _INSIDE < HEIGHT / WIDTH


def back(pen: Pen) -> None:
    """A card's back: a compass rose on a chart; the same when turned."""
    width, height = CARD
    soft = mix(BACK, ON_BACK, 0.2)
    with pen.clipped(4.4, 4.4, width - 8.8, height - 8.8, 3):
        for number in range(1, 13):
            reach = number * 5.1
            with pen.at(width / 2, height / 2, turn=28):
                pen.ellipse(0, 0, reach, reach * 0.72, line=soft, weight=0.22)
    pen.box(
        4.4, 4.4, width - 8.8, height - 8.8, radius=3, line=mix(BACK, ON_BACK, 0.55), weight=0.35
    )
    with pen.at(width / 2, height / 2):
        pen.circle(0, 0, 15, fill=BACK, line=mix(BACK, ON_BACK, 0.55), weight=0.35)
        pen.circle(0, 0, 12.6, line=mix(BACK, ON_BACK, 0.55), weight=0.2)
        for turn, reach, paint in ((45, 11, mix(BACK, ON_BACK, 0.5)), (0, 19, ON_BACK)):
            _rose(pen, turn, reach, paint)


def _rose(pen: Pen, turn: float, reach: float, paint: str) -> None:
    waist = reach * 0.15
    for quarter in range(4):
        with pen.at(0, 0, turn=turn + 90 * quarter):
            pen.path(f"M0 0L{waist} {-waist}L0 {-reach}Z", fill=paint)
            pen.path(f"M0 0L{-waist} {-waist}L0 {-reach}Z", fill=mix(BACK, paint, 0.62))


# ---- cards to look things up --------------------------------------------------------------------


def _plain(pen: Pen, title: str) -> None:
    pen.box(3.2, 3.2, CARD[0] - 6.4, CARD[1] - 6.4, radius=3.2, fill=DESK, line=LINE, weight=0.3)
    pen.text(CARD[0] / 2, 11.4, title, size=5, font=SERIF, fill=INK, align="centre")
    pen.line(12, 13.6, CARD[0] - 12, 13.6, line=LINE, weight=0.3)


def reference(pen: Pen, words: Words) -> None:
    """A turn and the score in a few lines."""
    _plain(pen, words.reference_title)
    y = 19.2
    for head, lines in words.reference:
        pen.text(7, y, head, size=3.3, font=BOLD, fill=INK)
        y += 4.3
        for line in lines:
            pen.text(7, y, line, size=2.95, font=SANS, fill=SOFT)
            y += 3.75
        y += 2.8


def score_table(pen: Pen, rules: Rules) -> None:
    """What a sum is worth under each number of wagers; the same in every language."""
    _plain(pen, "Σ → ±")
    sums = (2, 6, 10, 15, 18, 20, 22, 25, 28, 30, 35, 40, 45, 54)
    columns = [CARD[0] * share for share in (0.2, 0.385, 0.55, 0.715, 0.88)]
    for wagers, x in enumerate(columns[1:]):
        pen.text(x, 18.6, f"×{wagers + 1}", size=3.5, font=BOLD, fill=INK, align="right")
    pen.text(columns[0], 18.6, "Σ", size=3.5, font=BOLD, fill=INK, align="right")
    for row, total in enumerate(sums):
        y = 23.6 + row * 4.2
        if total == rules.cost:
            pen.box(6, y - 3.15, CARD[0] - 12, 4.2, radius=1, fill=lighter(LINE, 0.35))
        pen.text(columns[0], y, str(total), size=3.3, font=BOLD, fill=INK, align="right")
        for wagers, x in enumerate(columns[1:]):
            points = (total - rules.cost) * (1 + wagers)
            text = f"−{-points}" if points < 0 else str(points)
            pen.text(x, y, text, size=3.3, font=SANS, fill=SOFT, align="right")
    note = f"{rules.bonus_at}+  →  +{rules.bonus}"
    pen.text(CARD[0] / 2, CARD[1] - 5.2, note, size=3.1, font=BOLD, fill=INK, align="centre")
