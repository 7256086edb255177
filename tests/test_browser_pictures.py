"""How the page looks: on three screens, by day and by night, as it is kept in docs/images/states.

`make snapshots` keeps new pictures where the page was changed on purpose.
"""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from conftest import RESULTS, ROOT
from pictures import complaint, difference, keep
from states import STATES, own_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KEPT = ROOT / "docs/images/states"
RENEW = bool(os.environ.get("SNAPSHOTS"))
PHONE, TABLET, DESK = (390, 664), (820, 1180), (1440, 900)
SCREENS = [
    (name, size, scheme)
    for name, size in (("phone", PHONE), ("tablet", TABLET), ("desktop", DESK))
    for scheme in ("light", "dark")
]
EVERYWHERE = ("home", "own-turn", "round-end")
"""States that are drawn on every screen; the others on two of them, in turns."""


def shown_on(state: str, screen: int) -> bool:
    return state in EVERYWHERE or screen in (0, 1 + list(STATES).index(state) % 5)


def picture(page: "Page") -> Image.Image:
    page.evaluate("document.fonts.ready")
    # What was changed last is painted by then.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    shot = page.screenshot(animations="disabled", caret="hide", scale="css")
    return Image.open(io.BytesIO(shot)).convert("RGB")


@pytest.fixture(params=range(len(SCREENS)), ids=[f"{name}-{each}" for name, _, each in SCREENS])
def screen(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def context(browser: "Browser", screen: int) -> Iterator[Any]:
    scheme: Any
    _, (width, height), scheme = SCREENS[screen]
    opened = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB",
        timezone_id="UTC", reduced_motion="reduce", service_workers="block",
    )  # fmt: skip
    # Who has no name yet is given one by chance.
    opened.add_init_script("localStorage.setItem('lostcities', '{\"name\": \"Ada\"}')")
    yield opened
    opened.close()


def test_every_state_looks_as_it_did(context: Any, screen: int) -> None:
    name, _, scheme = SCREENS[screen]
    wrong = []
    for state, draw in STATES.items():
        if not shown_on(state, screen):
            continue
        page = context.new_page()
        draw(page)
        file = f"{state}-{name}-{scheme}"
        if RENEW:
            renew(picture(page), KEPT / f"{file}.webp")
        wrong.append(complaint(file, picture(page), KEPT / f"{file}.webp", RESULTS))
        page.close()
    assert [each for each in wrong if each] == []


def renew(new: Image.Image, path: Path) -> None:
    """Keep a picture, unless what is kept looks the same: git need not hold that twice."""
    if path.exists():
        with Image.open(path) as old:
            if not difference(new, old).seen:
                return
    keep(new, path)


# What an eye would see must be seen, and what it would not must not.
CHANGES = {
    "a card lies elsewhere": "document.querySelector('.row.up .place').style.translate = '0 -22px'",
    "a card is gone": "document.querySelector('.hand button').style.visibility = 'hidden'",
    "a colour is another": "document.documentElement.style.setProperty('--suit-R', '#8a2f6b')",
    "a line is another": "document.querySelector('.prompt .text').textContent = 'Nothing to do.'",
    "the paper is darker": "document.documentElement.style.setProperty('--paper', '#dcd4c2')",
}


@pytest.mark.parametrize("screen", [0], indirect=True)
def test_a_visible_change_is_seen(context: Any, screen: int, tmp_path: Path) -> None:
    page = context.new_page()
    own_turn(page)
    before = picture(page)
    assert not difference(picture(page), before).seen
    keep(before, tmp_path / "kept.webp")
    for what, change in CHANGES.items():
        page.reload()
        page.locator(".hand button").first.wait_for()
        page.keyboard.press("2")
        page.evaluate(change)
        said = complaint("changed", picture(page), tmp_path / "kept.webp", tmp_path / "results")
        assert said is not None, what
    assert len(list((tmp_path / "results").iterdir())) == 3


def test_other_edges_are_not_seen(browser: "Browser") -> None:
    """As from a machine that smooths letters otherwise: drawn twice as large, then made smaller."""
    width, height = PHONE
    shots = []
    for scale in (1, 2):
        context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale,
            reduced_motion="reduce",
        )  # fmt: skip
        page = context.new_page()
        own_turn(page)
        page.evaluate("document.fonts.ready")
        shot = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        shots.append(shot.resize(PHONE, Image.Resampling.BICUBIC))
        context.close()
    assert not difference(*shots).seen


def test_the_kept_pictures_are_those_of_the_states_and_small() -> None:
    kept = {path.stem for path in KEPT.iterdir()}
    assert kept == {
        f"{state}-{name}-{scheme}"
        for screen, (name, _, scheme) in enumerate(SCREENS)
        for state in STATES
        if shown_on(state, screen)
    }
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 1_500_000


def test_the_document_shows_ten_states() -> None:
    text = (ROOT / "docs/states.md").read_text("utf-8")
    shown = re.findall(r"!\[[^]]+\]\(images/states/([\w-]+)\.webp\)", text)
    assert all((KEPT / f"{each}.webp").exists() for each in shown)
    assert len({each.rsplit("-", 2)[0] for each in shown}) >= 10
