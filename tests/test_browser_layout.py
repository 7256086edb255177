"""The layout of the page: what fits on which screen, measured in a real browser."""

from typing import TYPE_CHECKING

import pytest

from fake_room import FIVE_FULL, MIDDLE, SIX_FULL, FakeRoom
from lostcities.core.rules import Rules
from on_page import SCROLLS, box, ready, sized

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SIX = Rules(colours=6)
LONGEST = (
    "0 | Y10 B2 W9 W10 G9 G2 G3 R10 | ?8 | YX YX YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 | "
    "BX BX BX B3 B4 B5 B6 B7 B8 B9 B10 | - | ?4"
)
PHONES = [(390, 664), (360, 640)]
BETWEEN = [(1000, 760), (1024, 768), (1087, 800)]
"""Widths at which the sheet and the log just fit beside the board."""

# What of each card can be seen, measured where the strips are: a point in the middle of a strip must
# belong to that very card, and the strip must be as high as the step to its neighbour.
STRIPS = """() => [...document.querySelectorAll('.row')].map((row) => {
  const up = row.classList.contains('up');
  const box = row.getBoundingClientRect();
  const cards = [...row.querySelectorAll('.place')].map((place) => place.getBoundingClientRect());
  const steps = cards.slice(1).map((card, i) =>
    up ? cards[i].bottom - card.bottom : card.top - cards[i].top);
  const seen = cards.map((card, i) => {
    const step = steps[i] ?? 12;
    const x = card.left + card.width * 0.3;
    const y = up ? card.bottom - step / 2 : card.top + step / 2;
    const hit = document.elementFromPoint(x, y)?.closest('.place');
    return hit === row.querySelectorAll('.place')[i];
  });
  const last = cards.at(-1);
  const whole = last === undefined ? true
    : last.top >= box.top - 0.5 && last.bottom <= box.bottom + 0.5;
  const rest = last === undefined ? null : (up ? last.bottom - box.top : box.bottom - last.top);
  return { cards: cards.length, steps, seen, whole, rest };
})"""
PLACES = """() => [...document.querySelectorAll('.row .place')].map((place) => {
  const box = place.getBoundingClientRect();
  return [box.left, box.top, box.width, box.height].map((v) => Math.round(v * 100) / 100);
})"""


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize(("position", "rules"), [(FIVE_FULL, Rules()), (SIX_FULL, SIX)])
def test_full_rows_fit_a_phone_without_scrolling(
    quiet: "Page", size: tuple[int, int], position: str, rules: Rules
) -> None:
    page = sized(quiet, size)
    FakeRoom(page, position, rules).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert {row["cards"] for row in rows} == {8}
    assert len(rows) == (5 if rules.colours == 5 else 6)
    for row in rows:
        assert min(row["steps"]) >= 12
        assert all(row["seen"])
        assert row["whole"]


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("rules", [Rules(), SIX])
def test_hand_and_prompt_stay_visible_with_large_targets(
    quiet: "Page", size: tuple[int, int], rules: Rules
) -> None:
    page = sized(quiet, size)
    FakeRoom(page, SIX_FULL if rules is SIX else FIVE_FULL, rules).open()
    ready(page)
    for card in page.locator(".hand button").all():
        target = card.bounding_box()
        assert target is not None
        assert target["width"] >= 44
        assert target["height"] >= 44
        assert target["x"] >= 0
        assert target["x"] + target["width"] <= size[0]
    line = box(page, ".prompt")
    assert line["y"] + line["height"] <= size[1]
    for selector in (".middle .pile", ".middle .deck", ".menu", ".plaque"):
        inside = box(page, selector)
        assert inside["x"] >= 0
        assert inside["y"] >= 0


@pytest.mark.parametrize("size", PHONES)
def test_even_the_longest_row_shows_every_card(quiet: "Page", size: tuple[int, int]) -> None:
    page = sized(quiet, size)
    FakeRoom(page, LONGEST).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert [row["cards"] for row in rows] == [11, 11]
    for row in rows:
        assert min(row["steps"]) >= 12
        assert all(row["seen"])
        assert row["rest"] >= 24


def test_a_hand_of_twelve_lies_in_two_rows(quiet: "Page") -> None:
    page = sized(quiet, (360, 640))
    hand = "YX Y5 B3 WX W2 G7 R4 R9 Y9 B9 W9 G9"
    FakeRoom(page, f"0 | {hand} | ?12 | - | - | - | ?9", Rules(hand=12)).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    boxes = [card.bounding_box() for card in page.locator(".hand button").all()]
    assert len({round(each["y"]) for each in boxes if each}) == 2
    assert all(each and each["width"] >= 44 and each["height"] >= 44 for each in boxes)


def test_a_phone_on_its_side_shows_everything(quiet: "Page") -> None:
    page = sized(quiet, (844, 390))
    FakeRoom(page, SIX_FULL, SIX).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert min(min(row["steps"]) for row in rows) >= 12
    assert all(row["whole"] and all(row["seen"]) for row in rows)
    line = box(page, ".prompt")
    assert line["y"] + line["height"] <= 390


@pytest.mark.parametrize(
    "size", [(390, 844), (412, 915), (820, 1180), (1180, 820), (1440, 900), *BETWEEN]
)
def test_larger_screens_use_larger_strips(quiet: "Page", size: tuple[int, int]) -> None:
    page = sized(quiet, size)
    FakeRoom(page, SIX_FULL, SIX).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    least = 18 if size[1] >= 840 else 15
    assert min(min(row["steps"]) for row in rows) >= least
    assert all(row["whole"] for row in rows)
    assert box(page, ".desk")["width"] <= 1100 or size[0] < 1000
    for side in page.locator(".side:visible").all():
        placed = side.bounding_box()
        assert placed
        assert placed["x"] >= 0
        assert placed["x"] + placed["width"] <= size[0]


@pytest.mark.parametrize("name", ["Alexandra Konstantinopolous", "Z" * 40])
def test_the_longest_name_does_not_widen_a_phone(quiet: "Page", name: str) -> None:
    page = sized(quiet, (360, 640))
    FakeRoom(page, names=(name, name)).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    said = page.locator(".prompt .text")
    assert said.evaluate("each => each.scrollWidth - each.clientWidth") <= 0, "it breaks"


@pytest.mark.parametrize(("colours", "hand"), [(3, 8), (4, 8), (5, 8), (6, 8), (5, 12)])
def test_the_other_hand_shows_all_its_backs_whole(quiet: "Page", colours: int, hand: int) -> None:
    """With few colours cards are large, and the fourth row of backs lay under the middle."""
    rules = Rules(colours=colours, hand=hand)
    cards = " ".join(f"{suit}{rank}" for suit in "YBW" for rank in range(2, 6))[: 3 * hand - 1]
    FakeRoom(quiet, f"0 | {cards} | ?{hand} | - | - | - | ?9", rules).open()
    ready(quiet)
    for size in [*PHONES, (390, 844), (820, 1180), (1440, 900), (844, 390)]:
        sized(quiet, size)
        place, middle = box(quiet, ".theirs"), box(quiet, ".middle")
        backs = [each.bounding_box() for each in quiet.locator(".theirs .mini").all()]
        assert len(backs) == hand
        for back in backs:
            assert back
            assert back["width"] >= 10
            assert back["y"] + back["height"] <= min(middle["y"], place["y"] + place["height"])


def test_a_laid_card_never_moves(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    before = page.evaluate(PLACES)
    page.keyboard.press("8")
    assert page.evaluate(PLACES) == before
    page.keyboard.press("p")
    page.wait_for_timeout(400)
    staged = page.evaluate(PLACES)
    assert len(staged) == len(before) + 1
    assert all(place in staged for place in before)
    page.keyboard.press("Escape")
    assert page.evaluate(PLACES) == before
    away = {"clock": None, "away": [None, None]}
    room.tell({"type": "presence", "present": [True, False], **away})
    page.get_by_role("button", name="Menu").click()
    page.keyboard.press("Escape")
    assert page.evaluate(PLACES) == before
