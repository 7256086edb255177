"""How fast the kernel is on this machine. The comparisons with others are in ``benchmarks/``."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel import layout as at
from lostcities.kernel.batch import Batch
from lostcities.kernel.hidden import resample
from lostcities.kernel.jit import COMPILED, describe, in_place
from lostcities.kernel.playout import playout
from lostcities.kernel.round import PackedRules, Row, copy_row, deal_seeded

Rows = NDArray[np.uint64]


@in_place
def play_all(rows: Rows, rules: PackedRules, row: Row, turns: NDArray[np.int64]) -> int:
    """Play a copy of every round to its end; the sum of leads, and in ``turns[0]`` of turns."""
    total = 0
    turns[0] = 0
    for i in range(rows.shape[0]):
        copy_row(rows[i], row)
        total += playout(row, rules)
        turns[0] += int(row[at.PLY])
    return total


@in_place
def resample_all(rows: Rows, rules: PackedRules, row: Row) -> None:
    """Deal what seat 0 cannot see anew in a copy of every round."""
    for i in range(rows.shape[0]):
        copy_row(rows[i], row)
        resample(row, rules, 0)


@in_place
def deal_all(rows: Rows, rules: PackedRules, seed: int) -> None:
    """Shuffle and deal every round."""
    for i in range(rows.shape[0]):
        deal_seeded(rows[i], rules, seed + i, i & 1)


def quickest(seconds: float, *ways: Callable[[], object]) -> list[float]:
    """The least time of each way in seconds, all taken in turns for so long.

    The first run of each, in which it may be compiled, does not count. On a busy machine the least
    of many short pieces is what the machine can do.
    """
    least = [float("inf")] * len(ways)
    for way in ways:
        way()
    end = time.monotonic() + seconds
    while True:
        for index, way in enumerate(ways):
            begin = time.perf_counter()
            way()
            least[index] = min(least[index], time.perf_counter() - begin)
        if time.monotonic() > end:
            return least


@dataclass(frozen=True, slots=True)
class Speed:
    """What one core of this machine does in a second.

    Attributes:
        kernel: how the kernel runs, see :func:`lostcities.kernel.describe`.
        rounds: random rounds played to their end.
        steps: actions in those.
        shown_steps: actions of a batch, with mask and observation of each.
        resamples: rounds whose hidden cards are dealt anew.
    """

    kernel: str
    rounds: float
    steps: float
    shown_steps: float
    resamples: float


def measure(rules: PackedRules, seconds: float = 2.0) -> Speed:
    """Measure the kernel under some rules, taking about so many seconds (more if not compiled)."""
    count = 256 if COMPILED else 2
    batch = Batch(count, rules)
    rows, row = batch.rows.copy(), at.empty_rows(1)[0]
    turns = np.zeros(1, dtype=np.int64)
    times = quickest(
        seconds,
        lambda: play_all(rows, rules, row, turns),
        lambda: batch.step(batch.masks.argmax(axis=1), trusted=True),
        lambda: resample_all(rows, rules, row),
        lambda: batch.masks.argmax(axis=1),
    )
    shown = max(times[1] - times[3], 1e-9)
    return Speed(
        kernel=describe(),
        rounds=count / times[0],
        steps=2 * int(turns[0]) / times[0],
        shown_steps=count / shown,
        resamples=count / times[2],
    )
