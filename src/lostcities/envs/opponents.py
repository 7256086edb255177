"""Opponents inside the kernel: the turns of ``random``, ``greedy`` and ``steady`` without a view.

The agents of these names are the authority; tests hold these forms to them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.registry import full_name
from lostcities.agents.simple import WORTH_STARTING
from lostcities.agents.steady_compiled import steady_draw, steady_lay, whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, popcount
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, LOW32, below, mix
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply_draw,
    apply_lay,
    filled_piles,
    laying,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
)

OUTSIDE, RANDOM, GREEDY, STEADY = range(4)
"""Which opponent plays; ``OUTSIDE`` is any other, which compiled code leaves to its caller."""

_COMPILED = {"random@1": RANDOM, "greedy@1": GREEDY, "steady@1": STEADY}


def compiled_form(name: str) -> int:
    """``RANDOM``, ``GREEDY`` or ``STEADY`` for the agents of these names, else ``OUTSIDE``.

    Raises:
        UnknownAgentError: no agent of that name.
    """
    if name.startswith("cmd:") or ":" in name:
        return OUTSIDE
    return _COMPILED.get(full_name(name), OUTSIDE)


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
def greedy_lay(row: Row, rules: PackedRules) -> int:
    """The lay of ``greedy@1``, as an action; it always draws from the deck."""
    base = at.SEAT * whole(row[at.MOVER])
    colours = int(rules[at.COLOURS])
    hand = row[base + at.HAND]
    wanted = ZERO
    for c in range(colours):
        of_colour = U(0x3FF) << U(10 * c)
        held = 0
        for r in range(1, 10):
            if (hand >> U(10 * c + r)) & ONE:
                held += r + 1
        if held >= WORTH_STARTING or (row[base + at.LAID] & of_colour) != ZERO:
            wanted |= of_colour
    playable = hand & row[base + at.OPEN]
    if playable & wanted:
        return _lowest_rank(playable & wanted, colours)
    rest = hand & ~row[base + at.OPEN]
    return 10 * colours + _lowest_rank(rest if rest != ZERO else hand, colours)


@inlined
def _lowest_rank(faces: Word, colours: int) -> int:
    for r in range(10):
        for c in range(colours):
            if (faces >> U(10 * c + r)) & ONE:
                return 10 * c + r
    return -1


@in_place
def random_turn(row: Row, rules: PackedRules) -> None:
    """Play any legal turn, each with the same chance (``random@1``), by the row's random numbers."""
    plays, discards = legal_plays(row), legal_discards(row)
    filled, faces = filled_piles(row), 10 * int(rules[at.COLOURS])
    many = whole(popcount(filled)) + 1
    total = whole(popcount(plays)) * many
    for c in range(rules[at.COLOURS]):
        of_colour = whole(popcount((discards >> U(10 * c)) & U(0x3FF)))
        total += of_colour * _draws_after(filled, rules, c)
    row[at.RNG] += GAMMA
    left = whole(below(mix(row[at.RNG]) & LOW32, U(total)))
    for f in range(faces):
        if (plays >> U(f)) & ONE:
            if left < many:
                _lay_and_draw(row, rules, f, left)
                return
            left -= many
        if (discards >> U(f)) & ONE:
            options = _draws_after(filled, rules, f // 10)
            if left < options:
                _lay_and_draw(row, rules, faces + f, left)
                return
            left -= options


@inlined
def _draws_after(filled: Word, rules: PackedRules, colour: int) -> int:
    """How many draws there are after a discard of a colour."""
    bit = ONE << U(colour)
    piles = (filled | bit) if rules[at.OWN_DISCARD] else (filled & ~bit)
    return whole(popcount(piles)) + 1


@inlined
def _lay_and_draw(row: Row, rules: PackedRules, lay: int, index: int) -> None:
    apply_lay(row, rules, lay)
    draws = legal_draws(row, rules)
    for _ in range(index):
        draws &= draws - ONE
    place = 0
    while not (draws >> U(place)) & ONE:
        place += 1
    apply_draw(row, rules, 20 * int(rules[at.COLOURS]) + place)


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
