"""The clocks on the page, and somebody who stays away."""

from typing import TYPE_CHECKING

import pytest

from fake_room import MIDDLE, SIX_FULL, FakeRoom
from lostcities.core.rules import Rules
from on_page import SCROLLS, ready, sized

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LONG_NAMES = ("Alexandra Konstantinopolous", "Maximiliane von Hohenstein")


def clock(page: "Page", whose: str) -> str:
    return page.locator(f"[data-clock={whose}] [aria-hidden]").inner_text()


def test_the_time_that_runs_is_counted_down(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.pace = "clock=300+5"
    room.clock = {"left": [83_000, 240_000], "running": [True, False]}
    room.open()
    ready(quiet)
    assert clock(quiet, "theirs") == "4:00"
    quiet.wait_for_function(
        "() => document.querySelector('[data-clock=mine] [aria-hidden]').textContent === '1:21'"
    )
    assert clock(quiet, "theirs") == "4:00"
    assert quiet.locator(".soon").count() == 0
    room.clock = {"left": [12_000, 240_000], "running": [True, False]}
    room.tell(
        {"type": "presence", "present": [True, True], "clock": room.clock, "away": [None] * 2}
    )
    quiet.locator(".soon").wait_for()
    assert clock(quiet, "mine") in ("0:12", "0:11")


def test_the_end_of_ones_time_is_spoken_once(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.pace = "turn=60"
    room.clock = {"left": [30_600, None], "running": [True, False]}
    room.open()
    ready(quiet)
    quiet.get_by_role("status").filter(has_text="30 seconds left for you").wait_for()


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (1440, 900), (844, 390)])
@pytest.mark.parametrize("left", [[3 * 86_400_000, None], [3_599_000, 3_599_000]])
def test_clocks_neither_make_the_table_scroll_nor_hide_long_names(
    quiet: "Page", size: tuple[int, int], left: list[int | None]
) -> None:
    page = sized(quiet, size)
    room = FakeRoom(page, SIX_FULL, Rules(colours=6), names=LONG_NAMES, totals=(-128, 215))
    room.pace = "clock=3600+0"
    room.clock = {"left": left, "running": [True, False]}
    room.open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    for each in page.locator(".plaque").all():
        plaque, total = each.bounding_box(), each.locator(".total").bounding_box()
        assert plaque
        assert total
        assert total["x"] + total["width"] <= plaque["x"] + plaque["width"]
        assert each.locator(".name").bounding_box()["width"] >= 60  # type: ignore[index]


def away_from(page: "Page", ms: int, pace: str = "") -> FakeRoom:
    """A table where Grace, whose turn it is, has gone; in ``ms`` the match may be ended for it."""
    room = FakeRoom(page, MIDDLE.replace("0 |", "1 |", 1))
    room.away = [None, ms]
    room.pace = pace or room.pace
    room.open()
    ready(page)
    return room


def test_somebody_away_is_told_and_the_match_may_be_ended(quiet: "Page") -> None:
    room = away_from(quiet, 181_000, "absent=190")
    bar = quiet.get_by_role("group", name="Grace is away.")
    bar.get_by_text("You may end the match in 3:").wait_for()
    assert bar.get_by_role("button", name="End the match").count() == 0
    room.tell({"type": "presence", "present": [True, False], "clock": None, "away": [None, 300]})
    bar.get_by_role("button", name="End the match").click()
    assert len(room.commands("end_absent")) == 1


def test_one_may_wait_and_whoever_comes_back_is_not_held_up(quiet: "Page") -> None:
    room = away_from(quiet, 0)
    bar = quiet.get_by_role("group", name="Grace is away.")
    bar.get_by_role("button", name="Wait").click()
    bar.wait_for(state="detached")
    here = {"type": "presence", "present": [True, True], "clock": None, "away": [None, None]}
    room.tell(here)
    room.tell({**here, "present": [True, False], "away": [None, 170_000]})
    bar.wait_for()
    room.tell(here)
    bar.wait_for(state="detached")


def test_who_would_rather_wait_may_still_end_the_match_once_the_time_is_up(quiet: "Page") -> None:
    """*Wait* took the bar away for as long as the other was."""
    room = away_from(quiet, 100_000)
    bar = quiet.get_by_role("group", name="Grace is away.")
    bar.get_by_role("button", name="Wait").click()
    bar.wait_for(state="detached")
    room.tell({"type": "presence", "present": [True, False], "clock": None, "away": [None, 300]})
    bar.get_by_role("button", name="End the match").wait_for()
    bar.get_by_role("button", name="Wait").click()
    bar.wait_for(state="detached")


def test_a_moment_away_is_not_worth_a_word(quiet: "Page") -> None:
    away_from(quiet, 180_000)
    quiet.wait_for_timeout(300)
    assert quiet.get_by_role("group", name="Grace is away.").count() == 0


def test_the_time_rules_stand_in_the_invitation_and_in_the_menu(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.pace = "turn=60 timeout=safe"
    room.api["/api/invites/k3y"] = {
        "host": "Grace",
        "rules": str(room.rules),
        "open": True,
        "pace": room.table()["pace"],
        "match": None,
    }
    room.open("/i/k3y")
    quiet.get_by_text("1 minute a turn").wait_for()
    quiet.get_by_text("discards the lowest card").wait_for()
    quiet.get_by_text("stays away for 3 minutes").wait_for()
    room.open()
    ready(quiet)
    quiet.keyboard.press("m")
    quiet.get_by_text("1 minute a turn. Whose time is up discards").wait_for()
