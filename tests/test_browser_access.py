"""Whether everybody can use the page, and how much of it there is."""

import gzip
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fake_room import DIST, LAST_CARD, MIDDLE, FakeRoom
from on_page import ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[1]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"


def axe(page: "Page") -> list[str]:
    page.wait_for_timeout(400)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document)")
    return [
        f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_table(browser: "Browser", scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    assert axe(page) == []
    page.keyboard.press("8")
    assert axe(page) == []
    page.keyboard.press("d")
    page.get_by_role("button", name="Red pile").click(force=True)
    assert axe(page) == []
    for key in ("m", "?"):
        page.keyboard.press(key)
        assert axe(page) == []
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("0")
    page.get_by_text("Grace to move").wait_for()
    assert axe(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_around_the_table(browser: "Browser", scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, LAST_CARD, phase="between")
    room.api["/api/invites/k3y"] = {"host": "Ada", "rules": "", "open": False, "match": None}
    room.open()
    page.get_by_role("button", name="Continue").wait_for()
    assert axe(page) == []
    room.phase = "waiting"
    for path in ("/t/m1", "/", "/i/k3y", "/i/unknown", "/nowhere"):
        room.open(path)
        page.get_by_role("heading").first.wait_for()
        assert axe(page) == []
    context.close()


ASSETS = DIST / "assets"
STATIC = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")


def loaded_with(*names: str) -> set[str]:
    """Scripts that come with these ones: what they import before they run."""
    found: set[str] = set()
    wanted = list(names)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += STATIC.findall((ASSETS / name).read_text(encoding="utf-8"))
    return found


def packed(names: set[str]) -> int:
    return sum(len(gzip.compress((ASSETS / name).read_bytes())) for name in names)


def chunk(stem: str) -> str:
    names = [file.name for file in ASSETS.glob(f"{stem}-*.js")]
    assert len(names) == 1, f"{names}: run `make page`"
    return names[0]


def test_the_script_stays_small() -> None:
    """With the larger of the languages; of a table all that it loads, once there is time or before."""
    language = max(packed({chunk("en")}), packed({chunk("de")}))
    first = loaded_with(chunk("index"))
    assert packed(first) + language < 53_000
    table = first | loaded_with(chunk("AnyTable"), chunk("Menu"))
    speech = max(packed({file.name}) for file in ASSETS.glob("speech-*.js"))
    assert packed(table) + language + speech < 86_000
    sheet = loaded_with(chunk("ScoreSheet")) - first
    assert packed(sheet) < 40_000
    assert chunk("toml") not in sheet


def test_the_index_carries_nothing_inline() -> None:
    index = (DIST / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=", index)


PICTURE = (
    "0 | YX Y8 B9 W4 W7 G5 R6 R9 | ?8 | YX Y3 Y5 Y6 B4 B7 GX G2 G3 G4 | WX WX W5 W6 W8 RX R3 R4 | "
    "B2 B3 W2 W3 R2 G9 | B5 Y2 W9 G7 R5 Y7 B8 W10 G8 R7 Y9 B10 R8 G10"
)


def test_a_picture_of_the_table(browser: "Browser") -> None:
    """The picture of the README; `PICTURES=1` keeps it in docs/images."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 760}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, PICTURE, totals=(61, 48))
    for turn in ("-B2*", "-W2*", "+Y3*", "+WX*", "-B3*", "+WX*", "+Y5*", "-R2*"):
        room.seq += 1
        seat = len(room.events) % 2
        event = {"seq": room.seq, "kind": "turn", "seat": seat, "round": 1, "ply": 1, "turn": turn}
        room.events.append(event)
    room.open()
    ready(page)
    page.keyboard.press("2")
    folder = ROOT / ("docs/images" if os.environ.get("PICTURES") else "test-results")
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / "table.png")
    assert (folder / "table.png").stat().st_size > 10_000
    context.close()
