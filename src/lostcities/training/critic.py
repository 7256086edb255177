"""The critic of the policy gradient: it sees both hands and the deck, and is thrown away after training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lostcities.agents.network import features
from lostcities.agents.network.forward import VALUE_SCALE
from lostcities.kernel import layout as at
from lostcities.training.compute import Placed
from lostcities.training.episodes import EXTRAS, Rows, describe_open
from lostcities.training.net import unpacked

WIDTH = 64
BATCH = 8192


class Critic(Placed):
    """Shared over the colours as the policy is, with pooling between two of its layers."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        each = features.COLOUR_BITS + features.COLOUR_NUMBERS + EXTRAS
        self.first = nn.Linear(each, WIDTH)
        self.shared = nn.Linear(features.SHARED_BITS + features.SHARED_NUMBERS, WIDTH, bias=False)
        self.own = nn.ModuleList([nn.Linear(WIDTH, WIDTH) for _ in range(2)])
        self.pooled = nn.ModuleList([nn.Linear(2 * WIDTH, WIDTH, bias=False) for _ in range(2)])
        self.head = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))

    def forward(self, colours: Tensor, shared: Tensor) -> Tensor:
        """The gain still to come over the present lead, in ``VALUE_SCALE`` points ``(n,)``."""
        with self.compute.cast():
            return self.told(self._answer(*self.taken(colours, shared)))

    def _answer(self, colours: Tensor, shared: Tensor) -> Tensor:
        h = functional.relu(self.first(colours) + self.shared(shared)[:, None])
        for own, pooled in zip(self.own, self.pooled, strict=True):
            common = pooled(torch.cat([h.mean(1), h.amax(1)], 1))
            h = functional.relu(own(h) + common[:, None])
        out: Tensor = self.head(torch.cat([h.mean(1), h.amax(1)], 1))[:, 0]
        return out


@dataclass(frozen=True, slots=True)
class OpenInputs:
    """What the critic is shown of many positions, packed; unpacked batch by batch."""

    bits: NDArray[np.uint64]
    numbers: NDArray[np.float32]
    shared_bits: NDArray[np.uint32]
    shared: NDArray[np.float32]
    extras: NDArray[np.float32]

    @staticmethod
    def of(rows: Rows, rules: NDArray[np.int32]) -> OpenInputs:
        """The inputs of rows played under packed rules."""
        n, colours = len(rows), int(rules[at.COLOURS])
        made = OpenInputs(
            np.zeros((n, colours, features.COLOUR_WORDS), np.uint64),
            np.zeros((n, colours * features.COLOUR_NUMBERS), np.float32),
            np.zeros(n, np.uint32),
            np.zeros((n, features.SHARED_NUMBERS), np.float32),
            np.zeros((n, colours * EXTRAS), np.float32),
        )
        describe_open(
            rows, rules, np.zeros(at.WORDS, np.uint64), made.bits, made.numbers, made.shared_bits,
            made.shared, made.extras,
        )  # fmt: skip
        return made

    def batch(self, index: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """The two arguments of :meth:`Critic.forward` for some positions."""
        return unpacked(
            index, self.bits, self.shared_bits, self.shared, self.numbers, self.extras
        )  # fmt: skip


def judge(critic: Critic, inputs: OpenInputs) -> NDArray[np.float32]:
    """The critic's gains still to come, in points."""
    parts = np.array_split(np.arange(len(inputs.bits)), max(1, len(inputs.bits) // BATCH))
    with torch.no_grad():
        told = [critic(*inputs.batch(part)).numpy() for part in parts]
    gains: NDArray[np.float32] = np.concatenate(told) * np.float32(VALUE_SCALE)
    return gains
