"""Long names and large letters on the score sheet: nothing is cut off or pushed out by them."""

from typing import TYPE_CHECKING

import pytest

from lostcities.core.cards import parse_cards
from on_sheet import DRAWN, by_taps, way_to

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


LONG = ("Wolfeschlegelsteinhausenbergerdorffwelch", "Bartholomew Featherstonehaugh-Cholmondel")
INSIDE = """(root) => { const room = root.getBoundingClientRect(); return [...root.querySelectorAll('*')].filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    const seen = width > 1 && each.closest('.unseen') === null;
    return seen && (left < room.left - 0.5 || right > room.right + 0.5);
}).map((each) => each.outerHTML.slice(0, 120)); }"""


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (1440, 900)])
def test_long_names_cut_nothing_off(sheet: "Page", size: tuple[int, int]) -> None:
    """In the dialog to share a sheet they pushed the points of the second side out of it."""
    by_taps(sheet, 0, parse_cards("R2 R3 R10"))
    by_taps(sheet, 1, parse_cards("RX B4 B9"))
    sheet.set_viewport_size({"width": size[0], "height": size[1]})
    for number, name in enumerate(LONG, 1):
        sheet.get_by_label(f"Name of player {number}").fill(name)
    sheet.keyboard.press("Tab")
    main = sheet.locator("main")
    assert main.evaluate(INSIDE) == []
    assert sheet.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for total in sheet.locator(".points").all():
        assert whole(total)
    foot = sheet.locator("footer")
    assert all(whole(each) for each in foot.locator("strong").all())
    assert not overlapping(foot.locator(".state"), foot.locator("button"))
    for way in ("Share this sheet", "Sheets on this device"):
        dialog = way_to(sheet, way)
        assert dialog.evaluate("each => each.scrollWidth <= each.clientWidth"), way
        assert dialog.evaluate(INSIDE) == [], way
        for cell in dialog.locator("tbody td, tfoot td, thead th").all():
            assert whole(cell), way
        assert all(name in dialog.inner_text().replace("\n", " ") for name in LONG)
        sheet.keyboard.press("Escape")
    sheet.evaluate(DRAWN)
    dialog = way_to(sheet, "Share this sheet")
    with sheet.expect_download():
        dialog.get_by_role("button", name="as a picture").click()
    drawn = {text for text, _ in sheet.evaluate("window.drawn")}
    assert set(LONG) <= drawn, "smaller, and whole"


def whole(part: "Locator") -> bool:
    return bool(
        part.evaluate(
            "each => each.scrollWidth <= each.clientWidth || each.offsetWidth === 0 || getComputedStyle(each).display === 'inline'"
        )
    )


def overlapping(one: "Locator", two: "Locator") -> bool:
    first, second = one.bounding_box(), two.bounding_box()
    assert first is not None
    assert second is not None
    beside = (
        first["x"] + first["width"] <= second["x"] or second["x"] + second["width"] <= first["x"]
    )
    below = (
        first["y"] + first["height"] <= second["y"] or second["y"] + second["height"] <= first["y"]
    )
    return not (beside or below)


@pytest.mark.parametrize(
    "way", ["Deck and rules", "Share this sheet", "Decks", "Deck check", "Dealer’s help", "Keys"]
)
def test_the_dialogs_of_the_sheet_have_room_for_large_letters(sheet: "Page", way: str) -> None:
    """With text at 200 % the keys and the buttons to share ran out of theirs on a phone."""
    sheet.evaluate("document.documentElement.style.fontSize = '32px'")
    by_taps(sheet, 0, parse_cards("R2"))
    dialog = way_to(sheet, way)
    assert dialog.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert dialog.evaluate(INSIDE) == []
