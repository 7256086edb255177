"""Match equity: the chance to win a match from a lead in its totals and the rounds still to play.

The table behind it is made of how far apart the rounds of ``policy@3`` against itself ended (10,000
rounds, see ``benchmarks/strength.py``), the same way round for both seats. The difference of a match
is the sum of those of its rounds, so the distribution for ``n`` rounds is that of one, folded with
itself ``n`` times; as tables of match equities in backgammon are made, except that no doubling is needed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

STEP = 10
"""Points of a bin of :data:`APART`."""
APART = (1978, 1936, 1725, 1368, 991, 791, 507, 285, 187, 121, 59, 35, 11, 4, 1, 1)
"""How many rounds ended 0…9, 10…19, 20…29 … points apart."""

_FINE = 2
"""Points of a step of the distributions."""
MOST_ROUNDS = 8
"""With more rounds to come than this the chances are those of this many: nearly even, nearly straight."""


@cache
def _distribution(rounds: int) -> NDArray[np.float64]:
    """Chances of all differences after so many rounds, ``_FINE`` points apart, the middle one 0."""
    if rounds == 0:
        return np.ones(1)
    half = np.repeat(np.array(APART, dtype=np.float64), STEP // _FINE)
    once = np.concatenate([half[::-1], half[:1], half])
    once /= once.sum()
    return once if rounds == 1 else np.convolve(_distribution(rounds - 1), once)


@cache
def _chances(rounds: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    density = _distribution(rounds)
    wins: NDArray[np.float64] = (np.cumsum(density) - density / 2).astype(np.float64)
    middle = len(density) // 2
    leads: NDArray[np.float64] = (np.arange(len(density)) - middle) * np.float64(_FINE)
    return leads, wins


BLUR = 0.5
"""Points a card of the deck by which the end of a trial is taken to be uncertain: with a step at nought most
trials say nothing of a half-turn, and what they say is noise."""
_LOGISTIC = 1.702
"""The logistic function of so many times ``x`` is within 0.01 of the normal distribution's at ``x``."""


def win_chance(lead: NDArray[np.float64], rounds: int, blur: float = 0.0) -> NDArray[np.float64]:
    """The chance to win a match, a draw counted as half.

    Args:
        lead: points by which one is ahead in the totals, any shape.
        rounds: rounds that are still to be played, not counting what is in ``lead``.
        blur: standard deviation of what ``lead`` may be wrong by, where no round is left; with rounds
            to come the chances are smooth anyway.

    Returns:
        Chances between 0 and 1, of the shape of ``lead``.

    Raises:
        ValueError: a negative number of rounds.
    """
    if rounds < 0:
        raise ValueError(f"rounds: {rounds} is less than 0")
    if rounds == 0 and blur:
        sure: NDArray[np.float64] = 1 / (1 + np.exp(-_LOGISTIC * lead / blur))
        return sure
    if rounds == 0:
        return (np.sign(lead) + 1) / 2
    leads, wins = _chances(min(rounds, MOST_ROUNDS))
    return np.interp(lead, leads, wins, left=0.0, right=1.0)
