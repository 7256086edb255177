"""Own decks on the score sheet in a browser, and those that come by link."""

import re
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck import Deck
from lostcities.table.deck_file import find_deck, parse_deck, shipped
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import ROOT, cell
from test_browser_access import AXE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def deck_text(base: str, title: str) -> str:
    """The file of a shipped deck under a name and a title of somebody's own."""
    text = (ROOT / f"src/lostcities/table/decks/{base}.toml").read_text("utf-8")
    for key, value in (("name", '"attic"'), ("title", f'"{title}"'), ("other_names", "[]")):
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    return text


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
    assert dialog.get_by_role("button", name="In use: Theirs").is_visible()
    assert dialog.get_by_role("button", name="Use Mine for this sheet").is_visible()


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
    dialog.get_by_text("“cost” is no rule that can be played. Possible: 0–99.").wait_for()
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


def filled(page: "Page", deck: str) -> None:
    """A round of rows of many kinds, in the words of a deck."""
    worn = find_deck(deck)
    cards = BySeat(
        parse_cards("YX Y2 Y4 Y10 BX B3 B4 RX RX R2 R3 R5 R7 R8 R9 R10"),
        parse_cards("YX Y3 WX W2 G2"),
    )
    match = PaperMatch(BySeat("Ada", "Grace"), worn.rules, None, worn, 0, (cards,))
    page.goto(ORIGIN + "/sheet" + write_link(match))
    page.get_by_role("button", name="Keep it on this device").click()
    page.evaluate("document.fonts.ready")


SHIPPED = [deck.name for deck in shipped()]


@pytest.mark.parametrize("deck", SHIPPED)
def test_names_for_the_ear_hold_what_is_seen(sheet: "Page", deck: str) -> None:
    """The numbers of decks with indices were called without them."""
    filled(sheet, deck)
    assert mismatches(sheet) == []
    for way in ("Deck check", "Decks", "Share this sheet"):
        panel(sheet, way)
        assert mismatches(sheet) == [], way
        sheet.keyboard.press("Escape")


def mismatches(page: "Page") -> list[str]:
    """What axe finds by a rule that is no standard yet."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run(document, { runOnly: { type: 'rule', values: ['label-content-name-mismatch'] } })"
    )
    return [node["html"][:120] for each in found["violations"] for node in each["nodes"]]


def test_the_keys_say_which_letter_is_which_colour(sheet: "Page") -> None:
    """On a deck whose orange goes by Y nobody could know."""
    filled(sheet, "mtttgc3")
    told = panel(sheet, "Keys").inner_text()
    assert "R B G Y W" in told
    assert "by the letters of the notation: R red, B blue, G green, Y orange, W purple" in told
    sheet.keyboard.press("Escape")
    cell(sheet, 0, 0, 2).focus()
    sheet.keyboard.press("y")
    assert sheet.evaluate("document.activeElement.id") == "cell-0-3-1"


@pytest.mark.parametrize("deck", SHIPPED)
@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
def test_nothing_on_the_sheet_is_too_small_to_read(
    sheet: "Page", deck: str, size: tuple[int, int]
) -> None:
    """The working of each colour was eleven pixels high on a phone."""
    sheet.set_viewport_size({"width": size[0], "height": size[1]})
    filled(sheet, deck)
    for row in sheet.locator(".row").all():
        assert row.evaluate("row => row.scrollWidth - row.clientWidth") <= 1
    assert too_small(sheet) == []
    panel(sheet, "Share this sheet")
    assert too_small(sheet) == []


def too_small(page: "Page") -> list[str]:
    return list(
        page.evaluate(
            "() => [...document.querySelectorAll('main *, dialog *')]"
            ".filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))"
            ".filter((e) => parseFloat(getComputedStyle(e).fontSize) < 12)"
            ".map((e) => e.textContent)"
        )
    )


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_the_ring_around_a_typing_line_covers_nothing(sheet: "Page", size: tuple[int, int]) -> None:
    """It cut the message below the line, and the cards above."""
    sheet.set_viewport_size({"width": size[0], "height": size[1]})
    filled(sheet, "mtttgc3")
    if size[0] < 900:
        sheet.get_by_role("button", name="Type the cards of Ada").click()
    line = sheet.get_by_role("textbox", name="Type the cards of Ada")
    line.press("End")
    line.press_sequentially(" foo")
    sheet.get_by_text("“foo” is no card of this deck.").first.wait_for()
    gaps = line.evaluate(
        "(line) => {"
        "const { top, bottom } = line.getBoundingClientRect();"
        "const style = getComputedStyle(line);"
        "const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);"
        "const block = line.closest('.block');"
        "const words = document.createRange();"
        "words.selectNodeContents(block.querySelector('.trouble'));"
        "return [words.getBoundingClientRect().top - bottom - ring,"
        " top - ring - [...block.querySelectorAll('.row')].at(-1).getBoundingClientRect().bottom];"
        "}"
    )
    assert min(gaps) >= 0, gaps


def test_decks_of_equal_titles_are_told_apart_by_their_names(
    sheet: "Page", tmp_path: "Path"
) -> None:
    """They could not be, in the list, in the selection, or on the buttons that use and remove one."""
    text = deck_text("five", "Mine")
    dialog = add(sheet, text, tmp_path)
    dialog.get_by_text("Mine has been added.").wait_for()
    twin = tmp_path / "cellar.toml"
    twin.write_text(text.replace('name = "attic"', 'name = "cellar"', 1), "utf-8")
    dialog.locator("input[type=file]").set_input_files(twin)
    dialog.get_by_text("Mine (cellar) has been added.").wait_for()
    for name in ("attic", "cellar"):
        assert dialog.get_by_role("heading", name=f"Mine ({name})").is_visible()
        assert dialog.get_by_role("button", name=f"Remove Mine ({name})").is_visible()
        assert dialog.get_by_role("button", name=f"Use Mine ({name}) for this sheet").is_visible()
    sheet.keyboard.press("Escape")
    options = panel(sheet, "Deck and rules").locator("select").first.locator("option")
    assert options.all_inner_texts()[:2] == ["Mine (attic)", "Mine (cellar)"]


def test_a_title_that_would_flood_the_page_is_refused(sheet: "Page", tmp_path: "Path") -> None:
    dialog = add(sheet, deck_text("five", "x" * 3000), tmp_path)
    dialog.get_by_text("title: 3000 letters, at most 60").wait_for()
