"""PettingZoo: a round as two agents that act by turns (AEC).

>>> from lostcities.envs import lost_cities_v0
>>> env = lost_cities_v0.env()
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

An action is half a turn, so the same agent acts twice in a row: it lays, then it draws. See
``docs/envs/pettingzoo.md``.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import pettingzoo
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from lostcities import encoding
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS
from lostcities.envs.common import (
    RewardKind,
    check_reward,
    forfeit,
    read_rules,
    whole_action,
    worth,
)
from lostcities.envs.drawing import draw_round
from lostcities.envs.one_round import OneRound
from lostcities.envs.spaces import seat_space

Illegal = Literal["lose", "replace"]
"""What an illegal action does: lose the round by 60 points at least, or count as the first legal one."""

AGENTS = ("seat_0", "seat_1")

Observation = dict[str, NDArray[Any]]


def env(**options: Any) -> AECEnv[str, Any, Any]:
    """The environment in PettingZoo's usual wrappers; options are those of :class:`raw_env`."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))


def parallel_env(*, max_cycles: int | None = None, **options: Any) -> ParallelEnv[str, Any, Any]:
    """The same in PettingZoo's parallel form: a cycle is one action, of the agent whose turn it is.

    The other agent's action is ignored. Options are those of :class:`raw_env`.
    """
    inner = raw_env(max_actions=max_cycles, **options)
    return turn_based_aec_to_parallel(wrappers.OrderEnforcingWrapper(inner))


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801 - the name that PettingZoo prescribes
    """A round without wrappers.

    Attributes:
        metadata: ``name`` is ``lost_cities_v0``, ``render_modes`` are ``ansi`` and ``human``.
        render_mode: one of them, or None.
        possible_agents: ``seat_0`` and ``seat_1``.
    """

    # PettingZoo's pattern: a dict of the class. Parallel form for one acting agent a cycle.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "lost_cities_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        *,
        rules: Rules | str | None = None,
        reward: RewardKind = "difference",
        illegal: Illegal = "lose",
        max_cycles: int | None = None,
        max_actions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; :meth:`reset` deals.

        Args:
            rules: see :func:`lostcities.envs.common.read_rules`.
            reward: what the end is worth, see :data:`lostcities.envs.common.RewardKind`.
            illegal: what an illegal action does.
            max_cycles: actions of each agent after which the round is truncated, worth nothing.
            max_actions: actions of both together after which it is.
            render_mode: ``"ansi"``, ``"human"`` or None.

        Raises:
            ValueError: an option that there is not.
        """
        if illegal not in ("lose", "replace"):
            raise ValueError(f"illegal {illegal!r} is neither lose nor replace")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r} is neither ansi nor human")
        for name, limit in (("max_cycles", max_cycles), ("max_actions", max_actions)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name} {limit} is less than 1")
        self.rules = read_rules(rules)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._round = OneRound(self.rules)
        self._reward = check_reward(reward)
        self._illegal = illegal
        self._limit = 2 * max_cycles if max_cycles is not None else max_actions
        self._rng = np.random.default_rng()
        self._observations = {agent: seat_space(self.rules.colours) for agent in AGENTS}
        actions = encoding.actions(self.rules.colours)
        self._actions = {agent: gymnasium.spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """See :func:`lostcities.envs.spaces.seat_space`."""
        return self._observations[AGENTS[self._seat_of(agent)]]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The actions of :mod:`lostcities.encoding`."""
        return self._actions[AGENTS[self._seat_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a round; a seed fixes this deal and those after it."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._round.deal(self._rng)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._round.seat]
        self._acted = 0

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is all 0 unless it is to act.

        Raises:
            ValueError: no such agent.
            RuntimeError: nothing has been reset yet.
        """
        self._check_dealt()
        seat = self._seat_of(agent)
        acting = seat == self._round.seat and not self._ended
        mask = self._round.mask() if acting else self._round.no_mask()
        return {"observation": self._round.observation(seat), "action_mask": mask}

    def _check_dealt(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise RuntimeError("reset first")

    @staticmethod
    def _seat_of(agent: str) -> int:
        if agent not in AGENTS:
            raise ValueError(f"agent {agent!r} is neither {AGENTS[0]} nor {AGENTS[1]}")
        return AGENTS.index(agent)

    @property
    def _ended(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Do half a turn for the agent that is selected; None when its round has ended.

        Raises:
            TypeError: the action is no whole number.
            RuntimeError: nothing has been reset yet.
        """
        self._check_dealt()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        self._act(whole_action(action))
        self.agent_selection = AGENTS[self._round.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _act(self, action: int) -> None:
        seat = self._round.seat
        if not self._round.is_legal(action):
            self.infos[AGENTS[seat]] = {"illegal": action}
            if self._illegal == "lose":
                self._end(seat, forfeit(self._round.lead(seat)), self.terminations)
                return
            action = int(np.flatnonzero(self._round.mask())[0])
        self._round.step(action)
        self._acted += 1
        if self._round.over:
            how = self.truncations if self._round.stalled else self.terminations
            self._end(seat, self._round.lead(seat), how)
        elif self._limit is not None and self._acted >= self._limit:
            self._end(seat, 0, self.truncations)

    def _end(self, seat: int, lead: int, how: dict[str, bool]) -> None:
        scores = self._round.scores
        for each in SEATS:
            how[AGENTS[each]] = True
            self.rewards[AGENTS[each]] = worth(lead if each == seat else -lead, self._reward)
            self.infos[AGENTS[each]] = self.infos[AGENTS[each]] | {"scores": scores}

    def render(self) -> str | None:
        """The round as text with both hands; printed where ``render_mode`` is ``human``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs render_mode='ansi' or 'human'")
            return None
        self._check_dealt()
        text = draw_round(self._round.state())
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")  # noqa: T201 - what this mode is for
        return None

    def close(self) -> None:
        """Nothing is held."""

    def __str__(self) -> str:
        return "lost_cities_v0"


ENV_ID = "LostCities-v0"


def _register() -> None:
    """Make the environments known to ``pettingzoo.make``, which older versions lack."""
    register = getattr(pettingzoo, "register", None)
    if register is not None and ENV_ID not in pettingzoo.aec_registry:
        register("aec", ENV_ID, env)
        register("parallel", ENV_ID, parallel_env)


_register()
