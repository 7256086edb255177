"""The colours of the page, recomputed from its stylesheet.

Any two suits stay apart for normal and for colour-blind sight; outlines and texts keep their
contrast on every ground, in light and in dark. Symbol and number tell a card without colour too.
"""

import re
from itertools import combinations, product
from pathlib import Path

import pytest

TOKENS = Path(__file__).parents[1] / "web/src/styles/tokens.css"
Rgb = tuple[float, float, float]
SUITS = "YBWGRP"
GROUNDS = ("paper", "desk", "leaf", "accent-wash")

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency" (2009), full severity; for linear RGB.
SIGHTS: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


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


def linear(colour: str) -> Rgb:
    """Linear RGB of `#rrggbb`, by the sRGB transfer function."""

    def channel(at: int) -> float:
        value = int(colour[at : at + 2], 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return channel(1), channel(3), channel(5)


def times(matrix: tuple[Rgb, Rgb, Rgb], colour: Rgb) -> Rgb:
    a, b, c = (sum(m * v for m, v in zip(row, colour, strict=True)) for row in matrix)
    return a, b, c


def oklab(colour: Rgb) -> Rgb:
    """OKLab of linear RGB (Ottosson 2020)."""
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        colour,
    )
    a, b, c = (max(0.0, cone) ** (1 / 3) for cone in cones)
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (a, b, c),
    )


def seen(colour: str, sight: str) -> Rgb:
    red, green, blue = (min(1.0, max(0.0, v)) for v in times(SIGHTS[sight], linear(colour)))
    return oklab((red, green, blue))


def distance(a: Rgb, b: Rgb) -> float:
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)


def contrast(a: str, b: str) -> float:
    """Contrast ratio of WCAG 2."""

    def luminance(colour: str) -> float:
        red, green, blue = linear(colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def test_the_measures_agree_with_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert oklab(linear("#ffffff")) == pytest.approx((1, 0, 0), abs=1e-3)
    assert oklab(linear("#ff0000")) == pytest.approx((0.628, 0.225, 0.126), abs=1e-3)
    # A pair known to be lost on deutan eyes must come out as lost.
    apart = distance(seen("#aa3a18", "normal"), seen("#4f6a12", "normal"))
    lost = distance(seen("#aa3a18", "deutan"), seen("#4f6a12", "deutan"))
    assert lost < 0.08 < 0.15 < apart


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_suits_stay_apart(sight: str) -> None:
    colours = tokens("light")
    apart = {
        a + b: distance(seen(colours[f"suit-{a}"], sight), seen(colours[f"suit-{b}"], sight))
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
