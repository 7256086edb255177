"""What all doors share: which rules they play, and what a round is worth to a learner."""

from __future__ import annotations

from operator import index
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.core.errors import RulesError
from lostcities.core.rules import Rules

RewardKind = Literal["difference", "scaled", "win"]
"""What the end of a round is worth to a seat.

``difference``
    its points less those of the other seat.
``scaled``
    the same divided by :data:`SCALE`.
``win``
    1, 0 or −1 for more, as many or fewer points.
"""

SCALE = 100.0
"""Points that are worth 1 where rewards are scaled: nearly all rounds end within."""

FORFEIT = -60
"""The difference at which an illegal action loses a round, unless the seat was further behind.

The same as in matches between programs, see :mod:`lostcities.agents.duel`.
"""

DEFAULT_RULES = Rules(rounds=1, stall=40)
"""The game, one round of it, cut off when forty turns in a row drew from piles.

Without a stall rule learners that take discards for ever never end a round.
"""


def read_rules(rules: Rules | str | None) -> Rules:
    """The rules that a door plays by.

    Args:
        rules: rules; or their words (``"colours=6 stall=20"``, ``"long"``), where keys not named are
            those of :data:`DEFAULT_RULES` unless a preset comes first; None for the default.

    Raises:
        RulesError: an unknown word or impossible value.
        TypeError: anything else.
    """
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str | None):
        raise TypeError(f"rules must be Rules or words such as 'colours=6 stall=20', not {rules!r}")
    return Rules.parse(rules or "", base=DEFAULT_RULES)


def check_reward(kind: str) -> RewardKind:
    """The kind of reward that a name stands for.

    Raises:
        ValueError: there is none of that name.
    """
    for known in get_args(RewardKind):
        if kind == known:
            found: RewardKind = known
            return found
    raise ValueError(f"reward {kind!r} is none of {', '.join(get_args(RewardKind))}")


def worth(difference: float, kind: RewardKind) -> float:
    """What a lead of so many points at the end of a round is worth."""
    if kind == "win":
        return float((difference > 0) - (difference < 0))
    return float(difference / SCALE if kind == "scaled" else difference)


def worths(differences: NDArray[np.int32], kind: RewardKind) -> NDArray[np.float32]:
    """:func:`worth` of an array of leads; a new array of the same shape."""
    if kind == "win":
        return np.sign(differences).astype(np.float32)
    scale = SCALE if kind == "scaled" else 1.0
    return np.divide(differences, scale, dtype=np.float32)


def forfeit(difference: int) -> int:
    """The lead with which a seat that was ahead by ``difference`` loses by an illegal action."""
    return min(FORFEIT, difference)


def check_opponent_rules(rules: Rules) -> Rules:
    """Rules under which a learner acts at least once, even if its opponent starts.

    Raises:
        RulesError: the opponent's first turn could end the round.
    """
    if rules.deck_size - 2 * rules.hand < 2:
        raise RulesError(
            "hand", "these leave one card to draw: the opponent's first turn may be all"
        )
    if rules.stall == 1 and rules.own_discard:
        raise RulesError("stall", "1 with own_discard=yes: the opponent's first turn may be all")
    return rules


def check_opponent(name: object) -> str:
    """The name of an opponent.

    Raises:
        TypeError: no text.
    """
    if not isinstance(name, str):
        raise TypeError(f"opponent must be the name of an agent, such as 'steady', not {name!r}")
    return name


def whole_action(action: Any) -> int:
    """An action as a number; whether it is a legal one is another matter.

    Raises:
        TypeError: no whole number.
    """
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action must be a whole number, not {action!r}") from None


def check_seat(seat: int | None) -> int | None:
    """The learner's seat, or None for any.

    Raises:
        ValueError: neither 0 nor 1.
    """
    if seat not in (None, 0, 1):
        raise ValueError(f"seat {seat!r} is neither 0 nor 1")
    return seat


def most_ahead(rules: Rules) -> int:
    """The most points by which one seat can be ahead of the other at the end of a round.

    In every colour one seat has the higher numbers and some wagers, the other the remaining wagers or
    just the lowest number, whichever hurts it more.
    """
    return rules.colours * max(
        _colour_lead(rules, wagers, kept) for wagers in range(rules.wagers + 1) for kept in (0, 1)
    )


def _colour_lead(rules: Rules, wagers: int, kept: int) -> int:
    numbers = [*range(encoding.LOWEST_NUMBER, rules.top + 1)]
    good = _colour_points(rules, wagers, numbers[kept:])
    left = range(rules.wagers - wagers + 1)
    bad = min(_colour_points(rules, each, numbers[:kept]) for each in left)
    return max(good, 0) - bad


def _colour_points(rules: Rules, wagers: int, numbers: list[int]) -> int:
    if not wagers and not numbers:
        return 0
    bonus = rules.bonus * (wagers + len(numbers) >= rules.bonus_at)
    return (sum(numbers) - rules.cost) * (1 + wagers) + bonus
