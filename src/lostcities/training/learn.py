"""Second stage, its student: a network learns what the teacher found.

The policy's target is a softmax over the values of the half-turns that were tried, so that choices
which cost nothing are no mistakes; the value's target is their mean under it.

A teacher that looked ahead only late in rounds says nothing of what comes before. So that the student
does not forget that, it also learns what the network it begins with says there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lostcities.agents.network import forward
from lostcities.agents.network.forward import VALUE_SCALE, Flat
from lostcities.agents.network.weights import Arrays
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, deck_left
from lostcities.training.compute import CPU, Compute
from lostcities.training.fit import Fit, FitSettings, Targets, fit
from lostcities.training.measure import over_steady
from lostcities.training.net import Inputs, Net
from lostcities.training.selfplay import Rows
from lostcities.training.stage import Watch
from lostcities.training.teach import TEMPERATURE, Lesson

OWN_BATCH = 4096
"""Positions that a network is asked about at a time."""


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """How to learn.

    Attributes:
        seed: of a new network.
        keep: positions from before the lesson's, in rounds of the network to begin with against itself,
            where it shall stay as it is.
        fit: how to fit.
        panel: duplicate deals against ``steady@1`` after each epoch.
    """

    seed: int = 1
    keep: int = 0
    fit: FitSettings = field(default_factory=lambda: FitSettings(epochs=9, rate=1.5e-3))
    panel: int = 200


def targets_of(lesson: Lesson, leads: NDArray[np.float32]) -> Targets:
    """Softened choices and what is still to come, see the module.

    Args:
        lesson: decisions; each has at least one value.
        leads: of the seat to act, as the rows lie.
    """
    tried = ~np.isnan(lesson.values)
    values = np.where(tried, lesson.values, -np.inf)
    best = values.max(axis=1, keepdims=True)
    policy = np.exp((values - best) / TEMPERATURE)
    policy /= policy.sum(axis=1, keepdims=True)
    value = (policy * np.where(tried, lesson.values, 0)).sum(axis=1) - leads
    return Targets(
        torch.from_numpy(policy.astype(np.float32)), torch.from_numpy(value.astype(np.float32))
    )


def learn(
    lesson: Lesson,
    rules: NDArray[np.int32],
    start: Arrays | None,
    settings: LearnSettings,
    watch: Watch,
    checkpoint: Path | None = None,
    compute: Compute = CPU,
) -> tuple[Net, Fit]:
    """Fit a network to a lesson.

    Args:
        lesson: see :func:`lostcities.training.teach.read_lessons`; the last ones are held out.
        rules: packed rules.
        start: weights to begin with; None for a new network.
        settings: how.
        watch: told of the progress.
        checkpoint: see :func:`lostcities.training.fit.fit`.
        compute: where the network is fitted.

    Returns:
        The network, and how it does on held-out positions.
    """
    net = Net(settings.seed).on(compute)
    if start is not None:
        net.load(start)
    kept = earlier_rows(net.flat(), rules, lesson, settings.keep, settings.seed)
    inputs = Inputs.of(np.concatenate([kept, lesson.rows]), rules)
    own = own_targets(net, inputs, len(kept))
    taught = targets_of(lesson, inputs.leads[len(kept) :])
    targets = Targets(torch.cat([own.policy, taught.policy]), torch.cat([own.value, taught.value]))
    told = fit(
        net, inputs, targets, settings.fit, watch, checkpoint,
        lambda now: over_steady(now.flat(), rules, settings.panel),
    )  # fmt: skip
    return net, told


def earlier_rows(
    weights: Flat, rules: NDArray[np.int32], lesson: Lesson, count: int, seed: int
) -> Rows:
    """Positions of a network's own play in which the deck has more cards than in any of a lesson.

    Args:
        weights: the network.
        rules: packed rules.
        lesson: at least one decision.
        count: how many; 0 if the lesson leaves nothing before it.
        seed: of the decks.

    Returns:
        ``(count or 0, WORDS)``.
    """
    above = max(deck_left(row) for row in lesson.rows)
    row, acc = np.zeros(at.WORDS, np.uint64), forward.scratch()
    rng = np.random.default_rng([seed, count])
    rows: list[NDArray[np.uint64]] = []
    deal_seeded(row, rules, 0, 0)
    some = deck_left(row) > above
    while some and len(rows) < count:
        deal_seeded(row, rules, int(rng.integers(1 << 39)), int(rng.integers(2)))
        while deck_left(row) > above and len(rows) < count:
            rows.append(row.copy())
            apply(row, rules, forward.best_action(weights, row, rules, acc))
    return np.array(rows, np.uint64).reshape(-1, at.WORDS)


def own_targets(net: Net, inputs: Inputs, count: int) -> Targets:
    """What a network says of the first so many positions, as targets."""
    policies, values = [torch.zeros(0, inputs.legal.shape[1])], [torch.zeros(0)]
    with torch.no_grad():
        for first in range(0, count, OWN_BATCH):
            index = np.arange(first, min(first + OWN_BATCH, count))
            logits, value = net(*inputs.batch(index))
            policies.append(functional.softmax(inputs.masked(logits, index), 1))
            values.append(value * VALUE_SCALE)
    return Targets(torch.cat(policies), torch.cat(values))
