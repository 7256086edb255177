"""Own decks on the score sheet in a browser, and those that come by link."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck import Deck
from lostcities.table.deck_file import parse_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import ROOT, cell, open_sheet, unasked

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def sheet(quiet: "Page") -> Iterator["Page"]:
    """An empty sheet on a phone, whose room answers no question."""
    with unasked(quiet):
        yield open_sheet(quiet)


def deck_text(base: str, title: str, **changed: str) -> str:
    text = (ROOT / f"src/lostcities/table/decks/{base}.toml").read_text("utf-8")
    lines = []
    for line in text.splitlines():
        key = line.partition(" = ")[0]
        own = {"name": '"attic"', "title": f'"{title}"', "other_names": "[]", **changed}
        lines.append(
            f"{key} = {own.pop(key)}" if key in own and "[[" not in "".join(lines) else line
        )
    return "\n".join(lines)


def deck_of(base: str, title: str) -> Deck:
    return parse_deck(deck_text(base, title), "attic.toml")


def panel(page: "Page", name: str) -> "Locator":
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=name, exact=True).click()
    return page.locator("dialog")


def add(page: "Page", text: str, folder: "Path") -> "Locator":
    file = folder / "attic.toml"
    file.write_text(text, "utf-8")
    dialog = panel(page, "Decks")
    dialog.locator("input[type=file]").set_input_files(file)
    return dialog


def test_settings_name_the_deck_that_came_by_link_beside_an_own_one_of_its_name(
    sheet: "Page", tmp_path: "Path"
) -> None:
    """The own one was named in its place."""
    add(sheet, deck_text("five", "Mine"), tmp_path).get_by_text("Mine has been added.").wait_for()
    sheet.keyboard.press("Escape")
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, deck_of("five", "Theirs"), 0,
        (BySeat(parse_cards("R5"), parse_cards("W5")),),
    )  # fmt: skip
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    sheet.get_by_role("button", name="Keep it on this device").click()
    dialog = panel(sheet, "Deck and rules")
    chosen = dialog.locator("select").first
    shown = "(select) => select.selectedOptions[0].textContent"
    assert chosen.evaluate(shown) == "Theirs (came along with this sheet)"
    assert "Mine" in chosen.inner_text()
    chosen.select_option("Mine")
    assert chosen.evaluate(shown) == "Mine"
    assert "Theirs" not in chosen.inner_text()
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Undo").click()
    dialog = panel(sheet, "Decks")
    assert dialog.get_by_role("button", name="Use Theirs").get_attribute("aria-pressed") == "true"
    assert dialog.get_by_role("button", name="Use Mine").get_attribute("aria-pressed") == "false"


def test_complaints_go_with_what_they_were_about(sheet: "Page", tmp_path: "Path") -> None:
    """They stayed after a change of deck."""
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    line = sheet.get_by_role("textbox", name="Type the cards of Player 1")
    line.fill("62 64")
    sheet.get_by_text("62: a number without its colour").first.wait_for()
    dialog = add(sheet, "name = 3", tmp_path)
    dialog.get_by_text("attic.toml cannot serve:").wait_for()
    dialog.get_by_role("button", name="Use Minimal Travel").click()
    assert "cannot serve" not in dialog.inner_text()
    sheet.keyboard.press("Escape")
    assert sheet.get_by_text("a number without its colour").count() == 0
    assert cell(sheet, 0, 4, 4).get_attribute("aria-pressed") == "true"
    dialog = panel(sheet, "Deck and rules")
    written = dialog.get_by_label("Rules as written")
    written.fill("blog cost=many")
    written.press("Enter")
    dialog.get_by_text("is no rule that can be played").wait_for()
    dialog.get_by_label("Rules of").select_option("tutorial")
    assert "is no rule" not in dialog.inner_text()
    assert "many" not in written.input_value()


def test_an_own_deck_brings_the_preset_that_it_names(sheet: "Page", tmp_path: "Path") -> None:
    """Its rules were called own ones."""
    dialog = add(sheet, deck_text("six", "Mine"), tmp_path)
    dialog.get_by_role("button", name="Use Mine").click()
    sheet.keyboard.press("Escape")
    dialog = panel(sheet, "Deck and rules")
    rules = dialog.get_by_label("Rules of")
    assert rules.input_value() == "long"
    assert "own rules" not in rules.inner_text()
