"""The drawings that print and page share."""

import math
import re

import pytest

from lostcities.core.cards import Colour
from lostcities.table.printing.outline import outline
from lostcities.table.printing.paint import fill, ink
from lostcities.table.printing.symbols import HANDS, SYMBOLS
from printed import WEB


def sprite() -> dict[str, list[tuple[str, str]]]:
    text = (WEB / "parts" / "Sprite.svelte").read_text("utf-8")
    found = {}
    for name, inside in re.findall(r'<symbol id="([\w-]+)"[^>]*>(.*?)</symbol>', text, re.DOTALL):
        parts = []
        for kind, raw in re.findall(r"<(circle|path)\s+(.*?)/>", inside, re.DOTALL):
            attributes = dict(re.findall(r'(\w+)="([^"]*)"', raw))
            style = attributes.get("class", "fill")
            parts.append((style, attributes["d"] if kind == "path" else circle(attributes)))
        found[name] = parts
    return found


def circle(of: dict[str, str]) -> str:
    x, y, r = (float(of[key]) for key in ("cx", "cy", "r"))
    return f"M{x - r:g} {y:g}A{r:g} {r:g} 0 1 1 {x + r:g} {y:g}A{r:g} {r:g} 0 1 1 {x - r:g} {y:g}z"


def test_the_symbols_are_those_of_the_page() -> None:
    drawn = sprite()
    for colour, parts in SYMBOLS.items():
        assert list(parts) == drawn[f"suit-{colour.letter}"]
    assert [data for _, data in drawn["wager"]] == list(HANDS)


def test_the_fills_are_those_of_the_page() -> None:
    text = (WEB / "styles" / "tokens.css").read_text("utf-8")
    for colour in Colour:
        assert re.search(rf"--suit-{colour.letter}: {fill(colour)};", text, re.IGNORECASE)
        assert re.search(rf"--on-{colour.letter}: {ink(colour)};", text, re.IGNORECASE)


def test_paths_are_read() -> None:
    assert list(outline("M1 2l3-1h.5V7z")) == [
        ("M", ((1, 2),)), ("L", ((4, 1),)), ("L", ((4.5, 1),)), ("L", ((4.5, 7),)), ("Z", ()),
    ]  # fmt: skip
    assert list(outline("m1 1 2 2")) == [("M", ((1, 1),)), ("L", ((3, 3),))]
    curve = list(outline("M0 0c0 1 1 2 2 2s2-1 2-2"))
    assert curve[2] == ("C", ((3, 2), (4, 1), (4, 0)))


@pytest.mark.parametrize("flags", ["0 0", "0 1", "1 0", "1 1"])
def test_arcs_stay_on_their_circle(flags: str) -> None:
    steps = list(outline(f"M0 0A5 5 0 {flags} 6 2"))
    ends = [points[-1] for kind, points in steps if kind == "C"]
    assert ends[-1] == pytest.approx((6, 2))
    # The centre is 5 from both ends; which of the two it is, the flags say.
    centres = [centre for centre in _centres() if all(
        math.isclose(math.dist(centre, end), 5, abs_tol=1e-6) for end in ends)]  # fmt: skip
    assert centres
    large = flags[0] == "1"
    assert (len(ends) > 2) == large


def _centres() -> list[tuple[float, float]]:
    away = math.sqrt(25 - 10) / math.sqrt(40)
    return [(3 + 2 * away, 1 - 6 * away), (3 - 2 * away, 1 + 6 * away)]
