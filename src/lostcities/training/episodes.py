"""Compiled code of the policy gradient: whole rounds drawn from a policy, and who was how lucky.

The critic that judges them may see what no player sees: both hands and the order of the deck. It is used
in training only, and takes the luck of the cards out of what a half-turn is credited with.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network.features import Numbers, write_features
from lostcities.agents.network.forward import Flat, best_action, evaluate
from lostcities.agents.steady_compiled import whole
from lostcities.agents.trials import Actions, copy_row, steady_action
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.choose import draw_weight, list_legal
from lostcities.kernel.hidden import hand_wagers, known_wagers
from lostcities.kernel.jit import in_place
from lostcities.kernel.rng import GAMMA, unit
from lostcities.kernel.round import PackedRules, Row, apply, deal_seeded, deck_card, lead, over

Rows: TypeAlias = NDArray[np.uint64]

SELF, NETWORK, STEADY = range(3)
"""Who sits opposite: the policy itself, another network, or ``steady@1``."""

EXTRAS = 20
"""Numbers a colour that only the critic sees: how soon each of its ten faces comes from the deck (0 if
it does not), and the same with the sign of the seat that gets it if both always draw from the deck."""
SOON, TURN_SOON = 12.0, 6.0
"""Draws after which they have fallen to a third."""


@in_place
def sample_action(
    w: Flat, row: Row, rules: PackedRules, acc: Flat, logits: Flat, work: Actions, weights: Flat,
    state: NDArray[np.uint64],
) -> tuple[int, float]:  # fmt: skip
    """Draw a legal half-turn from the policy; it and the logarithm of its probability."""
    evaluate(w, row, rules, acc, logits)
    count = list_legal(row, rules, work)
    top = logits[work[0]]
    for j in range(1, count):
        top = max(top, logits[work[j]])
    total = np.float32(0.0)
    for j in range(count):
        weights[j] = np.exp(logits[work[j]] - top)
        total += weights[j]
    state[0] += GAMMA
    j = draw_weight(weights, count, total, unit(state[0]))
    return work[j], logits[work[j]] - top - np.log(total)


@in_place
def play_episode(
    w: Flat,
    other: Flat,
    who: int,
    seat: int,
    rules: PackedRules,
    seed: int,
    row: Row,
    acc: Flat,
    logits: Flat,
    work: Actions,
    weights: Flat,
    state: NDArray[np.uint64],
    rows: Rows,
    actions: NDArray[np.int16],
    log_probs: Numbers,
    mine: NDArray[np.bool_],
) -> int:
    """One round, every half-turn of it kept.

    Args:
        w: the policy that learns; its half-turns are drawn.
        other: the network opposite where ``who`` is ``NETWORK``; it plays its first choices.
        who: ``SELF`` and so on.
        seat: of the policy where it does not sit at both.
        rules: packed rules.
        seed: of the deal.
        row: to work in; at the end the end of the round.
        acc: working memory of the networks.
        logits: ``float32 (actions,)`` to work in.
        work: ``int64 (MOST_LEGAL,)`` to work in.
        weights: ``float32 (MOST_ACTIONS,)`` to work in.
        state: random numbers ``(1,)``, they go on.
        rows: ``(most, WORDS)``, written: the round before each half-turn.
        actions: ``(most,)``, written.
        log_probs: ``(most,)``, written: 0 where the other one moves.
        mine: ``(most,)``, written: whether the policy moves.

    Returns:
        How many half-turns the round has; 0 if it has more than there is room for.
    """
    deal_seeded(row, rules, seed, seed & 1)
    count = 0
    while not over(row, rules):
        if count == rows.shape[0]:
            return 0
        for word in range(at.WORDS):
            rows[count, word] = row[word]
        own = who == SELF or whole(row[at.MOVER]) == seat
        log_prob = 0.0
        if own:
            action, log_prob = sample_action(w, row, rules, acc, logits, work, weights, state)
        elif who == NETWORK:
            action = best_action(other, row, rules, acc)
        else:
            action = steady_action(row, rules)
        actions[count], log_probs[count], mine[count] = action, log_prob, own
        apply(row, rules, action)
        count += 1
    return count


@in_place
def describe_open(
    rows: Rows,
    rules: PackedRules,
    row: Row,
    bits: NDArray[np.uint64],
    numbers: Numbers,
    shared_bits: NDArray[np.uint32],
    shared: Numbers,
    extras: Numbers,
) -> None:
    """What the critic is shown of rows: the features with the other hand known, and the deck.

    Args:
        rows: ``(n, WORDS)``.
        rules: packed rules.
        row: to work in.
        bits: as in :func:`lostcities.training.selfplay.describe_rows`,
        numbers: and so are these,
        shared_bits: and these,
        shared: and these.
        extras: ``float32 (n, colours * EXTRAS)``, zeros on entry.
    """
    for i in range(rows.shape[0]):
        copy_row(row, rows[i])
        other = 1 - whole(row[at.MOVER])
        base = at.SEAT * other
        row[base + at.KNOWN] = row[base + at.HAND]
        more = hand_wagers(row, other) - known_wagers(row, other)
        row[base + at.WAGERS] += more << U(at.IN_KNOWN)
        shared_bits[i] = write_features(row, rules, bits[i], numbers[i], shared[i])
        place = row[at.NEXT]
        draws = at.DECK_END - whole(place)
        for draw in range(draws):
            face = whole(deck_card(row, place + U(draw)))
            to = face // 10 * EXTRAS + face % 10
            extras[i, to] += np.exp(-draw / SOON)
            turn = np.exp(-draw / TURN_SOON)
            extras[i, to + 10] += turn if draw % 2 == 0 else -turn


@in_place
def credit(
    lengths: NDArray[np.int64],
    rows: Rows,
    values: Numbers,
    ends: Numbers,
    fade: float,
    advantages: Numbers,
    gains: Numbers,
    rules: PackedRules,
) -> None:
    """How much better each half-turn went than the critic expected (Schulman and others, 2016).

    Args:
        lengths: half-turns of each round ``(rounds,)``.
        rows: of all rounds, one after the other.
        values: the critic's expected final leads of the seat to act.
        ends: final leads of seat 0 ``(rounds,)``.
        fade: lambda, what a surprise one half-turn later counts for.
        advantages: written, points, of the seat to act.
        gains: written: final less present lead of the seat to act.
        rules: packed rules.
    """
    first = 0
    for r in range(lengths.shape[0]):
        following, run = ends[r], 0.0
        for i in range(first + lengths[r] - 1, first - 1, -1):
            seat = whole(rows[i, at.MOVER])
            sign = 1.0 if seat == 0 else -1.0
            value = sign * values[i]
            run = following - value + fade * run
            following = value
            advantages[i] = sign * run
            gains[i] = sign * ends[r] - lead(rows[i], rules, seat)
        first += lengths[r]
