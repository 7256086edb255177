"""The page in its languages: chosen by the browser, switched by hand, remembered, and never too long."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fake_room import LAST_CARD, MIDDLE, ORIGIN, FakeRoom
from lostcities.core.rules import Rules
from on_page import SCROLLS, prompt, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# Whatever holds text and lets some of it disappear: wider inside than outside, and nothing scrolls.
CUT_OFF = """() => [...document.querySelectorAll('body *')].filter((e) =>
  e.childElementCount === 0 && e.textContent.trim() && e.offsetWidth > 1 &&
  !e.closest('.unseen, svg, option, select') &&
  (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
).map((e) => e.textContent.trim())"""
BEYOND = """() => [...document.querySelectorAll('body *')].filter((e) => {
  const box = e.getBoundingClientRect();
  if (e.childElementCount > 0 || e.closest('.unseen, svg')) return false;
  return box.width > 1 && box.right > innerWidth + 0.5;
}).map((e) => `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 60)}`)"""


@pytest.fixture
def german(browser: "Browser") -> "Iterator[Page]":
    """The narrowest phone of somebody whose browser asks for German."""
    context = browser.new_context(
        locale="de-DE", viewport={"width": 360, "height": 640}, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


SPILLS = """() => [...document.querySelectorAll('.prompt .text')].filter((e) =>
  e.scrollHeight > e.closest('.prompt').clientHeight).map((e) => e.textContent)"""


def fits(page: "Page") -> None:
    assert page.evaluate(SPILLS) == []
    assert page.evaluate(SCROLLS)[0] == 0
    assert page.evaluate(BEYOND) == []
    assert page.evaluate(CUT_OFF) == []


def test_a_german_browser_is_spoken_to_in_german(german: "Page") -> None:
    room = FakeRoom(german, MIDDLE)
    room.open()
    ready(german)
    assert german.evaluate("document.documentElement.lang") == "de"
    assert prompt(german) == "Du bist dran: anlegen oder abwerfen"
    assert german.title() == "Du bist dran – Lost Cities"
    german.get_by_role("button", name="Nachziehstapel, noch").wait_for()


def test_another_language_is_remembered(german: "Page") -> None:
    room = FakeRoom(german, MIDDLE)
    room.open("/")
    german.get_by_label("Dein Name").fill("Ada")
    german.get_by_label("Sprache").select_option("English")
    german.get_by_label("Your name").wait_for()
    assert german.get_by_label("Your name").input_value() == "Ada"
    assert german.evaluate("document.documentElement.lang") == "en"
    german.reload()
    german.get_by_label("Your name").wait_for()
    room.open()
    ready(german)
    german.get_by_role("button", name="Menu").click()
    german.get_by_label("Language").select_option("Deutsch")
    german.get_by_role("heading", name="Menü").wait_for()
    assert prompt(german) == "Du bist dran: anlegen oder abwerfen"


def test_one_catalogue_is_loaded(german: "Page") -> None:
    asked: list[str] = []
    german.on("request", lambda request: asked.append(request.url.removeprefix(ORIGIN)))
    FakeRoom(german, MIDDLE).open("/")
    german.get_by_label("Dein Name").wait_for()
    assert [path for path in asked if "/de-" in path]
    assert not [path for path in asked if "/en-" in path]


@pytest.mark.parametrize("colours", [5, 6])
def test_german_fits_the_narrowest_phone_at_the_table(german: "Page", colours: int) -> None:
    FakeRoom(german, MIDDLE, Rules(colours=colours)).open()
    ready(german)
    fits(german)
    german.keyboard.press("4")
    fits(german)
    german.keyboard.press("d")
    fits(german)
    for key in ("m", "?"):
        german.keyboard.press(key)
        german.get_by_role("dialog").wait_for()
        fits(german)
        german.keyboard.press("Escape")
    german.keyboard.press("0")
    german.get_by_text("Grace ist dran").wait_for()
    fits(german)


def test_german_fits_the_narrowest_phone_around_the_table(german: "Page") -> None:
    room = FakeRoom(german, LAST_CARD, phase="between")
    room.api["/api/invites/k3y"] = {"host": "Ada", "rules": "", "open": False, "match": None}
    room.open()
    german.get_by_role("button", name="Weiter").wait_for()
    fits(german)
    room.phase = "waiting"
    for path in ("/t/m1", "/", "/i/k3y", "/i/unknown", "/nowhere"):
        room.open(path)
        german.get_by_role("heading").first.wait_for()
        fits(german)


DOTS = """() => {
  const line = document.querySelector('.prompt .text span'), text = line.firstChild;
  const range = document.createRange(), tops = [];
  for (const at of [text.data.length - 1, text.data.length - 3]) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    tops.push(range.getBoundingClientRect().top);
  }
  return text.data.endsWith('…') && tops[0] !== tops[1];
}"""
"""Whether the dots that end the prompt stand on a line of their own."""


def test_the_dots_of_the_waiting_line_never_stand_alone(german: "Page") -> None:
    """On a phone they had a second line for themselves."""
    room = FakeRoom(german, MIDDLE)
    room.answer = lambda _: None
    room.open()
    ready(german)
    for key in "4d0":
        german.keyboard.press(key)
    german.get_by_text("Dein Zug wird gesendet").wait_for()
    assert prompt(german).endswith("…")
    room.mute = True
    room.sockets[-1].close()
    german.get_by_text("Dein Zug wartet auf die Verbindung").wait_for()
    widths = range(240, 391, 3)
    alone = []
    for width in widths:
        german.set_viewport_size({"width": width, "height": 844})
        if german.evaluate(DOTS):
            alone.append(width)
    assert alone == []
