"""Installed and offline: what opens without the room, and how an update arrives."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import lostcities
from rooms import RunningRoom, running_beside
from serving import Serving
from test_browser_guide import STEPS, TURNS, one_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DIST = Path(lostcities.__file__).parent / "web_dist"
CONTROLLED = "() => navigator.serviceWorker?.controller != null"


@pytest.fixture
def page_folder(tmp_path: Path) -> Path:
    """A copy of the built page, that a test can bring up to date."""
    return shutil.copytree(DIST, tmp_path / "page")


@pytest.fixture
def room(tmp_path: Path, page_folder: Path) -> Iterator[RunningRoom]:
    with running_beside(tmp_path, page=page_folder) as opened:
        yield opened


@pytest.fixture
def context(browser: "Browser", room: RunningRoom) -> "Iterator[BrowserContext]":
    opened = browser.new_context(base_url=room.url, viewport={"width": 390, "height": 664})
    yield opened
    opened.close()


def visited(context: "BrowserContext", path: str = "/") -> "Page":
    """A page whose worker keeps everything by now."""
    page = context.new_page()
    page.goto(path)
    page.wait_for_function(CONTROLLED)
    return page


def test_the_page_is_installable(context: "BrowserContext", page_folder: Path) -> None:
    page = visited(context)
    manifest = page.evaluate(
        "() => fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json())"
    )
    assert manifest["display"] == "standalone"
    sizes = {}
    for icon in manifest["icons"]:
        sizes[icon["src"], icon["sizes"]] = page.evaluate(
            """async (src) => { const image = new Image(); image.src = src; await image.decode();
                return [image.naturalWidth, image.naturalHeight]; }""",
            icon["src"],
        )
    assert sizes["/icon-192.png", "192x192"] == [192, 192]
    assert sizes["/icon-512.png", "512x512"] == [512, 512]
    purposes = {icon.get("purpose", "any") for icon in manifest["icons"]}
    assert purposes == {"any", "maskable"}


def test_without_the_room_the_page_opens_and_says_so(context: "BrowserContext") -> None:
    page = visited(context)
    context.set_offline(True)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.reload()
    page.locator("h1").wait_for()
    page.locator("[role=alert]").wait_for()
    fonts = page.evaluate("() => document.fonts.load('700 20px Bitter').then((f) => f.length)")
    assert fonts == 1, "fonts are kept too"
    context.set_offline(False)
    page.reload()
    page.locator("[role=alert]").wait_for(state="detached")
    assert errors == []


def test_without_the_room_the_score_sheet_does_everything(
    context: "BrowserContext", tmp_path: Path
) -> None:
    page = visited(context)
    context.set_offline(True)
    page.goto("/sheet")
    page.get_by_role("button", name="red 9").first.click()
    assert page.locator(".points").first.inner_text() == "−11"
    own = tmp_path / "attic.toml"
    five = (DIST.parent / "table/decks/five.toml").read_text("utf-8")
    own.write_text(
        five.replace('"five"', '"attic"').replace("The game, five colours", "Attic"), "utf-8"
    )
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Decks", exact=True).click()
    page.locator("input[type=file]").set_input_files(own)
    page.get_by_text("Attic has been added.").wait_for()
    page.reload()
    page.locator(".points").first.wait_for()
    assert page.locator(".points").first.inner_text() == "−11"


def test_without_the_room_rules_and_tutorial_open(browser: "Browser", serving: Serving) -> None:
    """After a visit of the home page alone, and with the room really gone."""
    context = browser.new_context(base_url=serving.url, viewport={"width": 390, "height": 664})
    page = visited(context)
    serving.stop()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/rules")
    live = page.locator(".live")
    live.get_by_role("button", name="A lone wager").click()
    assert live.locator(".total").inner_text().split() == ["Together", "−40"]
    page.goto("/rules/may-i-take-the-card-under-it")
    page.locator(".hand button").nth(1).click()
    page.get_by_role("button", name="Discard", exact=True).click()
    page.get_by_role("button", name="Deck", exact=True).click()
    page.get_by_text("The example ends here.").wait_for()
    page.goto("/learn")
    page.get_by_text(f"Step 1 of {STEPS}").wait_for()
    for _ in range(STEPS):
        if page.get_by_role("heading", level=1).inner_text() in TURNS:
            one_turn(page)
        if page.get_by_role("button", name="Next").count():
            page.get_by_role("button", name="Next").click()
    page.get_by_text(f"Step {STEPS} of {STEPS}").wait_for()
    page.goto("/")
    page.get_by_label("Language").select_option("de")
    page.goto("/rules")
    page.get_by_role("heading", level=1, name="Die Regeln").wait_for()
    context.close()
    assert errors == []


def brought_up_to_date(folder: Path) -> None:
    """Another build, as far as the worker and the document can tell."""
    for name, pattern, instead in (
        ("sw.js", r'BUILD = "\w+"', 'BUILD = "anotherbuild"'),
        ("sw.js", r"/assets/index-[\w-]+\.js", "/assets/index-another.js"),
        ("index.html", r"/assets/index-[\w-]+\.js", "/assets/index-another.js"),
    ):
        file = folder / name
        file.write_text(re.sub(pattern, instead, file.read_text()))
    script = next((folder / "assets").glob("index-*.js"))
    script.rename(script.with_name("index-another.js"))


LOOK = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  return [registration.waiting !== null, registration.installing !== null];
}"""
WAITS = """async () => (await navigator.serviceWorker.getRegistration()).waiting !== null"""
CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('page-')).sort()"
SEEN = "() => document.dispatchEvent(new Event('visibilitychange'))"


def waits(page: "Page") -> None:
    """Until a newer worker waits; a promise is no answer to `wait_for_function`."""
    for _ in range(200):
        if page.evaluate(WAITS):
            return
        page.wait_for_timeout(50)
    pytest.fail("no newer worker waits")


def begins(page: "Page") -> None:
    """Until the newer worker has begun, once no page is at a table; whoever looks at the page again
    asks it to.
    """
    for _ in range(200):
        if page.evaluate(NOBODY_PLAYS):
            break
        page.wait_for_timeout(50)
    page.evaluate(TAKES_OVER)
    page.evaluate(SEEN)
    page.wait_for_function("() => window.tookOver === true")


NOBODY_PLAYS = "async () => (await navigator.locks.query()).held.length === 0"
TAKES_OVER = """() => {
  navigator.serviceWorker.addEventListener('controllerchange', () => { window.tookOver = true; });
}"""


def sit_down(context: "BrowserContext") -> "Page":
    made: Any = context.request.post(
        "/api/tables", data={"name": "Ada", "against": "first", "rules": "room"},
        headers={"content-type": "application/json"},
    )  # fmt: skip
    page = context.new_page()
    page.goto(made.json()["url"])
    page.locator(".hand button").first.wait_for()
    return page


def updated(home: "Page", folder: Path) -> None:
    """The room has another build, the browser knows, and a page has asked its worker to begin."""
    brought_up_to_date(folder)
    home.evaluate(LOOK)
    waits(home)
    home.evaluate(SEEN)  # asks the new worker to begin: it looks about and waits
    home.wait_for_timeout(2500)


def test_an_update_waits_for_the_match_and_keeps_its_files(
    context: "BrowserContext", page_folder: Path
) -> None:
    home = visited(context)
    table = sit_down(context)
    updated(home, page_folder)
    assert home.evaluate(WAITS) is True, "a table is open"
    # The room no longer has the files of the page that plays; the page keeps them, asked for or not yet.
    (later,) = (page_folder / "assets").glob("TypeTurn-*.js")
    later.unlink()
    old = f"() => fetch('/assets/{script_of(table)}').then((answer) => answer.status)"
    assert table.evaluate(old) == 200
    table.keyboard.press("/")
    table.locator("dialog input").wait_for()
    table.keyboard.press("Escape")
    turn_and_answer(table)
    # Whoever loads the table anew gets the newer page, and the match is as it was.
    hand = table.locator(".hand button").evaluate_all(LABELS)
    table.reload()
    table.locator(".prompt", has_text="Your turn").wait_for()
    assert script_of(table) == "index-another.js"
    assert table.locator(".hand button").evaluate_all(LABELS) == hand
    turn_and_answer(table)


def turn_and_answer(table: "Page") -> None:
    """A discard, and what the program, which answers at once, does after it."""
    before = table.locator(".deck .left").inner_text()
    for key in "1d0":
        table.keyboard.press(key)
    table.wait_for_function(
        "(before) => document.querySelector('.deck .left')?.textContent !== before", arg=before
    )
    table.locator(".prompt", has_text="Your turn").wait_for()


LABELS = "(all) => all.map((each) => each.getAttribute('aria-label'))"


def test_an_update_waits_for_a_match_that_was_begun_on_the_home_page(
    context: "BrowserContext", page_folder: Path
) -> None:
    """The worker knew a table by the address that its page was opened with, which was the home page's."""
    home = visited(context)
    table = context.new_page()
    table.goto("/")
    table.get_by_role("button", name="Play a program").click()
    table.locator(".hand button").first.wait_for()
    updated(home, page_folder)
    assert home.evaluate(WAITS) is True, "a table is open"


def test_an_update_begins_after_the_match(context: "BrowserContext", page_folder: Path) -> None:
    """It waited for half a minute and longer where a page had asked the room something in the moment
    in which the browser ended the worker before: that started the old one again.
    """
    home = visited(context)
    table = sit_down(context)
    (before,) = home.evaluate(CACHES)
    updated(home, page_folder)
    table.close()
    begins(home)
    assert home.evaluate(CACHES) == sorted([before, "page-anotherbuild"]), "for pages still open"
    home.reload()
    home.locator("h1").wait_for()
    assert script_of(home) == "index-another.js"


def script_of(page: "Page") -> str:
    source = page.locator("script[type=module]").get_attribute("src")
    assert source is not None
    return source.rsplit("/", 1)[1]
