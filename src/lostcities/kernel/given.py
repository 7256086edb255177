"""What is handed to batches from outside: checked where it comes in, so that an error names its place."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 2**64 - 1


def whole_actions(actions: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Actions as compiled code takes them, ``int64``; not yet checked against the rules.

    Raises:
        TypeError: they are no whole numbers.
        ValueError: they are of another shape.
    """
    found = np.asarray(actions)
    if found.dtype.kind not in "iu":
        raise TypeError(f"actions must be whole numbers (int64), not {found.dtype}")
    if found.shape != shape:
        raise ValueError(f"{shape} actions are needed, not {found.shape}")
    return np.ascontiguousarray(found, dtype=np.int64)


def whole_count(count: Any) -> int:
    """How many rounds.

    Raises:
        TypeError: no whole number.
        ValueError: less than one.
    """
    try:
        found = index(count)
    except TypeError:
        raise TypeError(f"the number of rounds must be a whole one, not {count!r}") from None
    if found < 1:
        raise ValueError(f"there is at least one round, not {found}")
    return found


def whole_seed(seed: Any) -> int:
    """A seed.

    Raises:
        TypeError: no whole number.
        ValueError: below 0 or beyond 64 bits.
    """
    try:
        found = index(seed)
    except TypeError:
        raise TypeError(f"a seed must be a whole number, not {seed!r}") from None
    if not 0 <= found <= _MOST:
        raise ValueError(f"a seed must be from 0 to 2**64 - 1, not {found}")
    return found


def float_logits(logits: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Logits as compiled code takes them.

    Raises:
        TypeError: they are no numbers.
        ValueError: they are of another shape.
    """
    found = np.asarray(logits)
    if found.dtype.kind not in "fiu":
        raise TypeError(f"logits must be numbers (float32), not {found.dtype}")
    if found.shape != shape:
        raise ValueError(f"logits must be {shape}, not {found.shape}")
    return np.ascontiguousarray(found, dtype=np.float32)
