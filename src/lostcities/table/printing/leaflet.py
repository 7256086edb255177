"""The rules on one sheet of two pages."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from lostcities.core.cards import Card, parse_cards
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_expedition
from lostcities.table.printing.cards import CARD, face, symbol
from lostcities.table.printing.paint import DESK, INK, LINE, SOFT, fill, ink, mix
from lostcities.table.printing.pen import BOLD, SANS, SERIF, Pen
from lostcities.table.printing.words import Block, Words

_SIDE = 18.0
_GUTTER = 9.0
_EXAMPLE = ("Y5 Y8 Y10", "WX", "GX G3 G5 G7", "RX RX R2 R3 R5 R7 R8 R10")
_BODY = ParagraphStyle(
    "body", fontName=SANS, fontSize=4.35, leading=6.0, textColor=HexColor(SOFT), alignment=TA_LEFT
)


def leaflet_pdf(path: Path, paper: str, words: Words, rules: Rules) -> int:
    """Write the rules; answers the number of pages."""
    pen = Pen(path, paper, words.rules_title)
    pen.canvas.setSubject(words.code)
    _title(pen, words)
    y = _columns(pen, words.rules_front, 53)
    _rows(pen, words, y + 5)
    pen.new_page()
    y = _columns(pen, words.rules_back, 22)
    _worked(pen, words, rules, y + 8)
    for number, line in enumerate(pen.wrap(words.notice, pen.width - 2 * _SIDE, 3.2, SANS)):
        pen.text(_SIDE, pen.height - 16 + number * 4.4, line, size=3.2, font=SANS, fill=SOFT)
    return pen.save()


def _title(pen: Pen, words: Words) -> None:
    pen.text(_SIDE, 27, words.rules_title, size=11.5, font=SERIF, fill=INK,
             room=pen.width - 2 * _SIDE)  # fmt: skip
    for number, line in enumerate(pen.wrap(words.rules_lead, pen.width - 2 * _SIDE, 4.9, SANS)):
        pen.text(_SIDE, 36.5 + number * 6.4, line, size=4.9, font=SANS, fill=SOFT)


def _columns(pen: Pen, blocks: tuple[Block, ...], top: float) -> float:
    """Blocks of text in two columns of about the same length; answers where they end."""
    width = (pen.width - 2 * _SIDE - _GUTTER) / 2
    heights = [_height(block, width) for block in blocks]
    half, ys, column = sum(heights) / 2, [top, top], 0
    for block, height in zip(blocks, heights, strict=True):
        if column == 0 and ys[0] - top + height / 2 > half:
            column = 1
        ys[column] = _block(pen, block, _SIDE + column * (width + _GUTTER), ys[column], width)
    return max(ys)


def _height(block: Block, width: float) -> float:
    return 13.4 + sum(Paragraph(text, _BODY).wrap(width, 999)[1] + 1.6 for text in block[1])


def _block(pen: Pen, block: Block, x: float, y: float, width: float) -> float:
    pen.text(x, y + 4.6, block[0], size=6.2, font=SERIF, fill=INK, room=width)
    y += 7.8
    for text in block[1]:
        y += _paragraph(pen, text, x, y, width) + 1.6
    return y + 5.6


def _paragraph(pen: Pen, text: str, x: float, y: float, width: float) -> float:
    """A paragraph, of which `<b>` is dark; answers its height."""
    marked = text.replace("<b>", f'<font name="{BOLD}" color="{INK}">').replace("</b>", "</font>")
    paragraph = Paragraph(marked, _BODY)
    height = float(paragraph.wrap(width, 999)[1])
    pen.canvas.saveState()
    pen.canvas.translate(x, y + height)
    pen.canvas.scale(1, -1)
    paragraph.drawOn(pen.canvas, 0, 0)
    pen.canvas.restoreState()
    return height


def _card(pen: Pen, card: Card, x: float, y: float, scale: float) -> None:
    ground = fill(card.colour)
    with pen.at(x, y, scale=scale):
        with pen.clipped(0, 0, *CARD, 5):
            pen.box(0, 0, *CARD, fill=ground)
            face(pen, card)
        pen.box(0, 0, *CARD, radius=5, line=mix(ground, INK, 0.5), weight=0.6)


def _rows(pen: Pen, words: Words, y: float) -> None:
    """A row that is right, and two cards that may not join one."""
    scale, step = 0.5, 9.4
    room = (pen.width - _GUTTER) / 2 - _SIDE
    for number, card in enumerate(parse_cards("BX BX B3 B4 B8")):
        _card(pen, card, _SIDE + number * step, y, scale)
    pen.text(_SIDE, y + 51, words.captions[0], size=3.9, font=SANS, fill=SOFT, room=room)
    start = pen.width / 2 + _GUTTER / 2
    for number, card in enumerate(parse_cards("R2 R7")):
        _card(pen, card, start + number * step, y, scale)
    for number, card in enumerate(parse_cards("R6 RX")):
        x = start + 43 + number * 11.5
        _card(pen, card, x, y + 3, scale)
        _no(pen, x + (5.8 if number == 0 else CARD[0] * scale / 2), y + 3 + CARD[1] * scale * 0.8)
    pen.text(start, y + 51, words.captions[1], size=3.9, font=SANS, fill=SOFT, room=room)


def _no(pen: Pen, x: float, y: float) -> None:
    """A cross on a light ground: this is not allowed."""
    pen.circle(x, y, 4.2, fill="#FFFFFF", line="#9B1C2E", weight=0.6)
    for way in (1, -1):
        pen.line(x - 1.9, y - 1.9 * way, x + 1.9, y + 1.9 * way, line="#9B1C2E", weight=1.0)


def _worked(pen: Pen, words: Words, rules: Rules, y: float) -> None:
    """A whole side scored, colour by colour."""
    width = pen.width - 2 * _SIDE
    pen.box(_SIDE - 4, y, width + 8, 19.4 * len(_EXAMPLE) + 20, radius=3, fill=DESK)
    y += 5
    total = 0
    for text, how in zip(_EXAMPLE, words.example, strict=False):
        cards = parse_cards(text)
        points = score_expedition(cards, rules).total
        total += points
        for number, card in enumerate(cards):
            _strip(pen, card, _SIDE + number * 10.4, y)
        pen.text(_SIDE + 92, y + 9.6, how, size=4.1, font=SANS, fill=SOFT, room=width - 92 - 14)
        _points(pen, points, y + 9.8, 5.4)
        y += 19.4
    pen.line(_SIDE, y - 1.2, pen.width - _SIDE, y - 1.2, line=LINE, weight=0.4)
    pen.text(_SIDE, y + 7, words.example[-1], size=4.1, font=SANS, fill=SOFT,
             room=width - 20)  # fmt: skip
    _points(pen, total, y + 7.6, 7)


def _points(pen: Pen, points: int, y: float, size: float) -> None:
    text = f"−{-points}" if points < 0 else str(points)
    pen.text(pen.width - _SIDE, y, text, size=size, font=SERIF, fill=INK, align="right")


def _strip(pen: Pen, card: Card, x: float, y: float) -> None:
    """A card so small that only its number and its symbol are left."""
    ground, paint = fill(card.colour), ink(card.colour)
    pen.box(x, y, 9.6, 14.4, radius=1.2, fill=ground, line=mix(ground, INK, 0.5), weight=0.3)
    text = "×" if card.is_wager else str(card.rank)
    pen.text(x + 4.8, y + 6.4, text, size=5.6, font=SERIF, fill=paint, align="centre")
    symbol(pen, card.colour, x + 2.7, y + 8.2, 4.2, paint, ground)
