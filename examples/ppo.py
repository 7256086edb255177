"""Proximal policy optimisation by self-play, in one file over the batched door.

    python examples/ppo.py --seed 1 --log curve.jsonl --save ppo.pt

Both seats of every round are played by one policy and learn from it; every so often its first choices
play duplicate deals against ``greedy`` and ``steady``. The budget is CPU time on one thread, what is
measured in between not counted. Needs ``lostcities[train,envs]``.

What it does about this game:

- it begins by imitating an agent: from random play learners first find that discarding everything is
  best, and may stay there. The critic learns from the same rounds, then for a while from the clone's
  own, before the policy moves: a value that knows nothing yet destroys a clone in its first updates;
- the critic says only by how much the outcome will differ from the present lead, which is known;
- a seat's advantage follows *its own* decisions. To take what the other seat expects, with its sign
  turned, for what this seat may expect looks right, since the sum is zero, and is not: the other seat
  does not know this seat's hand, so that throwing away a good hand costs less than it does;
- one set of weights for all colours, with pooling between them, since no colour differs from another;
- a round is worth some 30 points more or less by its cards, a choice about one: batches are large.
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
WIDTH = 64

CLONING, WARMING = 0.15, 0.2
"""Shares of the budget at which imitating ends, and at which the policy begins to learn."""
STRAY, SMOOTH = 0.1, 0.05
"""Share of random actions in imitated rounds, for variety; chances that a clone keeps for the rest."""
CLONING_ROUNDS, CLONING_PART, CLONING_RATE = 512, 1024, 2e-3
ROUNDS, STEPS, EPOCHS, PART, RATE = 1024, 64, 2, 8192, 1e-3
"""``STEPS`` is even: a rollout begins with a lay."""
LAMBDA, CLIP, SPREAD = 0.9, 0.2, 0.003
"""``SPREAD`` is the weight of the entropy at the beginning."""
POINTS = 25.0
"""Points of difference that are worth 1 to the learner."""
DEALS = 1024
"""Duplicate deals against each opponent at every report, always the same."""


class Body(nn.Module):  # type: ignore[misc, unused-ignore] # torch may be absent
    """What is made of an observation: a vector a colour, by the same weights for each."""

    def __init__(self) -> None:
        super().__init__()
        self.colour = nn.Linear(FEATURES, WIDTH)
        self.numbers = nn.Linear(NUMBERS, WIDTH, bias=False)
        self.own = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(2))
        self.others = nn.ModuleList(nn.Linear(2 * WIDTH, WIDTH, bias=False) for _ in range(2))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """``(n, colours, WIDTH)`` of scaled observations ``(n, 608)``."""
        colours, numbers = by_colour(seen)
        hidden = torch.relu(self.colour(colours) + self.numbers(numbers)[:, None])
        for own, others in zip(self.own, self.others, strict=True):
            hidden = torch.relu(own(hidden) + others(pools(hidden))[:, None])
        return hidden


def by_colour(seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations as ``(n, colours, features)``, and the numbers that concern no colour."""
    n = len(seen)
    sizes = [10 * PLANES * COLOURS, WAGERS * COLOURS, STACK * COLOURS, COLOURS, NUMBERS]
    planes, wagers, stacks, closed, numbers = torch.split(seen, sizes, dim=1)
    parts = [
        planes.view(n, PLANES, COLOURS, 10).transpose(1, 2).reshape(n, COLOURS, -1),
        wagers.view(n, WAGERS, COLOURS).transpose(1, 2),
        stacks.view(n, COLOURS, STACK),
        closed[..., None],
    ]
    return torch.cat(parts, dim=2), numbers


def pools(hidden: torch.Tensor) -> torch.Tensor:
    """Mean and maximum over the colours."""
    return torch.cat([hidden.mean(1), hidden.amax(1)], dim=-1)


class Policy(nn.Module):  # type: ignore[misc, unused-ignore]
    """Logits of all actions."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.lays, self.deck = Body(), nn.Linear(WIDTH, 21), nn.Linear(2 * WIDTH, 1)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """``(n, 106)`` of scaled observations ``(n, 608)``."""
        hidden = self.body(seen)
        lays = self.lays(hidden)
        plays, discards = lays[..., :10].flatten(1), lays[..., 10:20].flatten(1)
        return torch.cat([plays, discards, self.deck(pools(hidden)), lays[..., 20]], dim=1)


class Critic(nn.Module):  # type: ignore[misc, unused-ignore]
    """What the round will be worth to the seat to act, in units of ``POINTS``."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.more = Body(), nn.Linear(2 * WIDTH, 1)

    def forward(self, seen: torch.Tensor, leads: torch.Tensor) -> torch.Tensor:
        """``(n,)`` of scaled observations and of present leads in units of ``POINTS``."""
        more: torch.Tensor = self.more(pools(self.body(seen)))[:, 0]
        return leads + more


class Learner:
    """A policy and its critic, which share no weights, and what adjusts them."""

    def __init__(self, scale: Any) -> None:
        self.policy, self.critic = Policy(), Critic()
        self.nets: tuple[nn.Module, ...] = (self.policy, self.critic)
        self.optimisers = [torch.optim.Adam(net.parameters(), eps=1e-5) for net in self.nets]
        self._factor = torch.from_numpy(1 / scale)

    def scaled(self, seen: Any) -> torch.Tensor:
        """Observations as the networks take them."""
        return torch.from_numpy(seen).float() * self._factor

    def logits(self, seen: Any) -> torch.Tensor:
        """Logits of observations, without a gradient."""
        with torch.no_grad():
            found: torch.Tensor = self.policy(self.scaled(seen))
        return found

    def step(self, loss: torch.Tensor, rate: float) -> None:
        """Adjust both by a loss."""
        for optimiser in self.optimisers:
            optimiser.zero_grad()
            for group in optimiser.param_groups:
                group["lr"] = rate
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        for net, optimiser in zip(self.nets, self.optimisers, strict=True):
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimiser.step()


class Rollout:
    """What happened in ``STEPS`` half-turns of every round, step first.

    The last two half-turns are there to value those before; ``lessons`` leaves them out.
    """

    def __init__(self, play: SelfPlay, learner: Learner, model: str = "", rng: Any = None) -> None:
        """Play by the policy, or, where a model is named, by what that agent would do."""
        shape = (STEPS, len(play))
        self.seen = np.empty((STEPS + 1, *play.observations.shape), dtype=np.uint8)
        self.leads = np.empty((STEPS + 1, len(play)), dtype=np.float32)
        self.masks = np.empty((*shape, play.masks.shape[1]), dtype=np.uint8)
        self.actions, self.wanted = (np.zeros(shape, dtype=np.int64) for _ in range(2))
        self.log_probs, rewards, going = (np.zeros(shape, dtype=np.float32) for _ in range(3))
        for t in range(STEPS):
            self.seen[t], self.masks[t] = play.observations, play.masks
            self.leads[t] = play.leads() / POINTS
            if model:
                self.wanted[t] = play.suggest(model)
                stray = rng.random(len(play)) < STRAY
                self.actions[t] = np.where(stray, any_legal(play, rng), self.wanted[t])
            else:
                logits = learner.logits(play.observations).numpy()
                self.actions[t], self.log_probs[t] = play.choose(logits)
            seats = play.seats.astype(np.int64)
            paid, terminated, truncated = play.step(self.actions[t], trusted=True)
            rewards[t] = paid[np.arange(len(play)), seats] / POINTS
            going[t] = ~(terminated | truncated)
        self.seen[STEPS], self.leads[STEPS] = play.observations, play.leads() / POINTS
        values = self._values(learner)
        self.advantages = advantages(rewards, values, going)
        self.targets = self.advantages + values

    def _values(self, learner: Learner) -> Any:
        pairs = zip(self.seen, torch.from_numpy(self.leads), strict=True)
        with torch.no_grad():
            found = [learner.critic(learner.scaled(seen), leads) for seen, leads in pairs]
        return torch.stack(found).numpy()

    def lessons(self) -> dict[str, Any]:
        """The arrays by name, half-turns of all rounds in a row."""
        return {
            name: array[: STEPS - 2].reshape((STEPS - 2) * array.shape[1], *array.shape[2:])
            for name, array in vars(self).items()
        }


def any_legal(play: SelfPlay, rng: Any) -> Any:
    """A random legal action for every round."""
    return np.argmax(rng.random(play.masks.shape, dtype=np.float32) * play.masks, axis=1)


def advantages(rewards: Any, values: Any, going: Any) -> Any:
    """Generalised advantages (Schulman and others, 2016), undiscounted, of each seat for itself.

    After a lay (an even step) the same seat draws in the next step; after a draw it is to act again
    three steps later, unless the round ends by its draw or by the other's, whose gain is its loss.

    Args:
        rewards: ``(t, n)`` of the seat to act.
        values: ``(t + 1, n)`` of the seat to act, of what follows the last step too.
        going: ``(t, n)``, 0 where a round ended by the step.

    Returns:
        ``(t + 1, n)``; 0 in the last three, after which too little is known.
    """
    found = np.zeros_like(values)
    for t in reversed(range(len(rewards) - 2)):
        if t % 2 == 0:
            found[t] = values[t + 1] - values[t] + LAMBDA * found[t + 1]
        else:
            onward = going[t] * going[t + 2]
            paid = rewards[t] - going[t] * rewards[t + 2]
            found[t] = paid + onward * (values[t + 3] + LAMBDA * found[t + 3]) - values[t]
    return found


def learn(learner: Learner, rollout: Rollout, share: float, *, stage: str) -> None:
    """Improve a learner by a rollout.

    Args:
        learner: what learns.
        rollout: from what.
        share: how much of the budget is spent.
        stage: ``imitate`` makes likelier what the model did, ``warm`` leaves the policy as it is,
            ``improve`` is proximal policy optimisation (Schulman and others, 2017).
    """
    lessons = {name: torch.from_numpy(array) for name, array in rollout.lessons().items()}
    gains = lessons["advantages"]
    lessons["advantages"] = (gains - gains.mean()) / (gains.std() + 1e-6)
    cloning = stage == "imitate"
    rate = CLONING_RATE * (1 - 0.9 * share / CLONING) if cloning else RATE * (1 - 0.9 * share)
    for _ in range(1 if cloning else EPOCHS):
        size = len(gains)
        for part in torch.randperm(size).chunk(max(1, size // (CLONING_PART if cloning else PART))):
            some = {name: array[part] for name, array in lessons.items()}
            some["seen"] = learner.scaled(some["seen"].numpy())
            guesses = learner.critic(some["seen"], some["leads"])
            loss = 0.5 * nn.functional.mse_loss(guesses, some["targets"])
            if cloning:
                loss = loss + imitation(learner.policy, some)
            elif stage == "improve":
                loss = loss + improvement(learner.policy, some, SPREAD * (1 - share))
            learner.step(loss, rate)


def log_chances(policy: Policy, some: dict[str, torch.Tensor]) -> torch.Tensor:
    """Logarithms of the chances of all actions; those of illegal ones are far below the others."""
    illegal = some["masks"] == 0
    logits: torch.Tensor = policy(some["seen"])
    return logits.masked_fill(illegal, -1e9).log_softmax(dim=1)


def imitation(policy: Policy, some: dict[str, torch.Tensor]) -> torch.Tensor:
    """Cross entropy to what the model wanted, a little of which goes to all legal actions alike."""
    logs, legal = log_chances(policy, some), some["masks"]
    wanted = logs.gather(1, some["wanted"][:, None])[:, 0]
    even = (logs * legal).sum(dim=1) / legal.sum(dim=1)
    return -((1 - SMOOTH) * wanted + SMOOTH * even).mean()


def improvement(policy: Policy, some: dict[str, torch.Tensor], entropy: float) -> torch.Tensor:
    """The clipped objective, less the weighted entropy."""
    logs = log_chances(policy, some)
    chosen = logs.gather(1, some["actions"][:, None])[:, 0]
    ratio = (chosen - some["log_probs"]).exp()
    clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
    gained = torch.min(ratio * some["advantages"], clipped * some["advantages"]).mean()
    spread = -(logs.exp() * logs.clamp(min=-50)).sum(dim=1).mean()
    return -gained - entropy * spread


def against(learner: Learner, opponent: str, seed: int = 1_000_000) -> tuple[float, float]:
    """Points a round by which first choices are ahead over duplicate deals, and the standard error."""
    deals = sum(from_seat(learner, opponent, seat, seed) for seat in (0, 1)) / 2
    return float(deals.mean()), float(deals.std(ddof=1) / DEALS**0.5)


def from_seat(learner: Learner, opponent: str, seat: int, seed: int) -> Any:
    """Differences of ``DEALS`` rounds from a seat; the same seed deals the same rounds to either."""
    envs = LostCitiesVectorEnv(DEALS, opponent=opponent, seat=seat)
    seen, _ = envs.reset(seed=seed)
    results = np.full(DEALS, np.nan)
    while np.isnan(results).any():
        logits = learner.logits(seen["observation"])
        logits = logits.masked_fill(torch.from_numpy(seen["action_mask"]) == 0, -1e9)
        seen, rewards, terminated, truncated, _ = envs.step(logits.argmax(dim=1).numpy())
        fresh = (terminated | truncated) & np.isnan(results)
        results[fresh] = rewards[fresh]
    return results


def stage_at(share: float) -> str:
    """What is done at a share of the budget."""
    return "imitate" if share < CLONING else "warm" if share < WARMING else "improve"


def train(arguments: argparse.Namespace, log: TextIO | None) -> Learner:
    """Learn for as long as the budget lasts; Ctrl-C ends it early and loses nothing."""
    seed, rng = arguments.seed, np.random.default_rng(arguments.seed)
    plays = {"imitate": SelfPlay(CLONING_ROUNDS, seed=seed)}
    plays["warm"] = plays["improve"] = SelfPlay(ROUNDS, seed=seed + 1)
    learner = Learner(observation_scale(plays["warm"].batch.rules))
    report(learner, 0, 0.0, "", log)
    Rollout(plays["imitate"], learner, arguments.imitate, rng)
    steps, stage, reported = 0, "imitate", 0
    began = time.process_time()  # what had to be compiled is compiled now
    try:
        while True:
            spent = time.process_time() - began
            share = spent / (60 * arguments.minutes)
            due = min(int(share * arguments.reports), arguments.reports)
            if due > reported or stage != stage_at(share):
                report(learner, steps, spent, stage, log)
                began = time.process_time() - spent  # measuring costs nothing
                reported, stage = due, stage_at(share)
            if share >= 1:
                break
            model = arguments.imitate if stage == "imitate" else ""
            learn(learner, Rollout(plays[stage], learner, model, rng), share, stage=stage)
            steps += STEPS * len(plays[stage])
    except KeyboardInterrupt:
        print("interrupted: what was learnt so far is kept")
    return learner


def report(learner: Learner, steps: int, seconds: float, stage: str, log: TextIO | None) -> None:
    """Measure, print a line, and keep it; ``stage`` is the one that has just been."""
    line: dict[str, Any] = {"steps": steps, "cpu_s": round(seconds), "stage": stage or "random"}
    for name in ("greedy", "steady"):
        mean, error = against(learner, name)
        line |= {name: round(mean, 1), f"{name}_error": round(error, 1)}
    print("  ".join(f"{key} {value}" for key, value in line.items()), flush=True)
    if log is not None:
        log.write(json.dumps(line) + "\n")
        log.flush()


def main() -> None:
    """Read the options, train, save."""
    parser = argparse.ArgumentParser(description="PPO by self-play, measured against two agents.")
    parser.add_argument("--minutes", type=float, default=6, help="CPU minutes (default 6)")
    parser.add_argument("--imitate", choices=("steady", "greedy"), default="steady")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=int, default=10, help="how often to measure")
    parser.add_argument("--log", type=Path, help="keep the curve here, as JSON lines")
    parser.add_argument("--save", type=Path, help="keep the policy's weights here")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    if arguments.log is None:
        learner = train(arguments, None)
    else:
        with arguments.log.open("w", encoding="utf-8") as log:
            learner = train(arguments, log)
    if arguments.save is not None:
        torch.save(learner.policy.state_dict(), arguments.save)


if __name__ == "__main__":
    main()
