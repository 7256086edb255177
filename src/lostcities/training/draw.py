"""Rounds drawn from a policy, to learn from: here, by threads, or on the processors of a cluster.

A batch may be drawn in parts. A part is decided by its seed and by the networks that play, so it does not
matter who draws it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network import forward
from lostcities.agents.network.forward import Flat
from lostcities.agents.trials import MOST_ACTIONS
from lostcities.kernel import layout as at
from lostcities.kernel.choose import MOST_LEGAL
from lostcities.kernel.round import lead
from lostcities.training.cluster import call_on_cluster
from lostcities.training.episodes import NETWORK, SELF, STEADY, Rows, play_episode

MOST_HALF_TURNS = 600
"""Longer rounds are left out; there are next to none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to draw.

    Attributes:
        half_turns: at least so many.
        steady: share of rounds against ``steady@1``.
        past: share of rounds against past selves.
    """

    half_turns: int
    steady: float
    past: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Rounds drawn from a policy, half-turn by half-turn.

    Attributes:
        rows: the positions ``(n, WORDS)``.
        actions: what was played there ``(n,)``,
        log_probs: and the logarithm of the probability that the policy gave it.
        mine: whether the policy played there, not somebody else.
        lengths: half-turns of each round.
        ends: final lead of seat 0 in each round, points.
    """

    rows: Rows
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    mine: NDArray[np.bool_]
    lengths: NDArray[np.int64]
    ends: NDArray[np.float32]


Drawing: TypeAlias = tuple[Flat, list[Flat], NDArray[np.int32], Wanted]
"""The policy, its past selves, packed rules, and what to draw."""
Seed: TypeAlias = list[int]
DrawParts = Callable[[Drawing, list[Seed]], list[Batch]]
"""Draws a part for each seed, in their order."""


def draw_rounds(
    weights: Flat,
    past: list[Flat],
    rules: NDArray[np.int32],
    wanted: Wanted,
    rng: np.random.Generator,
) -> Batch:
    """Draw rounds until there are enough half-turns."""
    room = wanted.half_turns + MOST_HALF_TURNS
    rows = np.zeros((room, at.WORDS), np.uint64)
    actions, log_probs = np.zeros(room, np.int16), np.zeros(room, np.float32)
    mine = np.zeros(room, np.bool_)
    row, acc = np.zeros(at.WORDS, np.uint64), forward.scratch()
    logits = np.zeros(21 * forward.MAX_COLOURS + 1, np.float32)
    work, odds = np.zeros(MOST_LEGAL, np.int64), np.zeros(MOST_ACTIONS, np.float32)
    state = np.array([rng.integers(1 << 63)], np.uint64)
    lengths, ends, at_row = [], [], 0
    while at_row < wanted.half_turns:
        chance = rng.random()
        who = STEADY if chance < wanted.steady else SELF
        if wanted.steady <= chance < wanted.steady + wanted.past:
            who = NETWORK
        other = past[int(rng.integers(len(past)))]
        end = at_row + MOST_HALF_TURNS
        count = play_episode(
            weights, other, who, int(rng.integers(2)), rules, int(rng.integers(1 << 39)), row, acc,
            logits, work, odds, state, rows[at_row:end], actions[at_row:end],
            log_probs[at_row:end], mine[at_row:end],
        )  # fmt: skip
        if count:
            lengths.append(count)
            ends.append(float(lead(row, rules, 0)))
            at_row += count
    return Batch(
        rows[:at_row], actions[:at_row].astype(np.int64), log_probs[:at_row], mine[:at_row],
        np.array(lengths), np.array(ends, np.float32),
    )  # fmt: skip


def joined(parts: list[Batch]) -> Batch:
    """One batch of several, in order."""
    return Batch(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("rows", "actions", "log_probs", "mine", "lengths", "ends")
        )
    )


def drawn_by_threads(drawing: Drawing, seeds: list[Seed]) -> list[Batch]:
    """A thread a part: the compiled code runs beside Python."""
    with ThreadPoolExecutor(len(seeds)) as pool:
        return list(pool.map(lambda seed: draw_part(seed, *drawing), seeds))


def draw_part(
    seed: Seed, weights: Flat, past: list[Flat], rules: NDArray[np.int32], wanted: Wanted
) -> Batch:
    """The part that a seed decides."""
    return draw_rounds(weights, past, rules, wanted, np.random.default_rng(seed))


def drawn_on_cluster(ray: Any, jobs: int | None = None) -> DrawParts:
    """Draws parts on the processors of a cluster that was connected to.

    Args:
        ray: see :func:`lostcities.training.cluster.connect`.
        jobs: how many processors to use at most; None for all.
    """

    def draw(drawing: Drawing, seeds: list[Seed]) -> list[Batch]:
        # Every part needs the same networks: they are sent once.
        given = [ray.put(each) for each in drawing]
        calls = iter([(seed, *given) for seed in seeds])
        parts: dict[tuple[int, ...], Batch] = {}
        for (seed, *_), part in call_on_cluster(
            ray, draw_part, calls, jobs, lambda call: f"part {call[0][-1]} of a batch"
        ):
            parts[tuple(seed)] = part
        return [parts[tuple(seed)] for seed in seeds]

    return draw
