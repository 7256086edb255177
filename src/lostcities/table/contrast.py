"""Whether what stands on a card can be read there, in what ink it can, and which fills look alike.

The contrast ratio is that of WCAG 2.2 (relative luminance); 4.5 is its least for text. How far apart
two colours look is their distance in OKLab (Björn Ottosson, 2020).
"""

from __future__ import annotations

from math import cbrt, dist

LEAST = 4.5
"""The contrast below which the ink of a deck file gives way."""
ALIKE = 0.03
"""The distance in OKLab below which two fills cannot be told apart on a table; 1 is black to white."""
DARK, WHITE = "#16202A", "#FFFFFF"
"""What is shown where an ink cannot be read."""


def contrast(one: str, two: str) -> float:
    """The contrast ratio of two colours ``#RRGGBB``, 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(two)))
    return (light + 0.05) / (dark + 0.05)


def readable_ink(ink: str, fill: str) -> str:
    """The ink to show on a fill: the given one if it can be read there, else dark or white."""
    if contrast(ink, fill) >= LEAST:
        return ink
    return max((DARK, WHITE), key=lambda each: contrast(each, fill))


def alike(one: str, two: str) -> bool:
    """Whether two colours ``#RRGGBB`` are equal to the eye."""
    return dist(_oklab(one), _oklab(two)) < ALIKE


def _oklab(paint: str) -> tuple[float, float, float]:
    red, green, blue = _light(paint)
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _light(paint: str) -> list[float]:
    return [_linear(int(paint[at : at + 2], 16) / 255) for at in (1, 3, 5)]


def _luminance(paint: str) -> float:
    red, green, blue = _light(paint)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
