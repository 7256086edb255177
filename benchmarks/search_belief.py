"""How well trials judge the half-turn that they like best beside the network's, by stages of a round.

    python benchmarks/search_belief.py --positions 150

At positions of ``policy@3`` against itself the best other half-turn is found as ``search`` finds it, with its
trials for ``--ms`` of processor time. What it is worth more than the network's choice is then asked four times: of those
trials themselves, of fresh ones that deal the hidden cards evenly, of fresh ones that deal them by a belief, and of
fresh orders of the deck with the other's hand as it really is, which is the truth. Trials that pick the best of many
are too hopeful; those that deal otherwise than cards lie are wrong however many there are.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from search_strength import FIRST_SEED, FRESH, Bench

from lostcities.agents import trials
from lostcities.agents.lookahead import MOST_SAMPLES
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, deck_left, over

STAGES = ((2, 6), (7, 12), (13, 20), (21, 28), (29, 36), (37, 44))
"""Cards in the deck, from and to."""
OFTEN = 0.3
"""Share of the half-turns that are looked at: neighbours tell little new."""
EVENLY = np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the best other half-turn is worth more than the network's, in points.

    Attributes:
        deck: cards in the deck.
        told: by the trials that found it.
        error: their standard error.
        even: by fresh trials that deal evenly,
        believed: and by a belief.
        true: with the other's hand as it is.
    """

    deck: int
    told: float
    error: float
    even: float
    believed: float
    true: float


class Judge:
    """Takes positions and judges them.

    Args:
        agent: a search of ``search_strength``.
    """

    def __init__(self, agent: str) -> None:
        self.bench = Bench(agent, "policy@3")
        self.belief, self.odds = shipped("belief-1"), np.zeros(60, np.float32)

    def round(self, seed: int, ms: float) -> list[Judged]:
        """Some positions of one round of the network against itself."""
        row, rng, bench = np.zeros(at.WORDS, np.uint64), Random(seed), self.bench
        deal_seeded(row, bench.rules, FIRST_SEED + seed, seed % 2)
        judged: list[Judged] = []
        while not over(row, bench.rules):
            usual = bench.ahead.first_choice(row, bench.rules)
            if deck_left(row) > 1 and rng.random() < OFTEN:
                row[at.RNG] = rng.getrandbits(63)
                judged += self._position(row.copy(), usual, ms, rng)
            apply(row, bench.rules, usual)
        return judged

    def _position(
        self, row: NDArray[np.uint64], usual: int, ms: float, rng: Random
    ) -> list[Judged]:
        ahead, rules = self.bench.ahead, self.bench.rules
        found = ahead.look(row, rules, time.thread_time() + ms / 1000, MOST_SAMPLES)
        others = [i for i in range(1, len(found.actions)) if found.running[i]]
        if not others or not found.running[0]:
            return []
        best = max(others, key=lambda i: found.means[i])
        paired = ahead._worths[best, : found.deals] - ahead._worths[0, : found.deals]  # noqa: SLF001
        action = int(found.actions[best])
        forward.write_odds(self.belief, row, rules, self.bench.acc, self.odds)
        even, believed = (
            self._fresh(row, action, usual, odds, rng.getrandbits(63))
            for odds in (EVENLY, self.odds)
        )
        return [
            Judged(
                int(deck_left(row)), float(paired.mean()), float(paired.std()) / found.deals**0.5,
                even, believed, self.bench.gain(row, action, usual),
            )
        ]  # fmt: skip

    def _fresh(
        self, row: NDArray[np.uint64], action: int, usual: int, odds: NDArray[np.float32], seed: int
    ) -> float:
        row, bench = row.copy(), self.bench
        row[at.RNG] = seed
        pair, leads = np.zeros(trials.MOST_ACTIONS, np.int64), np.zeros((2, FRESH), np.float32)
        pair[:2] = usual, action
        trials.try_out(
            row, bench.rules, pair, 2, np.ones(2, np.bool_), 0, FRESH, trials.POLICY_EXACT, 0,
            bench.weights, bench.acc, np.zeros(at.WORDS, np.uint64), bench.line, leads, odds,
        )  # fmt: skip
        return float((leads[1] - leads[0]).mean())


def line(least: int, most: int, some: list[Judged]) -> str:
    """A row of the table."""
    true = np.array([each.true for each in some])
    cells = [f"{least} to {most}", str(len(some))]
    cells += [f"{np.mean([each.error for each in some]):.2f}"]
    for name in ("told", "even", "believed", "true"):
        values = np.array([getattr(each, name) for each in some])
        cells.append(f"{values.mean():+.2f} ± {values.std() / len(some) ** 0.5:.2f}")
    for name in ("even", "believed"):
        cells.append(f"{np.corrcoef([getattr(each, name) for each in some], true)[0, 1]:.2f}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Judge, and print a line for each stage of a round."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=150, help="of each stage, at least")
    parser.add_argument("--ms", type=float, default=300, help="processor time of a half-turn")
    parser.add_argument("--agent", default="search@2")
    parser.add_argument("--seed", type=int, default=1_000_000)
    args = parser.parse_args()
    judge, seed = Judge(args.agent), args.seed
    by_stage: dict[tuple[int, int], list[Judged]] = {stage: [] for stage in STAGES}
    # Ctrl-C ends it with what there is.
    with contextlib.suppress(KeyboardInterrupt):
        while min(map(len, by_stage.values())) < args.positions:
            judged = judge.round(seed, args.ms)
            for stage, some in by_stage.items():
                some += [each for each in judged if stage[0] <= each.deck <= stage[1]]
            seed += 1
            counts = " ".join(str(len(some)) for some in by_stage.values())
            print(f"\r{counts}", end="", file=sys.stderr, flush=True)
    print(
        "\n| cards in the deck | positions | error of the trials | told | dealt evenly | by the belief "
        "| true | evenly : true | belief : true |\n|---|---|---|---|---|---|---|---|---|"
    )
    for (least, most), some in by_stage.items():
        if some:
            print(line(least, most, some))


if __name__ == "__main__":
    main()
