"""The compiled loops of the vector environment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.steady_compiled import whole
from lostcities.envs.opponents import answer_until
from lostcities.kernel import layout as at
from lostcities.kernel.batch import ENDED, RUNNING, STALLED, Rows
from lostcities.kernel.bits import ONE, U
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.observe import Bytes, write_mask, write_observation
from lostcities.kernel.rng import GAMMA, mix, seeded
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply,
    deal_next,
    is_legal,
    lead,
    over,
    stalled,
)

ILLEGAL = 3
"""What ``done`` says of a round that an illegal action ended, beside what batches know."""


@in_place
def seed_rows(rows: Rows, chosen: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
    """Seed the random numbers of the chosen rounds, each by the seed at its own index."""
    for index in chosen:
        rows[index, at.RNG] = seeded(seeds[index])


@in_place
def deal_learners(
    rows: Rows,
    rules: PackedRules,
    which: NDArray[np.bool_],
    learners: NDArray[np.int64],
    seat: int,
    first: int,
    opponent: int,
) -> None:
    """Deal rounds and let the opponent play where it starts.

    Args:
        rows: the rounds.
        rules: packed rules.
        which: which of them to deal.
        learners: ``(n,)``, becomes the learner's seat where a round is dealt.
        seat: that seat, or −1 for one at random.
        first: the seat that starts, or −1 for one at random.
        opponent: see :mod:`lostcities.envs.opponents`.
    """
    for i in range(rows.shape[0]):
        if not which[i]:
            continue
        row = rows[i]
        row[at.RNG] += GAMMA
        bits = mix(row[at.RNG])
        learners[i] = seat if seat >= 0 else whole(bits & ONE)
        deal_next(row, rules, first if first >= 0 else whole((bits >> ONE) & ONE))
        answer_until(row, rules, learners[i], opponent)


@in_place
def step_learners(
    rows: Rows,
    rules: PackedRules,
    actions: NDArray[np.int64],
    fresh: NDArray[np.bool_],
    learners: NDArray[np.int64],
    opponent: int,
    done: Bytes,
    leads: NDArray[np.int32],
) -> None:
    """Do the learner's action and the opponent's answer in every round that is not fresh.

    Args:
        rows: the rounds, none of them over but fresh ones.
        rules: packed rules.
        actions: ``(n,)``; illegal ones do nothing but end the round.
        fresh: ``(n,)``, rounds just dealt, which are left as they are.
        learners: ``(n,)``, the learner's seat.
        opponent: see :mod:`lostcities.envs.opponents`.
        done: ``(n,)``, becomes ``RUNNING``, ``ENDED``, ``STALLED`` or ``ILLEGAL``.
        leads: ``(n,)``, become the points by which the learner is ahead.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        done[i] = RUNNING
        if not fresh[i]:
            if is_legal(row, rules, actions[i]):
                apply(row, rules, actions[i])
                answer_until(row, rules, learners[i], opponent)
                done[i] = how_it_stands(row, rules)
            else:
                done[i] = ILLEGAL
        leads[i] = lead(row, rules, learners[i])


@inlined
def how_it_stands(row: Row, rules: PackedRules) -> int:
    """``RUNNING``, ``ENDED`` or ``STALLED``."""
    if not over(row, rules):
        return RUNNING
    return STALLED if stalled(row, rules) else ENDED


@in_place
def show_learners(
    rows: Rows,
    rules: PackedRules,
    learners: NDArray[np.int64],
    done: Bytes,
    masks: Bytes,
    observations: Bytes,
) -> None:
    """Write mask and observation of every round's learner; the mask is all 0 where it is done.

    Args:
        rows: the rounds.
        rules: packed rules.
        learners: ``(n,)``.
        done: ``(n,)``, see :func:`step_learners`.
        masks: flat, ``n * mask_memory``.
        observations: flat, ``n * observation_memory``.
    """
    mask_size = masks.size // rows.shape[0]
    size = observations.size // rows.shape[0]
    for i in range(rows.shape[0]):
        write_mask(rows[i], rules, masks, U(i * mask_size))
        if done[i] != RUNNING:
            for j in range(i * mask_size, (i + 1) * mask_size):
                masks[j] = 0
        write_observation(rows[i], rules, learners[i], observations, U(i * size))
