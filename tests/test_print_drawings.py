"""The drawings that print and page share."""

import math
import re
from collections.abc import Iterable

import pytest

from lostcities.core.cards import Colour
from lostcities.table.printing.outline import outline
from lostcities.table.printing.paint import fill, ink
from lostcities.table.printing.symbols import HANDS, SYMBOLS
from printed import WEB

Points = dict[str, set[tuple[float, float]]]


def page_signs() -> dict[str, Points]:
    """By sign and way of painting, the points of its paths."""
    text = (WEB / "parts" / "signs.ts").read_text("utf-8")
    found = {}
    for name, inside in re.findall(r"^  (\w+): \{\n(.*?)\n  \},", text, re.DOTALL | re.MULTILINE):
        paths = re.findall(r"(fill|line|cut):\s*((?:'[^']*'\s*\+?\s*)+)", inside)
        found[name] = {kind: points("".join(re.findall("'([^']*)'", raw))) for kind, raw in paths}
    return found


def points(path: str) -> set[tuple[float, float]]:
    return {(round(x, 2), round(y, 2)) for _, each in outline(path) for x, y in each}


def by_kind(parts: Iterable[tuple[str, str]]) -> Points:
    """What is cut out by filling is a hole of what is filled, on the page."""
    found: Points = {}
    for kind, path in parts:
        found.setdefault(kind.removeprefix("cut-"), set()).update(points(path))
    return found


def test_the_symbols_are_those_of_the_page() -> None:
    drawn = page_signs()
    for colour, parts in SYMBOLS.items():
        assert by_kind(parts) == drawn[colour.letter]
    assert by_kind(("line", path) for path in HANDS) == drawn["wager"]


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
