"""Opponents inside the kernel: the turns of ``random``, ``greedy`` and ``steady`` without a view.

The agents of these names are the authority; tests hold these forms to them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.compiled import (
    GREEDY,
    OUTSIDE,
    RANDOM,
    STEADY,
    compiled_form,
    count_turns,
    greedy_lay,
    nth_turn,
)
from lostcities.agents.steady_compiled import steady_draw, steady_lay, whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.jit import in_place
from lostcities.kernel.rng import GAMMA, LOW32, below, mix
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply_draw,
    apply_lay,
    laying,
    over,
)


def opponent_form(name: str) -> int:
    """``RANDOM``, ``GREEDY`` or ``STEADY`` for the agents of these names, else ``OUTSIDE``.

    Raises:
        UnknownAgentError: no agent of that name.
    """
    kind = compiled_form(name).kind
    return kind if kind in (RANDOM, GREEDY, STEADY) else OUTSIDE


@in_place
def answer(row: Row, rules: PackedRules, which: int) -> None:
    """Play a whole turn for the seat to act."""
    if which == STEADY:
        apply_lay(row, rules, steady_lay(row, rules))
        apply_draw(row, rules, steady_draw(row, rules))
    elif which == GREEDY:
        apply_lay(row, rules, greedy_lay(row, rules))
        apply_draw(row, rules, 20 * int(rules[at.COLOURS]))
    else:
        random_turn(row, rules)


@in_place
def random_turn(row: Row, rules: PackedRules) -> None:
    """Play any legal turn, each with the same chance (``random@1``), by the row's random numbers."""
    total = count_turns(row, rules)
    row[at.RNG] += GAMMA
    chosen = whole(below(mix(row[at.RNG]) & LOW32, U(total)))
    apply_draw(row, rules, nth_turn(row, rules, chosen))


@in_place
def answer_until(row: Row, rules: PackedRules, learner: int, which: int) -> None:
    """Let the opponent play until the learner is to act or the round is over."""
    while which != OUTSIDE and not over(row, rules) and whole(row[at.MOVER]) != learner:
        answer(row, rules, which)


@in_place
def suggest_rows(
    rows: NDArray[np.uint64], rules: PackedRules, which: int, actions: NDArray[np.int64]
) -> None:
    """Write the action that ``GREEDY`` or ``STEADY`` would take in every round that is not over."""
    for i in range(rows.shape[0]):
        row = rows[i]
        if over(row, rules):
            continue
        if which == STEADY:
            actions[i] = steady_lay(row, rules) if laying(row) else steady_draw(row, rules)
        else:
            actions[i] = greedy_lay(row, rules) if laying(row) else 20 * int(rules[at.COLOURS])


def waiting(
    rows: NDArray[np.uint64], learners: NDArray[np.int64], ended: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The rounds among ``rows`` that are not over and in which the opponent is to act."""
    found: NDArray[np.int64] = np.flatnonzero((rows[:, at.MOVER] != learners) & ~ended)
    return found
