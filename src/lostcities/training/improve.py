"""Third stage: policy gradient from self-play, with a critic that sees all cards.

Rounds are drawn from the policy, most of them against itself, some against past selves and against
``steady@1`` so that it does not run in circles. A half-turn is credited with what came after it less
what the critic expected (generalised advantages); the critic knows both hands and the deck, so that
most luck drops out. The policy moves by the clipped objective of PPO (Schulman and others, 2017), once
over each batch. What is kept is a running mean of the weights.

Against one opponent that does not learn, it finds a best response: how much that wins says how far the
opponent can be exploited, from below.
"""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lostcities.agents.network import forward
from lostcities.agents.network.forward import VALUE_SCALE, Flat
from lostcities.agents.network.weights import Arrays
from lostcities.kernel import layout as at
from lostcities.training.compute import CPU, Compute
from lostcities.training.critic import Critic, OpenInputs, judge
from lostcities.training.draw import (
    Batch,
    DrawParts,
    Wanted,
    draw_rounds,
    drawn_by_threads,
    joined,
)
from lostcities.training.episodes import credit
from lostcities.training.measure import STRENGTH, duel, network_player, steady_player
from lostcities.training.net import Inputs, Net
from lostcities.training.stage import Figure, Step, TrainingError, Watch, replace_file

_LOGITS = ("o", "bo", "d", "bd")
"""The arrays that logits are linear in."""


@dataclass(frozen=True, slots=True)
class ImproveSettings:
    """How to improve a policy.

    Attributes:
        iterations: batches of rounds.
        half_turns: of a batch, at least.
        parts: in how many a batch is drawn, each with random numbers of its own, so that it is the same
            whoever draws them: threads, or the processors of a cluster.
        warm: batches at the start from which only the critic learns.
        batch: positions a step.
        rate: highest learning rate of the policy; it rises over ``rise`` iterations and falls as a
            cosine to a twentieth.
        rise: see ``rate``.
        critic_rate: of the critic.
        critic_share: of the positions, those that the critic learns from.
        fade: lambda of the advantages, a half-turn. With 0.92 to 0.95 they are less noisy, but a
            policy that had come far with 0.97 lost a point a round.
        clip: how far the ratio of probabilities may go before it stops counting.
        entropy: weight of the entropy; it falls as the rate does. Much of it makes rounds
            long: for a while it costs little to draw from piles.
        flatten: what the logits of the start are multiplied by. With less than 1 it plays its first choices
            less surely, and tries more; which choices come first stays as it is.
        late: where the deck has at most so many cards,
        entropy_late: it is this. A policy that has been improved for long gives next to no chance to
            half-turns late in a round that are better by points (trials of all of them show it), so
            it never tries them; and rounds cannot get much longer there.
        value_weight: weight of the policy network's own value.
        steady: share of rounds against ``steady@1``.
        past: share of rounds against past selves,
        keep_every: which are kept every so many iterations.
        mean: what the running mean of the weights keeps of itself an iteration.
        panel_every: iterations between two measurements,
        panel: over so many duplicate deals.
        seed: of everything random.
    """

    iterations: int = 1000
    half_turns: int = 65_536
    parts: int = 1
    warm: int = 12
    batch: int = 4096
    rate: float = 7e-4
    rise: int = 10
    critic_rate: float = 1.5e-3
    critic_share: float = 0.5
    fade: float = 0.97
    clip: float = 0.2
    entropy: float = 0.003
    flatten: float = 1.0
    late: int = 0
    entropy_late: float = 0.02
    value_weight: float = 0.5
    steady: float = 0.12
    past: float = 0.12
    keep_every: int = 25
    mean: float = 0.97
    panel_every: int = 50
    panel: int = 400
    seed: int = 1


class Improving:
    """A policy while it improves: it, its critic, its past, and where they stand."""

    def __init__(
        self,
        start: Arrays,
        rules: NDArray[np.int32],
        settings: ImproveSettings,
        against: Flat | None = None,
        draw: DrawParts = drawn_by_threads,
        compute: Compute = CPU,
    ) -> None:
        self._draw = draw
        self.settings, self.rules, self.done = settings, rules, 0
        self.against = against
        self.net = Net(settings.seed).load(flattened(start, settings.flatten)).on(compute)
        self.critic = Critic(settings.seed).on(compute)
        self.policy_steps = torch.optim.Adam(self.net.parameters(), lr=settings.rate)
        self.critic_steps = torch.optim.Adam(self.critic.parameters(), lr=settings.critic_rate)
        self.mean = {name: array.copy() for name, array in self.net.arrays().items()}
        self.past: list[Flat] = [self.net.flat().copy() if against is None else against]
        self.curve: list[tuple[int, float, float]] = []

    def iterate(self) -> tuple[str, tuple[Figure, ...]]:
        """One batch of rounds, one pass over it; how it went, as a line and as figures."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, self.done])
        batch = self._batch(rng)
        inputs, opened = Inputs.of(batch.rows, self.rules), OpenInputs.of(batch.rows, self.rules)
        values = judge(self.critic, opened) + inputs.leads
        n = len(batch.rows)
        advantages, gains = np.zeros(n, np.float32), np.zeros(n, np.float32)
        credit(
            batch.lengths, batch.rows, values, batch.ends, settings.fade, advantages, gains,
            self.rules,
        )  # fmt: skip
        told, figures = self._told(values - inputs.leads, advantages, gains, batch)
        if self.done >= settings.warm:
            targets = values + advantages - inputs.leads
            entropy, moved = self._improve_policy(batch, inputs, advantages, targets, rng)
            told += f", entropy {entropy:.3f}, moved {moved:.5f}"
            figures += (Figure("entropy, nats", entropy), Figure("moved, nats", moved))
        self._improve_critic(opened, gains, rng)
        self._keep()
        self.done += 1
        return told, figures

    def _batch(self, rng: np.random.Generator) -> Batch:
        settings = self.settings
        wanted = Wanted(-(-settings.half_turns // settings.parts), settings.steady, settings.past)
        drawing = self.net.flat(), self.past, self.rules, wanted
        if settings.parts == 1:
            return draw_rounds(*drawing, rng)
        seeds = [[settings.seed, self.done, part] for part in range(settings.parts)]
        return joined(self._draw(drawing, seeds))

    def _told(
        self,
        values: NDArray[np.float32],
        advantages: NDArray[np.float32],
        gains: NDArray[np.float32],
        batch: Batch,
    ) -> tuple[str, tuple[Figure, ...]]:
        explained = 1 - float((gains - values).var() / gains.var())
        spread = float(advantages[batch.mine].std())
        length = len(batch.rows) / len(batch.lengths)
        told = (
            f"critic explains {explained:.1%}, advantages ± {spread:.1f}, "
            f"{length:.0f} half-turns a round"
        )
        return told, (
            Figure("critic explains, %", 100 * explained),
            Figure("spread of advantages, points", spread),
            Figure("half-turns a round", length),
        )

    def _improve_policy(
        self,
        batch: Batch,
        inputs: Inputs,
        advantages: NDArray[np.float32],
        targets: NDArray[np.float32],
        rng: np.random.Generator,
    ) -> tuple[float, float]:
        settings = self.settings
        for group in self.policy_steps.param_groups:
            group["lr"] = self._rate()
        # Half-turns of which the policy was all but certain teach next to nothing: fewer of them
        # are taken, and those count for more.
        taken = np.minimum(1.0, 0.15 + 4 * (1 - np.exp(batch.log_probs)))
        index = np.flatnonzero(batch.mine & (rng.random(len(taken)) < taken))
        weights = (1 / taken).astype(np.float32)
        spread = float(advantages[batch.mine].std()) + 1e-6
        scaled = np.clip((advantages - advantages[batch.mine].mean()) / spread, -5, 5)
        entropies, moves = [], []
        is_late = at.DECK_END - batch.rows[:, at.NEXT].astype(np.int64) <= settings.late
        sought = np.where(is_late, settings.entropy_late, settings.entropy).astype(np.float32)
        index = rng.permutation(index)
        for part in np.array_split(index, max(1, len(index) // settings.batch)):
            logits, value = self.net(*inputs.batch(part))
            log_probs = functional.log_softmax(inputs.masked(logits, part), 1)
            weight = torch.from_numpy(weights[part])
            weight = weight / weight.sum()
            chosen = log_probs.gather(1, torch.from_numpy(batch.actions[part])[:, None])[:, 0]
            ratio = (chosen - torch.from_numpy(batch.log_probs[part])).exp()
            gain = torch.from_numpy(scaled[part])
            kept = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            policy = -(weight * torch.minimum(ratio * gain, kept * gain)).sum()
            entropy = -weight * (log_probs.exp() * log_probs).sum(1)
            wrong = value - torch.from_numpy(targets[part]) / VALUE_SCALE
            loss = (
                policy
                - self._fall() * (torch.from_numpy(sought[part]) * entropy).sum()
                + settings.value_weight * (weight * wrong * wrong).sum()
            )
            self._step(self.policy_steps, self.net, loss)
            entropies.append(float(entropy.sum().detach()))
            moves.append(float((weight * (ratio - 1 - ratio.log())).sum().detach()))
        return float(np.mean(entropies)), float(np.mean(moves))

    def _improve_critic(
        self, opened: OpenInputs, gains: NDArray[np.float32], rng: np.random.Generator
    ) -> None:
        settings = self.settings
        warm = self.done < settings.warm
        index = rng.permutation(len(gains))
        if not warm:
            index = index[: int(settings.critic_share * len(gains))]
        for group in self.critic_steps.param_groups:
            group["lr"] = settings.critic_rate * (1.0 if warm else self._fall())
        for part in np.array_split(index, max(1, len(index) // settings.batch * 2)):
            told = self.critic(*opened.batch(part))
            wrong = told - torch.from_numpy(gains[part]) / VALUE_SCALE
            self._step(self.critic_steps, self.critic, (wrong * wrong).mean())

    @staticmethod
    def _step(steps: torch.optim.Optimizer, module: torch.nn.Module, loss: Tensor) -> None:
        steps.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        steps.step()

    def _fall(self) -> float:
        share = min(1.0, self.done / self.settings.iterations)
        return 0.05 + 0.95 * (1 + float(np.cos(np.pi * share))) / 2

    def _rate(self) -> float:
        rise = min(1.0, (self.done - self.settings.warm + 1) / self.settings.rise)
        return self.settings.rate * rise * self._fall()

    def _keep(self) -> None:
        keep = self.settings.mean if self.done >= self.settings.warm else 0.0
        for name, array in self.net.arrays().items():
            self.mean[name] = keep * self.mean[name] + (1 - keep) * array
        if self.against is None and (self.done + 1) % self.settings.keep_every == 0:
            self.past.append(self.net.flat().copy())

    def measure(self) -> Step:
        """The mean of the weights against ``steady@1``, or the one opponent; a point of the curve."""
        other = steady_player() if self.against is None else network_player(self.against)
        players = network_player(forward.flatten(self.mean)), other
        told = duel(players, self.rules, self.settings.panel, 0, lambda _: None)
        self.curve.append((self.done, told.points, told.se))
        name = STRENGTH if self.against is None else "points a round over the opponent"
        news = f"iteration {self.done}: {told.points:+.2f} ± {told.se:.2f} a round over the panel"
        figures = (Figure(name, told.points, told.se),)
        return Step(self.done, self.settings.iterations, "iterations", news, True, figures)

    # ---- checkpoints ----------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write all that is needed to go on."""
        content = io.BytesIO()
        torch.save(
            {
                "about": asdict(self.settings), "done": self.done, "net": self.net.state_dict(),
                "critic": self.critic.state_dict(), "policy_steps": self.policy_steps.state_dict(),
                "critic_steps": self.critic_steps.state_dict(), "curve": self.curve,
                "mean": {name: torch.from_numpy(each) for name, each in self.mean.items()},
                "past": [torch.from_numpy(each) for each in self.past],
            },
            content,
        )  # fmt: skip
        replace_file(path, content.getvalue())

    def load(self, path: Path) -> None:
        """Go on from what :meth:`save` wrote.

        Raises:
            TrainingError: it is damaged, or of other settings.
        """
        try:
            kept: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
            found = kept["about"]
            if found == asdict(self.settings):
                self.net.load_state_dict(kept["net"])
                self.critic.load_state_dict(kept["critic"])
                self.policy_steps.load_state_dict(kept["policy_steps"])
                self.critic_steps.load_state_dict(kept["critic_steps"])
                self.mean = {name: each.numpy() for name, each in kept["mean"].items()}
                self.past = [each.numpy() for each in kept["past"]]
                self.curve = [tuple(each) for each in kept["curve"]]
                self.done = int(kept["done"])
        except Exception as error:
            raise TrainingError(str(path), f"not a checkpoint of this program ({error})") from error
        if found != asdict(self.settings):
            differ = [k for k, v in asdict(self.settings).items() if found.get(k) != v]
            raise TrainingError(
                str(path), f"the checkpoint of another run: {', '.join(differ)} differ"
            )


def flattened(start: Arrays, share: float) -> Arrays:
    """A network whose logits are that share of what they were; its values stay."""
    return {
        name: each * np.float32(share) if name in _LOGITS else each for name, each in start.items()
    }


def improve(
    start: Arrays,
    rules: NDArray[np.int32],
    settings: ImproveSettings,
    watch: Watch,
    checkpoint: Path | None = None,
    against: Flat | None = None,
    draw: DrawParts = drawn_by_threads,
    compute: Compute = CPU,
) -> tuple[Net, list[tuple[int, float, float]]]:
    """Improve a policy.

    Args:
        start: the network to begin with; its policy should play sensibly.
        rules: packed rules, with a stall rule.
        settings: how.
        watch: told of every iteration, with news at every measurement.
        checkpoint: a file to go on from if it is there, written at every measurement and removed at
            the end.
        against: the network opposite in the share ``past`` of the rounds, and the panel; None for
            past selves, and ``steady@1`` as the panel.
        draw: who draws the parts of a batch, where it has more than one.
        compute: where the network and the critic learn.

    Returns:
        The network, and its curve: iteration, points a round over the panel, standard error.
    """
    state = Improving(start, rules, settings, against, draw, compute)
    if checkpoint and checkpoint.exists():
        state.load(checkpoint)
    if not state.curve:
        watch(state.measure())
    while state.done < settings.iterations:
        told, figures = state.iterate()
        watch(Step(state.done, settings.iterations, "iterations", told, figures=figures))
        if state.done % settings.panel_every == 0 or state.done == settings.iterations:
            watch(state.measure())
            if checkpoint:
                state.save(checkpoint)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    return Net(settings.seed).load(state.mean), state.curve
