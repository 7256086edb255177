"""Last rounds of matches, played for the match against played for points: who wins more matches.

    python benchmarks/match_equity.py --deals 500

Each deal is played four times: seats swapped, and either player behind by the same total. Both look
ahead with ``steady@1`` in the playouts, which is cheap, once the deck has so few cards that trials may overrule
their network; totals are drawn from two rounds of :data:`lostcities.agents.equity.APART`.
"""

from __future__ import annotations

import argparse
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.equity import APART, BLUR, STEP, win_chance
from lostcities.agents.lookahead import Lookahead, LookSettings
from lostcities.agents.network.weights import shipped
from lostcities.agents.search import PERCENT
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, deck_left, lead, over
from lostcities.kernel.rules import pack_rules

FIRST_SEED = (1 << 44) + 1_000_000


def total(rng: Random) -> int:
    """By how much somebody leads after two rounds."""
    points = 0
    for _ in range(2):
        apart = rng.choices(range(len(APART)), APART)[0] * STEP + rng.randrange(STEP)
        points += rng.choice((-1, 1)) * apart
    return points


def worth_of(behind: int, blur: float, leads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Final leads as chances to win a match in which one was so far behind, in percent."""
    return PERCENT * win_chance(leads - behind, 0, blur)


def main() -> None:
    """Play, and print the share of matches won by playing for the match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--deck", type=int, default=28, help="cards in the deck from which on")
    parser.add_argument(
        "--blur", type=float, default=BLUR, help="points a card of the deck; 0: as search@2"
    )
    args = parser.parse_args()
    settings = LookSettings("steady", samples=args.samples, deck=args.deck)
    ahead, rules = Lookahead(shipped("policy-3"), settings), pack_rules(stall=100)
    row, shares, points = np.zeros(at.WORDS, np.uint64), [], []
    for number in range(args.deals):
        rng = Random(number)
        apart, won = total(rng), 0.0
        for seat in (0, 1):
            for behind in (apart, -apart):
                deal_seeded(row, rules, FIRST_SEED + number, 0)
                while not over(row, rules):
                    if not ahead.may_overrule(row):
                        apply(row, rules, ahead.first_choice(row, rules))
                        continue
                    mine = int(row[at.MOVER]) == seat
                    row[at.RNG] = rng.getrandbits(63)
                    worth = partial(worth_of, behind, args.blur * deck_left(row)) if mine else None
                    apply(row, rules, ahead.look(row, rules, worth=worth).action)
                final = int(lead(row, rules, seat))
                points.append(final)
                won += (np.sign(final - behind) + 1) / 2
        shares.append(won / 4)
        if (number + 1) % 50 == 0 or number + 1 == args.deals:
            error = np.std(shares) / len(shares) ** 0.5
            print(
                f"{number + 1} deals: {np.mean(shares):.2%} ± {error:.2%} of matches won, "
                f"{np.mean(points):+.2f} points a round",
                flush=True,
            )


if __name__ == "__main__":
    main()
