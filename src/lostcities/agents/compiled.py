"""Agents in compiled code, playing on rows: no view is built, so a turn takes less than a microsecond.

The agents of these names are the authority; tests hold these forms to them. Each reads of a row only what
the seat to act sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lostcities.agents.minds import MINDS
from lostcities.agents.policy import PolicyAgent
from lostcities.agents.registry import COMMAND, factory, full_name
from lostcities.agents.simple import WORTH_STARTING
from lostcities.agents.steady_compiled import whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, popcount
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply_lay,
    filled_piles,
    legal_discards,
    legal_draws,
    legal_plays,
)

OUTSIDE, RANDOM, GREEDY, STEADY, MIND = range(5)
"""Which agent plays; ``OUTSIDE`` is any other, which compiled code leaves to its caller. ``MIND`` is the
mind of level 1 (:mod:`lostcities.agents.minds`); those of the levels above follow."""
NETWORK = MIND + len(MINDS)
"""This and above are networks alone, without search, counted in the order in which they are handed over."""

_PLAIN = {
    "random@1": RANDOM,
    "greedy@1": GREEDY,
    "steady@1": STEADY,
    **{f"level{level + 1}@2": MIND + level for level in range(len(MINDS))},
}
_NETWORKS = {"level6@1": "policy-2"}
"""Agents that play a network's first choices under another name."""


@dataclass(frozen=True, slots=True)
class Form:
    """The compiled form of an agent.

    Attributes:
        kind: ``OUTSIDE``, ``RANDOM``, ``GREEDY``, ``STEADY``, ``MIND`` and above, or ``NETWORK``.
        network: the name of a shipped network, where it is one.
    """

    kind: int
    network: str = ""


def compiled_form(name: str) -> Form:
    """What plays as the agent of a name does, turn by turn; kind ``OUTSIDE`` for want of it.

    Raises:
        UnknownAgentError: no agent of that name.
    """
    if name.startswith(COMMAND) or ":" in name:
        return Form(OUTSIDE)
    full = full_name(name)
    if full in _PLAIN:
        return Form(_PLAIN[full])
    if full in _NETWORKS:
        return Form(NETWORK, _NETWORKS[full])
    made: Any = factory(full)
    plain = isinstance(made, type) and issubclass(made, PolicyAgent)
    # A kin that chooses in its own way is none of ours.
    if plain and made.choose is PolicyAgent.choose:
        return Form(NETWORK, made.network)
    return Form(OUTSIDE)


# ---- greedy@1 -----------------------------------------------------------------------------------


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


# ---- random@1: the legal turns counted, and the n-th of them ------------------------------------


@in_place
def count_turns(row: Row, rules: PackedRules) -> int:
    """How many legal turns there are, for a row about to lay."""
    filled = filled_piles(row)
    plays, discards = legal_plays(row), legal_discards(row)
    total = whole(popcount(plays)) * (whole(popcount(filled)) + 1)
    for c in range(rules[at.COLOURS]):
        of_colour = whole(popcount((discards >> U(10 * c)) & U(0x3FF)))
        total += of_colour * _draws_after(filled, rules, c)
    return total


@in_place
def nth_turn(row: Row, rules: PackedRules, index: int) -> int:
    """Make the lay of a legal turn, counted in canonical order from 0; its draw, as an action."""
    plays, discards = legal_plays(row), legal_discards(row)
    filled, faces = filled_piles(row), 10 * int(rules[at.COLOURS])
    many = whole(popcount(filled)) + 1
    for f in range(faces):
        if (plays >> U(f)) & ONE:
            if index < many:
                return _lay_and_find(row, rules, f, index)
            index -= many
        if (discards >> U(f)) & ONE:
            options = _draws_after(filled, rules, f // 10)
            if index < options:
                return _lay_and_find(row, rules, faces + f, index)
            index -= options
    return -1


@inlined
def _draws_after(filled: Word, rules: PackedRules, colour: int) -> int:
    """How many draws there are after a discard of a colour."""
    bit = ONE << U(colour)
    piles = (filled | bit) if rules[at.OWN_DISCARD] else (filled & ~bit)
    return whole(popcount(piles)) + 1


@inlined
def _lay_and_find(row: Row, rules: PackedRules, lay: int, index: int) -> int:
    apply_lay(row, rules, lay)
    draws = legal_draws(row, rules)
    for _ in range(index):
        draws &= draws - ONE
    place = 0
    while not (draws >> U(place)) & ONE:
        place += 1
    return 20 * int(rules[at.COLOURS]) + place
