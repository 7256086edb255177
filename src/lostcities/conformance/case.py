"""One case of the suite, and the readers of the data beside this module."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules

REFUSED = {"refused": True}
"""What is expected where a program must say no; it may answer a reason in place of true."""


@dataclass(frozen=True, slots=True)
class Case:
    """One request to a program.

    Attributes:
        id: names the case, for good.
        group: what it is about.
        why: what it shows, or the mistake that it finds.
        request: the object sent, less its id.
        expected: what must stand in the answer.
    """

    id: str
    group: str
    why: str
    request: dict[str, Any]
    expected: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The case as one line of the exported files."""
        return {
            "id": self.id, "group": self.group, "why": self.why,
            "request": self.request, "expected": self.expected,
        }  # fmt: skip


def lines(name: str) -> list[str]:
    """The lines of a data file."""
    file = resources.files("lostcities.conformance") / "data" / name
    return file.read_text("utf-8").splitlines()


def objects(name: str) -> list[dict[str, Any]]:
    """The objects of a data file with one a line."""
    return [json.loads(line) for line in lines(name)]


def positions(name: str) -> Iterator[tuple[int, RoundState, str]]:
    """Lines of ``colours ; position ; expected``: their number, what they hold, what is expected."""
    rows = (line.split(" ; ") for line in lines(name) if line and not line.startswith("#"))
    for number, (colours, position, expected) in enumerate(rows, 1):
        rules = Rules(colours=int(colours))
        yield number, parse_position(position, rules), expected
