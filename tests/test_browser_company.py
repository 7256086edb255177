"""Company in the browser: open tables, watching, talk, one device for two, the host, a class."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from rooms import RunningRoom, running_beside
from test_browser_access import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RunningRoom]:
    with running_beside(tmp_path, host_code="code") as found:
        yield found


class Somewhere(Protocol):
    """A room, however it runs."""

    @property
    def url(self) -> str: ...


@contextlib.contextmanager
def someone(browser: "Browser", room: Somewhere, **options: Any) -> "Iterator[Page]":
    """A person's own browser; an uncaught error on its page fails the test."""
    context = browser.new_context(
        base_url=room.url, reduced_motion="reduce",
        **{"viewport": {"width": 390, "height": 664}, "locale": "en-GB", **options},
    )  # fmt: skip
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def named(page: "Page", name: str) -> None:
    page.goto("/")
    page.get_by_label("Your name").fill(name)


def test_an_open_table_is_joined_watched_and_talked_at(
    browser: "Browser", room: RunningRoom
) -> None:
    wide = {"viewport": {"width": 1440, "height": 900}}
    with (
        someone(browser, room) as ada,
        someone(browser, room, **wide) as bob,
        someone(browser, room, color_scheme="dark") as eve,
    ):
        named(ada, "Ada")
        ada.get_by_role("button", name="Open a table").click()
        ada.wait_for_url("**/t/**")
        named(bob, "Bob")
        bob.get_by_text("Ada waits for somebody").wait_for()
        assert axe(bob) == []
        bob.get_by_role("button", name="Sit down", exact=True).click()
        bob.locator(".hand button").first.wait_for()

        named(eve, "Eve")
        eve.get_by_role("link", name="Watch").click()
        eve.get_by_text("You are watching").wait_for()
        assert eve.locator(".hand button").count() == 0
        assert axe(eve) == []

        bob.get_by_label("Write to the table").fill("<b>hello</b> there")
        bob.keyboard.press("Enter")
        ada.get_by_role("button", name="1 new line").click()
        ada.locator(".chat li", has_text="<b>hello</b> there").wait_for()
        assert axe(ada) == []
        ada.get_by_label("Ready phrases").select_option("good_luck")
        bob.locator(".chat li", has_text="Good luck!").wait_for()
        bob.get_by_role("button", name="Mute the other").click()
        bob.locator(".chat li", has_text="Good luck!").wait_for(state="detached")

        bob.get_by_label("Write to the table").fill("/resign")
        bob.keyboard.press("Enter")
        bob.get_by_text("Type /resign again").wait_for()
        bob.get_by_label("Write to the table").fill("/resign")
        bob.keyboard.press("Enter")
        bob.get_by_role("heading", name="Ada wins").wait_for()
        bob.keyboard.press("Escape")
        bob.get_by_label("Write to the table").fill("/leave")
        bob.keyboard.press("Enter")
        bob.get_by_text("No open table just now").wait_for()


def share_device(page: "Page", *, takebacks: bool = False) -> None:
    """A table of Ada, who starts, and Bob on one device."""
    named(page, "Ada")
    page.locator("summary").click()
    page.get_by_label("Name of the other").fill("Bob")
    page.get_by_label("Your seat").select_option("0")
    page.get_by_label("More rules").fill("first=0")
    if takebacks:
        page.get_by_label("Takebacks, if the other allows them").check()
    page.get_by_role("button", name="Two on this device").click()


def test_two_share_a_device_behind_a_curtain(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as page:
        share_device(page)
        page.get_by_role("heading", name="Ada, take the device").wait_for()
        assert page.locator(".hand").count() == 0
        assert axe(page) == []
        page.keyboard.press("Enter")
        page.locator(".hand button").first.wait_for()
        page.keyboard.press("1")
        page.keyboard.press("d")
        page.keyboard.press("0")
        page.get_by_role("button", name="Hide and pass on").click()
        page.get_by_role("heading", name="Bob, take the device").wait_for()
        assert page.locator(".hand").count() == 0
        # Ada's page says aloud what she drew; that must not stand there for Bob.
        assert page.locator("p.unseen[role=status]").inner_text() == ""
        page.reload()
        page.get_by_role("heading", name="Bob, take the device").wait_for()
        assert page.locator(".hand").count() == 0, "nor after a reload"
        page.get_by_role("button", name="Show my hand").click()
        page.locator(".hand button").first.wait_for()
        page.get_by_text("Your turn").first.wait_for()


def test_the_host_makes_a_class_and_stops_it(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as host, someone(browser, room) as ada:
        host.goto("/host")
        host.get_by_label("Code", exact=True).fill("code")
        host.get_by_role("button", name="Take the desk").click()
        host.get_by_label("Name of the class").fill("4b")
        host.get_by_role("button", name="Make a class link").click()
        host.get_by_alt_text("The class link").wait_for()
        assert axe(host) == []
        link = host.locator("article .link").inner_text()
        ada.goto("/c/" + link.rpartition("/c/")[2])
        ada.get_by_role("heading", name="Sit down in 4b").wait_for()
        assert axe(ada) == []
        ada.get_by_label("Nickname").fill("Ada")
        ada.get_by_role("button", name="Sit down").click()
        ada.wait_for_url("**/t/**")
        host.get_by_text("Ada is waiting").wait_for(timeout=10_000)


def test_the_host_is_told_when_the_odd_one_of_a_class_is_seated(
    browser: "Browser", room: RunningRoom
) -> None:
    """With 0 seconds nobody was seated, and nothing said that it was for the host to do."""
    with someone(browser, room) as host:
        host.goto("/host")
        host.get_by_label("Code", exact=True).fill("code")
        host.get_by_role("button", name="Take the desk").click()
        host.get_by_text("With 0 seconds only when you press “Seat the odd one”.").wait_for()
        wait = host.get_by_label("After how many seconds")
        told = {"0": "once you press “Seat the odd one”", "1": "after 1 second."}
        for seconds, words in told.items():
            host.get_by_label("Name of the class").fill(f"class {seconds}")
            host.get_by_label("Plays the odd one out").select_option("first")
            wait.fill(seconds)
            host.get_by_role("button", name="Make a class link").click()
            group = host.locator("article", has_text=f"class {seconds}")
            assert words in group.inner_text(timeout=5000)
        host.get_by_label("Plays the odd one out").select_option("")
        assert wait.is_disabled()
        host.get_by_label("Name of the class").fill("alone")
        host.get_by_role("button", name="Make a class link").click()
        group = host.locator("article", has_text="alone")
        assert "The odd one waits for somebody to come." in group.inner_text(timeout=5000)
        assert axe(host) == []


def test_the_host_tells_tables_of_the_same_names_apart(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as host, someone(browser, room) as ada:
        ada.goto("/")
        for rules in ("room", "long"):
            wish = {"name": "Ada", "against": "first", "seat": 0, "rules": f"{rules} first=0"}
            ada.goto(ada.request.post("/api/tables", data=wish).json()["url"])
            ada.locator(".hand button").first.wait_for()
            if rules == "long":
                for key in "1d0":
                    ada.keyboard.press(key)
                ada.wait_for_function("() => document.querySelector('.last') !== null")
            # Seconds are told, and nobody begins two tables in one.
            ada.wait_for_timeout(1000)
        host.goto("/host")
        host.get_by_label("Code", exact=True).fill("code")
        host.get_by_role("button", name="Take the desk").click()
        rows = host.locator("article", has_text="Ada – ")
        rows.nth(1).wait_for()
        assert len(set(rows.locator("h3").all_inner_texts())) == 2, "by when they were begun"
        ada.goto("/")
        wish = {"name": 40 * "W", "seat": 0}
        ada.goto(ada.request.post("/api/tables", data=wish).json()["url"])
        ada.wait_for_function(
            "() => document.title === 'Waiting for a friend\u00a0… – Lost Cities'"
        )
        host.set_viewport_size({"width": 390, "height": 844})
        host.reload()
        host.get_by_text(40 * "W").first.wait_for()
        wide = "() => document.documentElement.scrollWidth - innerWidth"
        assert host.evaluate(wide) <= 0, "a long name breaks"
        said = rows.all_inner_texts()
        assert sum("6 colours" in each for each in said) == 1
        assert all("begun " in each for each in said)
        assert sum("last turn or change" in each for each in said) == 1


@pytest.mark.parametrize("who", ["the host", "she herself"])
def test_a_table_closed_before_its_first_round_offers_nothing_that_fails(
    browser: "Browser", room: RunningRoom, who: str
) -> None:
    """Play again was refused, the replay fetched for ever, and the record had no round."""
    with someone(browser, room) as host, someone(browser, room) as ada:
        assert host.request.post("/api/host", data={"code": "code"}).ok
        ada.goto("/")
        made = ada.request.post("/api/tables", data={"name": "Ada"}).json()
        ada.goto(f"/t/{made['match']}")
        ada.get_by_role("heading", name="Invite a friend").wait_for()
        if who == "the host":
            order = f"/api/host/tables/{made['match']}"
            assert host.request.post(order, data={"do": "close"}).ok
        else:
            assert ada.request.post(f"/api/tables/{made['match']}/leave").ok
        dialog = ada.locator("dialog", has_text="The table is closed")
        dialog.get_by_role("link", name="Back to the start").wait_for()
        assert dialog.get_by_role("button", name="Play again").count() == 0
        assert dialog.get_by_role("link", name="Replay").count() == 0
        assert dialog.get_by_role("link", name="Download the record").count() == 0
        ada.goto(f"/replay/{made['match']}")
        ada.get_by_text("No round has been played at this table.").wait_for()
        assert ada.get_by_text("Fetching").count() == 0
        assert axe(ada) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_class_of_twenty_five_browsers(browser: "Browser", room: RunningRoom) -> None:
    with contextlib.ExitStack() as stack:
        host = stack.enter_context(someone(browser, room))
        host.goto("/host")
        host.get_by_label("Code", exact=True).fill("code")
        host.get_by_role("button", name="Take the desk").click()
        host.get_by_label("Name of the class").fill("4b")
        host.get_by_label("Plays the odd one out").select_option("first")
        host.get_by_label("After how many seconds").fill("0")
        host.get_by_role("button", name="Make a class link").click()
        address = "/c/" + host.locator("article .link").inner_text().rpartition("/c/")[2]
        pupils = [stack.enter_context(someone(browser, room)) for _ in range(25)]
        for number, pupil in enumerate(pupils):
            pupil.goto(address)
            pupil.get_by_label("Nickname").fill(f"Pupil {number}")
            pupil.get_by_role("button", name="Sit down").click()
            pupil.wait_for_url("**/t/**")
        host.get_by_text("13 tables").wait_for(timeout=15_000)
        host.get_by_role("button", name="Seat the odd one").click()
        for pupil in pupils:
            pupil.locator(".hand button").first.wait_for(timeout=30_000)
        host.locator("article", has_text="4b").last.get_by_role("button", name="Pause").click()
        for pupil in pupils:
            pupil.get_by_text("The host has stopped the table").first.wait_for(timeout=30_000)
