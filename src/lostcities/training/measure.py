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

from lostcities.agents.compiled import NETWORK, STEADY
from lostcities.agents.lookahead import Lookahead
from lostcities.agents.network import forward
from lostcities.agents.rounds import MOST_TURNS, play_rounds
from lostcities.agents.trials import steady_choice
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, deck_left, over, score
from lostcities.training.stage import Figure, Step, Watch
from lostcities.training.tally import mean, standard_error

Row = NDArray[np.uint64]
PackedRules = NDArray[np.int32]
Player = Callable[[Row, PackedRules], int]
"""From a row, of which it reads what the seat to act sees, to a half-turn."""

STRENGTH = "points a round over steady@1"
"""What :func:`over_steady` measures."""
FIRST_DECK = 1 << 40
"""Decks of duels are seeded from here: none of them has been trained on."""
TOLD_EVERY = 5
"""Deals between two reports."""


@dataclass(frozen=True, slots=True)
class CompiledPlayer:
    """A player whose whole rounds run in compiled code: ``steady@1`` or a network alone.

    Attributes:
        weights: the network; None for ``steady@1``.
    """

    weights: forward.Flat | None = None
    _scratch: forward.Flat = field(default_factory=forward.scratch)

    def __call__(self, row: Row, rules: PackedRules) -> int:
        """The half-turn it plays."""
        if self.weights is None:
            return int(steady_choice(row, rules))
        return int(forward.best_action(self.weights, row, rules, self._scratch))


def steady_player() -> Player:
    """``steady@1``."""
    return CompiledPlayer()


def network_player(weights: forward.Flat) -> Player:
    """A network alone."""
    return CompiledPlayer(weights)


def looking_player(ahead: Lookahead, seed: int, deck: int = at.DECK_END) -> Player:
    """A network that looks ahead while the deck has at most so many cards, and plays alone before."""
    rng = Random(seed)  # noqa: S311

    def play(row: Row, rules: PackedRules) -> int:
        if deck_left(row) > deck:
            return ahead.first_choice(row, rules)
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

    def add(self, rows: NDArray[np.uint64], rules: PackedRules) -> None:
        """Add rounds that are over: of each deal one with the first in seat 0 and one in seat 1."""
        for i, row in enumerate(rows):
            own, its = (int(score(row, rules, seat)) for seat in (i % 2, 1 - i % 2))
            self.scores.append((own, its))
            if i % 2:
                self.deals.append(sum(a - b for a, b in self.scores[-2:]) / 2)

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
    one, other = players
    for first in range(0, deals, TOLD_EVERY):
        rows = at.empty_rows(2 * min(TOLD_EVERY, deals - first))
        for i, row in enumerate(rows):
            deal_seeded(row, rules, FIRST_DECK + seed + first + i // 2, 0)
        if isinstance(one, CompiledPlayer) and isinstance(other, CompiledPlayer):
            _play_compiled(rows, rules, one, other)
        else:
            for i, row in enumerate(rows):
                _play_out(row, rules, players if i % 2 == 0 else (other, one))
        told.add(rows, rules)
        watch(Step(len(told.deals), deals, "deals", str(told)))
    return told


def _play_out(row: Row, rules: PackedRules, by_seat: tuple[Player, Player]) -> None:
    while not over(row, rules):
        apply(row, rules, by_seat[int(row[at.MOVER])](row, rules))


def _play_compiled(
    rows: NDArray[np.uint64], rules: PackedRules, one: CompiledPlayer, other: CompiledPlayer
) -> None:
    """Play rounds out as :func:`_play_out` does, the seats swapped in every other one."""
    weights = [each.weights for each in (one, other)]
    networks = [each for each in weights if each is not None]
    kinds = [STEADY if each is None else NETWORK for each in weights]
    if kinds == [NETWORK, NETWORK]:
        kinds[1] += 1
    count = len(rows)
    play_rounds(
        rows,
        rules,
        np.array([kinds, kinds[::-1]] * (count // 2), dtype=np.int64),
        np.concatenate([np.zeros(0, np.float32), *networks]),
        forward.scratch(),
        np.zeros((count, 2, 0), dtype=np.uint32),
        np.zeros(2, dtype=np.int64),
        np.zeros((count, MOST_TURNS, 2), dtype=np.uint8),
        np.zeros((count, 4), dtype=np.int64),
    )
    for i, row in enumerate(rows):  # a round that did not fit is where it was left
        _play_out(row, rules, (one, other) if i % 2 == 0 else (other, one))


def over_steady(weights: forward.Flat, rules: PackedRules, deals: int) -> Figure:
    """How strong a network is while it learns: over the first so many deals of duels, the same each time."""
    told = duel((network_player(weights), steady_player()), rules, deals, 0, lambda _: None)
    return Figure(STRENGTH, told.points, told.se)
