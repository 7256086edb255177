"""Each door for learning code beside the same door of other games.

    python benchmarks/envs_doors.py [--seconds 2]

Random legal play through each door as a learner would do it: look, choose from the mask, step, deal
anew. What is compared is measured in turns, in short pieces by processor time, of which the quickest
counts. A *step* is one decision: here half a turn. Needs `lostcities[envs,openspiel]`; the card games of
PettingZoo need `rlcard` and `pygame` besides and are left out, loudly, without them.
"""

import argparse
import random
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pyspiel
from open_spiel.python import games, rl_environment

from lostcities.envs import lost_cities_v0
from lostcities.envs.gymnasium import ENV_ID
from lostcities.envs.openspiel import NAME
from lostcities.envs.self_play import SelfPlay
from lostcities.envs.vector import LostCitiesVectorEnv

Piece = Callable[[], int]
"""Plays a little and tells how many steps that were."""

assert games  # registers the games written in Python

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


def single(**options: Any) -> Piece:
    """Random play through the single Gymnasium environment."""
    env, rng = gymnasium.make(ENV_ID, **options), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)

    def piece() -> int:
        nonlocal seen
        for _ in range(PIECE):
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            seen, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                seen, _ = env.reset()
        return PIECE

    return piece


def blackjack() -> Piece:
    """Random play through Gymnasium's card game."""
    env, rng = gymnasium.make("Blackjack-v1"), np.random.default_rng(1)
    env.reset(seed=1)

    def piece() -> int:
        for _ in range(PIECE):
            _, _, terminated, truncated, _ = env.step(int(rng.integers(2)))
            if terminated or truncated:
                env.reset()
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


def doors() -> dict[str, dict[str, Piece]]:
    """What is measured, by door; our own first."""
    aec = {"lost_cities_v0": pettingzoo(lost_cities_v0.env)}
    try:
        from pettingzoo.classic import leduc_holdem_v4, texas_holdem_v4

        aec["leduc_holdem_v4"] = pettingzoo(leduc_holdem_v4.env)
        aec["texas_holdem_v4"] = pettingzoo(texas_holdem_v4.env)
    except (ImportError, gymnasium.error.DependencyNotInstalled) as error:
        print(f"LEFT OUT: PettingZoo's card games ({error})")
    plain = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(ENV_ID, opponent="greedy")] * 16)
    cards = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 16)
    return {
        "PettingZoo": aec,
        "Gymnasium": {
            "LostCities-v0, against greedy": single(opponent="greedy"),
            "LostCities-v0, against steady": single(opponent="steady"),
            "Blackjack-v1": blackjack(),
        },
        "Gymnasium, many": {
            f"vector, {MANY} against greedy": vector(LostCitiesVectorEnv(MANY, opponent="greedy")),
            f"vector, {MANY} against steady": vector(LostCitiesVectorEnv(MANY, opponent="steady")),
            "SyncVectorEnv of 16 LostCities-v0, greedy": vector(plain),
            "SyncVectorEnv of 16 CartPole-v1": vector(cards),
        },
        "OpenSpiel": {
            NAME: openspiel(NAME),
            "gin_rummy (C++)": openspiel("gin_rummy"),
            "hanabi (C++)": openspiel("hanabi"),
            "leduc_poker (C++)": openspiel("leduc_poker"),
            "python_liars_poker": openspiel("python_liars_poker"),
        },
        "Self-play": {f"batch of {MANY}": self_play()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each thing measured")
    seconds = parser.parse_args().seconds
    warnings.simplefilter("ignore")
    for door, pieces in doors().items():
        best = quickest(pieces, seconds)
        ours = next(iter(best.values()))
        print(f"\n{door}")
        for name, each in best.items():
            print(f"  {name:44} {each:9.2f} us a step   {each / ours:8.2f} times ours")


if __name__ == "__main__":
    main()
