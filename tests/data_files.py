"""Readers of the rule data, which the package ships for its conformance suite, and of the tests' own."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules

DATA = Path(str(resources.files("lostcities.conformance"))) / "data"
OWN = Path(__file__).parent / "data"
"""Data of the tests alone."""


def read_rows(name: str) -> list[dict[str, Any]]:
    """The objects of a file of one JSON object a line."""
    return _rows(DATA / name)


def read_own_rows(name: str) -> list[dict[str, Any]]:
    """As :func:`read_rows`, of the tests' own data."""
    return _rows(OWN / name)


def _rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read_positions(name: str) -> list[tuple[int, str, str]]:
    """Lines of `colours ; position ; expected`, without comments."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    split = [line.split(" ; ") for line in lines if line and not line.startswith("#")]
    return [(int(colours), position, expected) for colours, position, expected in split]


def position(text: str, rules: str = "") -> RoundState:
    """A position under rules given as text."""
    return parse_position(text, Rules.parse(rules))
