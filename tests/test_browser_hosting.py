"""What the host does at the command line, and what people see of it in their browsers."""

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from running import run_apart
from serving import Serving
from test_browser_company import someone
from test_browser_runout import WIDE, table_of, take_seat, turn_by_keys

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS = "four plain words here"


def sign_in(page: "Page", passphrase: str) -> None:
    page.goto("/account")
    page.locator("summary", has_text="Sign in").click()
    form = page.locator("details form").first
    form.get_by_label("Name to sign in by").fill("Ada")
    form.get_by_label("Passphrase").fill(passphrase)
    form.get_by_role("button", name="Sign in").click()


def reset(room: Serving) -> str:
    """What the host does for who has forgotten a passphrase; the one for once, as it is printed."""
    order = ("db", "reset-passphrase", "Ada", "--data-dir", str(room.folder))
    refused = run_apart(*order)
    assert refused.status == 1, "not while the room is open"
    room.stop()
    done = run_apart(*order)
    assert (done.status, done.err) == (0, "")
    room.start()
    return done.lines[0].partition(": ")[2]


def test_a_forgotten_passphrase_is_reset_by_the_host(browser: "Browser", serving: Serving) -> None:
    with (
        someone(browser, serving) as ada,
        someone(browser, serving, **WIDE) as phone,
        someone(browser, serving) as grace,
    ):
        made = table_of(ada, "")
        take_seat(grace, made["invite"], "Grace")
        ada.goto("/account")
        ada.get_by_label("Name to sign in by").first.fill("Ada")
        ada.get_by_label("Passphrase").first.fill(WORDS)
        ada.get_by_role("button", name="Keep my matches").click()
        ada.get_by_role("heading", name="Signed in as Ada").wait_for()
        ada.goto(made["url"])
        ada.locator(".hand button").first.wait_for()
        sign_in(phone, WORDS)
        phone.get_by_role("heading", name="Signed in as Ada").wait_for()

        fresh = reset(serving)
        # The browser in which somebody else may sit has no seat any more, not even in an open page.
        ada.get_by_text("This browser has no seat at this table").first.wait_for(timeout=40_000)
        assert ada.locator(".hand button").count() == 0
        phone.goto("/games")
        phone.get_by_text("No matches yet").wait_for()
        sign_in(phone, WORDS)
        phone.locator("[role=alert]", has_text="do not belong together").wait_for()
        sign_in(phone, fresh)
        phone.get_by_role("heading", name="Signed in as Ada").wait_for()
        phone.get_by_text("The host has reset your passphrase").wait_for()
        phone.goto("/games")
        phone.locator("[role=alert]", has_text="Choose a new one").wait_for()
        assert phone.locator("a.game").count() == 0

        phone.goto("/account")
        phone.get_by_label("Present passphrase").fill(fresh)
        phone.get_by_label("New passphrase").fill("other plain words")
        phone.get_by_role("button", name="Change it").click()
        phone.get_by_text("The passphrase is changed").wait_for()
        assert phone.get_by_text("The host has reset your passphrase").count() == 0
        phone.goto("/games")
        phone.locator("a.game", has_text="against Grace").wait_for()
        phone.goto(made["url"])
        phone.locator(".hand button").first.wait_for()
        turn_by_keys(phone)
        grace.wait_for_function("() => document.title.startsWith('Your turn')")


def test_a_restored_copy_goes_on_with_the_live_match(
    browser: "Browser", serving: Serving, tmp_path: Path
) -> None:
    with someone(browser, serving) as ada, someone(browser, serving, **WIDE) as grace:
        made = table_of(ada, "")
        take_seat(grace, made["invite"], "Grace")
        ada.locator(".prompt", has_text="Your turn").wait_for()
        turn_by_keys(ada)
        grace.wait_for_function("() => document.title.startsWith('Your turn')")
        hands = [cards(page) for page in (ada, grace)]
        copy = tmp_path / "copies" / "room.sqlite3"
        copy.parent.mkdir()
        done = run_apart("db", "backup", str(copy), "--data-dir", str(serving.folder))
        assert (done.status, done.err) == (0, "")

        # The match goes on meanwhile; the disk dies with it, and what was played since the copy.
        turn_by_keys(grace)
        ada.wait_for_function("() => document.title.startsWith('Your turn')")
        serving.kill()
        said = shlex.split(done.lines[1].partition("lostcities serve ")[2])
        serving.folder = tmp_path / "another machine"
        serving.folder.mkdir()
        serving.options = tuple(said)
        serving.start()

        # Nobody does anything: the open pages find the table again, as it was at the copy.
        grace.wait_for_function("() => document.title.startsWith('Your turn')", timeout=40_000)
        for page in (ada, grace):
            page.locator(".linkbar").wait_for(state="detached", timeout=40_000)
        assert [cards(page) for page in (ada, grace)] == hands
        for page in (grace, ada, grace):
            page.wait_for_function("() => document.title.startsWith('Your turn')")
            turn_by_keys(page)
        ada.reload()
        ada.locator(".hand button").first.wait_for()
        match = made["match"]
        record = ada.request.get(f"/api/tables/{match}/record").text()
        assert len(re.findall(r"(?m)^[-+]|(?<= )[-+][YBWGR]", record)) >= 4


def cards(page: "Page") -> list[str]:
    found: list[str] = page.locator(".hand button").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    return found
