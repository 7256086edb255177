"""Gymnasium: one seat of a round, against any agent. Importing this registers ``LostCities-v0``.

>>> import gymnasium
>>> import lostcities.envs.gymnasium
>>> env = gymnasium.make("LostCities-v0", opponent="greedy")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

See ``docs/envs/gymnasium.md``.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.agents.agent import AgentFailureError, close
from lostcities.agents.registry import make_agent
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.core.views import view_of_round
from lostcities.envs.common import (
    RewardKind,
    check_opponent,
    check_opponent_rules,
    check_reward,
    check_seat,
    forfeit,
    read_rules,
    whole_action,
    worth,
)
from lostcities.envs.drawing import draw_round
from lostcities.envs.one_round import OneRound
from lostcities.envs.spaces import seat_space
from lostcities.kernel import bridge

ENV_ID = "LostCities-v0"

Observation = dict[str, NDArray[Any]]


class LostCitiesEnv(gymnasium.Env[Any, Any]):
    """A round seen from one seat; an agent plays the other.

    Attributes:
        metadata: ``render_modes`` are ``ansi`` and ``human``.
        rules: the rules in force.
        seat: the learner's seat in this round.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        *,
        opponent: str = "steady",
        rules: Rules | str | None = None,
        reward: RewardKind = "difference",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; :meth:`reset` deals.

        Args:
            opponent: the name of an agent, see :mod:`lostcities.agents.registry`.
            rules: see :func:`lostcities.envs.common.read_rules`.
            reward: what the end is worth, see :data:`lostcities.envs.common.RewardKind`.
            seat: the learner's seat, 0 or 1; None for a new one at random each round.
            render_mode: ``"ansi"``, ``"human"`` or None.

        Raises:
            ValueError: an option that there is not.
            UnknownAgentError: no such opponent.
            RulesError: rules that cannot be read, or under which a round may end before the learner
                has acted.
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r} is neither ansi nor human")
        self.rules = check_opponent_rules(read_rules(rules))
        self.render_mode = render_mode
        self.seat: Seat = 0
        self._fixed_seat = check_seat(seat)
        self._reward = check_reward(reward)
        self._opponent = make_agent(check_opponent(opponent))
        self._opponent_rng = Random()  # noqa: S311 - measurements repeat
        self._round = OneRound(self.rules)
        self._ended, self._dealt, self._closed = True, False, False
        self.observation_space = seat_space(self.rules.colours)
        self.action_space = gymnasium.spaces.Discrete(encoding.actions(self.rules.colours))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a round and let the opponent play if it starts; a seed fixes later rounds too.

        Raises:
            RuntimeError: the environment is closed.
            AgentFailureError: the opponent starts and fails.
        """
        if self._closed:
            raise RuntimeError("the environment is closed: make another one")
        super().reset(seed=seed)
        self.seat = (
            int(self.np_random.integers(2)) if self._fixed_seat is None else self._fixed_seat
        )
        self._opponent_rng.seed(int(self.np_random.integers(2**63)))
        self._round.deal(self.np_random)
        self._ended, self._dealt = False, True
        failure = self._answer()
        if failure is not None:
            raise failure
        return self._observe(), {"seat": self.seat}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do half a turn for the learner; after its draw the opponent plays.

        Raises:
            TypeError: the action is no whole number.
            RuntimeError: nothing has been reset yet, the round has ended, or the environment is closed.
        """
        if self._closed:
            raise RuntimeError("the environment is closed: make another one")
        if self._ended:
            raise RuntimeError("the round has ended: reset first" if self._dealt else "reset first")
        action = whole_action(action)
        if not self._round.is_legal(action):
            lead = forfeit(self._round.lead(self.seat))
            return self._end(lead, terminated=True, illegal=action)
        self._round.step(action)
        failure = self._answer()
        if failure is not None:
            lead = -forfeit(-self._round.lead(self.seat))
            return self._end(lead, terminated=True, failure=failure.reason)
        if self._round.over:
            return self._end(self._round.lead(self.seat), terminated=not self._round.stalled)
        self._show()
        return self._observe(), 0.0, False, False, {"seat": self.seat}

    def _answer(self) -> AgentFailureError | None:
        """Let the opponent play as long as it is to act; its failure, if it fails."""
        while not self._round.over and self._round.seat != self.seat:
            state = self._round.state()
            view = view_of_round(state, state.to_move)
            try:
                turn = self._opponent.choose(view, None, self._opponent_rng).turn
            except AgentFailureError as error:
                return error
            if refused := state.refusal(turn.public):
                return AgentFailureError("illegal", f"{turn}: {refused}")
            for action in bridge.turn_to_actions(turn, self.rules.colours):
                self._round.step(action)
        return None

    def _end(
        self, lead: int, *, terminated: bool, **info: Any
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._ended = True
        self._show()
        info |= {"seat": self.seat, "scores": np.array(self._round.scores)}
        return self._observe(), worth(lead, self._reward), terminated, not terminated, info

    def _observe(self) -> Observation:
        mask = self._round.no_mask() if self._ended else self._round.mask()
        return {"observation": self._round.observation(self.seat), "action_mask": mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as bools, under the name by which some libraries ask for it."""
        return self._observe()["action_mask"].astype(np.bool_)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The round as the learner sees it, as text; printed where ``render_mode`` is ``human``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs render_mode='ansi' or 'human'")
            return None
        if not self._dealt:
            raise RuntimeError("nothing to render: reset first")
        text = draw_round(self._round.state(), hidden=1 - self.seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")  # noqa: T201 - what this mode is for
        return None

    def close(self) -> None:
        """Let go of the opponent; there is no reset after this."""
        self._closed = True
        close(self._opponent)


if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="lostcities.envs.gymnasium:LostCitiesEnv",
        vector_entry_point="lostcities.envs.vector:LostCitiesVectorEnv",
    )
