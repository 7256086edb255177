"""Whether what stands on a card can be read there, and in what ink it can.

The contrast ratio is that of WCAG 2.2 (relative luminance); 4.5 is its least for text.
"""

from __future__ import annotations

LEAST = 4.5
"""The contrast below which the ink of a deck file gives way."""
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


def _luminance(paint: str) -> float:
    red, green, blue = (_linear(int(paint[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
