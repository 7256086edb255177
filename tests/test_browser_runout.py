"""Two real browsers: a time that runs out, and somebody who goes and does not come back."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from lostcities.core.record_text import parse_record
from rooms import RunningRoom, running_beside
from test_browser_company import someone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PATIENCE = 60_000
"""How long, in milliseconds, the times of these tables may take to run out: they are seconds."""
WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    with running_beside(tmp_path_factory.mktemp("runout")) as opened:
        yield opened


def table_of(page: "Page", pace: str) -> Any:
    """A table of seat 0, who starts. The form offers no times as short as a test wants them."""
    wish = {"name": "Ada", "against": "friend", "seat": 0, "rules": "room first=0", "pace": pace}
    made: Any = page.request.post("/api/tables", data=wish).json()
    page.goto(made["url"])
    return made


def take_seat(page: "Page", invite: str, name: str) -> None:
    page.goto(invite)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take the seat").click()
    page.locator(".hand button").first.wait_for()


@contextlib.contextmanager
def two(browser: "Browser", room: RunningRoom, pace: str) -> "Iterator[tuple[Page, Page]]":
    """Ada, to move, on a phone and Grace before a screen."""
    with someone(browser, room) as ada, someone(browser, room, **WIDE) as grace:
        made = table_of(ada, pace)
        take_seat(grace, made["invite"], "Grace")
        ada.locator(".hand button").first.wait_for()
        yield ada, grace


def clock_runs(page: "Page", whose: str) -> None:
    """The clock of a seat is on the page, and less is left on it a moment later."""
    clock = page.locator(f"[data-clock={whose}].runs [aria-hidden]")
    first = clock.inner_text()
    page.wait_for_function(
        "([whose, first]) => document.querySelector(`[data-clock=${whose}] [aria-hidden]`)"
        "?.textContent !== first",
        arg=[whose, first],
    )


def ended(page: "Page", heading: str, how: str) -> None:
    page.get_by_role("heading", name=heading).wait_for(timeout=PATIENCE)
    page.locator("dialog").get_by_text(how).wait_for()


def termination(page: "Page") -> str:
    match = page.url.rsplit("/", 1)[1]
    record = parse_record(page.request.get(f"/api/tables/{match}/record").text())
    return str(record.termination)


def turn_by_keys(page: "Page") -> None:
    page.keyboard.press("1")
    page.keyboard.press("d")
    page.keyboard.press("0")
    page.wait_for_function("() => !document.title.startsWith('Your turn')")


def test_a_time_that_runs_out_loses_before_both(browser: "Browser", room: RunningRoom) -> None:
    with two(browser, room, "turn=5 timeout=forfeit") as (ada, grace):
        clock_runs(ada, "mine")
        clock_runs(grace, "theirs")
        for _ in range(2):
            ended(ada, "Grace wins", "Your time ran out.")
            ended(grace, "You win", "Ada’s time ran out.")
            assert termination(ada) == termination(grace) == "time 0"
            ada.reload()
            grace.reload()


def test_a_time_that_runs_out_plays_a_safe_turn_before_both(
    browser: "Browser", room: RunningRoom
) -> None:
    with two(browser, room, "turn=6 timeout=safe") as (ada, grace):
        ada.locator(".prompt", has_text="Your time for this turn was up.").wait_for(
            timeout=PATIENCE
        )
        first = grace.locator(".log li").first
        for _ in range(2):
            assert " ".join(first.inner_text().split()).startswith("Ada · time was up discards")
            ada.locator(".hand button").nth(7).wait_for()
            ada.reload()
            grace.reload()
            ada.locator(".hand button").first.wait_for()
            first.wait_for()
        second = grace.locator(".log li", has_text="Grace · time was up").first
        second.wait_for(timeout=PATIENCE)
        ada.wait_for_function("() => document.title.startsWith('Your turn')")


def test_whoever_vanishes_is_waited_for_or_given_up(browser: "Browser", room: RunningRoom) -> None:
    with contextlib.ExitStack() as stack:
        ada = stack.enter_context(someone(browser, room))
        other = ada.context.new_page()
        gone = []
        for page, name in ((ada, "Grace"), (other, "Hedy")):
            made = table_of(page, "absent=10")
            with someone(browser, room) as guest:
                take_seat(guest, made["invite"], name)
                page.locator(".hand button").first.wait_for()
                turn_by_keys(page)
                gone.append((guest.context.storage_state(), made["url"]))

        bar = ada.get_by_role("group", name="Grace is away.")
        bar.get_by_role("button", name="End the match").click(timeout=PATIENCE)
        for _ in range(2):
            ended(ada, "You win", "Grace stayed away, so the match was ended as abandoned.")
            assert termination(ada) == "abandoned 1"
            ada.reload()

        waited = other.get_by_role("group", name="Hedy is away.")
        waited.get_by_role("button", name="End the match").wait_for(timeout=PATIENCE)
        waited.get_by_role("button", name="Wait").click()
        waited.wait_for(state="detached")
        state, url = gone[1]
        hedy = stack.enter_context(someone(browser, room, storage_state=state))
        hedy.goto(url)
        hedy.locator(".hand button").first.wait_for()
        turn_by_keys(hedy)
        other.wait_for_function("() => document.title.startsWith('Your turn')")

        grace = stack.enter_context(someone(browser, room, storage_state=gone[0][0]))
        grace.goto(gone[0][1])
        ended(grace, "Ada wins", "You stayed away, so the match was ended as abandoned.")
