"""A class in the browser: who waits, who comes back, and the orders that ask once more."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.service.attendance import GRACE
from lostcities.service.timekeeper import monotonic_ms
from rooms import RunningRoom, running_beside
from test_browser_access import axe
from test_browser_company import someone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@dataclass
class Later:
    """A clock that can be put forward."""

    by: int = 0

    def __call__(self) -> int:
        return monotonic_ms() + self.by


@pytest.fixture
def clock() -> Later:
    return Later()


@pytest.fixture
def room(tmp_path: Path, clock: Later) -> Iterator[RunningRoom]:
    with running_beside(tmp_path, host_code="code", monotonic=clock) as found:
        yield found


def a_class(host: "Page", wait: int = 0) -> str:
    """The address of a new class."""
    assert host.request.post("/api/host", data={"code": "code"}).ok
    wish = {"label": "4b", "rules": "room first=0", "agent": "first", "wait": wait}
    return str(host.request.post("/api/host/classes", data=wish).json()["url"])


def arrive(page: "Page", address: str, name: str) -> str:
    """Sit down in a class; the address of the table."""
    page.goto(address)
    page.get_by_label("Nickname").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/t/**")
    return page.url


def test_who_comes_back_finds_who_waits_at_one_table(
    browser: "Browser", room: RunningRoom, clock: Later
) -> None:
    """Ada comes and closes the page, Bob comes and waits, Ada returns."""
    with someone(browser, room) as host, someone(browser, room) as ada, contextlib.ExitStack() as s:
        address = a_class(host)
        hers = arrive(ada, address, "Ada")
        ada.get_by_role("heading", name="Waiting for the next of 4b").wait_for()
        host.goto("/host")
        host.get_by_text("Ada is waiting").wait_for()
        ada.goto("about:blank")
        clock.by += GRACE + 5000
        host.get_by_text("Ada was waiting and is gone").wait_for()
        host.get_by_text("not here now").wait_for()
        assert host.get_by_role("button", name="Seat the odd one").is_disabled()
        assert axe(host) == []

        bob = s.enter_context(someone(browser, room))
        his = arrive(bob, address, "Bob")
        assert his != hers
        bob.get_by_role("heading", name="Waiting for the next of 4b").wait_for()
        assert bob.get_by_role("button", name="Close this table").count() == 0
        assert bob.get_by_label("Write to the table").count() == 0
        assert axe(bob) == []

        ada.goto(hers)
        ada.wait_for_url(his)
        for page in (ada, bob):
            page.locator(".hand button").first.wait_for()
        said = ada.locator("p.unseen[role=status]")
        assert said.inner_text().startswith("You have a partner: Bob.")
        ada.locator(".prompt").get_by_text("You have a partner: Bob.").wait_for()
        host.get_by_text("Ada – Bob").or_(host.get_by_text("Bob – Ada")).wait_for()
        assert host.get_by_text("waiting").count() == 0
        # The way back does not lead to the table that was left, nor to and fro.
        ada.go_back()
        assert ada.url != hers


def test_the_focus_is_kept_when_the_page_goes_to_another_table(
    browser: "Browser", room: RunningRoom
) -> None:
    with (
        someone(browser, room) as host,
        someone(browser, room) as bob,
        someone(browser, room) as ada,
    ):
        address = a_class(host)
        his = arrive(bob, address, "Bob")
        # Two wait side by side only while the host lets one of their tables rest.
        order = f"/api/host/tables/{his.rpartition('/')[2]}"
        assert host.request.post(order, data={"do": "pause"}).ok
        hers = arrive(ada, address, "Ada")
        assert hers != his
        ada.get_by_role("link", name="Back to the start").focus()
        assert host.request.post(order, data={"do": "go_on"}).ok
        bob.reload()
        ada.wait_for_url(his)
        ada.wait_for_function("() => document.activeElement.closest('.hand') !== null")
        ada.reload()
        ada.locator(".hand button").first.wait_for()
        assert "partner" not in ada.locator("p.unseen[role=status]").inner_text()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_a_pupil_reads_for_whom_they_wait(
    browser: "Browser", room: RunningRoom, language: str
) -> None:
    words = {
        "en-GB": (
            "Waiting for the next of 4b …",
            "If nobody has come after 45 seconds, the program First takes the seat.",
            "This class is over",
            "Back to the start",
            "Close this table",
        ),
        "de-DE": (
            "Warten auf die nächste Person aus 4b …",
            "Ist nach 45 Sekunden niemand gekommen, übernimmt das Programm First den Platz.",
            "Diese Klasse ist beendet",
            "Zurück zum Anfang",
            "Diesen Tisch schließen",
        ),
    }[language]
    with someone(browser, room) as host, someone(browser, room, locale=language) as ada:
        address = a_class(host, wait=45)
        code = address.rpartition("/")[2]
        joined = ada.request.post(f"/api/classes/{code}", data={"name": "Ada"}).json()
        ada.goto(joined["url"])
        ada.get_by_role("heading", name=words[0]).wait_for()
        ada.get_by_text(words[1]).wait_for()
        assert ada.title().startswith(words[0].removesuffix(" …"))
        ada.get_by_role("link", name=words[3]).wait_for()
        assert ada.get_by_role("button", name=words[4]).count() == 0
        assert axe(ada) == []
        assert host.request.post(f"/api/host/classes/{code}", data={"do": "end"}).ok
        ada.get_by_role("heading", name=words[2]).wait_for()
        ada.get_by_role("button", name=words[4]).wait_for()


def test_two_in_a_class_that_rests_read_that_both_are_here(
    browser: "Browser", room: RunningRoom
) -> None:
    with (
        someone(browser, room) as host,
        someone(browser, room) as bob,
        someone(browser, room) as ada,
    ):
        address = a_class(host)
        order = f"/api/host/classes/{address.rpartition('/')[2]}"
        assert host.request.post(order, data={"do": "pause"}).ok
        arrive(bob, address, "Bob")
        bob.get_by_text("The class is paused. Matches begin when the host goes on.").wait_for()
        arrive(ada, address, "Ada")
        bob.get_by_role("heading", name="You have a partner: Ada.").wait_for()
        ada.get_by_role("heading", name="You have a partner: Bob.").wait_for()
        ada.get_by_text("The match begins when the host lets it.").wait_for()
        assert axe(ada) == []
        assert host.request.post(order, data={"do": "go_on"}).ok
        for page in (ada, bob):
            page.locator(".hand button").first.wait_for()


FOCUSED = "() => document.activeElement.textContent.trim()"


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ("Send away", "You have been asked to leave"),
        ("Ban", "This room is shut to you"),
        ("Ban with address", "This room is shut to you"),
    ],
)
def test_what_the_host_does_to_people_is_asked_once_more(
    browser: "Browser", room: RunningRoom, act: str, told: str
) -> None:
    """One press sent people away, or shut the room to them."""
    with someone(browser, room) as host, someone(browser, room) as ada:
        ada.goto("/")
        made = ada.request.post("/api/tables", data={"name": "Ada", "against": "first"}).json()
        ada.goto(made["url"])
        ada.locator(".hand button").first.wait_for()
        assert host.request.post("/api/host", data={"code": "code"}).ok
        host.goto("/host")
        button = host.get_by_role("button", name=act, exact=True)
        button.focus()
        # The key pressed twice does nothing: the focus is on the answer that does nothing.
        host.keyboard.press("Enter")
        group = host.get_by_role("group")
        group.wait_for()
        assert "Ada" in group.inner_text()
        assert host.evaluate(FOCUSED) == "No"
        assert axe(host) == []
        host.keyboard.press("Enter")
        group.wait_for(state="detached")
        assert host.evaluate(FOCUSED) == act
        host.keyboard.press("Enter")
        host.keyboard.press("Escape")
        group.wait_for(state="detached")
        assert host.evaluate(FOCUSED) == act
        # It waits for its answer while the desk is looked at anew.
        host.keyboard.press("Enter")
        with host.expect_response("**/api/host", timeout=10_000):
            pass
        assert host.evaluate(FOCUSED) == "No"
        assert ada.locator(".hand button").count() > 0
        host.keyboard.press("Shift+Tab")
        assert host.evaluate(FOCUSED) == "Yes"
        host.keyboard.press("Enter")
        ada.get_by_role("heading", name=told).wait_for()
        group.wait_for(state="detached")
        host.wait_for_function("() => document.activeElement !== document.body")


def test_a_class_link_is_ended_only_when_asked_twice(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as host:
        a_class(host)
        host.goto("/host")
        host.get_by_role("button", name="End the link").click()
        host.get_by_role("button", name="No", exact=True).click()
        host.get_by_role("heading", name="4b").wait_for()
        host.get_by_role("button", name="End the link").click()
        host.get_by_role("button", name="Yes", exact=True).click()
        host.get_by_role("heading", name="4b").wait_for(state="detached")
