"""What the stages of training share: how they tell of their progress, and their files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lostcities.core.errors import NotationError


class Figure(NamedTuple):
    """Something measured while a stage goes on.

    Attributes:
        name: what, with its unit, for people.
        value: of it.
        se: its standard error; 0 where it is no estimate.
    """

    name: str
    value: float
    se: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """How far a stage has come.

    Attributes:
        done: of ``total``, in whatever the stage counts.
        total: how many there will be.
        unit: what is counted, e.g. ``"steps"``.
        text: how it goes, a few words.
        news: whether the text is worth a line of its own.
        figures: what was measured at it, for the curve.
    """

    done: int
    total: int
    unit: str
    text: str = ""
    news: bool = False
    figures: tuple[Figure, ...] = ()


Watch = Callable[[Step], None]
"""Told of every step; may raise KeyboardInterrupt."""


class TrainingError(NotationError):
    """Training data, or a stage under way, that cannot be used; names the file and the reason."""


def replace_file(path: Path, content: bytes) -> None:
    """Write a file in one step: a reader, or a kill, finds the old or the new one whole."""
    waiting = path.with_name(f"{path.name}.part")
    with waiting.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    waiting.replace(path)
