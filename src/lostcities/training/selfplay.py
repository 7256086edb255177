"""Compiled code of training: rounds of ``steady@1`` to clone it from, and rows described.

``steady@1`` plays itself, a little noise leads it off its paths, and every kept position has its choice
and the lead that came of it.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network.features import Numbers, write_features
from lostcities.agents.steady_compiled import whole
from lostcities.agents.trials import Actions, steady_action
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U, Word
from lostcities.kernel.choose import list_legal
from lostcities.kernel.jit import in_place
from lostcities.kernel.rng import GAMMA, LOW32, below, mix
from lostcities.kernel.round import PackedRules, Row, apply, deal_seeded, lead, over

Rows: TypeAlias = NDArray[np.uint64]
Values: TypeAlias = NDArray[np.float32]
Chosen: TypeAlias = NDArray[np.int16]

_OF_1024 = U(1023)


@in_place
def _random(row: Row) -> Word:
    row[at.RNG] += GAMMA
    return mix(row[at.RNG])


@in_place
def clone_round(
    row: Row,
    rules: PackedRules,
    seed: int,
    keep: int,
    noise: int,
    work: Actions,
    rows: Rows,
    chosen: Chosen,
    gain: Values,
) -> int:
    """One round of ``steady@1`` against itself.

    Args:
        row: a row to work in.
        rules: packed rules.
        seed: of the deal, of what is kept and of the noise.
        keep: of 1,024 positions, how many are kept.
        noise: of 1,024 half-turns, how many are random (three rounds of four; the fourth has none).
        work: ``int64 (MOST_ACTIONS,)`` to work in.
        rows: ``(most, WORDS)``; the kept positions are written here,
        chosen: ``(most,)``: the choice of ``steady@1`` there,
        gain: ``(most,)``: final lead of the seat to act less its lead there, in points.

    Returns:
        How many positions were kept.
    """
    deal_seeded(row, rules, seed, seed & 1)
    noisy = U(noise if seed & 3 else 0)
    kept = 0
    while not over(row, rules):
        action = steady_action(row, rules)
        bits = _random(row)
        if bits & _OF_1024 < U(keep) and kept < rows.shape[0]:
            for word in range(at.WORDS):
                rows[kept, word] = row[word]
            chosen[kept] = action
            kept += 1
        if (bits >> U(10)) & _OF_1024 < noisy:
            count = list_legal(row, rules, work)
            action = work[whole(below((bits >> U(20)) & LOW32, U(count)))]
        apply(row, rules, action)
    for i in range(kept):
        seat = whole(rows[i, at.MOVER])
        gain[i] = lead(row, rules, seat) - lead(rows[i], rules, seat)
    return kept


@in_place
def describe_rows(
    rows: Rows,
    rules: PackedRules,
    work: Actions,
    bits: NDArray[np.uint64],
    numbers: Numbers,
    shared_bits: NDArray[np.uint32],
    shared: Numbers,
    legal: NDArray[np.bool_],
    leads: Numbers,
) -> None:
    """Features, legal half-turns and present leads of many rows, for training.

    Args:
        rows: ``(n, WORDS)``.
        rules: packed rules.
        work: ``int64 (MOST_ACTIONS,)`` to work in.
        bits: ``uint64 (n, colours, COLOUR_WORDS)``.
        numbers: ``float32 (n, colours * COLOUR_NUMBERS)``.
        shared_bits: ``uint32 (n,)``.
        shared: ``float32 (n, SHARED_NUMBERS)``.
        legal: ``bool (n, actions)``, false on entry.
        leads: ``float32 (n,)``: of the seat to act, in points.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        shared_bits[i] = write_features(row, rules, bits[i], numbers[i], shared[i])
        for k in range(list_legal(row, rules, work)):
            legal[i, work[k]] = True
        leads[i] = lead(row, rules, whole(row[at.MOVER]))
