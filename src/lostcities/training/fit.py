"""Fitting a network to positions with targets: the loop that every stage shares."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lostcities.agents.network.forward import VALUE_SCALE
from lostcities.training.net import Inputs, Net
from lostcities.training.stage import Figure, Step, TrainingError, Watch, replace_file

RISE = 0.15
"""Share of the steps in which the learning rate rises; then it falls as a cosine."""
SAVE_EVERY = 200
"""Steps between two checkpoints: some seconds."""
ASSESSED = 4096
"""Positions assessed at a time."""
LOSS_EVERY = 50
"""Steps between two points of the curve of what is made small."""
VALUE_WEIGHT = 2.0
"""Weight of the value's loss beside the policy's."""


class Told(Protocol):
    """How a network does."""

    def figures(self) -> tuple[Figure, ...]:
        """For the curve."""


Told_co = TypeVar("Told_co", bound=Told, covariant=True)
Strength = Callable[[Net], Figure]
"""Measures how well a network plays."""


class Goal(Protocol, Generic[Told_co]):
    """What a network should say of positions."""

    def __len__(self) -> int:
        """How many positions."""

    def loss(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Tensor:
        """What to make small, over some of the positions."""

    def assess(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Told_co:
        """How the network does on some positions, as something to print."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What the network should say of the positions of :class:`lostcities.training.net.Inputs`.

    Attributes:
        policy: ``float32 (n, actions)``, rows sum to 1.
        value: ``float32 (n,)``: expected final lead of the seat to act less its present lead, points.
    """

    policy: Tensor
    value: Tensor

    def __len__(self) -> int:
        """How many positions."""
        return len(self.value)

    def loss(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Tensor:
        """Cross-entropy of the policy and the value's error, large errors counting less."""
        logits, value = net(*inputs.batch(index))
        chosen = functional.log_softmax(inputs.masked(logits, index), 1)
        policy = -(self.policy[index] * chosen).sum(1).mean()
        gain = functional.smooth_l1_loss(value, self.value[index] / VALUE_SCALE, beta=0.3)
        return policy + VALUE_WEIGHT * gain

    def assess(self, net: Net, inputs: Inputs, index: NDArray[np.int64]) -> Fit:
        """How a network does on some positions."""
        agree = loss = squares = 0.0
        with torch.no_grad():
            for part in assessed(index):
                logits, value = net(*inputs.batch(part))
                chosen = functional.log_softmax(inputs.masked(logits, part), 1)
                wanted = self.policy[part]
                agree += float((chosen.argmax(1) == wanted.argmax(1)).sum())
                loss -= float((wanted * chosen).sum())
                squares += float(((value * VALUE_SCALE - self.value[part]) ** 2).sum())
        n = len(index)
        spread = float(self.value[index].var(unbiased=False))
        explained = 1 - squares / n / spread if spread else 0.0
        return Fit(agree / n, loss / n, (squares / n) ** 0.5, explained)


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How to fit.

    Attributes:
        epochs: passes over the data.
        batch: positions a step.
        rate: highest learning rate.
        decay: weight decay.
        held_out: share of the positions, the last ones, that is never fitted.
        seed: of the order.
    """

    epochs: int = 10
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-3
    held_out: float = 0.04
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """How a network does on held-out positions.

    Attributes:
        agree: share on which its first choice is the target's.
        policy_loss: cross-entropy.
        value_error: root mean square error of the value, points.
        explained: share of the variance of what is still to come that the value explains.
    """

    agree: float
    policy_loss: float
    value_error: float
    explained: float

    def figures(self) -> tuple[Figure, ...]:
        """For the curve."""
        return (
            Figure("agrees with its targets, %", 100 * self.agree),
            Figure("policy loss, held out", self.policy_loss),
            Figure("value explains, %", 100 * self.explained),
        )

    def __str__(self) -> str:
        return (
            f"agrees on {self.agree:.1%}, policy loss {self.policy_loss:.3f}, "
            f"value ± {self.value_error:.1f} points ({self.explained:.0%} explained)"
        )


def assessed(index: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The positions in parts of about :data:`ASSESSED`."""
    return np.array_split(index, max(1, len(index) // ASSESSED))


def rate_at(settings: FitSettings, done: int, steps: int) -> float:
    """The learning rate of a step: up in a line, then down to nothing as a cosine."""
    rise = RISE * steps
    if done < rise:
        return settings.rate * (done + 1) / (rise + 1)
    return settings.rate * (1 + math.cos(math.pi * (done - rise) / (steps - rise))) / 2


def fit(
    net: Net,
    inputs: Inputs,
    targets: Goal[Told_co],
    settings: FitSettings,
    watch: Watch,
    checkpoint: Path | None = None,
    strength: Strength | None = None,
) -> Told_co:
    """Fit a network in place.

    Args:
        net: the network.
        inputs: positions.
        targets: what to say of them.
        settings: how to fit.
        watch: told of every step, with news after each epoch.
        checkpoint: a file to go on from if it is there, written every ``SAVE_EVERY`` steps and
            removed at the end; the result is the same as without an interrupt.
        strength: measures how well the network plays, after each epoch.

    Returns:
        How the network does on what was held out.

    Raises:
        TrainingError: the checkpoint is damaged, or of something else.
    """
    count = len(targets)
    held = max(1, int(count * settings.held_out))
    train, rest = np.arange(count - held), np.arange(count - held, count)
    each = len(train) // settings.batch
    if each == 0:
        raise TrainingError("data", f"{len(train)} positions are less than a batch")
    steps = settings.epochs * each
    optimizer = torch.optim.AdamW(net.parameters(), lr=settings.rate, weight_decay=settings.decay)
    about = {**asdict(settings), "positions": count}
    done = _load(checkpoint, about, net, optimizer) if checkpoint else 0
    while done < steps:
        epoch, first = divmod(done, each)
        order = np.random.default_rng([settings.seed, epoch]).permutation(train)
        for place in range(first * settings.batch, each * settings.batch, settings.batch):
            for group in optimizer.param_groups:
                group["lr"] = rate_at(settings, done, steps)
            index = order[place : place + settings.batch]
            loss = targets.loss(net, inputs, index)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            optimizer.step()
            done += 1
            if checkpoint and done % SAVE_EVERY == 0:
                _save(checkpoint, about, net, optimizer, done)
            lost = (Figure("loss", float(loss.detach())),) if done % LOSS_EVERY == 0 else ()
            watch(Step(done, steps, "steps", figures=lost))
        told = targets.assess(net, inputs, rest)
        figures = told.figures() + (() if strength is None else (strength(net),))
        news = f"epoch {epoch + 1} of {settings.epochs}: {told}{played(figures)}"
        watch(Step(done, steps, "steps", news, news=True, figures=figures))
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    return targets.assess(net, inputs, rest)


def played(figures: tuple[Figure, ...]) -> str:
    """In words: the estimates among figures."""
    return "".join(
        f", {each.value:+.2f} ± {each.se:.2f} {each.name}" for each in figures if each.se
    )


# ---- checkpoints --------------------------------------------------------------------------------


def _save(
    path: Path, about: dict[str, Any], net: Net, optimizer: torch.optim.Optimizer, done: int
) -> None:
    content = io.BytesIO()
    kept = {"about": about, "done": done, "net": net.state_dict()}
    torch.save({**kept, "optimizer": optimizer.state_dict()}, content)
    replace_file(path, content.getvalue())


def _load(path: Path, about: dict[str, Any], net: Net, optimizer: torch.optim.Optimizer) -> int:
    """Go on from a checkpoint if it is there; returns the steps done."""
    if not path.exists():
        return 0
    try:
        kept = torch.load(path, weights_only=True, map_location="cpu")
        found, done = kept["about"], int(kept["done"])
        if found == about:
            net.load_state_dict(kept["net"])
            optimizer.load_state_dict(kept["optimizer"])
    except Exception as error:
        raise TrainingError(str(path), f"not a checkpoint of this program ({error})") from error
    if found != about:
        differ = ", ".join(key for key in about if found.get(key) != about[key])
        raise TrainingError(str(path), f"the checkpoint of another run: {differ} differ")
    return done
