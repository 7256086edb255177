"""Counts and learner aids at the table, in a real browser."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins

from fake_room import FIVE_FULL, MIDDLE, SIX_FULL, FakeRoom
from lostcities.core.rules import Rules
from lostcities.protocol.terms import Terms
from on_page import SCROLLS, box, prompt, ready, sized
from test_browser_access import axe
from test_browser_layout import PHONES, STRIPS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


class Watched(FakeRoom):
    """A room in which each seat has seen the other take a card from a pile."""

    def view(self) -> dict[str, Any] | None:
        view = super().view()
        return None if view is None else {**view, "known": ["B8"], "exposed": ["R9"]}


def opened(
    page: "Page", terms: Terms, position: str = MIDDLE, rules: Rules | None = None
) -> FakeRoom:
    room = Watched(page, position, rules)
    room.extra["terms"] = to_builtins(terms)
    room.open()
    ready(page)
    return room


def cells(page: "Page", colour: str) -> list[str]:
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=colour))
    return [cell.locator("[aria-hidden]").inner_text() for cell in row.get_by_role("cell").all()]


def test_what_has_gone_by_is_on_a_sheet_that_keys_and_taps_open(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    opened(page, Terms())
    button = page.get_by_role("button", name="9 lays left")
    assert box(page, "button.lays")["height"] >= 44
    button.click()
    sheet = page.get_by_role("dialog", name="Counts")
    sheet.get_by_text("17 cards left in the deck.").wait_for()
    assert cells(page, "Yellow") == ["2 3", "·", "9"]
    assert cells(page, "Blue") == ["4 7", "×", "·"]
    assert cells(page, "Red") == ["× × 2", "·", "3 6"]
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    sheet.wait_for()


def test_the_draw_step_says_what_a_pile_does_to_own_lays(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    opened(page, Terms())
    page.keyboard.press("2")
    page.keyboard.press("d")
    page.get_by_text("Your lays left then: deck 8, pile 8").wait_for()
    assert prompt(page).startswith("Now draw")
    line = box(page, ".prompt .text")
    assert line["y"] + line["height"] <= 664
    opened(page, Terms(count_lays=False))
    page.keyboard.press("2")
    page.keyboard.press("d")
    page.get_by_text("Now draw: deck or lit pile").wait_for()
    assert page.get_by_text("Your lays left").count() == 0


def test_each_count_can_be_left_out(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    opened(page, Terms())
    assert page.locator(".theirs [data-spot=known-1-B8]").count() == 1
    assert page.locator(".hand .eye").count() == 1
    assert page.locator(".deck .left").inner_text() == "17"
    assert page.locator(".pile .count").count() > 0
    none = Terms(count_deck=False, count_lays=False, count_gone=False, count_known=False)
    opened(page, none)
    assert page.locator(".theirs [data-spot^=known]").count() == 0
    assert page.get_by_role("img", name="Grace’s hand, 8 cards").count() == 1
    assert page.locator(".hand .eye").count() == 0
    assert page.locator(".deck .left").count() == 0
    assert page.locator(".deck .unseen").inner_text() == "Deck"
    assert page.locator(".pile .count").count() == 0
    assert page.locator(".lays").count() == 0
    page.keyboard.press("c")
    assert page.get_by_role("dialog").count() == 0
    page.keyboard.press("k")
    page.locator("[aria-live] span", has_text=re.compile(r"^Deck\.$")).wait_for(state="attached")
    assert axe(page) == []


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize(
    ("position", "rules"), [(FIVE_FULL, Rules()), (SIX_FULL, Rules(colours=6))]
)
def test_learner_aids_leave_full_rows_in_view(
    quiet: "Page", size: tuple[int, int], position: str, rules: Rules
) -> None:
    page = sized(quiet, size)
    opened(page, Terms(aids=True), position, rules)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert {row["cards"] for row in rows} == {8}
    for row in rows:
        assert min(row["steps"]) >= 12
        assert row["whole"]


def test_learner_aids_follow_the_staged_lay(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    opened(page, Terms(aids=True))
    aids = page.get_by_role("group", name="What your rows need")
    assert aids.get_by_role("img").count() == 3
    aids.get_by_role("img", name="Yellow: 15 points to go; on the pile: 9").wait_for()
    page.keyboard.press("2")
    # The half of the table that plays a card begins where the own rows do.
    middle, zone = box(page, ".middle"), box(page, ".zone.play")
    assert abs(middle["y"] + middle["height"] - zone["y"]) <= 24
    page.keyboard.press("p")
    aids.get_by_role("img", name="Yellow: 10 points to go; on the pile: 9").wait_for()
    assert axe(page) == []


def test_the_form_makes_such_a_table_and_the_joiner_reads_it(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    bodies: list[Any] = []
    quiet.on(
        "request",
        lambda request: bodies.append(request.post_data_json) if request.method == "POST" else None,
    )
    room.open("/")
    quiet.locator("summary").click()
    quiet.get_by_label("Cards left in the deck").uncheck()
    quiet.get_by_label("Learner aids for both").check()
    room.api["/api/tables"] = {"match": "m1", "seat": 0, "url": "/t/m1", "invite": None}
    quiet.get_by_role("button", name="Play a program").click()
    quiet.wait_for_url("**/t/m1")
    terms = Terms(count_deck=False, aids=True)
    assert bodies[0]["terms"] == to_builtins(terms)
    room.api["/api/invites/k3y"] = {
        "host": "Ada", "rules": str(Rules()), "open": True, "terms": to_builtins(terms), "match": None,
    }  # fmt: skip
    room.open("/i/k3y")
    quiet.get_by_text("Learner aids for both; the match counts in no results").wait_for()
    quiet.get_by_text("Not shown at the table: cards left in the deck").wait_for()
