"""Second stage, its student: a network learns what the teacher found.

The policy's target is a softmax over the values of the half-turns that were tried, so that choices
which cost nothing are no mistakes; the value's target is their mean under it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from lostcities.agents.network.weights import Arrays
from lostcities.training.fit import Fit, FitSettings, Targets, fit
from lostcities.training.net import Inputs, Net
from lostcities.training.stage import Watch
from lostcities.training.teach import TEMPERATURE, Lesson


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """How to learn.

    Attributes:
        seed: of a new network.
        fit: how to fit.
    """

    seed: int = 1
    fit: FitSettings = field(default_factory=lambda: FitSettings(epochs=9, rate=1.5e-3))


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
) -> tuple[Net, Fit]:
    """Fit a network to a lesson.

    Args:
        lesson: see :func:`lostcities.training.teach.read_lessons`; the last ones are held out.
        rules: packed rules.
        start: weights to begin with; None for a new network.
        settings: how.
        watch: told of the progress.
        checkpoint: see :func:`lostcities.training.fit.fit`.

    Returns:
        The network, and how it does on held-out positions.
    """
    inputs = Inputs.of(lesson.rows, rules)
    net = Net(settings.seed)
    if start is not None:
        net.load(start)
    targets = targets_of(lesson, inputs.leads)
    return net, fit(net, inputs, targets, settings.fit, watch, checkpoint)
