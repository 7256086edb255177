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
        error: by how many points it misjudges a half-turn; 0 for the network's first choices, None for
            the search.
    """

    title: str
    description: str
    error: float | None


LEVELS = MappingProxyType(
    {
        "level1": Level("First game", "sees what is possible, and weighs it badly", 3.0),
        "level2": Level("Beginner", "has an idea of what pays, and often errs", 2.55),
        "level3": Level("Casual", "tells good from bad, not good from better", 2.07),
        "level4": Level("Regular", "makes some mistakes in every round", 1.7),
        "level5": Level("Strong", "errs only where it is close", 1.28),
        "level6": Level("Expert", "judges every turn at a glance", 0.0),
        "level7": Level("Master", "tries its turns on deals that could be", None),
    }
)
"""By name, from weak to strong."""
