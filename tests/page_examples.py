"""The examples of a page of documentation: fenced blocks of ``key: value`` lines."""

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```example\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """One block: where it stands, and its lines in order."""

    line: int
    heading: str
    steps: tuple[tuple[str, str], ...]


def examples(page: Path) -> list[Example]:
    """Every example of a page."""
    text = page.read_text("utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        before = text[: block.start()]
        headings = re.findall(r"^#+ (.+)$", before, re.MULTILINE)
        pairs = (line.partition(":") for line in block[1].splitlines())
        steps = tuple((key.strip(), value.strip()) for key, _, value in pairs)
        found.append(Example(before.count("\n") + 1, headings[-1], steps))
    return found
