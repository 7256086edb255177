"""What seats see and may do, as Gymnasium spaces."""

from __future__ import annotations

import gymnasium
import numpy as np

from lostcities import encoding
from lostcities.kernel.observe import observation_length


def seat_space(colours: int) -> gymnasium.spaces.Dict:
    """What a seat sees: ``observation`` (``uint8``) and ``action_mask`` (``int8``, 1 where legal)."""
    length, actions = observation_length(colours), encoding.actions(colours)
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0, 255, (length,), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
    )
