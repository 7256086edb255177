"""The colours of the page, recomputed from its stylesheet.

Any two suits stay apart for normal and for colour-blind sight; outlines and texts keep their
contrast on every ground, in light and in dark. Symbol and number tell a card without colour too.
"""

import re
from itertools import combinations, product
from pathlib import Path

import pytest

from palette import contrast, nearest

TOKENS = Path(__file__).parents[1] / "web/src/styles/tokens.css"
SUITS = "YBWGRP"
GROUNDS = ("paper", "desk", "leaf", "accent-wash")


def tokens(theme: str) -> dict[str, str]:
    """Custom properties with a plain colour, for `light` or `dark`."""
    found: dict[str, str] = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", TOKENS.read_text(encoding="utf-8")):
        pair = re.fullmatch(r"light-dark\((#\w+), (#\w+)\)", value)
        if pair is not None:
            found[name] = pair[1 if theme == "light" else 2]
        elif value.startswith("#"):
            found[name] = value
    return found


def test_the_measures_agree_with_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # Red and an olive green: far apart, but lost on deutan eyes.
    assert nearest("#aa3a18", "#4f6a12") < 0.08
    assert nearest("#000000", "#ffffff") > 0.99


def test_any_two_suits_stay_apart() -> None:
    colours = tokens("light")
    apart = {
        a + b: nearest(colours[f"suit-{a}"], colours[f"suit-{b}"])
        for a, b in combinations(SUITS, 2)
    }
    assert min(apart.values()) >= 0.15, apart


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_outlines_stand_out_from_every_ground(theme: str) -> None:
    colours = tokens(theme)
    for line, ground in product(("outline", "accent", "danger", "focus"), GROUNDS):
        assert contrast(colours[line], colours[ground]) >= 3, (line, ground)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read(theme: str) -> None:
    colours = tokens(theme)
    pairs = [
        *product(("ink", "ink-soft", "danger", "accent"), GROUNDS),
        ("on-accent", "accent"),
        ("paper", "ink"),
        ("paper", "danger"),
        *((f"on-{suit}", f"suit-{suit}") for suit in SUITS),
    ]
    for text, ground in pairs:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def test_the_accent_is_no_suit() -> None:
    for theme, suit in product(("light", "dark"), SUITS):
        colours = tokens(theme)
        assert colours["accent"] != colours[f"suit-{suit}"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cards_of_the_other_side_are_struck_out_to_be_seen(theme: str) -> None:
    """On the score sheet they once differed from free ones by their weight alone."""
    row = (TOKENS.parents[1] / "sheet/Row.svelte").read_text(encoding="utf-8")
    rule = re.search(r"\.cell\.taken \{(.*?)\}", row, re.DOTALL)
    assert rule is not None
    said = dict(re.findall(r"([\w-]+): ([^;]+);", rule[1]))
    assert said["text-decoration"].startswith("line-through")
    ground, ink = (said[key].removeprefix("var(--")[:-1] for key in ("background", "color"))
    assert contrast(tokens(theme)[ink], tokens(theme)[ground]) >= 4.5
