"""First stage: a network that plays as ``steady@1`` does and knows what comes of it.

Policy and value are fitted together from the start: a network whose value head is new when the
policy is already good loses its policy to the first updates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from lostcities.agents.trials import MOST_ACTIONS
from lostcities.kernel import layout as at
from lostcities.training.compute import CPU, Compute
from lostcities.training.fit import Fit, FitSettings, Targets, fit
from lostcities.training.measure import over_steady
from lostcities.training.net import Inputs, Net
from lostcities.training.selfplay import clone_round
from lostcities.training.stage import Step, Watch

CHUNK = 4096
"""Positions between two reports while the data is made."""


@dataclass(frozen=True, slots=True)
class CloneSettings:
    """How to clone.

    Attributes:
        positions: how many positions to fit.
        keep: of 1,024 positions of a round, how many are kept: neighbours tell little new.
        noise: of 1,024 half-turns, how many are random (in three rounds of four), so that the
            network also knows positions off the teacher's paths.
        panel: duplicate deals against ``steady@1`` after each epoch.
        seed: of the first deal and of the network.
        fit: how to fit.
    """

    positions: int = 900_000
    keep: int = 256
    noise: int = 60
    panel: int = 200
    seed: int = 1
    fit: FitSettings = field(
        default_factory=lambda: FitSettings(
            epochs=5, batch=512, rate=4e-3, decay=1e-4, held_out=0.02
        )
    )


SMOKE = CloneSettings(
    positions=300_000, fit=FitSettings(epochs=3, batch=256, rate=4e-3, decay=1e-4, held_out=0.02)
)
"""Little data, small batches, few passes: enough for 90 % with something to spare."""


def clone_data(
    settings: CloneSettings, rules: NDArray[np.int32], watch: Watch
) -> tuple[NDArray[np.uint64], NDArray[np.int16], NDArray[np.float32]]:
    """Rows, choices of ``steady@1`` and gains; see :func:`lostcities.training.selfplay.clone_round`."""
    count = settings.positions
    rows = np.zeros((count, at.WORDS), np.uint64)
    chosen, gain = np.zeros(count, np.int16), np.zeros(count, np.float32)
    row, work = np.zeros(at.WORDS, np.uint64), np.zeros(MOST_ACTIONS, np.int64)
    made, seed, told = 0, settings.seed, 0
    while made < count:
        made += clone_round(
            row, rules, seed, settings.keep, settings.noise, work, rows[made:], chosen[made:],
            gain[made:],
        )  # fmt: skip
        seed += 1
        if made - told >= CHUNK or made == count:
            told = made
            watch(Step(made, count, "positions"))
    return rows, chosen, gain


def clone(
    settings: CloneSettings,
    rules: NDArray[np.int32],
    watch: Watch,
    checkpoint: Path | None = None,
    compute: Compute = CPU,
) -> tuple[Net, Fit]:
    """Make the data, fit a new network.

    Args:
        settings: how.
        rules: packed rules.
        watch: told of the progress.
        checkpoint: see :func:`lostcities.training.fit.fit`.
        compute: where the network is fitted.

    Returns:
        The network, and how it does on held-out positions.
    """
    rows, chosen, gain = clone_data(settings, rules, watch)
    inputs = Inputs.of(rows, rules)
    policy = torch.zeros(inputs.legal.shape)
    policy[torch.arange(len(rows)), torch.from_numpy(chosen.astype(np.int64))] = 1.0
    net = Net(settings.seed).on(compute)
    targets = Targets(policy, torch.from_numpy(gain))
    told = fit(
        net, inputs, targets, settings.fit, watch, checkpoint,
        lambda now: over_steady(now.flat(), rules, settings.panel),
    )  # fmt: skip
    return net, told
