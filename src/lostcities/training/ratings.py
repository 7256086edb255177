"""Ratings of several agents from their rounds, by openskill (an optional package)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

WIDTH = 1.96
"""Standard deviations on each side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its interval of 95 %.

    Attributes:
        value: the mean; everybody begins at 25 with a standard deviation of 25/3, and a difference
            of 6 is about three rounds won of four.
        low: lower end of the interval.
        high: upper end.
    """

    value: float
    low: float
    high: float


def rate(agents: int, rounds: Iterable[tuple[int, int, int]]) -> list[Rating]:
    """Rate agents by Bradley and Terry's model, as openskill updates it round by round.

    R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", 2011. The agents
    do not change while they play, so no uncertainty is added from round to round.

    Args:
        agents: how many.
        rounds: places of two agents and the sign of the first one's lead; the order matters a little.

    Raises:
        ImportError: openskill is not installed.
    """
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(tau=0.0)
    ratings = [model.rating() for _ in range(agents)]
    for one, other, sign in rounds:
        ranks = [1, 1] if sign == 0 else ([1, 2] if sign > 0 else [2, 1])
        [[ratings[one]], [ratings[other]]] = model.rate(
            [[ratings[one]], [ratings[other]]], ranks=[float(rank) for rank in ranks]
        )
    return [
        Rating(each.mu, each.mu - WIDTH * each.sigma, each.mu + WIDTH * each.sigma)
        for each in ratings
    ]
