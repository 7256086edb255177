"""SVG path data as absolute moves, lines and curves: enough of it for our own drawings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""``("M", (point,))``, ``("L", (point,))``, ``("C", (control, control, point))`` or ``("Z", ())``."""

_TOKEN = re.compile(r"([MmLlHhVvCcSsAaZz])|(-?(?:\d+\.?\d*|\.\d+))")
_SIZES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}


def outline(data: str) -> Iterator[Step]:
    """The steps of a path (commands M L H V C S A Z, absolute or relative)."""
    at: Point = (0.0, 0.0)
    start, control = at, at
    for command, values in _commands(data):
        kind, relative = command.upper(), command.islower()
        if kind == "Z":
            at = control = start
            yield "Z", ()
            continue
        base = at if relative else (0.0, 0.0)
        if kind == "A":
            end = (values[5] + base[0], values[6] + base[1])
            yield from _arc(at, values[0], bool(values[3]), bool(values[4]), end)
            at = control = end
            continue
        points = _points(kind, values, base, at)
        if kind == "S":
            points = ((2 * at[0] - control[0], 2 * at[1] - control[1]), *points)
        curve = kind in "CS"
        yield ("C" if curve else "M" if kind == "M" else "L"), points
        at = points[-1]
        control = points[1] if curve else at
        start = at if kind == "M" else start


def _commands(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    command, values = "", list[float]()
    for letter, number in _TOKEN.findall(data):
        if letter:
            command, values = letter, []
        else:
            values.append(float(number))
        if len(values) == _SIZES[command.upper()]:
            yield command, tuple(values)
            values = []
            command = {"M": "L", "m": "l"}.get(command, command)


def _points(kind: str, values: tuple[float, ...], base: Point, at: Point) -> tuple[Point, ...]:
    if kind == "H":
        return ((values[0] + base[0], at[1]),)
    if kind == "V":
        return ((at[0], values[0] + base[1]),)
    pairs = zip(values[::2], values[1::2], strict=True)
    return tuple((x + base[0], y + base[1]) for x, y in pairs)


def _arc(at: Point, radius: float, large: bool, sweep: bool, end: Point) -> Iterator[Step]:
    """A circular arc as curves of at most a quarter turn.

    The centre lies on the bisector of the chord (SVG 1.1, appendix F.6.5, for equal radii).
    """
    (x1, y1), (x2, y2) = at, end
    half = math.hypot(x2 - x1, y2 - y1) / 2
    if half == 0:
        return
    radius = max(radius, half)
    away = math.sqrt(max(0.0, radius**2 - half**2)) * (1 if large == sweep else -1)
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    centre = (
        middle[0] + away * (y2 - y1) / (2 * half),
        middle[1] - away * (x2 - x1) / (2 * half),
    )
    first = math.atan2(y1 - centre[1], x1 - centre[0])
    turn = math.atan2(y2 - centre[1], x2 - centre[0]) - first
    turn += 2 * math.pi * ((sweep and turn < 0) - (not sweep and turn > 0))
    pieces = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    for piece in range(pieces):
        yield _piece(centre, radius, first + turn * piece / pieces, turn / pieces)


def _piece(centre: Point, radius: float, angle: float, turn: float) -> Step:
    reach = 4 / 3 * math.tan(turn / 4) * radius

    def on(a: float, along: float) -> Point:
        return (
            centre[0] + radius * math.cos(a) - along * math.sin(a),
            centre[1] + radius * math.sin(a) + along * math.cos(a),
        )

    return "C", (on(angle, reach), on(angle + turn, -reach), on(angle + turn, 0))
