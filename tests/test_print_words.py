"""The words on what `lostcities print` draws: whole, within their places, and right."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.cards import parse_cards
from lostcities.core.scoring import score_expedition
from lostcities.table.printing import leaflet
from lostcities.table.printing.cards import CARD
from lostcities.table.printing.leaflet import leaflet_pdf
from lostcities.table.printing.make import Order, print_all
from lostcities.table.printing.pen import MM, PAPERS, SANS, SERIF, Pen, register_fonts
from lostcities.table.printing.words import languages
from printed import EVERY, FIVE, WEB


@pytest.mark.parametrize(("paper", "code"), EVERY)
def test_the_rules_fit_their_page(
    paper: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []
    paragraph = leaflet._paragraph

    def measured(pen: Pen, text: str, x: float, y: float, width: float) -> float:
        height = paragraph(pen, text, x, y, width)
        ends.append(y + height)
        return height

    monkeypatch.setattr(leaflet, "_paragraph", measured)
    tall: list[float] = []
    box = Pen.box

    def boxed(pen: Pen, x: float, y: float, width: float, height: float, **how: Any) -> None:
        tall.append(y + height)
        box(pen, x, y, width, height, **how)

    monkeypatch.setattr(Pen, "box", boxed)
    leaflet_pdf(tmp_path / "rules.pdf", paper, languages()[code], FIVE)
    assert max(*ends, *tall) < PAPERS[paper][1] - 10


@pytest.mark.parametrize("code", languages())
def test_lines_fit_their_cards_and_places(code: str) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    register_fonts()
    words = languages()[code]
    for _, lines in words.reference:
        for line in lines:
            assert stringWidth(line, SANS, 2.95) <= CARD[0] - 2 * 5.5, line
    assert stringWidth(words.reference_title, SERIF, 5) <= CARD[0] - 20
    for land in words.lands.values():
        assert stringWidth(land, SANS, 6.4) <= 70, land


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "code"), EVERY)
def test_no_line_runs_over_the_margin_or_into_another(
    paper: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The German title of the page that tells how to print ran over it."""
    from reportlab.pdfgen.textobject import PDFTextObject

    lines: dict[tuple[str, int, int], list[tuple[float, float, str]]] = {}
    shown = PDFTextObject.textOut

    def noted(drawn: Any, text: str) -> None:
        pen = drawn._canvas
        (x, y), (end, up) = (pen.absolutePosition(at, 0) for at in (0, drawn_width(drawn, text)))
        if abs(y - up) < 1e-6:
            where = (pen._filename, pen.getPageNumber(), round(y / MM / 2))
            lines.setdefault(where, []).append((min(x, end) / MM, max(x, end) / MM, text))
        shown(drawn, text)

    monkeypatch.setattr(PDFTextObject, "textOut", noted)
    for made in print_all(Order(("deck", "board", "rules", "sheet"), tmp_path, paper, code)):
        assert made.pages
    for (file, page, _), found in lines.items():
        side = 25 if page == 1 and file.endswith("deck.pdf") else 10
        width = PAPERS[paper][1 if file.endswith("board.pdf") else 0]
        found.sort()
        for left, right, text in found:
            assert side - 0.5 <= left < right <= width - side + 0.5, (file, page, text)
        for (_, right, one), (left, _, two) in pairwise(found):
            assert right + 2 < left, (file, page, one, two)


def drawn_width(drawn: Any, text: str) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return float(stringWidth(text, drawn._fontname, drawn._fontsize))


def test_every_language_says_as_much_as_english() -> None:
    def shape(code: str) -> list[Any]:
        words = languages()[code]
        blocks = (words.reference, words.rules_front, words.rules_back)
        return [
            [[len(lines) for _, lines in block] for block in blocks],
            set(words.sheet), set(words.colours), set(words.lands),
            len(words.how), len(words.example), len(words.captions),
        ]  # fmt: skip

    assert set(languages()) == {"en", "de"}
    assert shape("de") == shape("en")
    for words in languages().values():
        for _, lines in words.rules_front + words.rules_back:
            for line in lines:
                assert line.count("<b>") == line.count("</b>")


@pytest.mark.parametrize("code", languages())
def test_colours_are_called_as_on_the_page(code: str) -> None:
    """The German leaflet had another word for purple than the page."""
    page = json.loads((WEB / "words" / code / "suits.json").read_text("utf-8"))
    words = languages()[code]
    assert {colour.letter: name for colour, name in words.colours.items()} == page["names"]
    _, (cards, *_) = words.rules_front[0]
    assert page["names"]["P"] in cards, "the long game adds purple"


def test_the_worked_example_says_what_the_core_counts() -> None:
    rows = [parse_cards(text) for text in leaflet._EXAMPLE]
    points = [score_expedition(row, FIVE).total for row in rows]
    assert points == [3, -40, -10, 65]
    for words in languages().values():
        for row, text in zip(rows, words.example, strict=False):
            total = sum(card.rank for card in row)
            assert str(total) in text
            wagers = sum(card.is_wager for card in row)
            assert not wagers or f" {wagers + 1}" in text
