"""A page that is left while something goes on: nothing of it is read any more.

What warns is Svelte (`derived_inert`: a value of a page that is gone may be stale), and a warning on
the console fails a test (conftest.py).
"""

from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from fake_room import MIDDLE, FakeRoom
from lostcities.core.position import parse_position
from on_page import ready
from rooms import FirstLegal, RunningRoom, running_beside

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORD = resources.files("lostcities.conformance") / "data/records/m000.lcr"
GO = (
    "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
)
"""Another page of the room, without loading anything anew."""


@pytest.mark.parametrize(
    "position", [MIDDLE, MIDDLE.replace("0 |", "1 |", 1)], ids=["own", "other"]
)
def test_a_table_left_while_a_turn_is_shown(page: "Page", position: str) -> None:
    room = FakeRoom(page, position)
    room.open("/")
    page.get_by_role("heading").first.wait_for()
    for wait in (0, 10, 40, 150, 300, 500):
        room.state = parse_position(position)
        page.evaluate(GO, "/t/m1")
        ready(page)
        room.play("-YX*" if room.state.to_move == 0 else "-B5*")
        page.wait_for_timeout(wait)
        page.evaluate(GO, "/")
        page.get_by_label("Your name").wait_for()
    page.wait_for_timeout(600)


def test_a_table_left_while_a_card_flies(page: "Page") -> None:
    room = FakeRoom(page, MIDDLE)
    room.open("/")
    for wait in (0, 10, 100):
        page.evaluate(GO, "/t/m1")
        ready(page)
        page.keyboard.press("4")
        page.keyboard.press("d")
        page.wait_for_timeout(wait)
        page.evaluate(GO, "/")
        page.get_by_label("Your name").wait_for()
    page.wait_for_timeout(400)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    with running_beside(tmp_path_factory.mktemp("left"), agents=FirstLegal()) as opened:
        yield opened


def test_a_replay_left_while_a_round_is_fetched(browser: "Browser", room: RunningRoom) -> None:
    context = browser.new_context(base_url=room.url, service_workers="block")
    page = context.new_page()
    held: list[Route] = []
    page.goto("/")
    page.evaluate(GO, "/replay")
    page.locator("textarea").fill(RECORD.read_text("utf-8"))
    page.get_by_role("button", name="Look at it").click()
    ready(page)

    def hold(route: "Route") -> None:
        held.append(route)

    page.route("**/api/records/look", hold)
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    page.evaluate(GO, "/")
    page.get_by_label("Your name").wait_for()
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_timeout(500)
    context.close()
