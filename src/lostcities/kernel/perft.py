"""perft by the kernel: how many turn sequences of a given length a row has, its deck order known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, lowest, popcount
from lostcities.kernel.jit import inlined, njit
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply,
    laying,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
)


def perft(row: Row, rules: PackedRules, length: int) -> int:
    """The number of turn sequences of exactly ``length`` turns; 1 for length 0. The row is kept."""
    if length == 0:
        return 1
    rows = at.empty_rows(2 * length + 1)
    rows[0] = row
    return int(_count(rows, rules, 2 * length - (not laying(row))))


@njit
def _count(rows: NDArray[np.uint64], rules: PackedRules, halves: int) -> int:
    """Leaves of the tree of half-turns, by hand with a stack of choices left: rows[d] is depth d."""
    plays = np.zeros(halves + 1, dtype=np.uint64)
    others = np.zeros(halves + 1, dtype=np.uint64)
    total = 0
    depth = 0
    _choices(rows[0], rules, plays, others, 0)
    while depth >= 0:
        if depth == halves - 1:
            total += int(popcount(plays[depth]) + popcount(others[depth]))
            depth -= 1
        elif plays[depth] == ZERO and others[depth] == ZERO:
            depth -= 1
        else:
            rows[depth + 1] = rows[depth]
            _step(rows[depth + 1], rules, plays, others, depth)
            depth += 1
            _choices(rows[depth], rules, plays, others, depth)
    return total


@inlined
def _choices(
    row: Row, rules: PackedRules, plays: NDArray[np.uint64], others: NDArray[np.uint64], depth: int
) -> None:
    plays[depth] = others[depth] = ZERO
    if over(row, rules):
        return
    if laying(row):
        plays[depth], others[depth] = legal_plays(row), legal_discards(row)
    else:
        others[depth] = legal_draws(row, rules)


@inlined
def _step(
    row: Row, rules: PackedRules, plays: NDArray[np.uint64], others: NDArray[np.uint64], depth: int
) -> None:
    """Take the lowest choice left at a depth out and do it."""
    faces = 10 * int(rules[at.COLOURS])
    if laying(row) and plays[depth] != ZERO:
        action = int(lowest(plays[depth]))
        plays[depth] &= plays[depth] - ONE
    else:
        action = int(lowest(others[depth])) + (faces if laying(row) else 2 * faces)
        others[depth] &= others[depth] - ONE
    apply(row, rules, action)
