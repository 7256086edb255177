"""Comparing what a page looks like with how it looked, as an eye would.

Two machines draw the edges of letters and curves a little differently; an eye does not see it. So
pictures are made smaller before they are compared, which evens edges out, and compared in small fields:
a field differs when its colour has visibly changed. A few fields may, where a hair of a letter lies.
"""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops

SMALLER = 8
"""Pixels of a page along each side of a field."""
VISIBLE = 16
"""By how much (of 255) red, green or blue of a field must differ to be seen."""
MOST = 4
"""How many fields may differ: fewer than the words of a button have."""


@dataclass(frozen=True)
class Difference:
    """How two pictures differ: in how many fields, and a picture of those."""

    fields: int
    shown: Image.Image

    @property
    def seen(self) -> bool:
        return self.fields > MOST


def difference(actual: Image.Image, expected: Image.Image) -> Difference:
    """What an eye would see; pictures of different sizes differ everywhere."""
    if actual.size != expected.size:
        return Difference(actual.width * actual.height, actual)
    size = (actual.width // SMALLER, actual.height // SMALLER)
    one, other = (
        each.convert("RGB").resize(size, Image.Resampling.BOX) for each in (actual, expected)
    )
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    seen = most.point([255 if value > VISIBLE else 0 for value in range(256)])
    grey = actual.convert("L").point([170 + value // 3 for value in range(256)]).convert("RGB")
    grey.paste((200, 0, 60), mask=seen.resize(actual.size, Image.Resampling.NEAREST))
    return Difference(seen.histogram()[255], grey)


def keep(picture: Image.Image, path: Path) -> None:
    """Write a picture small enough for git."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.convert("RGB").save(path, "WEBP", quality=82, method=6)


def complaint(name: str, actual: Image.Image, kept: Path, results: Path) -> str | None:
    """What is wrong with a picture, and where to look at it; None if it is as it was."""
    if not kept.exists():
        return f"{name}: no such picture is kept; `make snapshots` keeps one"
    with Image.open(kept) as file:
        expected = file.convert("RGB")
    found = difference(actual, expected)
    if not found.seen:
        return None
    results.mkdir(parents=True, exist_ok=True)
    for what, picture in (
        ("actual", actual), ("expected", expected), ("difference", found.shown),
    ):  # fmt: skip
        picture.save(results / f"{name}-{what}.png")
    return (
        f"{name}: {found.fields} fields of it look otherwise, see {results.name}/{name}-*.png "
        "(`make snapshots` if it is meant)"
    )
