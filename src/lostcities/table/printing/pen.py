"""Drawing on a page in millimetres from its top left corner, y downward."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from lostcities.table.printing.outline import outline

MM = 72 / 25.4
"""Points in a millimetre."""

SANS, BOLD, ITALIC = "LC-Sans", "LC-Sans-Bold", "LC-Sans-Italic"
SERIF = "LC-Serif-Bold"
_FONTS = {
    SANS: ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
    BOLD: ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
    ITALIC: ("font_source_sans_pro", "SourceSansPro-It.ttf"),
    SERIF: ("font_source_serif_pro", "SourceSerifPro-Bold.ttf"),
}
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Sizes of paper in millimetres, upright."""


@cache
def register_fonts() -> None:
    """Make the fonts known to ReportLab; they are embedded as far as they are used."""
    for name, (package, file) in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(_folder(package) / "files" / file)))
    pdfmetrics.registerFontFamily(SANS, normal=SANS, bold=BOLD, italic=ITALIC, boldItalic=BOLD)


def _folder(package: str) -> Path:
    """Where a package of fonts lies; it need not run for that."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} (extra print) is not installed")
    return Path(spec.submodule_search_locations[0])


class Pen:
    """A PDF being drawn, page by page. The same calls give the same bytes.

    Args:
        path: the file to write.
        paper: a name of :data:`PAPERS`.
        title: the document's title.
        landscape: the page lies on its side.
    """

    def __init__(self, path: Path, paper: str, title: str, *, landscape: bool = False) -> None:
        register_fonts()
        width, height = PAPERS[paper]
        self.width, self.height = (height, width) if landscape else (width, height)
        size = (self.width * MM, self.height * MM)
        self.canvas = Canvas(
            str(path),
            pagesize=size,
            invariant=1,
            initialFontName=SANS,  # type: ignore[arg-type]  # a name, whatever the stub says
        )
        self.canvas.setTitle(title)
        self.canvas.setAuthor("lostcities")
        self.canvas.setCreator("lostcities print")
        self.pages = 0
        self._begin()

    def _begin(self) -> None:
        self.canvas.saveState()
        self.canvas.translate(0, self.height * MM)
        self.canvas.scale(MM, -MM)
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)

    def new_page(self) -> None:
        """End this page and begin another."""
        self.canvas.restoreState()
        self.canvas.showPage()
        self.pages += 1
        self._begin()

    def save(self) -> int:
        """End the last page and write the file; answers the number of pages."""
        self.canvas.restoreState()
        self.canvas.showPage()
        self.pages += 1
        self.canvas.save()
        return self.pages

    @contextmanager
    def at(self, x: float, y: float, *, scale: float = 1, turn: float = 0) -> Iterator[None]:
        """Draw with the origin at a place, enlarged, turned clockwise by degrees."""
        self.canvas.saveState()
        self.canvas.translate(x, y)
        if turn:
            self.canvas.rotate(turn)
        if scale != 1:
            self.canvas.scale(scale, scale)
        yield
        self.canvas.restoreState()

    @contextmanager
    def clipped(
        self, x: float, y: float, width: float, height: float, radius: float = 0
    ) -> Iterator[None]:
        """Draw within a rectangle only."""
        self.canvas.saveState()
        path = self.canvas.beginPath()
        path.roundRect(x, y, width, height, radius)
        self.canvas.clipPath(path, stroke=0, fill=0)
        yield
        self.canvas.restoreState()

    def _set(self, fill: str | None, line: str | None, weight: float) -> dict[str, int]:
        if fill is not None:
            self.canvas.setFillColor(HexColor(fill))
        if line is not None:
            self.canvas.setStrokeColor(HexColor(line))
            self.canvas.setLineWidth(weight)
        return {"fill": int(fill is not None), "stroke": int(line is not None)}

    def box(
        self, x: float, y: float, width: float, height: float, *, radius: float = 0,
        fill: str | None = None, line: str | None = None, weight: float = 0.3,
    ) -> None:  # fmt: skip
        """A rectangle, perhaps with round corners."""
        how = self._set(fill, line, weight)
        if radius:
            self.canvas.roundRect(x, y, width, height, radius, **how)
        else:
            self.canvas.rect(x, y, width, height, **how)

    def circle(
        self, x: float, y: float, radius: float, *, fill: str | None = None,
        line: str | None = None, weight: float = 0.3,
    ) -> None:  # fmt: skip
        """A circle by its centre."""
        self.canvas.circle(x, y, radius, **self._set(fill, line, weight))

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, line: str, weight: float = 0.3,
        dash: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        """A straight line, perhaps dashed."""
        self._set(None, line, weight)
        self.canvas.setDash(list(dash))
        self.canvas.line(x1, y1, x2, y2)
        self.canvas.setDash([])

    def path(
        self, data: str, *, fill: str | None = None, line: str | None = None, weight: float = 0.3
    ) -> None:
        """SVG path data."""
        path = self.canvas.beginPath()
        for kind, points in outline(data):
            if kind == "M":
                path.moveTo(*points[0])
            elif kind == "L":
                path.lineTo(*points[0])
            elif kind == "C":
                path.curveTo(*(value for point in points for value in point))
            else:
                path.close()
        self.canvas.drawPath(path, **self._set(fill, line, weight))

    def text(
        self, x: float, y: float, text: str, *, size: float, font: str = SANS, fill: str,
        align: str = "left", track: float = 0, room: float | None = None,
    ) -> None:  # fmt: skip
        """A line of text on its baseline; ``size`` in millimetres, ``track`` between letters. It is
        drawn smaller where it has not the ``room``.
        """
        if room is not None:
            size *= min(1.0, room / pdfmetrics.stringWidth(text, font, size))
        width = pdfmetrics.stringWidth(text, font, size) + track * max(0, len(text) - 1)
        start = {"left": 0.0, "centre": -width / 2, "right": -width}[align]
        self.canvas.saveState()
        self.canvas.translate(x + start, y)
        self.canvas.scale(1, -1)
        self.canvas.setFillColor(HexColor(fill))
        drawn: Any = self.canvas.beginText(0, 0)
        drawn.setFont(font, size)
        if track:
            drawn.setCharSpace(track)
        drawn.textOut(text)
        self.canvas.drawText(drawn)
        self.canvas.restoreState()

    def wrap(self, text: str, width: float, size: float, font: str) -> list[str]:
        """Text broken into lines that fit a width."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if pdfmetrics.stringWidth(longer, font, size) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def ellipse(
        self, x: float, y: float, across: float, down: float, *, line: str, weight: float
    ) -> None:
        """An ellipse by its centre and half axes."""
        self._set(None, line, weight)
        self.canvas.ellipse(x - across, y - down, x + across, y + down, stroke=1, fill=0)
