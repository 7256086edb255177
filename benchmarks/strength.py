"""What a network plays: statistics of rounds against itself, as JSON.

python -m benchmarks.strength policy@4 --rounds 10000 > strength.json
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from lostcities.agents.network.forward import best_action, flatten, scratch
from lostcities.agents.network.weights import read_weights, shipped_path
from lostcities.agents.trials import steady_choice
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, colour_score, deal_seeded, deck_left, over, score
from lostcities.kernel.rules import pack_rules

FIRST_SEED = 1 << 41
THIRDS = (30, 15, 0)
"""Cards left in the deck down to which the first, the second and the last third of a round reach."""


class Tally:
    """Counts over rounds; a *row* is what one seat laid in one colour."""

    def __init__(self) -> None:
        self.scores: list[tuple[int, int]] = []
        self.turns: list[int] = []
        self.rows: Counter[str] = Counter()
        self.colours: Counter[int] = Counter()
        self.wagers: Counter[int] = Counter()
        self.wager_points: Counter[int] = Counter()
        self.first_number: Counter[int] = Counter()
        self.lays: list[Counter[str]] = [Counter() for _ in THIRDS]
        self.draws: list[Counter[str]] = [Counter() for _ in THIRDS]
        self.begun: Counter[int] = Counter()
        self.last_draw: Counter[str] = Counter()

    def half_turn(self, row: Any, action: int, before_laid: int) -> None:
        """Count a half-turn, before it is made."""
        third = next(i for i, deck in enumerate(THIRDS) if int(deck_left(row)) >= deck)
        if action >= 100:
            self.draws[third]["deck" if action == 100 else "pile"] += 1
            return
        kind = "discard" if action >= 50 else ("wager" if action % 10 == 0 else "number")
        self.lays[third][kind] += 1
        colour = action % 50 // 10
        if action < 50 and not (before_laid >> (10 * colour)) & 0x3FF:
            self.begun[int(row[at.PLY]) // 2 + 1] += 1
            self.first_number[action % 10 + 1 if action % 10 else 0] += 1

    def end(self, row: Any, rules: Any) -> None:
        """Count a round that is over."""
        self.scores.append((int(score(row, rules, 0)), int(score(row, rules, 1))))
        self.turns.append(int(row[at.PLY]))
        for seat in range(2):
            laid, counts = row[at.SEAT * seat + at.LAID], row[at.SEAT * seat + at.WAGERS]
            begun = 0
            for colour in range(5):
                if not (int(laid) >> (10 * colour)) & 0x3FF:
                    continue
                begun += 1
                wagers = (int(counts) >> (8 * colour + at.IN_LAID)) & 3
                points = int(colour_score(rules, laid, counts, colour))
                self.wagers[wagers] += 1
                self.wager_points[wagers] += points
                self.rows["lost" if points < 0 else "gained"] += 1
            self.colours[begun] += 1

    def facts(self) -> dict[str, Any]:
        """All that was counted, as shares and means."""
        scores = np.array(self.scores)
        difference = scores[:, 0] - scores[:, 1]
        seats = 2 * len(scores)
        return {
            "rounds": len(scores),
            "mean": float(scores.mean()),
            "sd": float(scores.std()),
            "turns": float(np.mean(self.turns)),
            "starter": float(difference.mean()),
            "starter_se": float(difference.std() / len(scores) ** 0.5),
            "difference_sd": float(difference.std()),
            "differences": dict(sorted(Counter((np.abs(difference) // 10 * 10).tolist()).items())),
            "points": dict(sorted(Counter((scores.ravel() // 10 * 10).tolist()).items())),
            "colours": {k: v / seats for k, v in sorted(self.colours.items())},
            "rows_lost": self.rows["lost"] / self.rows.total(),
            "wagers": {k: v / self.wagers.total() for k, v in sorted(self.wagers.items())},
            "points_by_wagers": {
                k: self.wager_points[k] / v for k, v in sorted(self.wagers.items())
            },
            "first_card": {
                k: v / self.first_number.total() for k, v in sorted(self.first_number.items())
            },
            "begun_in_turn": {k: v / seats for k, v in sorted(self.begun.items())},
            "lays": [{k: v / c.total() for k, v in sorted(c.items())} for c in self.lays],
            "draws": [{k: v / c.total() for k, v in sorted(c.items())} for c in self.draws],
        }


def main() -> None:
    """Play the rounds and print what they come to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", help="a shipped one, a file, or steady")
    parser.add_argument("--rounds", type=int, default=10_000)
    args = parser.parse_args()
    rules, row, acc = pack_rules(stall=100), np.zeros(at.WORDS, np.uint64), scratch()
    path = args.network
    if path != "steady":
        file = Path(path) if path.endswith(".safetensors") else shipped_path(path.replace("@", "-"))
        weights = flatten(read_weights(file)[0])
    tally = Tally()
    for number in range(args.rounds):
        deal_seeded(row, rules, FIRST_SEED + number, 0)
        while not over(row, rules):
            action = int(
                steady_choice(row, rules)
                if path == "steady"
                else best_action(weights, row, rules, acc)
            )
            tally.half_turn(row, action, int(row[at.SEAT * int(row[at.MOVER]) + at.LAID]))
            apply(row, rules, action)
        tally.end(row, rules)
    print(json.dumps({"network": args.network, **tally.facts()}, indent=1))


if __name__ == "__main__":
    main()
