"""What the stages of training share: how they tell of their progress, and their files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lostcities.core.errors import NotationError


@dataclass(frozen=True, slots=True)
class Step:
    """How far a stage has come.

    Attributes:
        done: of ``total``, in whatever the stage counts.
        total: how many there will be.
        unit: what is counted, e.g. ``"steps"``.
        text: how it goes, a few words.
        news: whether the text is worth a line of its own.
    """

    done: int
    total: int
    unit: str
    text: str = ""
    news: bool = False


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
