"""The home page while it stays open: what goes on at one's own tables, and which tables are open."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN, FakeRoom
from lostcities.core.rules import Rules
from lostcities.protocol.messages import PROTOCOL_VERSION
from rooms import RunningRoom, running_beside
from test_browser_company import named, someone
from test_browser_notices import HIDE
from test_browser_runout import table_of, take_seat, turn_by_keys

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RunningRoom]:
    with running_beside(tmp_path) as opened:
        yield opened


def a_room(*agents: dict[str, str]) -> dict[str, object]:
    """What a room with these programs says of itself."""
    return {
        "version": "0.1.0", "protocol": PROTOCOL_VERSION, "name": None, "agents": agents,
        "presets": [{"name": "room", "rules": str(Rules())}], "reach": "network",
        "base_url": ORIGIN, "secure": False,
    }  # fmt: skip


def test_my_tables_tell_of_a_turn_while_the_home_page_stays_open(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada, someone(browser, room) as grace:
        made = table_of(ada, "days=3")
        take_seat(grace, made["invite"], "Grace")
        grace.goto("/")
        line = grace.locator("a.table")
        line.wait_for()
        assert "your turn" not in line.inner_text()
        ada.locator(".prompt", has_text="Your turn").wait_for()
        turn_by_keys(ada)
        grace.locator("a.table", has_text="your turn").wait_for()


def test_programs_are_called_by_their_names_in_the_page_s_language(quiet: "Page") -> None:
    quiet.add_init_script("localStorage.setItem('lostcities', JSON.stringify({language: 'de'}))")
    room = FakeRoom(quiet, names=("Ada", "First game"), kinds=("person", "agent"))
    room.open()
    quiet.locator(".plaque .name", has_text="Erstes Spiel").wait_for()
    assert quiet.get_by_text("First game").count() == 0
    asked = FakeRoom(quiet, phase="waiting")
    asked.api["/api/room"] = a_room(
        {"name": "level1@2", "title": "First game", "description": "plays what fits"},
        {"name": "ours@1", "title": "Ours", "description": "plays by ear"},
    )
    asked.open("/")
    quiet.locator("option", has_text="Ours").wait_for(state="attached")
    assert quiet.locator(".start select option").all_inner_texts() == ["Erstes Spiel", "Ours"]


def test_my_tables_are_looked_at_anew_when_the_page_is_seen_again(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada:
        ada.clock.install()
        ada.goto("/")
        ada.get_by_text("No open table just now").wait_for()
        ada.evaluate(HIDE, True)
        made = ada.request.post(
            "/api/tables", data={"name": "Ada", "against": "friend", "rules": "room"}
        ).json()
        ada.clock.run_for(30_000)
        assert ada.locator("a.table").count() == 0, "nothing is asked for a page unseen"
        ada.evaluate(HIDE, False)
        ada.locator(f"a.table[href='{made['url']}']").wait_for()


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_level_is_begins_with_a_capital(quiet: "Page", language: str) -> None:
    """It stands under the choice as a sentence of its own."""
    keep = f"localStorage.setItem('lostcities', JSON.stringify({{ language: '{language}' }}))"
    quiet.add_init_script(keep)
    room = FakeRoom(quiet, phase="waiting")
    room.api["/api/room"] = a_room(
        {"name": "steady@1", "title": "Steady", "description": "weighs every card"},
        {"name": "ours@1", "title": "Ours", "description": "plays by ear"},
    )
    room.open("/")
    for name, begun in ("steady@1", ("Weighs", "Wägt")), ("ours@1", ("Plays by ear",) * 2):
        quiet.locator(".start select").select_option(value=name)
        said = quiet.locator(".start .small").inner_text()
        assert said.startswith(begun[language == "de"])


def test_open_tables_are_seen_on_a_phone_before_the_settings_of_a_new_one(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada, someone(browser, room) as bob:
        bob.goto("/")
        bob.get_by_text("No open table just now").wait_for()
        named(ada, "Ada")
        ada.get_by_role("button", name="Open a table").click()
        ada.wait_for_url("**/t/**")
        sit = bob.get_by_role("button", name="Sit down", exact=True)
        sit.wait_for()
        where, size = sit.bounding_box(), bob.viewport_size
        assert where is not None
        assert size is not None
        assert where["y"] + where["height"] < size["height"], "seen without scrolling"

        ada.get_by_role("button", name="Close this table").click()
        bob.reload()
        bob.get_by_text("No open table just now").wait_for()
        bob.get_by_label("Your name").fill("Bob")
        before = bob.get_by_label("Your name").bounding_box()
        named(ada, "Ada")
        ada.get_by_role("button", name="Open a table").click()
        sit.wait_for()
        assert bob.get_by_label("Your name").bounding_box() == before, "not under a finger"
