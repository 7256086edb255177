"""The score sheet in a browser: few gestures, by tap, sweep, keys and typing, for everybody."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fake_room import ORIGIN, FakeRoom
from lostcities.core.cards import parse_cards
from on_page import SCROLLS, sized
from on_sheet import (
    ROOT,
    ROUNDS,
    WAYS,
    by_sweeps,
    by_taps,
    cell,
    choose_colours,
    due,
    middle,
    open_sheet,
    points,
    unasked,
)
from test_browser_access import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

COUNT = """() => {
  window.gestures = { taps: 0, keys: 0 };
  addEventListener('pointerdown', () => (window.gestures.taps += 1), true);
  addEventListener('keydown', () => (window.gestures.keys += 1), true);
}"""


@pytest.fixture
def sheet(quiet: "Page") -> Iterator["Page"]:
    """An empty sheet on a phone, whose room answers no question."""
    with unasked(quiet):
        yield open_sheet(quiet)


@pytest.fixture(scope="module")
def counted() -> Iterator[dict[tuple[str, str], int]]:
    """Gestures by round and way; a full run leaves them as a table."""
    found: dict[tuple[str, str], int] = {}
    yield found
    if len(found) == len(ROUNDS) * len(WAYS):
        folder = ROOT / "test-results"
        folder.mkdir(exist_ok=True)
        (folder / "gestures.md").write_text(table(found), "utf-8")


def table(found: dict[tuple[str, str], int]) -> str:
    """The counts as they stand in docs/sheet.md."""
    lines = ["| round | cards | " + " | ".join(WAYS) + " |", "|---" * 5 + "|"]
    for name, (_, both) in ROUNDS.items():
        cards = len(both[0]) + len(both[1])
        counts = " | ".join(str(found[name, way]) for way in WAYS)
        lines.append(f"| {name} | {cards} | {counts} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_no_more_gestures_than_its_cards_and_ten(
    sheet: "Page", counted: dict[tuple[str, str], int], name: str, way: str
) -> None:
    rules, both = ROUNDS[name]
    if rules.endswith("6"):
        choose_colours(sheet, 6)
        cell(sheet, 0, 0, 0).click()
        sheet.get_by_role("button", name="Undo").click()
        sheet.reload()
        sheet.locator(".block").first.wait_for()
    sheet.evaluate(COUNT)
    WAYS[way](sheet, both)
    assert points(sheet) == due(rules, both)
    assert sheet.locator(".wrong").count() == 0
    gestures = sheet.evaluate("window.gestures.taps + window.gestures.keys")
    counted[name, way] = gestures
    assert 0 < gestures <= len(both[0]) + len(both[1]) + 10


def test_a_card_that_cannot_follow_begins_the_next_row(sheet: "Page") -> None:
    for key in ("Enter", "x", "3", "8", "5", "7", "x", "2"):
        sheet.keyboard.press(key)
    assert sheet.locator(".cell.there").all_inner_texts() == ["3", "8", "5", "7", "2"]
    assert sheet.evaluate("document.activeElement.id") == "cell-0-2-1"
    sheet.keyboard.press("2")
    assert cell(sheet, 0, 2, 2).get_attribute("aria-pressed") == "false", "the same number again"
    for key in ("9", "ArrowUp", "2", "ArrowLeft", "Control+z"):
        sheet.keyboard.press(key)
    assert points(sheet)[0] == (11 - 20) * 2 + (12 - 20) + (9 - 20) * 2, "moving mends a row"
    for key in ("ArrowDown", "ArrowDown", "8", "R", "8"):
        sheet.keyboard.press(key)
    assert sheet.locator(".row").nth(4).locator(".there").all_inner_texts() == ["8"]
    sheet.keyboard.press("5")
    assert sheet.evaluate("document.activeElement.id") == "cell-1-0-4", "on to the other side"


def test_a_one_and_a_nought_are_one_ten(sheet: "Page") -> None:
    for key in ("Enter", "x", "3", "5", "7", "9", "1", "0"):
        sheet.keyboard.press(key)
    first = sheet.locator(".row").first.locator(".there")
    assert first.all_inner_texts() == ["3", "5", "7", "9", "10"]
    assert points(sheet)[0] == (34 - 20) * 2
    sheet.keyboard.press("2")
    assert cell(sheet, 0, 1, 2).get_attribute("aria-pressed") == "true", "on to the next row"
    sheet.keyboard.press("ArrowUp")
    for key, there in (
        ("1", "false"),
        ("0", "false"),
        ("0", "true"),
        ("0", "false"),
        ("1", "true"),
    ):
        sheet.keyboard.press(key)
        assert cell(sheet, 0, 0, 10).get_attribute("aria-pressed") == there, key
    sheet.keyboard.press("Control+z")
    sheet.keyboard.press("0")
    assert cell(sheet, 0, 0, 10).get_attribute("aria-pressed") == "true", "a 1 that was undone"
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Keys", exact=True).click()
    assert "0 is the 10, and so is 1 or 10 typed out" in sheet.locator("dialog").inner_text()


def test_the_last_row_has_no_next_one(sheet: "Page") -> None:
    for key in ("Enter", *["ArrowDown"] * 9, "8", "5"):
        sheet.keyboard.press(key)
    assert sheet.locator(".row").nth(9).locator(".there").all_inner_texts() == ["5", "8"]


def test_the_first_stop_of_the_keyboard_leads_to_the_cards(sheet: "Page") -> None:
    sheet.keyboard.press("Tab")
    assert sheet.evaluate("document.activeElement.textContent") == "To the cards"
    sheet.keyboard.press("Enter")
    assert sheet.evaluate("document.activeElement.id") == "cell-0-0-1"


def test_the_counts_in_the_document_are_those_that_were_measured(
    counted: dict[tuple[str, str], int],
) -> None:
    if len(counted) < len(ROUNDS) * len(WAYS):
        pytest.skip("only with all rounds in all ways")
    assert table(counted) in (ROOT / "docs/sheet.md").read_text("utf-8")


def test_typing_writes_the_side_and_says_what_it_cannot_read(sheet: "Page") -> None:
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    line = sheet.get_by_label("Type the cards of Player 1").last
    line.press_sequentially("yx Y3-5 red 10")
    assert points(sheet)[0] == (12 - 20) * 2 - 10
    line.press_sequentially(" Q7")
    assert "“Q7” is no card" in sheet.locator(".trouble").first.inner_text()
    assert points(sheet)[0] == -26
    for _ in range(3):
        line.press("Backspace")
    line.press("Tab")
    assert line.input_value() == "YX Y3 Y4 Y5 R10"
    sheet.get_by_role("button", name="Undo").click()
    assert points(sheet)[0] == 0, "one go at typing is one change"


def test_a_half_read_line_keeps_the_round_open(sheet: "Page") -> None:
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    line = sheet.get_by_label("Type the cards of Player 1").last
    line.fill("Y5")
    line.fill("Y5 Y6 foo bar")
    assert points(sheet)[0] == 11 - 20, "what can be read is laid"
    trouble = sheet.locator(".trouble").first.inner_text()
    assert "“foo” is no card" in trouble
    assert "“bar” is no card" in trouble
    following = sheet.get_by_role("button", name="Next round")
    assert following.get_attribute("aria-disabled") == "true"
    reason = sheet.locator("footer .wrong")
    assert reason.inner_text() == "Still unread on the line of Player 1: foo, bar"
    assert following.get_attribute("aria-describedby") == reason.get_attribute("id")
    following.click(force=True)
    assert sheet.get_by_role("button", name="Round 2", exact=True).count() == 0
    sheet.reload()
    sheet.locator(".block").first.wait_for()
    line = sheet.get_by_label("Type the cards of Player 1").last
    assert line.input_value() == "Y5 Y6 foo bar"
    line.fill("Y5 Y6")
    assert following.get_attribute("aria-disabled") == "false"
    following.click()
    assert sheet.get_by_role("button", name="Round 2", exact=True).count() == 1


def test_a_deck_with_indices_is_typed_by_index(sheet: "Page") -> None:
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck and rules").click()
    sheet.locator("dialog select").first.select_option("mtttgc3")
    sheet.get_by_role("button", name="Done").click()
    assert "−" not in sheet.locator(".points").first.inner_text()
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    line = sheet.get_by_label("Type the cards of Player 1").last
    line.fill("81 2-5 64")
    assert points(sheet)[0] == (14 - 20) * 2 + 4 - 20
    line.fill("81 2-5 64 11")
    assert "11 stays in the box" in sheet.locator(".trouble").first.inner_text()
    assert "17" in cell(sheet, 0, 1, 2).inner_text()
    assert cell(sheet, 0, 4, 4).get_attribute("aria-label") == "purple 4, 64"
    assert cell(sheet, 0, 4, 0).get_attribute("aria-label") == "purple investment: 0"


def test_back_to_five_colours_takes_purple_out_and_can_be_undone(sheet: "Page") -> None:
    choose_colours(sheet, 6)
    cell(sheet, 0, 5, 10).click()
    cell(sheet, 0, 0, 10).click()
    assert points(sheet) == [-20, 0]
    choose_colours(sheet, 5)
    assert points(sheet) == [-10, 0]
    assert sheet.locator(".row").count() == 10
    sheet.get_by_role("button", name="Undo").click()
    assert points(sheet) == [-20, 0]


SIZES = [(390, 664), (360, 640), (390, 844), (1440, 900), (844, 390)]


@pytest.mark.parametrize("colours", [5, 6])
@pytest.mark.parametrize("size", SIZES)
def test_both_sides_are_in_view_without_scrolling(
    sheet: "Page", size: tuple[int, int], colours: int
) -> None:
    if colours == 6:
        choose_colours(sheet, 6)
    sized(sheet, size)
    by_taps(sheet, 0, parse_cards("RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10"))
    assert sheet.evaluate(SCROLLS) == [0, 0]
    for row in range(2 * colours):
        for part in (".wagers", ".cell"):
            box = sheet.locator(".row").nth(row).locator(part).first.bounding_box()
            assert box is not None
            assert min(box["width"] - 24, box["height"] - 28) >= 0, (row, part, box)
    worth = sheet.locator(".row").nth(4).locator(".worth").bounding_box()
    how = sheet.locator(".row").nth(4).locator(".how").bounding_box()
    assert worth is not None
    assert how is not None
    assert how["x"] >= worth["x"] - 1, "the longest working stays in its column"


@pytest.mark.parametrize("size", [(390, 844), (390, 664), (844, 390)])
def test_the_foot_of_the_sheet_stays_in_view_while_a_line_is_open(
    sheet: "Page", size: tuple[int, int]
) -> None:
    """With six colours and a line to type in the hints at the foot were cut off."""
    choose_colours(sheet, 6)
    sized(sheet, size)
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    assert sheet.evaluate(SCROLLS) == [0, 0]
    sheet.get_by_role("button", name="Type the cards of Player 2").click()
    for player in (1, 2):
        line = sheet.get_by_role("textbox", name=f"Type the cards of Player {player}")
        line.fill("foo Y5 bar")
        told = sheet.locator(".trouble").nth(player - 1)
        sheet.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        assert seen_at(sheet, told)
    sheet.evaluate("scrollTo(0, 0)")
    for part in (".state", ".btn.main"):
        assert seen_at(sheet, sheet.locator(f"footer {part}"))


def seen_at(page: "Page", part: Any) -> bool:
    """Whether the middle of something is on the screen, with nothing over it."""
    return bool(
        part.evaluate(
            "(part) => { const { left, right, top, bottom } = part.getBoundingClientRect();"
            " const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);"
            " return bottom <= innerHeight + 1 && hit !== null && part.contains(hit); }"
        )
    )


def test_nothing_is_cut_off_with_text_twice_as_large(sheet: "Page") -> None:
    sheet.evaluate("document.querySelector('.sheet').style.fontSize = '32px'")
    by_taps(sheet, 0, parse_cards("RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10"))
    assert sheet.evaluate(SCROLLS)[0] == 0
    assert (
        sheet.evaluate(
            "[...document.querySelectorAll('.cell, .points, .worth, footer .btn')]"
            ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className)"
        )
        == []
    )
    sized(sheet, (1280, 900))
    assert sheet.evaluate(SCROLLS)[0] == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_sheet(browser: "Browser", scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    FakeRoom(page)
    page.goto(ORIGIN + "/sheet")
    page.locator(".block").first.wait_for()
    choose_colours(page, 6)
    for seat in (0, 1):
        by_sweeps(page, seat, ROUNDS["six"][1][seat])
    assert axe(page) == []
    cell(page, 0, 0, 0).click()
    page.get_by_role("button", name="Type the cards of Player 1").click()
    page.get_by_label("Type the cards of Player 1").last.fill("nonsense")
    assert axe(page) == []
    page.get_by_label("Type the cards of Player 1").last.fill("Y5")
    for way in (
        "Deck and rules",
        "Share this sheet",
        "Sheets on this device",
        "Decks",
        "Deck check",
        "Dealer’s help",
        "Keys",
    ):
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name=way, exact=way == "Decks").click()
        assert axe(page) == [], way
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Finish the match").click()
    assert axe(page) == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Go on writing").click()
    assert axe(page) == []
    context.close()


def test_a_whole_match_by_keyboard_alone(sheet: "Page") -> None:
    keys = sheet.keyboard
    for _ in range(60):
        keys.press("Tab")
        if sheet.evaluate("document.activeElement.id") == "cell-0-0-1":
            break
    for key in ("x", "3", "5", "R", "0", "Shift+ArrowLeft", "Shift+ArrowLeft"):
        keys.press(key)
    assert points(sheet) == [(8 - 20) * 2 + 27 - 20, 0]
    keys.press("Control+z")
    assert points(sheet) == [(8 - 20) * 2 + 19 - 20, 0]
    keys.press("Control+y")
    for _ in range(5):
        keys.press("ArrowDown")
    keys.press("Home")
    keys.press("Enter")
    assert points(sheet) == [-17, -40]
    for _ in range(20):
        keys.press("Tab")
        if sheet.evaluate("document.activeElement.textContent").strip() == "Next round":
            break
    keys.press("Enter")
    assert points(sheet) == [0, 0]


def test_totals_are_told_politely(sheet: "Page") -> None:
    cell(sheet, 0, 4, 9).click()
    told = sheet.locator("main > [aria-live=polite]")
    told.filter(has_text="Player 1 −11, Player 2 0").wait_for(state="attached")
    cell(sheet, 1, 4, 9).click()
    told.filter(has_text="Red 9 lies on both sides.").wait_for(state="attached")


def test_a_finger_sweeps_and_a_scroll_leaves_no_card(browser: "Browser") -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    FakeRoom(page)
    page.goto(ORIGIN + "/sheet")
    page.locator(".block").first.wait_for()
    device = context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for row, (first, last) in ((0, (3, 6)), (1, (9, 7))):
        touch("touchStart", middle(page, 0, row, first))
        step = 1 if last > first else -1
        for rank in range(first, last + step, step):
            touch("touchMove", middle(page, 0, row, rank))
        touch("touchEnd")
    page.wait_for_timeout(100)
    assert points(page) == [3 + 4 + 5 + 6 - 20 + 7 + 8 + 9 - 20, 0]
    cell(page, 0, 0, 4).tap()
    page.locator("#cell-0-0-3[aria-pressed=false]").wait_for()
    assert points(page) == [3 + 5 + 6 - 20 + 7 + 8 + 9 - 20, 0]
    context.close()
