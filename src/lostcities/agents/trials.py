"""Trials in compiled code: what half-turns come to over sampled hidden cards.

The hidden cards are dealt anew from what the seat to act may see; every candidate is tried on the
same deals (common random numbers: the luck of a deal cancels out of differences), and each trial is
played on by a playout policy. :mod:`lostcities.agents.lookahead` decides how many trials to make.

Nothing here reads what the seat to act cannot see: :func:`lostcities.kernel.hidden.resample` deals
it anew before anything is played.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.endings import last_action, last_card
from lostcities.agents.network.forward import Flat, best_action, evaluate, expected_lead
from lostcities.agents.steady_compiled import steady_draw, steady_lay, whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ZERO, U
from lostcities.kernel.choose import list_legal
from lostcities.kernel.hidden import Odds, resample, resample_by
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import seeded
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply,
    laying,
    lead,
    over,
)

Actions: TypeAlias = NDArray[np.int64]
Leads: TypeAlias = NDArray[np.float32]
Alive: TypeAlias = NDArray[np.bool_]

STEADY, POLICY, STEADY_THEN_VALUE, POLICY_THEN_VALUE, POLICY_THEN_STEADY, POLICY_EXACT = range(6)
"""How a trial is played on: by ``steady@1`` or by the network to the end; by either for some half-turns,
then the network's value; by the network for some half-turns, then by ``steady@1``; or by the network to
the last card, which is played exactly (:mod:`lostcities.agents.endings`)."""

MOST_RUN = U(100)
"""Turns in a row drawn from piles after which a trial ends as it stands, where no stall rule says so:
networks may go round in circles."""

SLACK = 0.25
"""Points behind that never drop a candidate, however sure."""

MOST_ACTIONS = 40
"""Legal half-turns there can be at most: twelve cards, each played or discarded, and some to spare."""


@inlined
def steady_action(row: Row, rules: PackedRules) -> int:
    """The half-turn of ``steady@1``."""
    return steady_lay(row, rules) if laying(row) else steady_draw(row, rules)


@in_place
def steady_choice(row: Row, rules: PackedRules) -> int:
    """:func:`steady_action`, to be called from outside."""
    return steady_action(row, rules)


@inlined
def copy_row(to: Row, source: Row) -> None:
    """Copy a round (an assignment of whole arrays would make a third one)."""
    for word in range(at.WORDS):
        to[word] = source[word]


@in_place
def play_on(row: Row, rules: PackedRules, how: int, depth: int, w: Flat, acc: Flat) -> float:
    """Play a round on, using the row up.

    Args:
        row: the round.
        rules: packed rules.
        how: ``STEADY`` and so on.
        depth: half-turns before ``how`` goes over to something else.
        w: the network (not read where steady plays alone).
        acc: its working memory.

    Returns:
        The final (or expected) lead of seat 0, in points.
    """
    valued = how in (STEADY_THEN_VALUE, POLICY_THEN_VALUE)
    played = 0
    while not over(row, rules) and row[at.RUN] < MOST_RUN:
        if valued and played >= depth:
            value = expected_lead(w, row, rules, acc)
            return value if row[at.MOVER] == ZERO else -value
        by_network = how in (POLICY, POLICY_THEN_VALUE, POLICY_EXACT) or (
            how == POLICY_THEN_STEADY and played < depth
        )
        if how == POLICY_EXACT and last_card(row):
            action = last_action(row, rules)
        else:
            action = best_action(w, row, rules, acc) if by_network else steady_action(row, rules)
        apply(row, rules, action)
        played += 1
    return float(lead(row, rules, 0))


@in_place
def rank(
    row: Row,
    rules: PackedRules,
    w: Flat,
    acc: Flat,
    logits: Flat,
    actions: Actions,
    most: int,
    sure: int,
    least: float,
) -> int:
    """The half-turns worth trying, best by the network first.

    Args:
        row: the round, not over.
        rules: packed rules.
        w: the network.
        acc: its working memory.
        logits: ``float32 (21 colours + 1,)``, overwritten.
        actions: ``int64 (MOST_ACTIONS,)``, overwritten.
        most: keep no more than this many.
        sure: keep this many whatever the network thinks of them.
        least: keep others only if the network gives them this probability.

    Returns:
        How many are kept: the first ones of ``actions``.
    """
    count = list_legal(row, rules, actions)
    evaluate(w, row, rules, acc, logits)
    for i in range(1, count):
        action = actions[i]
        j = i - 1
        while j >= 0 and logits[actions[j]] < logits[action]:
            actions[j + 1] = actions[j]
            j -= 1
        actions[j + 1] = action
    total = 0.0
    for i in range(count):
        total += np.exp(logits[actions[i]] - logits[actions[0]])
    kept = 0
    for i in range(count):
        likely = np.exp(logits[actions[i]] - logits[actions[0]]) / total >= least
        if i < sure or (kept < most and likely):
            kept = i + 1
    return kept


@in_place
def add(actions: Actions, count: int, action: int) -> int:
    """Add a half-turn to the kept ones if it is not among them; returns how many there are."""
    for i in range(count):
        if actions[i] == action:
            return count
    actions[count] = action
    return count + 1


@in_place
def try_out(
    row: Row,
    rules: PackedRules,
    actions: Actions,
    count: int,
    alive: Alive,
    first: int,
    last: int,
    how: int,
    depth: int,
    w: Flat,
    acc: Flat,
    dealt: Row,
    line: Row,
    leads: Leads,
    odds: Odds,
) -> None:
    """Try the living candidates on the deals ``first … last - 1``.

    Args:
        row: the round; its random numbers and the deal's index make a deal.
        rules: packed rules.
        actions: the candidates.
        count: how many.
        alive: ``bool (count,)``: those to try.
        first: the first deal.
        last: one past the last deal.
        how: see :func:`play_on`.
        depth: see :func:`play_on`.
        w: see :func:`play_on`.
        acc: see :func:`play_on`.
        dealt: a row to work in.
        line: a row to work in.
        leads: ``float32 (count, deals)``: the lead of the seat to act is written here.
        odds: what is believed of the other hand, see :func:`lostcities.kernel.hidden.resample_by`; an
            empty array: every arrangement is equally likely.
    """
    seat = whole(row[at.MOVER])
    for deal in range(first, last):
        copy_row(dealt, row)
        dealt[at.RNG] = seeded(row[at.RNG] + U(deal))
        if odds.size:
            resample_by(dealt, rules, seat, odds)
        else:
            resample(dealt, rules, seat)
        for i in range(count):
            if alive[i]:
                copy_row(line, dealt)
                apply(line, rules, actions[i])
                final = play_on(line, rules, how, depth, w, acc)
                leads[i, deal] = final if seat == 0 else -final


@in_place
def drop_beaten(count: int, alive: Alive, leads: Leads, deals: int, sure: float) -> int:
    """Drop candidates that are behind the best by ``sure`` standard errors of the paired difference.

    Returns:
        How many still live.
    """
    best, most = -1, 0.0
    for i in range(count):
        if alive[i]:
            total = 0.0
            for deal in range(deals):
                total += leads[i, deal]
            if best < 0 or total > most:
                best, most = i, total
    living = 0
    for i in range(count):
        if alive[i] and i != best:
            total = squares = 0.0
            for deal in range(deals):
                behind = float(leads[best, deal]) - float(leads[i, deal])
                total += behind
                squares += behind * behind
            mean = total / deals
            error = np.sqrt(max(0.0, squares / deals - mean * mean) / deals)
            if mean > sure * error + SLACK:
                alive[i] = False
        if alive[i]:
            living += 1
    return living
