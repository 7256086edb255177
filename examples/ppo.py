"""Proximal policy optimisation by self-play, in one file over the batched door.

    python examples/ppo.py --minutes 25 --seed 1 --log curve.jsonl --save ppo.pt

Both seats of every round are played by one network and learn from it; every so often its first choices
play rounds against ``greedy``. The budget is CPU time on one thread. Needs ``lostcities[train,envs]``.

What it does about this game:

- it begins by imitating ``steady`` (``--imitate steady``, the default), for from random play learners first
  find that discarding everything is best, and may stay there; with ``--imitate none`` the cost of an
  expedition grows from 0 to 20 over the first part of the run instead;
- one set of weights for all colours, with pooling between them, since no colour differs from another;
- the sum is zero, so an advantage changes its sign where the seat to act changes.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch
from torch import nn

from lostcities.envs.self_play import SelfPlay
from lostcities.envs.vector import LostCitiesVectorEnv
from lostcities.kernel import observation_scale

COLOURS = 5
PLANES, WAGERS, STACK, NUMBERS = 10, 7, 12, 8
FEATURES = 10 * PLANES + WAGERS + STACK + 1
ROUNDS, STEPS, EPOCHS, PARTS = 256, 64, 2, 8
LAMBDA, CLIP, RATE = 0.95, 0.2, 1e-3
SPREAD = 0.01
"""Weight of the entropy at the beginning."""
POINTS = 25.0
"""Points of difference that are worth 1 to the learner."""
BEGINNING = 0.3
"""Share of the budget for imitating, or over which the cost grows to 20."""
STRAY = 0.1
"""Share of random actions among those that are imitated, for variety."""
EVALUATION = 1024
"""Rounds against greedy at every report."""


class Network(nn.Module):  # type: ignore[misc, unused-ignore] # torch may be absent
    """Logits of all actions and the value of the seat to act, the same weights for each colour."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.first = nn.Linear(FEATURES + NUMBERS, width)
        self.second = nn.Linear(3 * width, width)
        self.third = nn.Linear(3 * width, width)
        self.per_colour = nn.Linear(width, 21)
        self.whole = nn.Linear(2 * width, 2)
        with torch.no_grad():
            for head in (self.per_colour, self.whole):
                head.weight.mul_(0.1)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(n, 106)`` and values ``(n,)`` of scaled observations ``(n, 608)``."""
        hidden = torch.relu(self.first(by_colour(seen)))
        hidden = torch.relu(self.second(with_pools(hidden)))
        hidden = torch.relu(self.third(with_pools(hidden)))
        lays = self.per_colour(hidden)
        deck, value = self.whole(pools(hidden)).unbind(-1)
        plays, discards = lays[..., :10].flatten(1), lays[..., 10:20].flatten(1)
        return torch.cat([plays, discards, deck[:, None], lays[..., 20]], dim=1), value


def by_colour(seen: torch.Tensor) -> torch.Tensor:
    """Observations as ``(n, colours, features)``: what concerns a colour, and the numbers beside it."""
    n = len(seen)
    sizes = [10 * PLANES * COLOURS, WAGERS * COLOURS, STACK * COLOURS, COLOURS, NUMBERS]
    planes, wagers, stacks, closed, numbers = torch.split(seen, sizes, dim=1)
    parts = [
        planes.view(n, PLANES, COLOURS, 10).transpose(1, 2).reshape(n, COLOURS, -1),
        wagers.view(n, WAGERS, COLOURS).transpose(1, 2),
        stacks.view(n, COLOURS, STACK),
        closed[..., None],
        numbers[:, None, :].expand(n, COLOURS, NUMBERS),
    ]
    return torch.cat(parts, dim=2)


def pools(hidden: torch.Tensor) -> torch.Tensor:
    """Mean and maximum over the colours."""
    return torch.cat([hidden.mean(1), hidden.amax(1)], dim=-1)


def with_pools(hidden: torch.Tensor) -> torch.Tensor:
    """Every colour with the pools beside it."""
    return torch.cat([hidden, pools(hidden)[:, None].expand(-1, COLOURS, -1)], dim=-1)


class Rollout:
    """What happened in ``STEPS`` half-turns of every round, step first."""

    def __init__(self, play: SelfPlay, network: Network) -> None:
        shape = (STEPS, len(play))
        self.seen = np.empty((*shape, play.observations.shape[1]), dtype=np.uint8)
        self.masks = np.empty((*shape, play.masks.shape[1]), dtype=np.uint8)
        self.actions = np.empty(shape, dtype=np.int64)
        self.log_probs = np.empty(shape, dtype=np.float32)
        values = np.empty((STEPS + 1, len(play)), dtype=np.float32)
        rewards, going, same = (np.empty(shape, dtype=np.float32) for _ in range(3))
        for t in range(STEPS):
            logits, values[t] = evaluate(network, play)
            self.seen[t], self.masks[t] = play.observations, play.masks
            self.actions[t], self.log_probs[t] = play.choose(logits)
            seats = play.seats.astype(np.int64)
            paid, terminated, truncated = play.step(self.actions[t], trusted=True)
            rewards[t] = paid[np.arange(len(play)), seats] / POINTS
            going[t] = ~(terminated | truncated)
            same[t] = np.where(play.seats == seats, 1.0, -1.0)
        values[STEPS] = evaluate(network, play)[1]
        self.advantages = advantages(rewards, values, going * same)
        self.targets = self.advantages + values[:-1]


def evaluate(network: Network, play: SelfPlay) -> tuple[Any, Any]:
    """Logits and values of the seats to act, as arrays."""
    with torch.no_grad():
        logits, values = network(torch.from_numpy(play.float_observations()))
    return logits.numpy(), values.numpy()


def advantages(rewards: Any, values: Any, onward: Any) -> Any:
    """Generalised advantages (Schulman and others, 2016), undiscounted, for seats that alternate.

    ``onward`` is 0 where a round ended, 1 where the same seat acts next, −1 where the other one does: the
    sum is zero, so what the other seat expects is lost to this one.
    """
    found, later = np.empty_like(rewards), np.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        error = rewards[t] + onward[t] * values[t + 1] - values[t]
        later = error + LAMBDA * onward[t] * later
        found[t] = later
    return found


def learn(
    network: Network, optimiser: torch.optim.Optimizer, rollout: Rollout, scale: Any, entropy: float
) -> None:
    """Improve the network by a rollout (Schulman and others, 2017)."""
    size = rollout.actions.size
    seen = rollout.seen.reshape(size, -1)
    masks = torch.from_numpy(rollout.masks.reshape(size, -1)) == 0
    flat = (rollout.actions, rollout.log_probs, rollout.advantages, rollout.targets)
    actions, old, gains, targets = (torch.from_numpy(each.reshape(-1)) for each in flat)
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for _ in range(EPOCHS):
        for part in torch.randperm(size).chunk(PARTS):
            logits, values = network(torch.from_numpy(seen[part.numpy()] / scale))
            logs = logits.masked_fill(masks[part], -1e9).log_softmax(dim=1)
            chosen = logs.gather(1, actions[part][:, None])[:, 0]
            ratio = (chosen - old[part]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy = -torch.min(ratio * gains[part], clipped * gains[part]).mean()
            value = nn.functional.mse_loss(values, targets[part])
            spread = -(logs.exp() * logs.clamp(min=-50)).sum(dim=1).mean()
            optimiser.zero_grad()
            (policy + 0.5 * value - entropy * spread).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def imitate(
    network: Network, optimiser: torch.optim.Optimizer, play: SelfPlay, agent: str, rng: Any
) -> None:
    """Make what an agent would do in every round likelier, over as many steps as a rollout has."""
    for _ in range(STEPS):
        wanted = play.suggest(agent)
        logits, _ = network(torch.from_numpy(play.float_observations()))
        logits = logits.masked_fill(torch.from_numpy(play.masks) == 0, -1e9)
        optimiser.zero_grad()
        loss: Any = nn.functional.cross_entropy(logits, torch.from_numpy(wanted))
        loss.backward()
        optimiser.step()
        stray = np.argmax(rng.random(play.masks.shape) * play.masks, axis=1)
        play.step(np.where(rng.random(len(play)) < STRAY, stray, wanted), trusted=True)


def against(network: Network, opponent: str, scale: Any, seed: int) -> tuple[float, float]:
    """Mean difference of points a round of the network's first choices, and its standard error."""
    envs = LostCitiesVectorEnv(EVALUATION, opponent=opponent, autoreset_mode="NextStep")
    seen, _ = envs.reset(seed=seed)
    results = np.full(EVALUATION, np.nan)
    while np.isnan(results).any():
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(seen["observation"] / scale))
        logits = logits.masked_fill(torch.from_numpy(seen["action_mask"]) == 0, -1e9)
        seen, rewards, terminated, truncated, _ = envs.step(logits.argmax(dim=1).numpy())
        fresh = (terminated | truncated) & np.isnan(results)
        results[fresh] = rewards[fresh]
    return float(results.mean()), float(results.std(ddof=1) / EVALUATION**0.5)


def train(arguments: argparse.Namespace, log: TextIO | None) -> Network:
    """Learn for as long as the budget lasts; Ctrl-C ends it early and loses nothing."""
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    steps, next_report, imitating = 0, 1 / arguments.reports, arguments.imitate != "none"
    cost = 20 if imitating else 0
    play = SelfPlay(ROUNDS, f"cost={cost}", seed=arguments.seed)
    scale, rng = observation_scale(play.batch.rules), np.random.default_rng(arguments.seed)
    report(network, 0, 0.0, cost, scale, log)
    began = time.process_time()  # what had to be compiled is compiled now
    try:
        while True:
            share = (time.process_time() - began) / (60 * arguments.minutes)
            if share >= next_report or share >= 1:
                report(network, steps, time.process_time() - began, cost, scale, log)
                next_report += 1 / arguments.reports
            if share >= 1:
                break
            if cost < 20 and cost != (wanted := min(20, int(20 * share / BEGINNING))):
                cost = wanted
                play = SelfPlay(ROUNDS, f"cost={cost}", seed=arguments.seed + steps)
            for group in optimiser.param_groups:
                group["lr"] = RATE * (1 - 0.9 * share)
            if imitating and share < BEGINNING:
                imitate(network, optimiser, play, arguments.imitate, rng)
            else:
                learn(network, optimiser, Rollout(play, network), scale, SPREAD * (1 - share))
            steps += ROUNDS * STEPS
    except KeyboardInterrupt:
        print("interrupted: what was learnt so far is kept")
    return network


def report(
    network: Network, steps: int, seconds: float, cost: int, scale: Any, log: TextIO | None
) -> None:
    """Measure against greedy, print a line, and keep it."""
    mean, error = against(network, "greedy", scale, seed=1_000_000)
    line = {"steps": steps, "cpu_s": round(seconds), "cost": cost}
    line |= {"greedy": round(mean, 1), "error": round(error, 1)}  # type: ignore[dict-item]
    print("  ".join(f"{key} {value}" for key, value in line.items()), flush=True)
    if log is not None:
        log.write(json.dumps(line) + "\n")
        log.flush()


def main() -> None:
    """Read the options, train, save."""
    parser = argparse.ArgumentParser(description="PPO by self-play, measured against greedy.")
    parser.add_argument("--minutes", type=float, default=25, help="CPU minutes (default 25)")
    parser.add_argument("--imitate", choices=("steady", "greedy", "none"), default="steady")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=int, default=20, help="how often to measure")
    parser.add_argument("--log", type=Path, help="keep the curve here, as JSON lines")
    parser.add_argument("--save", type=Path, help="keep the network's weights here")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    if arguments.log is None:
        network = train(arguments, None)
    else:
        with arguments.log.open("w", encoding="utf-8") as log:
            network = train(arguments, log)
    if arguments.save is not None:
        torch.save(network.state_dict(), arguments.save)


if __name__ == "__main__":
    main()
