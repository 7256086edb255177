"""The pages that explain: rules with boards, rows to work out, and the tutorial."""

import re
from typing import TYPE_CHECKING

import pytest

from fake_room import FakeRoom
from on_page import SCROLLS, sized
from test_browser_access import axe
from test_browser_languages import BEYOND, CUT_OFF

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

STEPS = 12


def opened(page: "Page", path: str) -> "Page":
    FakeRoom(page).open(path)
    page.get_by_role("heading", level=1).wait_for()
    return page


def alone(page: "Page") -> list[str]:
    """What the page asks of the room while it is used: it should be nothing."""
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url) if "/api/" in request.url else None
    )
    return asked


def test_rows_are_worked_out_as_cards_are_added(quiet: "Page") -> None:
    asked = alone(quiet)
    opened(quiet, "/rules")
    live = quiet.locator(".live")
    assert live.locator(".total").inner_text().split() == ["Together", "44"]
    live.get_by_role("button", name="A lone wager").click()
    assert live.locator(".total").inner_text().split() == ["Together", "−40"]
    live.get_by_role("button", name="Red 10", exact=True).click()
    assert "(10−20)×2 =" in live.locator("output").nth(4).inner_text()
    live.get_by_role("button", name="Yellow 2", exact=True).press("Enter")
    assert live.locator(".total").inner_text().split() == ["Together", "−38"]
    live.get_by_role("button", name="1 wager in red").click()
    assert live.locator("output").nth(4).inner_text().split()[-1] == "−30"
    live.get_by_role("button", name="Five rows").click()
    assert live.locator(".total").inner_text().split() == ["Together", "18"]
    assert asked == []


def test_the_list_of_parts_leads_to_each_of_them(quiet: "Page") -> None:
    opened(quiet, "/rules")
    link = quiet.locator(".contents a").last
    link.click()
    part = (link.get_attribute("href") or "").removeprefix("#")
    quiet.wait_for_function(
        "id => Math.abs(document.getElementById(id).getBoundingClientRect().top) < 200"
        " || scrollY + innerHeight >= document.scrollingElement.scrollHeight - 1",
        arg=part,
    )
    assert quiet.evaluate("scrollY") > 1000
    assert quiet.url.endswith(f"/rules#{part}")


def test_a_disputed_point_is_tried_on_a_board(quiet: "Page") -> None:
    asked = alone(quiet)
    opened(quiet, "/rules")
    point = quiet.locator("#may-i-take-the-card-under-it")
    assert "hands out the card underneath" in point.inner_text()
    point.get_by_role("link", name="Try it on the board").click()
    quiet.get_by_role("heading", level=1, name="May I take the card under it?").wait_for()
    quiet.locator(".hand button").nth(1).click()
    quiet.get_by_role("button", name="Discard", exact=True).click()
    quiet.get_by_role("button", name=re.compile("^Red pile")).click(force=True)
    quiet.get_by_text("it is shut for this turn").first.wait_for()
    quiet.get_by_role("button", name="Deck", exact=True).click()
    quiet.get_by_text("The example ends here.").wait_for()
    quiet.get_by_role("button", name="Set it up again").click()
    quiet.get_by_text("Your turn: play or discard a card").wait_for()
    quiet.get_by_role("link", name="Next").click()
    quiet.get_by_role("heading", level=1, name="A wager discarded on a wager").wait_for()
    assert asked == []


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (390, 844)])
def test_the_whole_board_of_an_example_is_in_view_on_a_phone(
    quiet: "Page", size: tuple[int, int]
) -> None:
    """Once its lower part, with the hand, lay below the edge."""
    opened(sized(quiet, size), "/rules")
    places = quiet.locator("a.try").evaluate_all("links => links.map(a => a.pathname)")
    assert len(places) > 50
    for place in places[:: 1 if size == (390, 664) else 6]:
        FakeRoom(quiet).open(place)
        quiet.locator(".stage .tray").wait_for()
        assert quiet.evaluate(SCROLLS) == [0, 0], place
        tray = quiet.locator(".stage .tray").bounding_box()
        text = quiet.locator(".words .text").bounding_box()
        assert tray is not None
        assert text is not None
        assert tray["y"] + tray["height"] <= size[1] + 1, place
        assert text["height"] >= 100, "and enough of the words"


def test_a_long_answer_has_room_on_a_phone(quiet: "Page") -> None:
    """It used to scroll in a box of four lines, then two rows of its table, however little the board needed."""
    opened(sized(quiet, (390, 844)), "/rules/who-starts-the-next-round")
    quiet.locator(".stage .tray").wait_for()
    text = quiet.locator(".words .text").bounding_box()
    tray = quiet.locator(".stage .tray").bounding_box()
    assert text is not None
    assert tray is not None
    assert text["height"] >= 300
    assert tray["y"] + tray["height"] <= 845
    # A short one leaves the board its size.
    opened(quiet, "/rules/wagers-and-nothing-else")
    quiet.locator(".stage .tray").wait_for()
    board = quiet.locator(".beside .ground").bounding_box()
    assert board is not None
    assert board["height"] >= 540


def test_the_line_of_an_answer_plays_by_itself(quiet: "Page") -> None:
    opened(quiet, "/rules/can-a-round-go-on-for-ever")
    quiet.get_by_role("button", name="Play what the answer says").click()
    quiet.get_by_text("The example ends here.").wait_for(timeout=10_000)


def test_the_tutorial_by_keyboard_alone(quiet: "Page") -> None:
    """Every step is walked, its heading has the focus, and each turn's consequence is told."""
    asked = alone(quiet)
    opened(quiet, "/learn")
    titles, told = [], []
    for step in range(STEPS):
        quiet.get_by_text(f"Step {step + 1} of {STEPS}").wait_for()
        heading = quiet.get_by_role("heading", level=1)
        titles.append(heading.inner_text())
        if step > 0:
            assert heading.evaluate("e => e === document.activeElement")
        if step == STEPS - 1:
            break
        if quiet.get_by_role("button", name="Skip this").count():
            told.append(one_turn(quiet))
        tab_to(quiet, "Next")
        quiet.keyboard.press("Enter")
    assert len(set(titles)) == STEPS
    assert told[1] == "Red: (0−20)×2 = −40"
    assert told[4] == "Red: (26−20)×4+20 = 44"
    assert asked == []
    tab_to(quiet, "Start over")
    quiet.keyboard.press("Enter")
    quiet.get_by_text(f"Step 1 of {STEPS}").wait_for()


TURNS = {
    "Your first turn": ("Green 4", "p", "0"),
    "Wagers": ("Red wager", "p", "0"),
    "Only upwards": ("Red 6", "p", "0"),
    "Discards, and the barred pile": ("Green 3", "d", "b"),
    "Long rows": ("Red 10", "p", "0"),
    "The end of the round": ("Yellow 9", "p", "0"),
}
"""By step, a turn: the card, play or discard, and where to draw."""


def one_turn(page: "Page") -> str:
    """Play the turn of a step by keys; what is told of the row, once it is told."""
    title = page.get_by_role("heading", level=1).inner_text()
    cards = page.locator(".hand button")
    cards.first.wait_for()
    card, lay, draw = TURNS[title]
    names = [cards.nth(n).get_attribute("aria-label") for n in range(cards.count())]
    for key in (str(names.index(card) + 1), lay, draw):
        page.keyboard.press(key)
    page.locator(".outcome .sum").wait_for()
    return page.locator(".outcome .sum").inner_text()


def tab_to(page: "Page", name: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"no way to {name!r} by Tab")


def test_the_tutorial_goes_on_where_it_was_left(quiet: "Page") -> None:
    opened(quiet, "/learn")
    for _ in range(6):
        quiet.locator(".actions .btn").first.click()
    title = quiet.get_by_role("heading", level=1).inner_text()
    quiet.reload()
    quiet.get_by_text("You are back where you left off.").wait_for()
    assert quiet.get_by_role("heading", level=1).inner_text() == title
    quiet.get_by_role("button", name="Red wager").click()
    quiet.get_by_role("button", name="Play", exact=True).click()
    quiet.get_by_role("button", name="Deck", exact=True).click()
    quiet.locator(".outcome .sum").wait_for()
    quiet.get_by_role("button", name="Try another card").click()
    quiet.get_by_text("Your turn: play or discard a card").wait_for()
    assert quiet.locator(".outcome .sum").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_cut_off_and_axe_is_content(
    browser: "Browser", locale: str, scheme: str
) -> None:
    context = browser.new_context(
        locale=locale, viewport={"width": 360, "height": 640}, reduced_motion="reduce",
        color_scheme="dark" if scheme == "dark" else "light",
    )  # fmt: skip
    page = context.new_page()
    for path in ("/rules", "/rules/who-starts-the-next-round", "/rules/house-rules", "/learn"):
        opened(page, path)
        page.wait_for_timeout(200)
        assert page.evaluate(SCROLLS)[0] == 0
        assert page.evaluate(BEYOND) == []
        assert page.evaluate(CUT_OFF) == []
        assert axe(page) == []
    for _ in range(STEPS - 1):
        page.locator(".actions .btn").first.click()
        page.wait_for_timeout(50)
        assert page.evaluate(SCROLLS)[0] == 0
        assert page.evaluate(CUT_OFF) == []
    assert axe(page) == []
    context.close()
