"""Score sheets to fill in: cross off the cards that lie there, then do the sum."""

from __future__ import annotations

from pathlib import Path

from lostcities.core.cards import Colour
from lostcities.core.rules import Rules
from lostcities.table.printing.cards import symbol
from lostcities.table.printing.paint import DESK, INK, LINE, PAPER, SOFT, fill, ink, lying, mix
from lostcities.table.printing.pen import BOLD, SANS, SERIF, Pen
from lostcities.table.printing.words import Words

_SIDE = 14.0
_ROUNDS = 3
_LABELS = 7.0
_SIGNS = ("×", "×", "×", *map(str, range(2, 11)))


def sheet_pdf(path: Path, paper: str, words: Words, rules: Rules) -> int:
    """Write a sheet for a match of three rounds; answers the number of pages."""
    pen = Pen(path, paper, f"Lost Cities: {words.sheet['title']} ({rules.colours})")
    _head(pen, words)
    top, foot = 28.0, pen.height - 31
    block = (foot - top) / _ROUNDS
    for number in range(_ROUNDS):
        _round(pen, words, rules, number + 1, top + number * block, block)
    _totals(pen, words, foot + 1)
    return pen.save()


def _head(pen: Pen, words: Words) -> None:
    right = pen.width - _SIDE
    pen.text(_SIDE, 17, words.sheet["title"], size=7.6, font=SERIF, fill=INK,
             room=right - _SIDE - 65)  # fmt: skip
    pen.text(_SIDE, 24, words.sheet["hint"], size=3.3, font=SANS, fill=SOFT,
             room=right - _SIDE)  # fmt: skip
    pen.text(right - 46, 17, words.sheet["date"], size=3.3, font=SANS, fill=SOFT, align="right")
    pen.line(right - 43, 17.6, right, 17.6, line=LINE, weight=0.3)


def _round(pen: Pen, words: Words, rules: Rules, number: int, top: float, height: float) -> None:
    """A round: a band for each side, one below the other."""
    row = (height - 5 - 2 * _LABELS) / 2 / rules.colours
    for side in (0, 1):
        y = top + side * (row * rules.colours + _LABELS + 1.5)
        _side(pen, words, rules, y, row)
    pen.text(_SIDE, top + 5, f"{words.sheet['round']} {number}", size=4.4, font=SERIF, fill=INK)


def _side(pen: Pen, words: Words, rules: Rules, top: float, row: float) -> None:
    right = pen.width - _SIDE
    cell = (right - _SIDE - row - 2 - 62) / 12
    left = _SIDE + row + 2
    sums = left + 12 * cell + 3
    columns = [sums + offset for offset in (0, 15, 25, 35, 45)]
    _labels(pen, words, rules, top + 4.9, columns, right)
    for number, colour in enumerate(lying(rules)):
        y = top + _LABELS + number * row
        _colour(pen, colour, y, row, left, cell)
        for x, width in zip(columns, (14, 9, 9, 9, right - columns[4]), strict=True):
            last = x == columns[4]
            pen.box(x, y + 0.4, width, row - 0.8, radius=0.8, fill=DESK if last else None,
                    line=LINE, weight=0.45 if last else 0.25)  # fmt: skip


def _labels(
    pen: Pen, words: Words, rules: Rules, y: float, columns: list[float], right: float
) -> None:
    pen.line(_SIDE + 22, y + 0.8, _SIDE + 70, y + 0.8, line=LINE, weight=0.3)
    circle = _SIDE + 75
    pen.box(circle, y - 2.2, 2.7, 2.7, radius=0.5, line=LINE, weight=0.3)
    pen.text(circle + 4, y, words.sheet["starts"], size=2.9, font=SANS, fill=SOFT)
    labels = (words.sheet["sum"], f"−{rules.cost}", "×", f"+{rules.bonus}", words.sheet["points"])
    widths = (14, 9, 9, 9, right - columns[4])
    for x, width, label in zip(columns, widths, labels, strict=True):
        pen.text(
            x + width / 2, y, label, size=2.9, font=BOLD, fill=SOFT, align="centre", room=width
        )


def _colour(pen: Pen, colour: Colour, y: float, row: float, left: float, cell: float) -> None:
    ground, paint = fill(colour), ink(colour)
    frame = mix(ground, INK, 0.4)
    side = row - 0.8
    pen.box(_SIDE, y + 0.4, side, side, radius=0.9, fill=ground, line=frame, weight=0.25)
    symbol(pen, colour, _SIDE + side * 0.17, y + 0.4 + side * 0.17, side * 0.66, paint, ground)
    tint = mix(ground, PAPER, 0.78)
    for number, sign in enumerate(_SIGNS):
        x = left + number * cell
        pen.box(x, y + 0.4, cell - 0.7, side, radius=0.8, fill=tint, line=frame, weight=0.25)
        pen.text(x + (cell - 0.7) / 2, y + 0.4 + side * 0.71, sign, size=min(3.9, side * 0.66),
                 font=BOLD, fill=INK, align="centre")  # fmt: skip


def _totals(pen: Pen, words: Words, top: float) -> None:
    """The rounds of both sides, and the match."""
    right, name = pen.width - _SIDE, 52.0
    step = (right - _SIDE - name - 4) / (_ROUNDS + 1)
    for column in range(_ROUNDS + 1):
        last = column == _ROUNDS
        label = words.sheet["match"] if last else f"{words.sheet['round']} {column + 1}"
        x = _SIDE + name + 4 + column * step
        pen.text(x + step / 2, top + 3, label, size=2.9, font=BOLD, fill=SOFT, align="centre")
        for side in (0, 1):
            pen.box(x + 0.6, top + 4.4 + side * 8.2, step - 1.2, 7, radius=1,
                    fill=DESK if last else None, line=LINE, weight=0.45 if last else 0.3)  # fmt: skip
    pen.text(_SIDE, top + 3, words.sheet["names"], size=2.9, font=BOLD, fill=SOFT)
    for side in (0, 1):
        pen.line(_SIDE, top + 10.6 + side * 8.2, _SIDE + name, top + 10.6 + side * 8.2, line=LINE)
