"""Gymnasium's ``VectorEnv`` over the kernel: many rounds seen from one seat each, in compiled code.

>>> from lostcities.envs.vector import LostCitiesVectorEnv
>>> envs = LostCitiesVectorEnv(64, opponent="greedy")
>>> observations, infos = envs.reset(seed=1)
>>> observations["observation"].shape
(64, 608)

``random``, ``greedy`` and ``steady`` play inside the compiled code, every other agent outside it. See
``docs/envs/gymnasium.md``.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.agents.agent import AgentFailureError, close
from lostcities.agents.compiled import OUTSIDE
from lostcities.agents.registry import make_agent
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round
from lostcities.envs.common import (
    RewardKind,
    check_opponent,
    check_opponent_rules,
    check_reward,
    check_seat,
    forfeit,
    read_rules,
    worths,
)
from lostcities.envs.opponents import opponent_form, waiting
from lostcities.envs.spaces import seat_space
from lostcities.envs.vector_rows import (
    ILLEGAL,
    deal_learners,
    seed_rows,
    show_learners,
    step_learners,
)
from lostcities.kernel import bridge
from lostcities.kernel import layout as at
from lostcities.kernel import round as kernel
from lostcities.kernel.batch import ENDED, RUNNING, STALLED
from lostcities.kernel.given import whole_actions, whole_count, whole_seed
from lostcities.kernel.observe import mask_memory, observation_length, observation_memory

Observations = dict[str, NDArray[Any]]
Bools = NDArray[np.bool_]


class LostCitiesVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], Any]):
    """Rounds against an opponent, all stepped in one call.

    Attributes:
        metadata: with the ``autoreset_mode``.
        rules: the rules in force.
        rows: ``uint64 (n, WORDS)``, the rounds.
        learners: ``int64 (n,)``, the learner's seat in each.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponent: str = "steady",
        rules: Rules | str | None = None,
        reward: RewardKind = "difference",
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        """Make rounds; :meth:`reset` deals.

        Args:
            num_envs: how many rounds.
            opponent: the name of an agent, see :mod:`lostcities.agents.registry`.
            rules: see :func:`lostcities.envs.common.read_rules`.
            reward: what the end is worth, see :data:`lostcities.envs.common.RewardKind`.
            seat: the learner's seat, 0 or 1; None for a new one at random each round.
            autoreset_mode: when a round that ended is dealt anew, as Gymnasium defines it.
            copy: answer new arrays; otherwise those answered are overwritten by the next call.

        Raises:
            ValueError: an option that there is not.
            UnknownAgentError: no such opponent.
            RulesError: rules that cannot be read, or under which a round may end before the learner
                has acted.
        """
        self.rules = check_opponent_rules(read_rules(rules))
        self.num_envs = whole_count(num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.render_mode = None
        self._make_spaces()
        self._reward = check_reward(reward)
        fixed = check_seat(seat)
        self._fixed_seat = -1 if fixed is None else fixed
        self._which = opponent_form(check_opponent(opponent))
        self._opponent = make_agent(opponent) if self._which == OUTSIDE else None
        self._opponent_rng = Random()  # noqa: S311 - measurements repeat
        self._copy = copy
        self._make_arrays()

    def _make_spaces(self) -> None:
        self.single_observation_space = seat_space(self.rules.colours)
        actions = encoding.actions(self.rules.colours)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _make_arrays(self) -> None:
        count, colours = self.num_envs, self.rules.colours
        self._packed = bridge.pack(self.rules)
        self.rows = at.empty_rows(count)
        self.learners = np.zeros(count, dtype=np.int64)
        self._seeded = False
        self._done = np.zeros(count, dtype=np.uint8)
        self._ended = np.zeros(count, dtype=np.bool_)
        self._leads = np.zeros(count, dtype=np.int32)
        self._masks = np.zeros((count, mask_memory(colours)), dtype=np.uint8)
        self._shown = np.zeros((count, observation_memory(colours)), dtype=np.uint8)

    # ---- resetting ------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal rounds, and let the opponent play where it starts.

        Args:
            seed: of all rounds; an int ``s`` is ``s``, ``s + 1``, …; None goes on with the random
                numbers there are.
            options: ``{"reset_mask": bool (n,)}`` names the rounds to deal; all without it.

        Raises:
            ValueError: a list of seeds or a mask of another length, a seed below 0.
            TypeError: a mask that is no array of bools, a seed that is no whole number.
            RuntimeError: the environment is closed.
        """
        self._check_open()
        which = self._read_mask(options)
        self._seed(seed, which)
        self._deal(which)
        return self._observations(), self._infos(which)

    def _read_mask(self, options: dict[str, Any] | None) -> Bools:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError("reset_mask must be an array of bools")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask must be ({self.num_envs},) with a True, not {mask}")
        return mask

    def _seed(self, seed: int | list[int | None] | None, which: Bools) -> None:
        if isinstance(seed, list) and len(seed) != self.num_envs:
            raise ValueError(f"{self.num_envs} seeds are needed, not {len(seed)}")
        for each in seed if isinstance(seed, list) else [seed]:
            if each is not None:
                whole_seed(each)
        if seed is None and self._seeded:
            return
        if isinstance(seed, int):
            super().reset(seed=seed)
            seeds = [seed + index for index in range(self.num_envs)]
        else:
            drawn = self.np_random.integers(2**63, size=self.num_envs)
            given = seed or [None] * self.num_envs
            pairs = zip(given, drawn, strict=True)
            seeds = [int(other) if own is None else own for own, other in pairs]
        chosen = np.flatnonzero(which) if self._seeded else np.arange(self.num_envs)
        seed_rows(self.rows, chosen, np.array(seeds, dtype=np.uint64))
        self._opponent_rng.seed(seeds[0])
        self._seeded = True

    def _deal(self, which: Bools) -> None:
        first = -1 if self.rules.first == "random" else self.rules.first
        opponent = self._which
        deal_learners(
            self.rows, self._packed, which, self.learners, self._fixed_seat, first, opponent
        )
        self._done[which] = RUNNING
        self._ended[which] = False
        for failure in self._answer_outside().values():
            raise failure

    # ---- stepping -------------------------------------------------------------------------------

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Do half a turn for the learner of every round; after a draw the opponent plays.

        Raises:
            ValueError: actions of another shape.
            TypeError: actions that are no whole numbers.
            RuntimeError: nothing has been reset yet, the environment is closed, or (without
                autoreset) a round has ended.
        """
        actions = whole_actions(actions, (self.num_envs,))
        self._check_ready()
        fresh = self._ended.copy()
        if fresh.any():
            self._deal(fresh)
        rewards, infos = self._act(actions, fresh)
        terminated = (self._done == ENDED) | (self._done == ILLEGAL)
        truncated = self._done == STALLED
        self._ended = terminated | truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._final(infos) | self._renew()
        return self._observations(), rewards, terminated, truncated, infos

    def _check_open(self) -> None:
        if self.closed:
            raise RuntimeError("the environment is closed: make another one")

    def _check_ready(self) -> None:
        self._check_open()
        if not self._seeded:
            raise RuntimeError("reset first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise RuntimeError(f"rounds {np.flatnonzero(self._ended)} have ended: reset them first")

    def _act(
        self, actions: NDArray[np.int64], fresh: Bools
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        done, leads = self._done, self._leads
        step_learners(
            self.rows, self._packed, actions, fresh, self.learners, self._which, done, leads
        )
        failures = self._answer_outside()
        for index in failures:
            done[index] = ENDED
            leads[index] = -forfeit(-int(leads[index]))
        illegal = done == ILLEGAL
        leads[illegal] = np.minimum(forfeit(0), leads[illegal])
        ended = done != RUNNING
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_))
        if ended.any():
            infos |= {"scores": self._scores(ended), "_scores": ended}
        if illegal.any():
            infos |= {"illegal": np.where(illegal, actions, 0), "_illegal": illegal}
        if failures:
            failed = np.isin(np.arange(self.num_envs), list(failures))
            texts = [failures[i].reason if i in failures else None for i in range(self.num_envs)]
            infos |= {"failure": np.array(texts, dtype=object), "_failure": failed}
        return worths(leads * ended, self._reward).astype(np.float64), infos

    def _answer_outside(self) -> dict[int, AgentFailureError]:
        """Let an opponent that is not compiled play; the failures, by round."""
        failures: dict[int, AgentFailureError] = {}
        while self._opponent is not None:
            over = (self._done != RUNNING) | self._ended
            over[list(failures)] = True
            indices = waiting(self.rows, self.learners, over)
            if not indices.size:
                break
            for index in indices:
                self._answer_one(int(index), failures)
        return failures

    def _answer_one(self, index: int, failures: dict[int, AgentFailureError]) -> None:
        assert self._opponent is not None
        row = self.rows[index]
        state = bridge.from_row(row, self.rules)
        try:
            view = view_of_round(state, state.to_move)
            turn = self._opponent.choose(view, None, self._opponent_rng).turn
        except AgentFailureError as error:
            failures[index] = error
            return
        if refused := state.refusal(turn.public):
            failures[index] = AgentFailureError("illegal", f"{turn}: {refused}")
            return
        kernel.apply_turn(row, self._packed, *bridge.turn_to_actions(turn, self.rules.colours))
        self._leads[index] = kernel.lead(row, self._packed, int(self.learners[index]))
        if kernel.over(row, self._packed):
            self._done[index] = STALLED if kernel.stalled(row, self._packed) else ENDED

    def _final(self, infos: dict[str, Any]) -> dict[str, Any]:
        shown, ended = self._observations(), self._ended
        finals = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            finals[index] = {key: values[index].copy() for key, values in shown.items()}
        final_info = {key: value for key, value in infos.items() if not key.startswith("_")}
        for key in final_info:
            final_info = final_info | {f"_{key}": infos[f"_{key}"] & ended}
        return {
            "final_obs": finals,
            "_final_obs": ended,
            "final_info": final_info,
            "_final_info": ended,
        }

    def _renew(self) -> dict[str, Any]:
        self._deal(self._ended.copy())
        return self._infos(np.ones(self.num_envs, dtype=np.bool_))

    # ---- showing --------------------------------------------------------------------------------

    def _observations(self) -> Observations:
        masks, shown = self._masks.reshape(-1), self._shown.reshape(-1)
        show_learners(self.rows, self._packed, self.learners, self._done, masks, shown)
        colours = self.rules.colours
        mask = self._masks[:, : encoding.actions(colours)].view(np.int8)
        observation = self._shown[:, : observation_length(colours)]
        if self._copy:
            return {"observation": observation.copy(), "action_mask": mask.copy()}
        return {"observation": observation, "action_mask": mask}

    def _infos(self, which: Bools) -> dict[str, Any]:
        return {"seat": self.learners.copy(), "_seat": which}

    def _scores(self, ended: Bools) -> NDArray[np.int64]:
        scores = np.zeros((self.num_envs, 2), dtype=np.int64)
        for index in np.flatnonzero(ended):
            for seat in (0, 1):
                scores[index, seat] = kernel.score(self.rows[index], self._packed, seat)
        return scores

    def close_extras(self, **_: Any) -> None:
        """Let go of the opponent."""
        if self._opponent is not None:
            close(self._opponent)
