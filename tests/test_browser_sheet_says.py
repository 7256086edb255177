"""What the score sheet says about a round: what cannot be, and who starts."""

import re
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck_file import find_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import DRAWN, by_sweeps, cell, play_two_rounds, points

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ("R5", "R5", "Red 5 lies on both sides."),
        ("RX RX", "RX RX", "Red wager: 4 of them, but there are only 3."),
        (
            " ".join(f"{suit}{rank}" for suit in "YBWGR" for rank in range(2, 11)),
            "",
            "45 cards, but at most 44 can lie there",
        ),
    ],
)
def test_an_impossible_sheet_is_marked_at_once(
    sheet: "Page", one: str, two: str, said: str
) -> None:
    for seat, side in enumerate((one, two)):
        by_sweeps(sheet, seat, parse_cards(side))
    assert said in sheet.locator(".wrong").inner_text()
    if two:
        assert sheet.locator(".row .bad").count() == 2
    sheet.get_by_role("button", name="Undo").click()
    assert sheet.locator(".wrong").count() == 0


@pytest.mark.parametrize(
    ("preset", "first", "told"),
    [
        ("room", "Tap the star", "manual does not say who starts"),
        ("tutorial", "Chance decides", "chance decides the first round"),
        ("blog", "The oldest starts", "on a tie the start alternates"),
        ("site", "Tap the star", "help does not say who starts"),
        ("travel", "last on an adventure", "On a tie they are silent"),
    ],
)
def test_who_starts_is_credited_to_the_text_that_says_so(
    sheet: "Page", preset: str, first: str, told: str
) -> None:
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck and rules").click()
    sheet.get_by_label("Rules of").select_option(preset)
    assert told in sheet.locator("dialog").inner_text()
    assert sheet.get_by_label("Rules of").input_value() == preset
    sheet.get_by_role("button", name="Done").click()
    assert first in sheet.locator("footer").inner_text()


def test_an_impossible_round_is_not_closed_and_says_why(sheet: "Page") -> None:
    button = sheet.get_by_role("button", name="Next round")
    assert button.get_attribute("aria-disabled") == "true", "nothing stands there"
    for seat in (0, 1):
        cell(sheet, seat, 4, 5).click()
    assert button.get_attribute("aria-disabled") == "true"
    described = button.get_attribute("aria-describedby")
    assert sheet.locator(f"[id='{described}']").inner_text() == "Red 5 lies on both sides."
    button.focus()
    sheet.keyboard.press("Enter")
    assert points(sheet) == [-15, -15], "still the same round"
    cell(sheet, 1, 4, 5).click()
    assert cell(sheet, 1, 4, 5).get_attribute("aria-label") == "red 5, lies on the other side"
    assert button.get_attribute("aria-disabled") == "false"
    cell(sheet, 1, 4, 6).click()
    button.click()
    cell(sheet, 0, 0, 6).click()
    sheet.get_by_role("button", name="Round 1", exact=True).click()
    cell(sheet, 1, 4, 5).click()
    sheet.get_by_role("button", name="Menu").click()
    finish = sheet.get_by_role("button", name="Finish the match")
    assert finish.get_attribute("aria-disabled") == "true"
    assert "Round 1 cannot be as it stands." in sheet.locator("dialog").inner_text()


def test_a_fourth_wager_is_marked_on_its_cells_and_all_that_cannot_be_is_counted(
    sheet: "Page",
) -> None:
    """A wager cell had an outline only, and of several things only the first was told."""
    for seat in (0, 1):
        by_sweeps(sheet, seat, parse_cards("RX RX R5"))
    for seat in (0, 1):
        badge = cell(sheet, seat, 4, 0).evaluate("(it) => getComputedStyle(it, '::after').content")
        assert badge == '"!"'
    assert sheet.locator(".wrong").inner_text() == (
        "Red wager: 4 of them, but there are only 3. One more thing cannot be."
    )
    by_sweeps(sheet, 1, parse_cards("Y5"))
    by_sweeps(sheet, 0, parse_cards("Y5"))
    assert "2 more things cannot be." in sheet.locator(".wrong").inner_text()
    heard = sheet.locator("main > [aria-live]")
    heard.get_by_text("Yellow 5 lies on both sides. Red wager: 4 of them").wait_for()


def test_the_menu_names_the_word_that_is_still_unread(sheet: "Page") -> None:
    """It said that the round cannot be as it stands."""
    cell(sheet, 0, 0, 5).click()
    sheet.get_by_role("button", name="Next round").click()
    cell(sheet, 0, 0, 6).click()
    sheet.get_by_role("button", name="Type the cards of Player 1").click()
    sheet.keyboard.type(" zonk")
    said = "Still unread on the line of Player 1: zonk"
    assert sheet.locator(".wrong").inner_text() == said
    sheet.get_by_role("button", name="Menu").click()
    assert said in sheet.locator("dialog").inner_text()
    assert "cannot be as it stands" not in sheet.locator("dialog").inner_text()
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Round 1", exact=True).click()
    sheet.get_by_role("button", name="Menu").click()
    assert f"Round 2: {said}" in sheet.locator("dialog").inner_text()


@pytest.mark.parametrize("way", [None, "Deck and rules", "Decks", "Keys"])
def test_the_focus_is_back_on_the_menu_after_its_dialogs(sheet: "Page", way: str | None) -> None:
    """It was on the heading of the page, so that everything had to be passed once more."""
    menu = sheet.get_by_role("button", name="Menu")
    menu.focus()
    sheet.keyboard.press("Enter")
    if way is not None:
        sheet.locator("dialog").get_by_role("button", name=way, exact=True).press("Enter")
        sheet.locator("dialog").get_by_role("heading", name=way).first.wait_for()
    sheet.keyboard.press("Escape")
    sheet.locator("dialog").wait_for(state="detached")
    sheet.wait_for_timeout(100)
    assert menu.evaluate("(it) => it === document.activeElement")


def test_a_correction_says_that_who_started_a_later_round_stays(sheet: "Page") -> None:
    play_two_rounds(sheet)
    sheet.get_by_role("button", name="Round 1", exact=True).click()
    # Grace was ahead by 44 to 18 and started round 2; now Ada would be.
    by_sweeps(sheet, 0, parse_cards("Y2 Y3 Y4 Y6 Y7 Y9"))
    said = "Round 2: Grace started, and that stays. By the rules it would now be Ada"
    assert said in sheet.locator("footer").inner_text()
    sheet.get_by_role("button", name="Round 2", exact=True).click()
    pressed = sheet.locator(".star[aria-pressed=true]")
    assert pressed.get_attribute("aria-label") == "Grace starts"
    assert said in sheet.locator("footer").inner_text()
    sheet.reload()
    assert pressed.get_attribute("aria-label") == "Grace starts"
    sheet.get_by_role("button", name="Ada starts").click()
    assert pressed.get_attribute("aria-label") == "Ada starts"
    assert "that stays" not in sheet.locator("footer").inner_text()


@pytest.mark.parametrize(
    ("one", "two", "wagers", "said"),
    [
        ("RX RX", "RX RX R5", (), "Red wager: 4 of them, but there are only 3."),
        ("Y5", "Y5 R9", (), "Yellow 5 lies on both sides."),
        ("Y5 Y5", "R2", (), "Yellow 5 lies there twice."),
        ("PX P5", "R2", (), "P wager is not in this deck."),
        ("RX R9", "RX", (BySeat(("81",), ("81",)),), "(81) lies on both sides."),
    ],
)
def test_a_finished_sheet_that_cannot_be_says_why_and_has_no_winner(
    sheet: "Page", one: str, two: str, wagers: tuple[BySeat[tuple[str, ...]], ...], said: str
) -> None:
    deck = find_deck("mtttgc3" if wagers else "five")
    cards = BySeat(parse_cards(one), parse_cards(two))
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, deck, 0, (cards,), finished=True, wagers=wagers
    )
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    sheet.get_by_text("A sheet from a link").wait_for()
    why = sheet.locator(".summary .wrong")
    for keep in (False, True):
        if keep:
            sheet.get_by_role("button", name="Keep it on this device").click()
            sheet.get_by_role("button", name="Go on writing").wait_for()
        assert "Round 1 cannot be as it stands." in why.inner_text()
        assert said in why.inner_text()
        headings = sheet.locator(".summary h2").all_inner_texts()
        assert headings == ["This sheet cannot be as it stands"]
        assert sheet.locator("tfoot .best").count() == 0
    sheet.evaluate(DRAWN)
    with sheet.expect_download():
        sheet.get_by_role("button", name="Save as a picture").or_(
            sheet.get_by_role("button", name="Share as a picture")
        ).click()
    drawn = dict(sheet.evaluate("window.drawn"))
    assert "This sheet cannot be as it stands" in drawn
    totals = sheet.locator("tfoot td").all_inner_texts()
    assert totals == ["–", "–"]
    assert {drawn[text] for text in totals} == {"#16202a"}, "nobody's points stand back"


def test_a_round_that_cannot_be_is_left_out_of_the_totals(sheet: "Page") -> None:
    """Its points were summed up as if it could."""
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, find_deck("five"), 0,
        (BySeat(parse_cards("Y5"), parse_cards("Y5 R9")), BySeat(parse_cards("R10"), ())),
    )  # fmt: skip
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    said = "Round 1 is left out of the total, as it cannot be as it stands."
    sheet.get_by_text(said).wait_for()
    assert sheet.locator("tfoot td").all_inner_texts() == ["−10", "0"]
    struck = sheet.locator("tbody s").all_inner_texts()
    assert struck == ["−15", "−26"]
    sheet.get_by_role("button", name="Keep it on this device").click()
    assert sheet.locator(".points.out").count() == 2
    assert "Yellow 5 lies on both sides." in (
        sheet.locator(".points").first.get_attribute("title") or ""
    )
    sheet.get_by_role("button", name="Round 2", exact=True).click()
    footer = sheet.locator("footer").inner_text()
    assert "−10 : 0" in footer
    assert said in footer
    assert sheet.locator(".points.out").count() == 0
    sheet.evaluate(DRAWN)
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Share this sheet").click()
    with sheet.expect_download():
        sheet.get_by_role("button", name=re.compile("as a picture")).click()
    drawn = [text for text, _ in sheet.evaluate("window.drawn")]
    assert said in drawn
    assert {"−10", "0"} <= set(drawn)
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Sheets on this device").click()
    assert "−10 : 0" in sheet.locator("dialog li").inner_text()
    assert said in sheet.locator("dialog li").inner_text()


def test_names_cannot_turn_the_text_around_them(sheet: "Page") -> None:
    """A right-to-left override in a name turned the sentence after it, on the page and in pictures."""
    match = PaperMatch(
        BySeat("Ada\u202e", "שרה"), Rules(), None, find_deck("five"), 0,
        (BySeat(parse_cards("Y5"), parse_cards("R9")),), finished=True,
    )  # fmt: skip
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    heading = sheet.get_by_role("heading", level=2)
    heading.wait_for()
    assert heading.inner_text() == "\u2068שרה\u2069 wins"
    assert "\u202e" not in sheet.locator("main").inner_html()
    sheet.get_by_role("button", name="Keep it on this device").click()
    sheet.get_by_role("button", name="Go on writing").click()
    name = sheet.get_by_label("Name of player 2")
    assert name.get_attribute("dir") == "auto"
    name.fill("\u202eGr\u200bace\u0007")
    name.press("Tab")
    assert name.input_value() == "Grace"
