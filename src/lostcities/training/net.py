"""The network in torch, for training; the same arrays as :mod:`lostcities.agents.network.forward`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lostcities.agents.network import features, forward
from lostcities.agents.network.forward import Flat
from lostcities.agents.trials import MOST_ACTIONS
from lostcities.kernel import layout as at
from lostcities.training.compute import Placed
from lostcities.training.selfplay import Rows, describe_rows

_GAIN = {"w1": 1.0, "s1": 1.0, "o": 0.3, "v1": 0.3}


class Net(Placed):
    """See :mod:`lostcities.agents.network.forward` for what it computes."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        for name, shape in forward.SHAPES.items():
            start = torch.zeros(shape)
            if len(shape) == 2:
                fan = shape[1] if name in ("o", "v1") else shape[0]
                gain = _GAIN.get(name, 0.6)
                start = torch.randn(shape, generator=generator) * gain * (2 / fan) ** 0.5
            self.register_parameter(name, nn.Parameter(start))

    def _layer(self, h: Tensor, n: int) -> Tensor:
        a, m, x, b = (self.get_parameter(f"{kind}{n}") for kind in "amxb")
        common = h.mean(1) @ m + h.amax(1) @ x + b
        return functional.relu(h @ a + common[:, None])

    def forward(self, colours: Tensor, shared: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values.

        Args:
            colours: ``(n, colours, COLOUR_BITS + COLOUR_NUMBERS)``.
            shared: ``(n, SHARED_BITS + SHARED_NUMBERS)``.

        Returns:
            Logits ``(n, 21 colours + 1)`` in the order of actions, and ``(n,)`` the gain still
            expected over the present lead, in units of ``VALUE_SCALE`` points.
        """
        with self.compute.cast():
            logits, value = self._answer(*self.taken(colours, shared))
        return self.told(logits), self.told(value)

    def _answer(self, colours: Tensor, shared: Tensor) -> tuple[Tensor, Tensor]:
        p = self.get_parameter
        h = functional.relu(colours @ p("w1") + (shared @ p("s1") + p("b1"))[:, None])
        h = self._layer(self._layer(h, 2), 3)
        out = h @ p("o").T + p("bo")
        pool = torch.cat([h.mean(1), h.amax(1)], 1)
        deck = pool @ p("d") + p("bd")
        value = functional.relu(pool @ p("v1").T + p("c1")) @ p("v2") + p("c2")
        n = colours.shape[0]
        plays, discards = out[:, :, :10].reshape(n, -1), out[:, :, 10:20].reshape(n, -1)
        return torch.cat([plays, discards, deck[:, None], out[:, :, 20]], 1), value

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name."""
        return {name: self.get_parameter(name).detach().cpu().numpy() for name in forward.SHAPES}

    def flat(self) -> Flat:
        """The weights as the compiled code takes them."""
        return forward.flatten(self.arrays())

    def load(self, arrays: dict[str, NDArray[np.float32]]) -> Net:
        """Take over weights; returns itself."""
        with torch.no_grad():
            for name in forward.SHAPES:
                self.get_parameter(name).copy_(torch.from_numpy(arrays[name].copy()))
        return self


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the network is shown of many positions, packed; unpacked batch by batch."""

    bits: NDArray[np.uint64]
    numbers: NDArray[np.float32]
    shared_bits: NDArray[np.uint32]
    shared: NDArray[np.float32]
    legal: NDArray[np.bool_]
    leads: NDArray[np.float32]

    @staticmethod
    def of(rows: Rows, rules: NDArray[np.int32]) -> Inputs:
        """The inputs of rows played under packed rules."""
        n, colours = len(rows), int(rules[at.COLOURS])
        made = Inputs(
            np.zeros((n, colours, features.COLOUR_WORDS), np.uint64),
            np.zeros((n, colours * features.COLOUR_NUMBERS), np.float32),
            np.zeros(n, np.uint32),
            np.zeros((n, features.SHARED_NUMBERS), np.float32),
            np.zeros((n, 21 * colours + 1), np.bool_),
            np.zeros(n, np.float32),
        )
        describe_rows(
            rows, rules, np.zeros(MOST_ACTIONS, np.int64), made.bits, made.numbers,
            made.shared_bits, made.shared, made.legal, made.leads,
        )  # fmt: skip
        return made

    def batch(self, index: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """The two arguments of :meth:`Net.forward` for some positions."""
        return unpacked(index, self.bits, self.shared_bits, self.shared, self.numbers)

    def masked(self, logits: Tensor, index: NDArray[np.int64]) -> Tensor:
        """Logits with illegal half-turns out of the question."""
        return logits.masked_fill(~torch.from_numpy(self.legal[index]), -1e9)


def unpacked(
    index: NDArray[np.int64],
    bits: NDArray[np.uint64],
    shared_bits: NDArray[np.uint32],
    shared: NDArray[np.float32],
    *numbers: NDArray[np.float32],
) -> tuple[Tensor, Tensor]:
    """What networks are shown of some of many packed positions.

    Args:
        index: which positions, ``(n,)``.
        bits: of each colour, ``(positions, colours, words)``.
        shared_bits: of all colours together, ``(positions,)``.
        shared: numbers of all colours together, ``(positions, numbers)``.
        numbers: of each colour, each ``(positions, colours * numbers)``, in the order of the inputs.

    Returns:
        The inputs of each colour ``(n, colours, inputs)`` and the common ones ``(n, inputs)``.
    """
    some = bits[index]
    n, colours = some.shape[:2]
    spread = np.unpackbits(some.view(np.uint8).reshape(n, colours, -1), axis=2, bitorder="little")
    own = [spread.astype(np.float32), *(each[index].reshape(n, colours, -1) for each in numbers)]
    words = shared_bits[index].view(np.uint8).reshape(n, 4)
    steps = np.unpackbits(words, axis=1, bitorder="little")
    common = np.concatenate([steps.astype(np.float32), shared[index]], 1)
    return torch.from_numpy(np.concatenate(own, 2)), torch.from_numpy(common)
