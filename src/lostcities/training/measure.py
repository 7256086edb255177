"""Networks against each other, or against ``steady@1``, over duplicate deals: fast, in compiled code.

The arena (:mod:`lostcities.training.arena`) measures agents as others see them; this measures the
networks that are not agents yet, with or without looking ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.lookahead import Lookahead
from lostcities.agents.network import forward
from lostcities.agents.trials import steady_choice
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, lead, over, score
from lostcities.training.stage import Step, Watch
from lostcities.training.tally import mean, standard_error

Row = NDArray[np.uint64]
PackedRules = NDArray[np.int32]
Player = Callable[[Row, PackedRules], int]
"""From a row, of which it reads what the seat to act sees, to a half-turn."""

FIRST_DECK = 1 << 40
"""Decks of duels are seeded from here: none of them has been trained on."""
TOLD_EVERY = 5
"""Deals between two reports."""


def steady_player() -> Player:
    """``steady@1``."""
    return steady_choice


def network_player(weights: forward.Flat) -> Player:
    """A network alone."""
    scratch = forward.scratch()
    return lambda row, rules: int(forward.best_action(weights, row, rules, scratch))


def looking_player(ahead: Lookahead, seed: int) -> Player:
    """A network that looks ahead."""
    rng = Random(seed)  # noqa: S311

    def play(row: Row, rules: PackedRules) -> int:
        row[at.RNG] = rng.getrandbits(63)
        return ahead.look(row, rules).action

    return play


@dataclass(slots=True)
class Duel:
    """Duplicate deals of two players, from the side of the first.

    Attributes:
        deals: mean difference of each deal's two rounds.
        scores: points of both in each round.
    """

    deals: list[float] = field(default_factory=list)
    scores: list[tuple[int, int]] = field(default_factory=list)

    @property
    def points(self) -> float:
        """Mean difference a round."""
        return mean(self.deals)

    @property
    def se(self) -> float:
        """Its standard error, over deals."""
        return standard_error(self.deals)

    def facts(self) -> dict[str, float | int]:
        """Everything, as ``train duel --json`` prints it."""
        rounds = len(self.scores)
        return {
            "deals": len(self.deals),
            "points": self.points,
            "se": self.se,
            "win": sum(a > b for a, b in self.scores) / rounds,
            "draw": sum(a == b for a, b in self.scores) / rounds,
            "mean_a": mean([a for a, _ in self.scores]),
            "mean_b": mean([b for _, b in self.scores]),
        }

    def __str__(self) -> str:
        facts = self.facts()
        return (
            f"{self.points:+.2f} ± {self.se:.2f} points a round over {len(self.deals)} deals, "
            f"won {facts['win']:.1%}, means {facts['mean_a']:.1f} and {facts['mean_b']:.1f}"
        )


def duel(
    players: tuple[Player, Player], rules: PackedRules, deals: int, seed: int, watch: Watch
) -> Duel:
    """Play duplicate deals: each twice, with the seats swapped.

    Args:
        players: the first starts in the first round of a deal.
        rules: packed rules, with a stall rule.
        deals: how many.
        seed: of the decks: deal ``i`` of ``seed + 1`` is deal ``i + 1`` of ``seed``.
        watch: told how it stands every few deals.
    """
    told = Duel()
    row = np.zeros(at.WORDS, np.uint64)
    for number in range(deals):
        difference = 0
        for first in (0, 1):
            deal_seeded(row, rules, FIRST_DECK + seed + number, 0)
            while not over(row, rules):
                action = players[0 if int(row[at.MOVER]) == first else 1](row, rules)
                apply(row, rules, action)
            difference += int(lead(row, rules, first))
            told.scores.append((int(score(row, rules, first)), int(score(row, rules, 1 - first))))
        told.deals.append(difference / 2)
        if (number + 1) % TOLD_EVERY == 0 or number + 1 == deals:
            watch(Step(number + 1, deals, "deals", str(told)))
    return told
