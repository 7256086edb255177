"""Score sheets of real tables in the history of who is signed in, in a real browser."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.core.seats import BySeat
from lostcities.table.sheet_link import read_link, write_link
from on_sheet import ROUNDS, by_sweeps, cell
from rooms import RunningRoom, running_beside
from test_browser_access import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    with running_beside(tmp_path_factory.mktemp("sheets")) as opened:
        yield opened


@pytest.fixture
def context(browser: "Browser", room: RunningRoom) -> "Iterator[BrowserContext]":
    opened = browser.new_context(
        base_url=room.url, viewport={"width": 390, "height": 664}, reduced_motion="reduce",
        service_workers="block",
    )  # fmt: skip
    yield opened
    opened.close()


@pytest.fixture
def page(context: "BrowserContext") -> "Iterator[Page]":
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []


def sign_up(page: "Page", name: str) -> None:
    page.goto("/account")
    page.get_by_label("Name to sign in by").first.fill(name)
    page.get_by_label("Passphrase", exact=True).first.fill("four plain words here")
    page.get_by_role("button", name="Keep my matches").click()
    page.get_by_text(f"Signed in as {name}").wait_for()


def write_sheet(page: "Page", names: tuple[str, str] = ("Ada", "Grace")) -> None:
    page.goto("/sheet")
    page.locator(".block").first.wait_for()
    for number, name in enumerate(names, 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    _, both = ROUNDS["worked"]
    for seat in (0, 1):
        by_sweeps(page, seat, both[seat])


def finish(page: "Page") -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Finish the match").click()
    page.get_by_role("heading", name="Grace wins").wait_for()


def writes_on_and_finishes(page: "Page") -> None:
    """One more tap on a kept sheet, finished, and the list of matches afterwards."""
    page.get_by_role("button", name="Go on writing").click()
    cell(page, 1, 4, 9).click()
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    page.goto("/games")
    page.locator(".paper").wait_for()


def on_another_device(page: "Page") -> None:
    """Signed in there too, and without the sheets of this one."""
    page.evaluate(
        "Object.keys(localStorage).filter((key) => key !== 'lostcities')"
        ".forEach((key) => localStorage.removeItem(key))"
    )


def copied(page: "Page") -> str:
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {"
        " writeText: (text) => { window.copied = text; return Promise.resolve(); } } })"
    )
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("The link is copied").wait_for()
    return str(page.evaluate("window.copied"))


def test_a_guest_s_sheet_is_sent_nowhere(page: "Page") -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    write_sheet(page)
    finish(page)
    assert page.get_by_text("history").count() == 0
    assert [url for url in asked if "/api/" in url] == []


def test_a_finished_sheet_is_in_the_history_and_opens_from_it(page: "Page") -> None:
    sign_up(page, "Ada")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    write_sheet(page)
    assert [url for url in asked if "/api/" in url] == [], "nothing before it is finished"
    finish(page)
    page.get_by_text("Kept in your history as Ada.").wait_for()
    assert axe(page) == []
    page.get_by_role("link", name="My matches").click()
    entry = page.locator(".paper")
    entry.wait_for()
    said = entry.inner_text()
    assert all(each in said for each in ("real table", "Ada – Grace", "18 : 44", "1 of 3 rounds"))
    assert axe(page) == []
    page.get_by_label("Where").select_option("here")
    page.get_by_text("No match fits.").wait_for()
    page.get_by_label("Where").select_option("paper")
    entry.get_by_role("link").click()
    page.get_by_text("A sheet from your history, where it is kept as Ada, and on this").wait_for()
    assert page.get_by_role("heading", name="Grace wins").is_visible()
    assert "(35−20)×3+20" in page.locator("details").inner_text()
    page.go_back()
    page.get_by_role("button", name="Delete this sheet of Ada – Grace").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_text("No matches yet.").wait_for()


def test_a_sheet_from_the_history_is_told_to_be_kept(page: "Page") -> None:
    """It used to say that it was not kept yet, and offered to keep it in the history again."""
    sign_up(page, "Frida")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    on_another_device(page)
    page.goto("/games")
    page.locator(".paper").get_by_role("link").click()
    told = page.get_by_text("A sheet from your history, where it is kept as Frida.")
    told.wait_for()
    page.reload()
    told.wait_for()
    link = page.evaluate("location.href")
    page.get_by_role("button", name="Keep it on this device").click()
    page.get_by_text("Kept in your history as Frida.").wait_for()
    assert page.get_by_role("button", name="Keep in my history").count() == 0
    page.goto("/games")
    page.goto(link)
    page.get_by_role("button", name="Open it to write on").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sheets on this device").click()
    assert page.locator("dialog li").count() == 1


def test_a_sheet_that_is_written_on_again_stays_one(page: "Page") -> None:
    sign_up(page, "Berta")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    page.reload()
    page.get_by_text("Kept in your history").wait_for()
    writes_on_and_finishes(page)
    assert "18 : 33" in page.locator(".paper").inner_text()
    assert page.locator(".paper").count() == 1


@pytest.mark.parametrize("way", ["history", "link"])
def test_a_sheet_finished_on_a_second_device_stays_one(page: "Page", way: str) -> None:
    """It used to be a second entry of the history there."""
    sign_up(page, f"Gerda {way}")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    first = dict(page.evaluate("({ ...localStorage })"))
    link = copied(page)
    on_another_device(page)
    if way == "link":
        page.goto("about:blank")
        page.goto(link)
    else:
        page.goto("/games")
        page.locator(".paper").get_by_role("link").click()
    page.get_by_role("button", name="Keep it on this device").click()
    writes_on_and_finishes(page)
    assert page.locator(".paper").count() == 1
    assert "18 : 33" in page.locator(".paper").inner_text()
    # Back on the first device the sheet still stands as it was, and the newer one is put in its place.
    page.evaluate(
        "(kept) => { localStorage.clear();"
        " for (const key in kept) localStorage.setItem(key, kept[key]); }", first,
    )  # fmt: skip
    page.reload()
    page.locator(".paper").get_by_role("link").click()
    page.get_by_text("On this device it stands otherwise").wait_for()
    assert axe(page) == []
    page.get_by_role("button", name="Put this one in its place").click()
    page.get_by_text("Kept in your history").wait_for()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sheets on this device").click()
    assert page.locator("dialog li").count() == 1
    assert "18 : 33" in page.locator("dialog li").inner_text()


def test_a_sheet_takes_the_place_of_a_newer_one_from_a_slow_clock(page: "Page") -> None:
    """It was refused again and again, as older than what it was to replace."""
    sign_up(page, "Ines")
    page.clock.set_fixed_time("2020-01-01")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    # The same sheet, written on by another device whose clock is right.
    link, name = page.evaluate(
        "(() => { const id = JSON.parse(localStorage['lostcities.sheet-open']);"
        " return [JSON.parse(localStorage['lostcities.sent.' + id]).link, id]; })()"
    )
    newer = write_link(replace(read_link(link), names=BySeat("Ada", "Gracia")))
    other = {"id": name, "link": newer, "played": 1_700_000_000_000}
    assert page.request.post("/api/sheets", data=other).status == 201
    page.get_by_role("button", name="Go on writing").click()
    cell(page, 1, 4, 9).click()
    finish(page)
    page.get_by_text("as it was written on elsewhere").wait_for()
    page.get_by_role("button", name="Put this one in its place").click()
    page.get_by_text("Kept in your history").wait_for()
    page.get_by_role("button", name="Go on writing").click()
    cell(page, 1, 4, 6).click()
    finish(page)
    page.get_by_text("Kept in your history").wait_for()


def test_a_sheet_that_the_history_has_already_is_kept_by_its_name_there(page: "Page") -> None:
    """A copy of it, kept from a link that says no name, used to become a second entry later."""
    sign_up(page, "Hanna")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    link = page.evaluate(
        "JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('lostcities.sent'))[1]).link"
    )
    assert "#" in link
    on_another_device(page)
    page.goto("about:blank")
    page.goto("/sheet" + link)
    page.get_by_role("button", name="Keep it on this device").click()
    page.get_by_role("button", name="Keep in my history").click()
    page.get_by_text("Kept in your history").wait_for()
    writes_on_and_finishes(page)
    assert page.locator(".paper").count() == 1


def test_a_sheet_waits_for_a_room_that_is_out_of_reach(page: "Page") -> None:
    sign_up(page, "Cleo")
    page.goto("/sheet")
    page.locator(".block").first.wait_for()
    page.route("**/api/sheets", lambda route: route.abort())
    write_sheet(page)
    finish(page)
    page.get_by_text("as soon as the room answers").wait_for()
    page.unroute("**/api/sheets")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_text("Kept in your history as Cleo.").wait_for()


def test_whoever_was_signed_out_elsewhere_is_told(page: "Page", context: "BrowserContext") -> None:
    sign_up(page, "Dora")
    write_sheet(page)
    context.clear_cookies()
    finish(page)
    page.get_by_text("Not kept in your history: This browser is not signed in.").wait_for()
    assert page.evaluate("JSON.parse(localStorage.lostcities).account") == ""


def test_taking_along_has_the_sheets(page: "Page", tmp_path: Path) -> None:
    sign_up(page, "Emmy")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history").wait_for()
    page.get_by_role("link", name="My matches").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="All records").click()
    content = Path(download.value.path()).read_bytes()
    assert b"lostcities/sheets.csv" in content


def test_a_sheet_written_on_elsewhere_is_not_called_kept_nor_overwritten(
    context: "BrowserContext", page: "Page", browser: "Browser", room: RunningRoom
) -> None:
    """The first device went on saying that it was kept, and replaced the other's version unasked."""
    sign_up(page, "Jutta")
    write_sheet(page)
    finish(page)
    page.get_by_text("Kept in your history as Jutta.").wait_for()
    second = browser.new_context(
        base_url=room.url, storage_state=context.storage_state(), service_workers="block"
    )
    other = second.new_page()
    other.goto("/games")
    on_another_device(other)
    other.locator(".paper").get_by_role("link").click()
    other.get_by_role("button", name="Keep it on this device").click()
    writes_on_and_finishes(other)
    there = other.locator(".paper").inner_text()
    page.goto("/sheet")
    otherwise = page.get_by_text("Your history has this sheet otherwise")
    otherwise.wait_for()
    assert page.get_by_text("Kept in your history").count() == 0
    assert axe(page) == []
    page.get_by_role("button", name="Go on writing").click()
    cell(page, 0, 4, 8).click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Finish the match").click()
    otherwise.wait_for()
    other.reload()
    other.locator(".paper").wait_for()
    assert other.locator(".paper").inner_text() == there
    second.close()
    page.get_by_role("button", name="Look at that one").click()
    page.get_by_text("A sheet from your history, where it is kept as Jutta").wait_for()
    page.locator(".btn.main").click()
    page.get_by_text("Kept in your history as Jutta.").wait_for()
    page.reload()
    page.get_by_text("Kept in your history as Jutta.").wait_for()
