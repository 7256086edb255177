"""The seven levels as data, for those who tell of them without playing (no NumPy here)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Level:
    """A level.

    Attributes:
        title: its name for people.
        description: one line for people.
        error: by how many points its first version misjudges a half-turn; 0 for the network's first
            choices, None for the search. What the second versions of the levels 1 to 5 think of is told
            in :mod:`lostcities.agents.minds`.
    """

    title: str
    description: str
    error: float | None


LEVELS = MappingProxyType(
    {
        "level1": Level("First game", "plays what fits, and thinks no further", 3.0),
        "level2": Level("Beginner", "weighs its hand against the cost of a colour", 2.55),
        "level3": Level("Casual", "knows what wagers do, and hopes for what may come", 2.07),
        "level4": Level("Regular", "counts the turns left, and minds your rows", 1.7),
        "level5": Level("Strong", "minds what you may want, and wins time from piles", 1.28),
        "level6": Level("Expert", "judges every turn at a glance", 0.0),
        "level7": Level("Master", "tries its turns on deals that could be", None),
    }
)
"""By name, from weak to strong."""
