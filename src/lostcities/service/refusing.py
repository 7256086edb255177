"""The answer to a wish that changes nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class No:
    """A wish that changes nothing: ``reason`` for programs, ``text`` for people."""

    reason: str
    text: str
