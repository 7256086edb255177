"""The land of each suit, drawn 100 wide in tints of its fill.

A light travels over it from the 2 to the 10: it rises, stands high, and sets.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from lostcities.core.cards import Colour
from lostcities.table.printing.paint import darker, figure, fill, lighter, mix
from lostcities.table.printing.pen import Pen
from lostcities.table.printing.symbols import SYMBOLS

WIDTH, TOP, HEIGHT = 100.0, 10.0, 110.0
"""The window: its width, where it begins, and how much of the drawing reaches below that."""


def scene(pen: Pen, colour: Colour, progress: float) -> None:
    """The land of a suit; ``progress`` is where its light stands, 0 to 1."""
    pen.box(-2, -2, WIDTH + 4, TOP + HEIGHT + 4, fill=sky(colour))
    _LANDS[figure(colour)](
        pen, fill(colour), 14 + 72 * progress, 56 - 29 * math.sin(math.pi * progress)
    )


def sky(colour: Colour) -> str:
    """The paint of a land's sky."""
    paint = fill(colour)
    return {
        Colour.YELLOW: lighter(paint, 0.5),
        Colour.BLUE: lighter(paint, 0.55),
        Colour.WHITE: "#D3DEE6",
        Colour.GREEN: lighter(paint, 0.52),
        Colour.RED: mix(paint, "#FFE2C2", 0.62),
        Colour.PURPLE: darker(paint, 0.3),
    }[figure(colour)]


def _light(pen: Pen, x: float, y: float, paint: str, halo: str) -> None:
    pen.circle(x, y, 13, fill=halo)
    pen.circle(x, y, 8.5, fill=paint)


def _desert(pen: Pen, paint: str, x: float, y: float) -> None:
    _light(pen, x, y, "#FFFFFF", lighter(paint, 0.72))
    sand = [mix(paint, "#7A3F00", share) for share in (0.12, 0.3, 0.48, 0.62)]
    pen.path("M-2 72C16 58 34 57 52 67S84 76 102 60V122H-2Z", fill=sand[0])
    pen.path("M-2 92C14 70 32 64 48 72C66 82 84 96 102 88V122H-2Z", fill=sand[1])
    pen.path("M48 72C66 82 84 96 102 88V122H62C70 104 62 86 48 72Z", fill=sand[2])
    pen.path("M-2 110C22 94 44 94 66 104S92 110 102 106V122H-2Z", fill=sand[3])


def _waves(top: float, height: float, length: float, shift: float) -> str:
    """A scalloped sea down to the foot of the window."""
    crests = "".join(
        f"c{length * 0.3:.2f} 0 {length * 0.35:.2f} {-height:.2f} {length / 2:.2f} {-height:.2f}"
        f"s{length * 0.2:.2f} {height:.2f} {length / 2:.2f} {height:.2f}"
        for _ in range(math.ceil(140 / length))
    )
    return f"M{-20 + shift:.2f} {top:.2f}{crests}V122H-20Z"


def _sea(pen: Pen, paint: str, x: float, y: float) -> None:
    _light(pen, x, y, "#FFFFFF", lighter(paint, 0.74))
    pen.path(_waves(70, 3, 18, 0), fill=lighter(paint, 0.32))
    with pen.at(x * 0.7 + 12, 71, scale=0.95):
        pen.path("M-11 0H12C10 6 7 8 4 8H-4C-8 8-10 5-11 0Z", fill=darker(paint, 0.5))
        pen.path("M0-24C8-18 12-10 12-3H0Z", fill="#FFFFFF")
        pen.path("M-2-19C-6-13-9-8-10-3H-2Z", fill=lighter(paint, 0.8))
    pen.path(_waves(82, 6, 26, 7), fill=lighter(paint, 0.1))
    pen.path(_waves(96, 8, 34, -4), fill=darker(paint, 0.22))
    pen.path(_waves(111, 8, 42, 12), fill=darker(paint, 0.45))


def _mountain(pen: Pen, paint: str, x: float, y: float) -> None:
    _light(pen, x, y, "#FFFFFF", "#E7EEF3")
    pen.path("M-2 88 16 58 27 74 46 44 62 70 78 52 102 86V122H-2Z", fill="#A9BAC6")
    pen.path("M46 44 56 60 50 57 46 63 41 57 37 58Z", fill=paint)
    pen.path("M78 52 88 66 82 64 77 69 73 63 71 60Z", fill=paint)
    pen.path("M-2 118 34 62 52 92 66 74 102 120V124H-2Z", fill="#74899A")
    pen.path("M34 62 44 79 38 76 33 83 28 76 23 79Z", fill="#FFFFFF")
    pen.path("M66 74 76 87 70 85 66 90 62 86 59 83Z", fill="#FFFFFF")
    pen.path("M-2 112C24 102 50 116 74 108S96 104 102 106V124H-2Z", fill=paint)


def _jungle(pen: Pen, paint: str, x: float, y: float) -> None:
    _light(pen, x, y, "#FFFFFF", lighter(paint, 0.74))
    pen.path("M-2 74C10 60 26 62 36 68C46 56 64 54 74 66C84 60 94 62 102 70V122H-2Z",
             fill=lighter(paint, 0.12))  # fmt: skip
    pen.path("M-2 94C12 78 30 80 42 90C56 76 78 78 102 92V122H-2Z", fill=darker(paint, 0.25))
    for at_x, at_y, size, turn, shade in (
        (8, 122, 2.6, -22, 0.5), (30, 126, 2.1, 22, 0.4), (96, 124, 2.5, -62, 0.5),
        (70, 126, 2.0, -36, 0.4), (50, 130, 1.9, -8, 0.56),
    ):  # fmt: skip
        _leaf(pen, at_x, at_y, size, turn, darker(paint, shade), darker(paint, shade - 0.18))


def _leaf(pen: Pen, x: float, y: float, size: float, turn: float, paint: str, vein: str) -> None:
    """The suit's leaf, growing from its stem."""
    with pen.at(x, y, scale=size, turn=turn), pen.at(-2, -22):
        for kind, data in SYMBOLS[Colour.GREEN]:
            if kind == "fill":
                pen.path(data, fill=paint)
            else:
                pen.path(data, line=paint if kind == "line" else vein, weight=1.0)


def _volcano(pen: Pen, paint: str, x: float, y: float) -> None:
    for at_x, at_y, radius in ((52, 50, 6), (58, 40, 8), (52, 29, 9), (62, 19, 11), (56, 5, 14)):
        pen.circle(at_x, at_y, radius, fill=mix(paint, "#FFE2C2", 0.32))
    _light(pen, x, y, "#FFF6E6", mix(paint, "#FFE2C2", 0.82))
    pen.path("M-2 96 20 82 36 90 60 76 84 88 102 80V122H-2Z", fill=lighter(paint, 0.08))
    dark = darker(paint, 0.55)
    pen.path("M6 122C26 108 34 84 43 60H61C70 84 78 108 98 122Z", fill=dark)
    pen.path("M43 60C46 63 49 58 52 62C55 58 58 63 61 60L63 66C59 66 60 78 57 78C54 78 55 70 52 70"
             "C48 70 51 92 47 92C43 92 46 72 41 66Z", fill="#FFB54A")  # fmt: skip
    pen.path("M-2 114C20 104 40 116 62 110S94 108 102 112V124H-2Z", fill=darker(paint, 0.72))


def _ruins(pen: Pen, paint: str, x: float, y: float) -> None:
    for at_x, at_y, size in (
        (10, 14, 0.9), (26, 30, 0.6), (38, 10, 0.7), (52, 24, 0.6), (66, 8, 0.9), (80, 28, 0.7),
        (93, 14, 0.6), (16, 46, 0.5), (46, 44, 0.7), (72, 46, 0.6), (90, 44, 0.8), (58, 38, 0.4),
    ):  # fmt: skip
        pen.circle(at_x, at_y, size, fill=lighter(paint, 0.75))
    with pen.at(x - 10, y - 10, scale=0.85):
        pen.path(SYMBOLS[Colour.PURPLE][0][1], fill="#FFF3D6")
    pen.path("M-2 92C24 82 50 88 102 78V122H-2Z", fill=lighter(paint, 0.06))
    stone, shade = lighter(paint, 0.42), lighter(paint, 0.24)
    for at_x, top in ((16, 66), (32, 58), (64, 58), (80, 74)):
        pen.box(at_x, top, 8, 48, fill=stone)
        pen.box(at_x + 5.2, top, 2.8, 48, fill=shade)
        pen.box(at_x - 2, 104, 12, 3.5, fill=stone)
    for at_x in (32, 64):
        pen.box(at_x - 2, 55, 12, 3.5, fill=stone)
    pen.path("M28 49H76V55H28Z", fill=stone)
    pen.path("M26 49 52 37 64 43 60 49Z", fill=shade)
    pen.path("M16 66 19 62 21 65 24 63V68H16Z", fill=stone)
    pen.path("M80 74 83 71 86 74 88 70V76H80Z", fill=stone)
    pen.path("M-2 110C24 102 50 112 102 104V124H-2Z", fill=darker(paint, 0.5))


_LANDS: dict[Colour, Callable[[Pen, str, float, float], None]] = {
    Colour.YELLOW: _desert,
    Colour.BLUE: _sea,
    Colour.WHITE: _mountain,
    Colour.GREEN: _jungle,
    Colour.RED: _volcano,
    Colour.PURPLE: _ruins,
}
