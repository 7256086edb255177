"""What a stage of training measures as it goes on: kept beside its network, and drawn.

``OUT.curve.json`` has every figure with the step at which it was taken, ``OUT.curve.svg`` a small chart of each. A
stage that goes on after an interrupt takes some steps again; their figures replace those of before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple, TypeAlias

from lostcities.training.stage import Step, TrainingError, replace_file

LEFT, WIDTH, HEIGHT, BETWEEN, FOOT = 70, 560, 110, 52, 30
"""Of a chart, in units of the drawing: room for figures, the chart itself, room above each, and below all."""
LINE, BAND, INK, FAINT = "#2f6f8f", "#c9dbe4", "#444444", "#dddddd"


class Point(NamedTuple):
    """A figure at a time.

    Attributes:
        done: the step.
        value: the figure.
        se: its standard error; 0 where it is no estimate.
    """

    done: int
    value: float
    se: float


Lines: TypeAlias = dict[str, list[Point]]
"""By the name of the figure."""


def beside(network: Path) -> Path:
    """Where the curve of a network is kept; its drawing has ``.svg`` instead of ``.json``."""
    return network.with_name(f"{network.stem}.curve.json")


class Curve:
    """The figures of one stage.

    Args:
        path: the file, see :func:`beside`.
        goes_on: keep what is in it already, for a stage that goes on from a checkpoint.

    Raises:
        TrainingError: the file is there and is no curve.
    """

    def __init__(self, path: Path, *, goes_on: bool) -> None:
        self.path, self.unit = path, ""
        self.lines: Lines = {}
        if goes_on and path.exists():
            self._read()

    def _read(self) -> None:
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            self.unit = str(kept["unit"])
            self.lines = {
                str(name): [Point(int(n), float(value), float(se)) for n, value, se in points]
                for name, points in kept["figures"].items()
            }
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TrainingError(str(self.path), f"not a curve of this program ({error})") from error

    def take(self, step: Step) -> None:
        """Add the figures of a step, and write them at every piece of news."""
        for figure in step.figures:
            self.unit = step.unit
            line = self.lines.setdefault(figure.name, [])
            while line and line[-1].done >= step.done:
                line.pop()
            line.append(Point(step.done, figure.value, figure.se))
        if step.news:
            self.save()

    def save(self) -> None:
        """Write the file and its drawing, if there is anything in it."""
        if not self.lines:
            return
        kept = {"unit": self.unit, "figures": self.lines}
        replace_file(self.path, (json.dumps(kept, indent=1) + "\n").encode())
        replace_file(self.path.with_suffix(".svg"), drawn(self.lines, self.unit).encode())


def drawn(lines: Lines, unit: str) -> str:
    """A chart of every figure over the steps, one below the other, as SVG."""
    first = min(line[0].done for line in lines.values())
    last = max(first + 1, *(line[-1].done for line in lines.values()))
    high = len(lines) * (HEIGHT + BETWEEN) + FOOT
    view, said = f"0 0 {LEFT + WIDTH + 90} {high}", escape(f"{', '.join(lines)}, by {unit}")
    look = 'font-family="sans-serif" font-size="13" role="img"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {look} aria-label="{said}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for number, (name, line) in enumerate(lines.items()):
        parts += _chart(name, line, (first, last), BETWEEN + number * (HEIGHT + BETWEEN))
    parts += [_text(LEFT + WIDTH, high - 8, f"{unit}: {first:,} to {last:,}", "end")]
    return "\n".join([*parts, "</svg>", ""])


def _chart(name: str, line: list[Point], span: tuple[int, int], top: int) -> Iterator[str]:
    low = min(point.value - point.se for point in line)
    high = max(point.value + point.se for point in line)
    ticks = list(marks(low, high))
    low, high = min(low, ticks[0]), max(high, ticks[-1])

    def place(done: int, value: float) -> tuple[float, float]:
        across = LEFT + WIDTH * (done - span[0]) / (span[1] - span[0])
        return across, top + HEIGHT * (high - value) / (high - low)

    yield _text(LEFT, top - 14, name, "start")
    for tick in ticks:
        y = place(0, tick)[1]
        yield f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>'
        yield _text(LEFT - 8, y + 4, f"{tick:.6g}", "end")
    upper = [place(p.done, p.value + p.se) for p in line]
    lower = [place(p.done, p.value - p.se) for p in reversed(line)]
    yield f'<polygon points="{_points(upper + lower)}" fill="{BAND}"/>'
    middle = [place(p.done, p.value) for p in line]
    yield f'<polyline points="{_points(middle)}" fill="none" stroke="{LINE}" stroke-width="2"/>'
    yield f'<circle cx="{middle[-1][0]:.1f}" cy="{middle[-1][1]:.1f}" r="3" fill="{LINE}"/>'
    yield _text(middle[-1][0] + 8, middle[-1][1] + 4, f"{line[-1].value:.4g}", "start")


def marks(low: float, high: float) -> Iterator[float]:
    """Two to six round values that cover a range; around it where it is a single value."""
    reach = (high - low) or max(abs(high), 1e-9)
    step = 10.0 ** math.floor(math.log10(reach / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if reach / (step * factor) <= 4)
    for number in range(math.floor(low / step), math.ceil(high / step + 1e-9) + 1):
        yield number * step


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'
    )
