"""What tests of printing share: orders, sizes, and a pen that notes what it draws."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from lostcities.core.rules import Rules
from lostcities.table.deck import Deck
from lostcities.table.deck_file import parse_deck
from lostcities.table.printing.pen import MM, PAPERS, Pen
from lostcities.table.printing.words import languages

WEB = Path(__file__).parents[1] / "web" / "src"
FIVE, SIX = Rules(), Rules(colours=6)
ENGLISH = languages()["en"]
EVERY = [(paper, code) for paper in PAPERS for code in languages()]


def size_mm(reader: PdfReader, page: int = 0) -> tuple[float, float]:
    box = reader.pages[page].mediabox
    return round(float(box.width) / MM, 1), round(float(box.height) / MM, 1)


def swapped_deck() -> Deck:
    """A deck of one's own: the five colours the other way round, sun and flame exchanged."""
    text = (resources.files("lostcities.table") / "decks" / "five.toml").read_text("utf-8")
    parts = text.replace('name = "five"', 'name = "attic"', 1).split("[[colours]]")
    changed = "[[colours]]".join(reversed(parts[1:]))
    changed = changed.replace('"sun"', '"-"').replace('"flame"', '"Sun"').replace('"-"', '"flame"')
    return parse_deck(f"{parts[0]}[[colours]]{changed}", "attic.toml")


class Recorder:
    """What a pen draws, in millimetres on the page, without turning it back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[tuple[float, float, float, float]] = []
        self.boxes: list[tuple[float, float, float, float]] = []
        self.texts: list[tuple[float, float, str]] = []
        monkeypatch.setattr(Pen, "line", self.line)
        monkeypatch.setattr(Pen, "box", self.box)
        monkeypatch.setattr(Pen, "text", self.text)

    def line(self, x1: float, y1: float, x2: float, y2: float, **_: Any) -> None:
        self.lines.append((x1, y1, x2, y2))

    def box(self, x: float, y: float, width: float, height: float, **_: Any) -> None:
        self.boxes.append((x, y, x + width, y + height))

    def text(self, x: float, y: float, text: str, **_: Any) -> None:
        self.texts.append((x, y, text))
