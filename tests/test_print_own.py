"""Decks of other colours, printed in their own."""

import re
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from pypdf import PdfReader

from lostcities.core.cards import WAGER, Card, Colour
from lostcities.table.deck_file import find_deck
from lostcities.table.printing.cards import face
from lostcities.table.printing.make import Order, print_all
from lostcities.table.printing.paint import colours_of, fill, lying
from lostcities.table.printing.pen import Pen
from lostcities.table.printing.symbols import SYMBOLS
from printed import FIVE, swapped_deck
from running import assert_refused, run_here


def fills(path: Path, page: int) -> set[str]:
    """The fills that a page paints with, as #RRGGBB."""
    content = PdfReader(path).pages[page].get_contents()
    assert content is not None
    found = re.findall(rb"(?<![\d.])([\d.]+) ([\d.]+) ([\d.]+) rg", content.get_data())
    return {"#" + "".join(f"{round(float(each) * 255):02X}" for each in rgb) for rgb in found}


def test_a_deck_is_printed_in_its_own_colours(tmp_path: Path) -> None:
    own = tmp_path / "attic.toml"
    text = (resources.files("lostcities.table") / "decks" / "five.toml").read_text("utf-8")
    own.write_text(text.replace('"five"', '"attic"').replace("#AA3A18", "#123456"), "utf-8")
    ran = run_here(
        "print", "deck", "rules", "--deck", str(own), "--out", str(tmp_path), "--backs", "none"
    )
    assert ran.status == 0
    painted = [
        fills(tmp_path / "deck.pdf", page)
        for page in range(len(PdfReader(tmp_path / "deck.pdf").pages))
    ]
    assert any("#123456" in page for page in painted)
    assert not any("#AA3A18" in page for page in painted)
    rules = fills(tmp_path / "rules-en.pdf", 0) | fills(tmp_path / "rules-en.pdf", 1)
    assert "#AA3A18" in rules, "the rules name their colours"
    assert fill(Colour.RED) == "#AA3A18", "nothing stays behind"
    refused = run_here(
        "print", "deck", "--deck", str(own), "--colours", "6", "--out", str(tmp_path)
    )
    assert_refused(refused, "60 cards in 5 colours, these rules need 72 in 6")
    assert_refused(run_here("print", "deck", "--deck", "nobody"), "no such deck")


SWAPPED = {Colour.YELLOW: Colour.RED, Colour.RED: Colour.YELLOW}
"""In the deck of the test the sun is red and the flame yellow."""


def test_a_deck_is_printed_with_its_own_symbols(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suit's usual symbol used to stand on the card, whatever the deck says."""
    deck = swapped_deck()
    paths: list[str] = []
    monkeypatch.setattr(Pen, "path", lambda _pen, data, **_: paths.append(data))
    pen = Pen(tmp_path / "x.pdf", "a4", "x")
    with colours_of(deck):
        assert lying(FIVE) == [Colour.RED, Colour.GREEN, Colour.WHITE, Colour.BLUE, Colour.YELLOW]
        for colour in deck.rules.all_colours():
            paths.clear()
            face(pen, Card(colour, WAGER))
            drawn = [each for each in Colour if SYMBOLS[each][0][1] in paths]
            assert drawn == [SWAPPED.get(colour, colour)]
    order = Order(("board", "sheet"), tmp_path, colours=5, deck=deck)
    for made in print_all(order):
        assert made.pages


def test_symbols_that_do_not_tell_colours_apart_give_way() -> None:
    """As on the page."""
    same = replace(deck := swapped_deck(), colours=tuple(
        replace(each, symbol="sun") for each in deck.colours))  # fmt: skip
    assert same.figures() == {each.colour: each.colour for each in deck.colours}
    assert find_deck("mtttgc3").figures()[Colour.WHITE] is Colour.PURPLE
