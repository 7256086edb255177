"""Choosing among legal actions by a network's logits, without touching the illegal ones.

A softmax over all actions of a batch, masked, costs a training loop more than the game. Here only the
legal actions are gathered, some fifteen of more than a hundred, and one of them is drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, Word, lowest
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, unit
from lostcities.kernel.round import (
    PackedRules,
    Row,
    laying,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
)

Floats = NDArray[np.float32]

NO_ACTION = -1
"""Chosen in a round that is over."""

MOST_LEGAL = 128
"""Room that a list of legal actions needs."""


@inlined
def _list_bits(word: Word, first: int, legal: NDArray[np.int64], count: int) -> int:
    while word != ZERO:
        legal[count] = first + int(lowest(word))
        count += 1
        word &= word - ONE
    return count


@inlined
def list_legal(row: Row, rules: PackedRules, legal: NDArray[np.int64]) -> int:
    """Write the legal actions in ascending order into an array of ``MOST_LEGAL``; how many they are."""
    faces = 10 * int(rules[at.COLOURS])
    if over(row, rules):
        return 0
    if not laying(row):
        return _list_bits(legal_draws(row, rules), 2 * faces, legal, 0)
    return _list_bits(legal_discards(row), faces, legal, _list_bits(legal_plays(row), 0, legal, 0))


@inlined
def draw_weight(weights: Floats, count: int, total: Any, share: float) -> int:
    """The index whose running sum of weights first exceeds ``share`` (0…1) of the total."""
    left = share * total
    for j in range(count - 1):
        left -= weights[j]
        if left < 0:
            return j
    return count - 1


@in_place
def choose_rows(
    rows: NDArray[np.uint64],
    rules: PackedRules,
    logits: Floats,
    states: NDArray[np.uint64],
    actions: NDArray[np.int64],
    log_probs: Floats,
    legal: NDArray[np.int64],
    weights: Floats,
) -> None:
    """Draw a legal action for every round from the softmax of its logits.

    Args:
        rows: the rounds, ``(n, WORDS)``.
        rules: packed rules.
        logits: ``float32 (n, actions)``; those of illegal actions are not read.
        states: ``uint64 (n,)``, states of random numbers, one a round; they go on.
        actions: ``(n,)``, becomes what was drawn; ``NO_ACTION`` where the round is over.
        log_probs: ``(n,)``, becomes the logarithm of its probability among the legal actions.
        legal: scratch, ``MOST_LEGAL``.
        weights: scratch, ``MOST_LEGAL``.
    """
    for i in range(rows.shape[0]):
        count = list_legal(rows[i], rules, legal)
        if count == 0:
            actions[i] = NO_ACTION
            log_probs[i] = 0.0
            continue
        top = logits[i, legal[0]]
        for j in range(1, count):
            top = max(top, logits[i, legal[j]])
        total = np.float32(0.0)
        for j in range(count):
            weights[j] = np.exp(logits[i, legal[j]] - top)
            total += weights[j]
        states[i] += GAMMA
        j = draw_weight(weights, count, total, unit(states[i]))
        actions[i] = legal[j]
        log_probs[i] = logits[i, legal[j]] - top - np.log(total)
