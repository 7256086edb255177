"""What the other hand may hold: a network of that, fitted to hands that were held.

A view does not tell which turns led to it, but rows, piles and what was thrown away say a good deal:
nobody keeps what it cannot use, and what is useful is held back. The network has the shape of a policy
(:mod:`lostcities.agents.network.forward`); its logits of plays are the logarithms of the odds that a card
of that face, which the seat to act cannot see, is in the other hand and not in the deck. Searches may deal
the hidden cards by them (:func:`lostcities.kernel.hidden.resample_by`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lostcities.agents.network.forward import Flat
from lostcities.agents.steady_compiled import whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U
from lostcities.kernel.hidden import hand_wagers, known_wagers, unseen_faces, unseen_wagers
from lostcities.kernel.jit import in_place
from lostcities.kernel.round import PackedRules
from lostcities.training.compute import CPU, Compute
from lostcities.training.draw import Wanted, draw_rounds
from lostcities.training.episodes import Rows
from lostcities.training.fit import FitSettings, assessed, fit
from lostcities.training.net import Inputs, Net
from lostcities.training.stage import Figure, Step, Watch

CHUNK = 65_536
"""Half-turns drawn between two reports."""


@dataclass(frozen=True, slots=True)
class BelieveSettings:
    """How to learn what hands hold.

    Attributes:
        positions: how many to fit.
        every: of so many half-turns one is kept: neighbours tell little new.
        steady: share of rounds against ``steady@1``, so that its hands are known too.
        seed: of the rounds and of the network.
        fit: how to fit.
    """

    positions: int = 400_000
    every: int = 6
    steady: float = 0.2
    seed: int = 1
    fit: FitSettings = field(
        default_factory=lambda: FitSettings(
            epochs=5, batch=512, rate=3e-3, decay=1e-4, held_out=0.05
        )
    )


@dataclass(frozen=True, slots=True)
class Belief:
    """How a belief does on held-out positions.

    Attributes:
        loss: mean surprise at where an unseen card is, in nats a card.
        even: the same of holding all arrangements for equally likely.
    """

    loss: float
    even: float

    def figures(self) -> tuple[Figure, ...]:
        """For the curve."""
        return (Figure("surprise less than by chance, %", 100 * (1 - self.loss / self.even)),)

    def __str__(self) -> str:
        return (
            f"surprise {self.loss:.4f} nats a card, {1 - self.loss / self.even:.1%} less than "
            f"by chance ({self.even:.4f})"
        )


@dataclass(frozen=True, slots=True)
class Hands:
    """Where the cards were that the seat to act could not see.

    Attributes:
        held: of each face, how many were in the other hand, ``float32 (n, faces)``.
        unseen: and how many there were in all.
    """

    held: Tensor
    unseen: Tensor

    def __len__(self) -> int:
        """How many positions."""
        return len(self.held)

    def loss(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Tensor:
        """Mean surprise at where an unseen card is, nats."""
        held, unseen = self.held[index], self.unseen[index]
        logits = net(*inputs.batch(index))[0][:, : held.shape[1]]
        # log(1 + e^z) - z for a card in the hand, log(1 + e^z) for one in the deck
        surprise = unseen * functional.softplus(logits) - held * logits
        return surprise.sum() / unseen.sum()

    def assess(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Belief:
        """How a network does on some positions."""
        with torch.no_grad():
            losses = [
                float(self.loss(net, inputs, part) * self.unseen[part].sum())
                for part in assessed(index)
            ]
        held, unseen = self.held[index].sum(1), self.unseen[index].sum(1)
        share = (held / unseen).clamp(1e-6, 1 - 1e-6)
        even = -(held * share.log() + (unseen - held) * (1 - share).log()).sum()
        total = float(unseen.sum())
        return Belief(sum(losses) / total, float(even) / total)


@in_place
def count_hands(
    rows: Rows, rules: PackedRules, held: NDArray[np.float32], unseen: NDArray[np.float32]
) -> None:
    """Count what the seat to act cannot see, and what of it the other hand holds.

    Args:
        rows: ``(n, WORDS)``.
        rules: packed rules.
        held: ``float32 (n, faces)``, overwritten.
        unseen: the same.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        seat = whole(row[at.MOVER])
        faces, wagers = unseen_faces(row, rules, seat), unseen_wagers(row, rules, seat)
        other = at.SEAT * (1 - seat)
        hidden = row[other + at.HAND] & ~row[other + at.KNOWN]
        own = hand_wagers(row, 1 - seat) - known_wagers(row, 1 - seat)
        for face in range(held.shape[1]):
            colour = U(8 * (face // 10))
            if face % 10 == 0:
                unseen[i, face] = (wagers >> colour) & at.TWO_BITS
                held[i, face] = (own >> colour) & at.TWO_BITS
            else:
                unseen[i, face] = (faces >> U(face)) & ONE
                held[i, face] = unseen[i, face] if (hidden >> U(face)) & ONE != ZERO else 0.0


def hands_of(rows: Rows, rules: NDArray[np.int32]) -> Hands:
    """Where the cards are in rows that know it."""
    held = np.zeros((len(rows), 10 * int(rules[at.COLOURS])), np.float32)
    unseen = np.zeros_like(held)
    count_hands(rows, rules, held, unseen)
    return Hands(torch.from_numpy(held), torch.from_numpy(unseen))


def belief_rows(
    weights: Flat, rules: NDArray[np.int32], settings: BelieveSettings, watch: Watch
) -> Rows:
    """Positions of a policy against itself and ``steady@1``, in which somebody else's cards are hidden."""
    rng = np.random.default_rng([settings.seed, 7])
    kept: list[Rows] = []
    made = 0
    while made < settings.positions:
        left = (settings.positions - made) * settings.every
        wanted = Wanted(min(CHUNK, left), settings.steady, 0.0)
        batch = draw_rounds(weights, [weights], rules, wanted, rng)
        some = batch.rows[rng.integers(settings.every) :: settings.every]
        kept.append(some[: settings.positions - made].copy())
        made += len(kept[-1])
        watch(Step(made, settings.positions, "positions"))
    return np.concatenate(kept)


def believe(
    weights: Flat,
    rules: NDArray[np.int32],
    settings: BelieveSettings,
    watch: Watch,
    checkpoint: Path | None = None,
    compute: Compute = CPU,
) -> tuple[Net, Belief]:
    """Learn what the other hand may hold when a policy plays.

    Args:
        weights: the policy; its half-turns are drawn.
        rules: packed rules, with a stall rule.
        settings: how.
        watch: told of the progress.
        checkpoint: see :func:`lostcities.training.fit.fit`.
        compute: where the network is fitted.

    Returns:
        The network, and how it does on held-out positions.
    """
    rows = belief_rows(weights, rules, settings, watch)
    net, inputs = Net(settings.seed).on(compute), Inputs.of(rows, rules)
    how = replace(settings.fit, seed=settings.seed)
    return net, fit(net, inputs, hands_of(rows, rules), how, watch, checkpoint)
