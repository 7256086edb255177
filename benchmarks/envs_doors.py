"""Each door for learning code beside the same door of other games.

    python benchmarks/envs_doors.py [--seconds 2]

Random legal play through each door as a learner would do it: look, choose from the mask, step, deal
anew. What is compared is measured in turns, in short pieces by processor time, of which the quickest
counts. A *step* is one decision: here half a turn. Needs `lostcities[envs,openspiel]`; the card games of
PettingZoo need `rlcard` and `pygame` besides. What is not installed is left out, loudly.
"""

import argparse
import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from lostcities.envs.self_play import SelfPlay

Piece = Callable[[], int]
"""Plays a little and tells how many steps that were."""

Pieces = dict[str, Piece]

PIECE = 400
MANY = 256


def pettingzoo(make: Callable[[], Any]) -> Piece:
    """Random play through an AEC environment."""
    env, rng = make(), np.random.default_rng(1)
    env.reset(seed=1)

    def piece() -> int:
        for _ in range(PIECE):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        return PIECE

    return piece


def gym_single(env: Any) -> Piece:
    """Random play through a single Gymnasium environment, by masks where there are any."""
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)

    def piece() -> int:
        nonlocal seen
        for _ in range(PIECE):
            legal = np.flatnonzero(seen["action_mask"]) if isinstance(seen, dict) else (0, 1)
            seen, _, terminated, truncated, _ = env.step(int(rng.choice(legal)))
            if terminated or truncated:
                seen, _ = env.reset()
        return PIECE

    return piece


def vector(envs: Any) -> Piece:
    """Random play through a vector environment, by masks where there are any."""
    rng = np.random.default_rng(1)
    seen, _ = envs.reset(seed=1)

    def piece() -> int:
        nonlocal seen
        for _ in range(20):
            if isinstance(seen, dict):
                masks = seen["action_mask"]
                actions = np.argmax(rng.random(masks.shape, dtype=np.float32) * masks, axis=1)
            else:
                actions = rng.integers(2, size=envs.num_envs)
            seen, *_ = envs.step(actions)
        return 20 * int(envs.num_envs)

    return piece


def self_play() -> Piece:
    """Random play by both seats of a batch."""
    play = SelfPlay(MANY, seed=1)
    logits = np.zeros(play.masks.shape, dtype=np.float32)

    def piece() -> int:
        for _ in range(100):
            play.step(play.choose(logits)[0], trusted=True)
        return 100 * MANY

    return piece


def openspiel(name: str) -> Piece:
    """Random play through OpenSpiel's environment: tensors and legal actions at every decision."""
    import pyspiel
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(
        pyspiel.load_game(name), observation_type=rl_environment.ObservationType.OBSERVATION
    )
    env.seed(1)
    rng = random.Random(1)
    step = env.reset()

    def piece() -> int:
        nonlocal step
        for _ in range(PIECE // 4):
            if step.last():
                step = env.reset()
            else:
                seen = step.observations
                step = env.step([rng.choice(seen["legal_actions"][seen["current_player"]])])
        return PIECE // 4

    return piece


def quickest(pieces: dict[str, Piece], seconds: float) -> dict[str, float]:
    """Microseconds of processor time a step, the quickest piece of each, measured in turns."""
    for piece in pieces.values():
        piece()
    best = dict.fromkeys(pieces, float("inf"))
    spent = 0.0
    while spent < seconds * len(pieces):
        for name, piece in pieces.items():
            start = time.process_time()
            steps = piece()
            took = time.process_time() - start
            best[name] = min(best[name], took / steps * 1e6)
            spent += took
    return best


def pettingzoo_games() -> Pieces:
    """Card games of PettingZoo, those that can be imported."""
    from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

    found = (leduc_holdem_v4, texas_holdem_v4, texas_holdem_no_limit_v6)
    return {module.__name__.rpartition(".")[2]: pettingzoo(module.env) for module in found}


def pettingzoo_door() -> Pieces:
    """PettingZoo, ours first."""
    from lostcities.envs import lost_cities_v0

    found = {"lost_cities_v0": pettingzoo(lost_cities_v0.env)}
    return found | attempted("PettingZoo's card games", pettingzoo_games)


def gymnasium_door() -> Pieces:
    """Gymnasium's single environments."""
    import gymnasium

    from lostcities.envs.gymnasium import ENV_ID

    return {
        "LostCities-v0, against greedy": gym_single(gymnasium.make(ENV_ID, opponent="greedy")),
        "LostCities-v0, against steady": gym_single(gymnasium.make(ENV_ID, opponent="steady")),
        "Blackjack-v1": gym_single(gymnasium.make("Blackjack-v1")),
    }


def vector_door() -> Pieces:
    """Gymnasium's vector environments."""
    import gymnasium

    from lostcities.envs.gymnasium import ENV_ID
    from lostcities.envs.vector import LostCitiesVectorEnv

    def sync(name: str, **options: str) -> Piece:
        made = [lambda: gymnasium.make(name, **options)] * 16
        return vector(gymnasium.vector.SyncVectorEnv(made))

    return {
        f"vector, {MANY} against greedy": vector(LostCitiesVectorEnv(MANY, opponent="greedy")),
        f"vector, {MANY} against steady": vector(LostCitiesVectorEnv(MANY, opponent="steady")),
        "SyncVectorEnv of 16 LostCities-v0, greedy": sync(ENV_ID, opponent="greedy"),
        "SyncVectorEnv of 16 Blackjack-v1": sync("Blackjack-v1"),
        "SyncVectorEnv of 16 CartPole-v1": sync("CartPole-v1"),
    }


def openspiel_door() -> Pieces:
    """OpenSpiel, ours and its own in Python and in C++."""
    from open_spiel.python import games

    from lostcities.envs.openspiel import NAME

    assert games  # registers the games written in Python
    names = (NAME, "python_liars_poker", "gin_rummy", "hanabi", "crazy_eights", "leduc_poker")
    return {name: openspiel(name) for name in names}


DOORS: dict[str, Callable[[], Pieces]] = {
    "PettingZoo": pettingzoo_door,
    "Gymnasium": gymnasium_door,
    "Gymnasium, many": vector_door,
    "OpenSpiel": openspiel_door,
    "Self-play": lambda: {f"batch of {MANY}": self_play()},
}


def attempted(what: str, make: Callable[[], Pieces]) -> Pieces:
    """What is measured, or nothing and a loud word where a package is missing."""
    try:
        return make()
    except Exception as error:  # Gymnasium and PettingZoo have their own kinds for it
        if not isinstance(error, ImportError) and type(error).__name__ != "DependencyNotInstalled":
            raise
        print(f"\n!!! LEFT OUT: {what} ({error}) !!!")
        return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each thing measured")
    seconds = parser.parse_args().seconds
    warnings.simplefilter("ignore")
    for door, make in DOORS.items():
        best = quickest(attempted(door, make), seconds)
        ours = next(iter(best.values()), 1.0)
        print(f"\n{door}")
        for name, each in best.items():
            print(f"  {name:44} {each:9.2f} us a step   {each / ours:8.2f} times ours")


if __name__ == "__main__":
    main()
