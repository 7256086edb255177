"""The page follows the size of text that a person has set in the browser."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from msgspec import to_builtins

import chromium
from fake_room import FIVE_FULL, MIDDLE, SIX_FULL, FakeRoom
from lostcities.core.rules import Rules
from lostcities.protocol.terms import Terms
from on_page import SCROLLS, box, ready, sized
from test_browser_languages import BEYOND
from test_browser_layout import STRIPS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONES = [(390, 664), (360, 640)]
SCREENS = [*PHONES, (820, 1180), (1440, 900)]
USUAL = 16
SIZE = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"
LEAST = """() => Math.min(1000, ...[...document.querySelectorAll('p, li')]
  .filter((each) => each.offsetHeight > 0 && each.textContent.length > 20)
  .filter((each) => each.closest('.unseen, .board') === null)
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
"""The smallest text of a paragraph in sight; 1000 before there is any."""
CUT = """() => [...document.querySelectorAll('.plaque .total, .deck .left, .ledger .num, .prompt .text')]
  .filter((each) => {
    const text = document.createRange();
    text.selectNodeContents(each);
    const place = each.closest('.plaque, .deck, .ledger, .prompt').getBoundingClientRect();
    const box = text.getBoundingClientRect();
    return box.height > place.height + 8 || box.top < place.top - 4 || box.bottom > place.bottom + 4;
  }).map((each) => `${each.className}: ${each.textContent}`)"""
"""Text of the board that is higher than its place."""
BEYOND_ALL = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const box = each.getBoundingClientRect();
  if (each.childElementCount > 0 || each.closest('.unseen, svg')) return false;
  for (let up = each; up !== null; up = up.parentElement) {
    if (getComputedStyle(up).overflowX === 'auto') return false;
  }
  return box.width > 1 && box.right > innerWidth + 0.5;
}).map((each) => `${each.tagName}.${each.className}: ${each.textContent.trim().slice(0, 60)}`)"""
"""What lies beyond the right edge, other than in a place that scrolls by itself."""


@pytest.fixture(scope="module", params=[24, 32])
def larger(request: pytest.FixtureRequest) -> int:
    """Pixels of the browser's own text: 150 % and 200 %."""
    size: int = request.param
    return size


@pytest.fixture(scope="module")
def browser(larger: int) -> "Iterator[Browser]":
    with chromium.opened(f"--blink-settings=defaultFontSize={larger}") as found:
        yield found


@pytest.mark.parametrize("size", SCREENS)
def test_pages_of_text_follow_the_browsers_own_size(
    quiet: "Page", larger: int, size: tuple[int, int]
) -> None:
    page = sized(quiet, size)
    room = FakeRoom(page)
    room.api["/api/invites/k3y"] = {
        "host": "Ada",
        "rules": str(Rules()),
        "open": True,
        "match": None,
    }
    for path in ("/", "/rules", "/learn", "/i/k3y", "/nowhere"):
        room.open(path)
        page.wait_for_function(f"() => ({LEAST})() < 1000")
        assert page.evaluate(LEAST) >= 0.8 * larger, path
        assert page.evaluate(SCROLLS)[0] == 0, path
        assert page.evaluate(BEYOND_ALL) == [], path


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize(
    ("position", "rules"), [(FIVE_FULL, Rules()), (SIX_FULL, Rules(colours=6))]
)
def test_the_table_fits_and_its_text_grows(
    quiet: "Page", larger: int, size: tuple[int, int], position: str, rules: Rules
) -> None:
    page = sized(quiet, size)
    FakeRoom(page, position, rules).open()
    ready(page)
    assert page.evaluate(SCROLLS)[0] == 0
    if size[0] >= 390:
        assert page.evaluate(SCROLLS) == [0, 0]
    assert page.evaluate(SIZE, ".prompt") > 1.25 * USUAL
    assert page.evaluate(SIZE, ".plaque .total") > 1.25 * 18
    assert page.evaluate(BEYOND) == []
    assert page.evaluate(CUT) == []
    for row in page.evaluate(STRIPS):
        assert not row["cards"] or (min(row["steps"]) >= 12 and row["whole"])
    for card in page.locator(".hand button").all():
        target = card.bounding_box()
        assert target is not None
        assert min(target["width"], target["height"]) >= 44


def test_the_opponent_can_be_read_beside_the_button(quiet: "Page") -> None:
    for width in (320, 360, 390):
        page = sized(quiet, (width, 664))
        FakeRoom(page).open("/")
        page.locator("option", has_text="Steady").first.wait_for(state="attached")
        field, button = box(page, ".start select"), box(page, ".start .btn")
        assert field["width"] > 110
        beside = field["x"] + field["width"] <= button["x"]
        assert beside or field["y"] + field["height"] <= button["y"]


@pytest.mark.parametrize("size", PHONES)
def test_a_turn_is_played_by_its_buttons(quiet: "Page", size: tuple[int, int]) -> None:
    page = sized(quiet, size)
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    page.keyboard.press("8")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Deck", exact=True).click()
    page.get_by_text("Grace to move").wait_for()
    line = box(page, ".prompt")
    assert line["y"] + line["height"] <= size[1]
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("heading", name="Menu").wait_for()
    assert page.evaluate(SIZE, "dialog .btn") >= 24
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth")
    assert page.evaluate(BEYOND) == []


OUTSIDE = """() => [...document.querySelectorAll('.needs, .mine .lays, .mine .lays strong')].filter((each) => {
  const text = document.createRange();
  text.selectNodeContents(each);
  const inner = text.getBoundingClientRect();
  const frame = each.closest('.aid, .lays').getBoundingClientRect();
  return inner.left < frame.left - 0.5 || inner.right > frame.right + 0.5
    || inner.top < frame.top - 2 || inner.bottom > frame.bottom + 2;
}).map((each) => `${each.className}: ${each.textContent}`)"""
"""What a learner is told, and lays left, beyond their own places."""


@pytest.mark.parametrize("size", [*PHONES, (390, 844)])
def test_what_a_learner_is_told_is_read_whole(quiet: "Page", size: tuple[int, int]) -> None:
    """It said "18 to g", and the count of lays crossed its frame."""
    page = sized(quiet, size)
    room = FakeRoom(page, MIDDLE)
    room.extra = {"terms": {**to_builtins(Terms()), "aids": True}}
    room.open()
    ready(page)
    assert page.locator(".needs").count() > 1
    assert page.evaluate(OUTSIDE) == []
    field, lays = box(page, ".field"), box(page, ".mine .lays")
    assert lays["y"] + lays["height"] <= field["y"] + field["height"]
