"""A single round in the kernel, for the doors that play one at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS
from lostcities.kernel import bridge
from lostcities.kernel import layout as at
from lostcities.kernel import round as kernel
from lostcities.kernel.observe import (
    mask_memory,
    observation_length,
    observation_memory,
    write_mask,
    write_observation,
)

_START = np.uint64(0)


class OneRound:
    """A round that is dealt, looked at and stepped.

    Attributes:
        rules: the rules in force.
        packed: the same as the kernel takes them.
        row: ``uint64 (WORDS,)``, the round.
    """

    def __init__(self, rules: Rules) -> None:
        """Make room for a round; deal before anything else."""
        self.rules = rules
        self.packed = bridge.pack(rules)
        self.row = at.empty_rows(1)[0]

    def deal(self, rng: np.random.Generator) -> None:
        """Deal a round; the seat that starts is drawn too unless the rules name it."""
        first = int(rng.integers(2)) if self.rules.first == "random" else self.rules.first
        kernel.deal_seeded(self.row, self.packed, int(rng.integers(2**63)), first)

    def deal_deck(self, faces: NDArray[np.uint8], start: int) -> None:
        """Deal a given deck of faces, top first."""
        kernel.deal(self.row, self.packed, faces, start)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self.row[at.MOVER])

    @property
    def over(self) -> bool:
        """Whether the round has ended, by its deck or by the stall rule."""
        return kernel.over(self.row, self.packed)

    @property
    def stalled(self) -> bool:
        """Whether the stall rule ended it."""
        return kernel.stalled(self.row, self.packed)

    @property
    def scores(self) -> tuple[int, int]:
        """Both seats' points as the rows lie."""
        first, second = (kernel.score(self.row, self.packed, seat) for seat in SEATS)
        return first, second

    def lead(self, seat: int) -> int:
        """By how many points a seat is ahead as the rows lie."""
        return kernel.lead(self.row, self.packed, seat)

    def is_legal(self, action: int) -> bool:
        """Whether the seat to act may do an action."""
        if not 0 <= action < encoding.actions(self.rules.colours):
            return False
        return bool(kernel.is_legal(self.row, self.packed, action))

    def step(self, action: int) -> None:
        """Do a legal action.

        Raises:
            ValueError: it is illegal; nothing has been done then.
        """
        if not self.is_legal(action):
            raise ValueError(f"action {action} is illegal for seat {self.seat} now")
        kernel.apply(self.row, self.packed, int(action))

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal action of the seat to act, ``int8 (actions,)``; a new array."""
        out = np.zeros(mask_memory(self.rules.colours), dtype=np.uint8)
        write_mask(self.row, self.packed, out, _START)
        return out[: encoding.actions(self.rules.colours)].view(np.int8)

    def no_mask(self) -> NDArray[np.int8]:
        """The mask of a seat that is not to act."""
        return np.zeros(encoding.actions(self.rules.colours), dtype=np.int8)

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """What a seat sees, ``uint8 (observation_length,)``; a new array."""
        out = np.zeros(observation_memory(self.rules.colours), dtype=np.uint8)
        write_observation(self.row, self.packed, seat, out, _START)
        return out[: observation_length(self.rules.colours)]

    def state(self) -> RoundState:
        """The whole truth as a value of the core."""
        return bridge.from_row(self.row, self.rules)
