"""The kernel beside the compiled loops of other card games, and beside PettingZoo's.

    python benchmarks/kernel_others.py [--seconds 2] [--record]

Random play in all of them, no observations: this game in the kernel, OpenSpiel's games in its own C++
loop (`pyspiel.evaluate_bots` with its uniformly random bots), PettingZoo's card games through their AEC
door, which has no faster one. What is compared is processor time a *decision* (here half a turn; chance
does not count as one), in short pieces of which the quickest counts. Games differ, so the ratios say what a
learner may expect of each, not whose programmers are better. `--record` keeps them for the chart.

Needs `lostcities[fast,envs,openspiel]`, `rlcard` and `pygame`; what is missing is left out, loudly.
"""

import argparse
import random
import warnings
from typing import Any

import numpy as np
from envs_doors import Piece, Pieces, attempted, pettingzoo_games, quickest
from kernel import record

from lostcities.core.rules import Rules
from lostcities.kernel import bridge, empty_rows
from lostcities.kernel.speed import deal_all, play_all

OPENSPIEL = ("gin_rummy", "hanabi", "crazy_eights(players=2)", "leduc_poker")
ROUNDS = 2000


def kernel() -> Piece:
    """Random playouts of dealt rounds."""
    rules = bridge.pack(Rules())
    rows, row, turns = empty_rows(ROUNDS), empty_rows(1)[0], np.zeros(1, dtype=np.int64)
    deal_all(rows, rules, 1)

    def piece() -> int:
        play_all(rows, rules, row, turns)
        return 2 * int(turns[0])

    return piece


def decisions(game: Any, rounds: int = 40) -> float:
    """How many decisions a round of random play has in the mean."""
    rng, count = random.Random(1), 0
    for _ in range(rounds):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                count += 1
    return count / rounds


def openspiel(name: str) -> Piece:
    """Random rounds in OpenSpiel's C++."""
    import pyspiel

    game = pyspiel.load_game(name)
    seats = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in seats]
    each, rounds, seed = decisions(game), 40, 0

    def piece() -> int:
        nonlocal seed
        for _ in range(rounds):
            seed += 1
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return round(each * rounds)

    return piece


def openspiel_games() -> Pieces:
    """OpenSpiel's card games."""
    return {name: openspiel(name) for name in OPENSPIEL}


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each thing measured")
    parser.add_argument("--record", action="store_true", help="keep the ratios for the chart")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    pieces = {"kernel": kernel()}
    pieces |= attempted("OpenSpiel", openspiel_games)
    pieces |= attempted("PettingZoo's card games", pettingzoo_games)
    best = quickest(pieces, arguments.seconds)
    for name, each in best.items():
        print(f"{name:28} {1000 * each:12,.1f} ns a decision   {each / best['kernel']:10,.0f}")
    if arguments.record:
        others = {name.partition("(")[0]: each for name, each in best.items() if name != "kernel"}
        record({f"others {name}": round(each / best["kernel"]) for name, each in others.items()})


if __name__ == "__main__":
    main()
