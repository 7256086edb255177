"""Both seats of many rounds over NumPy arrays: what self-play training steps.

>>> import numpy as np
>>> from lostcities.envs.self_play import SelfPlay
>>> play = SelfPlay(64, seed=1)
>>> actions, _ = play.choose(np.zeros(play.masks.shape, dtype=np.float32))
>>> rewards, terminated, truncated = play.step(actions)
>>> rewards.shape, play.observations.shape
((64, 2), (64, 608))

Needs NumPy and nothing else of what environments ask for. See ``docs/envs/self_play.md``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.compiled import GREEDY, STEADY
from lostcities.core.rules import Rules
from lostcities.envs.common import RewardKind, check_reward, read_rules, worths
from lostcities.envs.opponents import opponent_form, suggest_rows
from lostcities.kernel import bridge
from lostcities.kernel.batch import ENDED, STALLED, Batch
from lostcities.kernel.round import lead_rows

Bools = NDArray[np.bool_]


class SelfPlay:
    """Rounds that take half-turns in step; one that ends is dealt anew within the same step.

    All rounds are always in the same phase: all lay, then all draw. Where the rules have ``first=0`` or
    ``first=1`` that seat starts every round; else each seat starts half of the first rounds, and a seat
    chosen at random the later ones.

    Attributes:
        rules: the rules in force.
        batch: the kernel's rounds.
        reward: what the end of a round is worth, see :data:`lostcities.envs.common.RewardKind`.
    """

    def __init__(
        self,
        count: int,
        rules: Rules | str | None = None,
        seed: int = 0,
        *,
        reward: RewardKind = "difference",
    ) -> None:
        """Deal the rounds.

        Args:
            count: how many.
            rules: see :func:`lostcities.envs.common.read_rules`.
            seed: the same seed and actions give the same rounds.
            reward: what the end is worth.

        Raises:
            ValueError: no round at all, or no such reward.
            RulesError: rules that cannot be read.
        """
        self.rules = read_rules(rules)
        self.reward = check_reward(reward)
        first = None if self.rules.first == "random" else self.rules.first
        self.batch = Batch(count, bridge.pack(self.rules), seed, first=first)

    def __len__(self) -> int:
        return len(self.batch.rows)

    @property
    def seats(self) -> NDArray[np.uint8]:
        """The seat to act in each round, ``uint8 (n,)``; overwritten by every step, as are all these."""
        return self.batch.seats

    @property
    def masks(self) -> NDArray[np.uint8]:
        """1 for each legal action, ``uint8 (n, actions)``."""
        return self.batch.masks

    @property
    def observations(self) -> NDArray[np.uint8]:
        """What the seat to act sees, ``uint8 (n, observation_length)``."""
        return self.batch.observations

    @property
    def scores(self) -> NDArray[np.int32]:
        """Both seats' points where the last step ended a round, ``int32 (n, 2)``; else stale."""
        return self.batch.scores

    def leads(self) -> NDArray[np.int32]:
        """By how many points the seat to act is ahead as the rows lie now, ``int32 (n,)``; a new array.

        A first guess of what the round will be worth to it, and a good one late in a round.
        """
        leads = np.zeros(len(self), dtype=np.int32)
        lead_rows(self.batch.rows, self.batch.rules, leads)
        return leads

    def reset(self, seed: int) -> None:
        """Deal every round anew from a seed."""
        self.batch.reset(seed)

    def step(
        self, actions: NDArray[np.int64], *, trusted: bool = False
    ) -> tuple[NDArray[np.float32], Bools, Bools]:
        """Do one action in every round.

        Args:
            actions: ``int64 (n,)``, each by the seat to act.
            trusted: do not check them. An illegal action then makes nonsense of its round.

        Returns:
            Rewards of both seats, ``float32 (n, 2)``, 0 where the round goes on; which rounds came
            to their end, ``bool (n,)``; which ones the stall rule cut off, ``bool (n,)``. New arrays.
            Where either is true, ``seats``, ``masks`` and ``observations`` are of the next round.

        Raises:
            ValueError: an illegal action, with its round; nothing has been done then.
        """
        self.batch.step(actions, trusted=trusted)
        terminated, truncated = self.batch.done == ENDED, self.batch.done == STALLED
        leads = self.batch.scores[:, 0] - self.batch.scores[:, 1]
        worth = worths(leads * (terminated | truncated), self.reward)
        return np.stack([worth, -worth], axis=1), terminated, truncated

    def choose(self, logits: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Draw a legal action for every round: see :meth:`lostcities.kernel.Batch.choose`."""
        return self.batch.choose(logits)

    def suggest(self, agent: str) -> NDArray[np.int64]:
        """What an agent would do in every round, ``int64 (n,)``: to imitate it before improving on it.

        Args:
            agent: ``greedy`` or ``steady``, the agents that the kernel knows and that do not roll dice.

        Raises:
            ValueError: any other agent.
            UnknownAgentError: none of that name.
        """
        which = opponent_form(agent)
        if which not in (GREEDY, STEADY):
            raise ValueError(f"agent {agent!r} is neither greedy nor steady")
        actions = np.zeros(len(self), dtype=np.int64)
        suggest_rows(self.batch.rows, self.batch.rules, which, actions)
        return actions

    def float_observations(self) -> NDArray[np.float32]:
        """The observations as ``float32``, scaled to about 0…1; a new array."""
        return self.batch.float_observations()
