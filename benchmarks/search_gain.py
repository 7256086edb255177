"""What trying out half-turns gains over the network alone, by how many cards the deck has.

    python benchmarks/search_gain.py --positions 200 --samples 400

Positions are of a network against itself. Where looking ahead chooses another half-turn than the network,
both are played out again, by the network, over fresh deals: of all hidden cards (as it sampled them), and of
the deck alone, with the other hand as it really is. The second is what a choice is really worth; if it were
less than the first, the other hand would have to be guessed better than by chance. With `--belief FILE` (of
`lostcities train believe`) trials deal the hidden cards by that.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from lostcities.agents import trials
from lostcities.agents.lookahead import PLAYOUTS, Lookahead, LookSettings
from lostcities.agents.network import forward
from lostcities.agents.network.weights import read_weights, shipped
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.round import apply, deal_seeded, deck_left, over, shuffle_deck
from lostcities.kernel.rules import pack_rules

FIRST_SEED = 1 << 46
STAGES = ((1, 6), (7, 16), (17, 28), (29, 44))
"""Cards in the deck, from and to."""
EACH = 4
"""Positions taken of a round at most."""
FRESH = 400
"""Deals on which two half-turns are compared."""

Row = NDArray[np.uint64]


class Bench:
    """A network, and the half-turns that looking ahead prefers to its own.

    Args:
        network: a shipped one.
        samples: trials of each half-turn in the mean.
        certain: half-turns tried however unlikely; the others from a probability of 0.001.
        seed: of everything random.
        belief: a file of ``lostcities train believe``; None to deal evenly.
    """

    def __init__(
        self, network: str, samples: int, certain: int, seed: int, belief: Path | None = None
    ) -> None:
        self.weights, self.rules = shipped(network), pack_rules(stall=100)
        self.ahead = Lookahead(
            self.weights,
            LookSettings(
                "policy-exact", samples=samples, candidates=24, certain=certain, least=0.001,
                bonus=0.2, doubt=0.0, caution=1.0,
            ),
            None if belief is None else forward.flatten(read_weights(belief)[0]),
        )  # fmt: skip
        self.rng, self.scratch = Random(seed), forward.scratch()
        self.rows = np.zeros((2, at.WORDS), np.uint64)

    def round(self, least: int, most: int) -> list[Row]:
        """Some positions of one round with so many cards in the deck."""
        row, line = np.zeros(at.WORDS, np.uint64), []
        deal_seeded(row, self.rules, FIRST_SEED + self.rng.getrandbits(30), self.rng.getrandbits(1))
        while not over(row, self.rules):
            if least <= deck_left(row) <= most:
                line.append(row.copy())
            apply(row, self.rules, forward.best_action(self.weights, row, self.rules, self.scratch))
        return self.rng.sample(line, min(EACH, len(line)))

    def gains(self, row: Row) -> tuple[float, float] | None:
        """What the choice gains on fresh deals of all that is hidden, and of the deck alone.

        None where it is the network's own.
        """
        row[at.RNG] = self.rng.getrandbits(63)
        found = self.ahead.look(row, self.rules)
        own = self.ahead.first_choice(row, self.rules)
        if found.action == own:
            return None
        row[at.RNG] = self.rng.getrandbits(63)
        pair = np.zeros(trials.MOST_ACTIONS, np.int64)
        pair[:2] = own, found.action
        return self._all_dealt(row, pair), self._deck_shuffled(row, pair)

    def _all_dealt(self, row: Row, pair: NDArray[np.int64]) -> float:
        leads = np.zeros((2, FRESH), np.float32)
        trials.try_out(
            row, self.rules, pair, 2, np.ones(2, np.bool_), 0, FRESH, PLAYOUTS["policy-exact"], 0,
            self.weights, self.scratch, self.rows[0], self.rows[1], leads,
            np.zeros(0, np.float32),
        )  # fmt: skip
        return float((leads[1] - leads[0]).mean())

    def _deck_shuffled(self, row: Row, pair: NDArray[np.int64]) -> float:
        seat, left = int(row[at.MOVER]), deck_left(row)
        total, line = 0.0, self.rows[1]
        for _ in range(FRESH):
            shuffle_deck(row, U(at.DECK_END - left), left)
            for sign, action in ((-1, pair[0]), (1, pair[1])):
                line[:] = row
                apply(line, self.rules, int(action))
                lead = trials.play_on(
                    line, self.rules, PLAYOUTS["policy-exact"], 0, self.weights, self.scratch
                )
                total += sign * (lead if seat == 0 else -lead)
        return total / FRESH


def mean_and_error(values: list[float]) -> str:
    """As ``+0.35 ± 0.14``."""
    return f"{np.mean(values):+.3f} ± {np.std(values) / len(values) ** 0.5:.3f}"


def main() -> None:
    """Measure, and print a line for each stage of a round."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", default="policy-3")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--certain", type=int, default=24)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--belief", type=Path)
    args = parser.parse_args()
    for least, most in STAGES:
        bench = Bench(args.network, args.samples, args.certain, args.seed, args.belief)
        dealt: list[float] = []
        shuffled: list[float] = []
        others, begin = 0, time.perf_counter()
        while len(dealt) < args.positions:
            for row in bench.round(least, most):
                gains = bench.gains(row)
                others += gains is not None
                one, other = gains or (0.0, 0.0)
                dealt.append(one)
                shuffled.append(other)
        took = (time.perf_counter() - begin) / len(dealt)
        print(
            f"deck {least}-{most}: {len(dealt)} positions, another half-turn in "
            f"{others / len(dealt):.1%}; points a half-turn: {mean_and_error(dealt)} over sampled "
            f"cards, {mean_and_error(shuffled)} with the other's real hand; {took:.2f} s each",
            flush=True,
        )


if __name__ == "__main__":
    main()
