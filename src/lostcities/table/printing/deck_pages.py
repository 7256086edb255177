"""The deck on sheets: nine cards a page in three rows, with marks to cut along and backs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lostcities.core.cards import WAGER, Card, Colour
from lostcities.core.rules import Rules
from lostcities.table.contrast import readable_ink
from lostcities.table.printing.cards import CARD, back, face, reference, score_table
from lostcities.table.printing.paint import BACK, INK, LINE, PAPER, SOFT, fill, lying
from lostcities.table.printing.pen import BOLD, SANS, SERIF, Pen
from lostcities.table.printing.words import Words, languages

Draw = Callable[[Pen], None]
Row = tuple[str, tuple[Draw, Draw, Draw]]
"""Three cards side by side on a ground that bleeds over their edges."""

BLEED = 2.5
_ACROSS = 3
_GAP = 9.0
_MARK_AWAY, _MARK_LONG = 0.8, 3.4
_MARK_LEAST = 1.2
MARGIN = 6.0
"""Printers reach to four or five millimetres from the edge of the paper; marks keep farther away."""


def deck_pdf(path: Path, paper: str, words: Words, rules: Rules, *, backs: str) -> int:
    """Write the deck; answers the number of pages.

    Args:
        path: the file.
        paper: ``a4`` or ``letter``.
        words: the language of the page that tells how to print.
        rules: how many colours.
        backs: ``duplex`` (a page of backs after each page of faces, which stand on odd pages as the
            fronts of sheets do), ``once`` (one page of backs at the end) or ``none``.
    """
    pen = Pen(path, paper, f"Lost Cities: {rules.colours} × 12")
    how_to(pen, words, words.steps(backs, rules.colours))
    if backs == "duplex":
        pen.new_page()
        behind(pen, words)
    for rows, gap in pages(rules):
        pen.new_page()
        _sheet(pen, rows, gap)
        if backs == "duplex":
            pen.new_page()
            _sheet(pen, [(BACK, (back, back, back))] * len(rows), gap)
    if backs == "once":
        pen.new_page()
        _sheet(pen, [(BACK, (back, back, back))] * 3, 0)
    return pen.save()


def pages(rules: Rules) -> Iterator[tuple[list[Row], float]]:
    """The pages of faces: their rows, and the gap between rows."""
    for colour in lying(rules):
        numbers = [_face(Card(colour, rank)) for rank in range(2, 11)]
        yield (
            [(fill(colour), (numbers[at], numbers[at + 1], numbers[at + 2])) for at in (0, 3, 6)],
            0,
        )
    wagers: list[Row] = [
        (fill(colour), (_face(Card(colour, WAGER)),) * 3) for colour in lying(rules)
    ]
    helps: list[Draw] = [_reference(words) for words in languages().values()]
    rows = [*wagers, (PAPER, (helps[0], helps[1], lambda pen: score_table(pen, rules)))]
    # Rows of different grounds stand apart, so that a cut beside the line shows no neighbour.
    for at in range(0, len(rows), 2):
        yield rows[at : at + 2], _GAP


def _face(card: Card) -> Draw:
    return lambda pen: face(pen, card)


def _reference(words: Words) -> Draw:
    return lambda pen: reference(pen, words)


def _sheet(pen: Pen, rows: list[Row], gap: float) -> None:
    width, height = CARD
    left = (pen.width - _ACROSS * width) / 2
    total = len(rows) * height + (len(rows) - 1) * gap
    top = (pen.height - total) / 2
    tops = [top + number * (height + gap) for number in range(len(rows))]
    for y, (ground, _) in zip(tops, rows, strict=True):
        pen.box(
            left - BLEED, y - BLEED, _ACROSS * width + 2 * BLEED, height + 2 * BLEED, fill=ground
        )
    for y, (_, draws) in zip(tops, rows, strict=True):
        for column, draw in enumerate(draws):
            with pen.at(left + column * width, y):
                draw(pen)
    _marks(pen, left, tops, [ground for ground, _ in rows])


def _marks(pen: Pen, left: float, tops: list[float], grounds: list[str]) -> None:
    """A mark at both ends of every cut. Where the paper leaves no place for one beyond the bleed, it
    lies on the bleed, in an ink that shows there.
    """
    width, height = CARD
    right = left + _ACROSS * width
    over = _reach(tops[0])
    for column in range(_ACROSS + 1):
        x = left + column * width
        for y, way, ground in ((tops[0], -1, grounds[0]), (tops[-1] + height, 1, grounds[-1])):
            start, end = y + way * over[0], y + way * over[1]
            pen.line(x, start, x, end, line=_mark_ink(over, ground), weight=0.15)
    beside = _reach(left)
    edges = {
        y: ground for top, ground in zip(tops, grounds, strict=True) for y in (top, top + height)
    }
    for y, ground in edges.items():
        for x, way in ((left, -1), (right, 1)):
            start, end = x + way * beside[0], x + way * beside[1]
            pen.line(start, y, end, y, line=_mark_ink(beside, ground), weight=0.15)


def _reach(free: float) -> tuple[float, float]:
    """Where a mark begins and ends, from the edge of the cards, with so much paper beyond it."""
    start = BLEED + _MARK_AWAY
    end = min(start + _MARK_LONG, free - MARGIN)
    return (start, end) if end - start >= _MARK_LEAST - 1e-9 else (0.3, end)


def _mark_ink(reach: tuple[float, float], ground: str) -> str:
    return "#000000" if reach[0] > BLEED else readable_ink("#000000", ground)


def behind(pen: Pen, words: Words) -> None:
    """The back of the page that tells how to print: nearly empty, and why."""
    left = 25.0
    y = pen.height / 2
    for line in pen.wrap(words.behind, pen.width - 2 * left, 4.6, SANS):
        pen.text(pen.width / 2, y, line, size=4.6, font=SANS, fill=SOFT, align="centre")
        y += 6.6


def how_to(pen: Pen, words: Words, steps: list[str]) -> None:
    """The page before the deck: how to print and cut it, with a line to measure."""
    left, y = 25.0, 46.0
    room = pen.width - 2 * left
    pen.text(left, y, words.how_title, size=13, font=SERIF, fill=INK, room=room)
    pen.line(left, y + 6, pen.width - left, y + 6, line=LINE, weight=0.4)
    y += 20
    for number, step in enumerate(steps, 1):
        pen.text(left, y, str(number), size=6.5, font=SERIF, fill=INK)
        for line in pen.wrap(step, room - 12, 4.6, SANS):
            pen.text(left + 12, y, line, size=4.6, font=SANS, fill=SOFT)
            y += 6.6
        y += 5
    y += 8
    pen.line(left, y, left + 100, y, line=INK, weight=0.4)
    for x in range(0, 101, 10):
        pen.line(left + x, y, left + x, y - (3 if x % 50 else 5), line=INK, weight=0.3)
    pen.text(left + 50, y + 7, words.ruler, size=4.6, font=BOLD, fill=INK, align="centre")
    with pen.at(left, pen.height - 92, scale=0.78):
        for column, card in enumerate(
            (Card(Colour.YELLOW, 2), Card(Colour.BLUE, 7), Card(Colour.RED, WAGER))
        ):
            with pen.at(column * 70, 0), pen.clipped(0, 0, *CARD, 4):
                pen.box(0, 0, *CARD, fill=fill(card.colour))
                face(pen, card)
