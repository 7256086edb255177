"""The Gymnasium doors: the checker, and both of them against the core and the agents themselves."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kernel_differential as differential
from lostcities import encoding
from lostcities.agents.compiled import GREEDY, OUTSIDE, RANDOM, STEADY
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.core.errors import RulesError
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from lostcities.core.views import view_of_round
from lostcities.kernel import bridge
from lostcities.kernel import layout as at
from needs import needs_import

needs_import("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from lostcities.envs.common import DEFAULT_RULES
from lostcities.envs.gymnasium import ENV_ID, LostCitiesEnv
from lostcities.envs.opponents import answer, opponent_form
from lostcities.envs.vector import LostCitiesVectorEnv


def pick(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


# ---- one round at a time ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"opponent": "random", "rules": "long"}, {"rules": "mini", "reward": "win"}]
)
def test_gymnasium_check_env(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(ENV_ID, **options).unwrapped)


def test_a_round_against_an_agent_is_the_round_of_the_core() -> None:
    env = gymnasium.make(ENV_ID, opponent="greedy").unwrapped
    assert isinstance(env, LostCitiesEnv)
    rng, greedy = np.random.default_rng(1), make_agent("greedy")
    for seed in range(3):
        env.reset(seed=seed)
        state = env._round.state()
        while True:
            lay = pick(env._round.mask(), rng)
            env.step(lay)
            draw = pick(env._round.mask(), rng)
            _, reward, terminated, truncated, info = env.step(draw)
            state = state.play(bridge.actions_to_turn(lay, draw, 5))
            if not state.over:
                view = view_of_round(state, state.to_move)
                state = state.play(greedy.choose(view, None, Random(0)).turn)
            assert env._round.state() == state
            if state.over:
                break
        assert (terminated, truncated) == (not state.stalled, state.stalled)
        assert reward == state.score[env.seat] - state.score[1 - env.seat]
        assert info["scores"].tolist() == list(state.score)


def test_a_fixed_seat_is_kept_and_a_free_one_changes() -> None:
    fixed, free = LostCitiesEnv(seat=1), LostCitiesEnv()
    assert {fixed.reset(seed=n)[1]["seat"] for n in range(8)} == {1}
    assert {free.reset(seed=n)[1]["seat"] for n in range(8)} == {0, 1}


def test_an_illegal_action_loses_the_round() -> None:
    env = LostCitiesEnv(opponent="greedy")
    observation, _ = env.reset(seed=1)
    assert not observation["action_mask"][encoding.deck_action(5)]
    observation, reward, terminated, truncated, info = env.step(encoding.deck_action(5))
    assert (terminated, truncated) == (True, False)
    assert reward <= -60
    assert info["illegal"] == encoding.deck_action(5)
    assert not observation["action_mask"].any()
    with pytest.raises(RuntimeError, match="reset first"):
        env.step(0)


def test_an_opponent_that_fails_loses_the_round() -> None:
    env = LostCitiesEnv(opponent="cmd:false", seat=0, rules="first=0")
    env.reset(seed=1)
    env.step(pick(env._round.mask(), np.random.default_rng(1)))
    _, reward, terminated, _, info = env.step(encoding.deck_action(5))
    env.close()
    assert terminated
    assert reward >= 60 - 40
    assert info["failure"]


def test_the_learner_sees_no_hidden_hand_rendered() -> None:
    env = LostCitiesEnv(seat=0, render_mode="ansi")
    env.reset(seed=3)
    text = env.render()
    assert text is not None
    assert "hand ?8" in text
    assert str(env._round.state().hands[0][0]) in text


def test_masks_under_the_name_that_libraries_ask_for() -> None:
    env = LostCitiesEnv()
    observation, _ = env.reset(seed=4)
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), observation["action_mask"])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"opponent": "nobody"}, UnknownAgentError),
        ({"reward": "points"}, ValueError),
        ({"seat": 2}, ValueError),
        ({"rules": "colours=1 wagers=0 top=4 hand=1"}, RulesError),
        ({"rules": "stall=1 own_discard=yes"}, RulesError),
    ],
)
@pytest.mark.parametrize("door", [LostCitiesEnv, LostCitiesVectorEnv])
def test_options_that_there_are_not(
    door: Any, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        door(**options)


# ---- opponents inside the kernel ----------------------------------------------------------------


def positions(count: int, seed: int) -> Any:
    for walk in differential.walk_rounds(count, seed):
        if walk.state.lay is None and not walk.state.over:
            yield walk


@pytest.mark.parametrize(("which", "name"), [(GREEDY, "greedy"), (STEADY, "steady")])
def test_a_compiled_opponent_plays_the_turns_of_its_agent(which: int, name: str) -> None:
    agent, seen = make_agent(name), 0
    for walk in positions(600, seed=31):
        view = view_of_round(walk.state, walk.state.to_move)
        turn = agent.choose(view, None, Random(0)).turn
        row = walk.row.copy()
        answer(row, walk.packed, which)
        assert bridge.from_row(row, walk.rules) == walk.state.play(turn.public)
        seen += 1
    assert seen > 200


def test_the_compiled_random_opponent_plays_every_turn_as_often() -> None:
    walk = list(positions(200, seed=32))[100]
    row, counts = walk.row.copy(), Counter[Turn]()
    draws = 300 * len(walk.state.legal_turns())
    for _ in range(draws):
        played = walk.row.copy()
        played[at.RNG] = row[at.RNG]
        answer(played, walk.packed, RANDOM)
        row[at.RNG] = played[at.RNG]
        last = bridge.from_row(played, walk.rules).last_turn
        assert last is not None
        counts[last.public] += 1
    assert set(counts) == set(walk.state.legal_turns())
    # Five standard deviations of a count that is 300 on average.
    assert all(abs(count - 300) < 5 * 300**0.5 for count in counts.values())


def test_other_opponents_stay_outside() -> None:
    assert opponent_form("steady") == STEADY
    assert opponent_form("flat") == opponent_form("cmd:x") == OUTSIDE
    with pytest.raises(UnknownAgentError):
        opponent_form("nobody")


# ---- many rounds --------------------------------------------------------------------------------


class Outside:
    """An agent that the kernel does not know: greedy under another name."""

    name = "outside@1"

    def __init__(self) -> None:
        self.choose = make_agent("greedy").choose


def followed(envs: LostCitiesVectorEnv, seed: int, steps: int) -> Counter[str]:
    """Play at random and hold every round to the core and the greedy agent."""
    rng, greedy, ends = np.random.default_rng(seed), make_agent("greedy"), Counter[str]()
    seen, _ = envs.reset(seed=seed)
    states = [bridge.from_row(row, envs.rules) for row in envs.rows]
    lays = [-1] * envs.num_envs
    before = np.zeros(envs.num_envs, dtype=bool)
    for _ in range(steps):
        actions = np.array([pick(m, rng) if m.any() else 0 for m in seen["action_mask"]])
        seats = envs.learners.copy()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for i in range(envs.num_envs):
            if before[i]:  # dealt anew in this step
                states[i], lays[i] = bridge.from_row(envs.rows[i], envs.rules), -1
                assert not any([rewards[i], terminated[i], truncated[i]])
                continue
            if lays[i] < 0:
                lays[i] = int(actions[i])
                assert not any([rewards[i], terminated[i], truncated[i]])
                continue
            seat = int(seats[i])
            states[i] = after(states[i], lays[i], int(actions[i]), greedy)
            lays[i] = -1
            assert (terminated[i], truncated[i]) == ends_of(states[i])
            if states[i].over:
                score = states[i].score
                assert rewards[i] == score[seat] - score[1 - seat]
                told = infos.get("final_info", infos)
                assert told["scores"][i].tolist() == list(score)
                ends["stall" if truncated[i] else "end"] += 1
                if envs.autoreset_mode is AutoresetMode.SAME_STEP:
                    assert not infos["final_obs"][i]["action_mask"].any()
                    states[i] = bridge.from_row(envs.rows[i], envs.rules)
            assert bridge.from_row(envs.rows[i], envs.rules) == states[i]
        before = terminated | truncated
        if envs.autoreset_mode is AutoresetMode.SAME_STEP:
            before[:] = False
        assert envs.observation_space.contains(seen)
    return ends


def ends_of(state: RoundState) -> tuple[bool, bool]:
    return state.over and not state.stalled, state.stalled


def after(state: RoundState, lay: int, draw: int, greedy: Any) -> RoundState:
    state = state.play(bridge.actions_to_turn(lay, draw, state.rules.colours))
    if state.over:
        return state
    view = view_of_round(state, state.to_move)
    return state.play(greedy.choose(view, None, Random(0)).turn)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize(("stall", "end"), [(0, "end"), (1, "stall")])
def test_vector_rounds_are_rounds_of_the_core(
    mode: AutoresetMode, outside: bool, stall: int, end: str
) -> None:
    rules = Rules(colours=3, hand=4, top=6, stall=stall, rounds=1)
    envs = LostCitiesVectorEnv(8, opponent="greedy", rules=rules, autoreset_mode=mode)
    if outside:
        envs._which, envs._opponent = OUTSIDE, Outside()
    ends = followed(envs, seed=5, steps=100)
    assert ends[end] > 10


def test_rounds_wait_for_their_reset_without_autoreset() -> None:
    envs = LostCitiesVectorEnv(3, rules="mini", autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = envs.reset(seed=1)
    envs.step(np.array([pick(m, np.random.default_rng(1)) for m in seen["action_mask"]]))
    _, rewards, terminated, _, infos = envs.step(np.array([-1, 20, 20]))
    assert terminated[0]
    assert rewards[0] <= -60
    assert infos["illegal"].tolist()[0] == -1
    with pytest.raises(RuntimeError, match="have ended"):
        envs.step(np.zeros(3, dtype=np.int64))
    kept = envs.rows[1:].copy()
    ended = envs._ended.copy()
    envs.reset(options={"reset_mask": ended})
    assert np.array_equal(envs.rows[1:][~ended[1:]], kept[~ended[1:]])
    assert not envs._ended.any()


def test_vector_seeds() -> None:
    one, two = LostCitiesVectorEnv(4), LostCitiesVectorEnv(4)
    one.reset(seed=7)
    two.reset(seed=[7, 8, 9, 10])
    assert np.array_equal(one.rows, two.rows)
    one.reset()
    assert not np.array_equal(one.rows, two.rows)
    two.reset()
    assert np.array_equal(one.rows, two.rows)
    with pytest.raises(ValueError, match="4 seeds"):
        one.reset(seed=[1, 2])


def test_vector_bad_input() -> None:
    envs = LostCitiesVectorEnv(2)
    with pytest.raises(RuntimeError, match="reset first"):
        envs.step(np.zeros(2, dtype=np.int64))
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="actions are needed"):
        envs.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(TypeError):
        envs.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="with a True"):
        envs.reset(options={"reset_mask": np.zeros(2, dtype=bool)})
    with pytest.raises(ValueError, match="at least one round"):
        LostCitiesVectorEnv(0)


@pytest.mark.parametrize("actions", [np.zeros(2), np.ones(2, dtype=bool), None])
def test_vector_actions_that_are_no_whole_numbers(actions: Any) -> None:
    envs = LostCitiesVectorEnv(2)
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="actions must be whole numbers"):
        envs.step(actions)


def test_vector_seeds_that_there_are_not() -> None:
    envs = LostCitiesVectorEnv(2)
    wrong: Any
    for wrong in (1.5, ["a", 1]):
        with pytest.raises(TypeError, match="seed must be a whole number"):
            envs.reset(seed=wrong)
    with pytest.raises(ValueError, match="seed must be from 0"):
        envs.reset(seed=-1)


@pytest.mark.parametrize("make", [lambda: LostCitiesVectorEnv(2), LostCitiesEnv])
def test_nothing_goes_on_after_closing(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(env.action_space.sample())
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()


@pytest.mark.parametrize("make", [lambda **o: LostCitiesVectorEnv(2, **o), LostCitiesEnv])
def test_an_opponent_has_a_name(make: Any) -> None:
    with pytest.raises(TypeError, match="opponent must be the name of an agent"):
        make(opponent=None)


def test_actions_that_are_no_whole_numbers() -> None:
    env = LostCitiesEnv(opponent="greedy", render_mode="ansi")
    with pytest.raises(RuntimeError, match="reset first"):
        env.step(0)
    with pytest.raises(RuntimeError, match="reset first"):
        env.render()
    env.reset(seed=1)
    for action in (4.7, None, "x", [3]):
        with pytest.raises(TypeError, match="an action must be a whole number"):
            env.step(action)  # type: ignore[arg-type]
    _, reward, terminated, _, info = env.step(10**30)
    assert (reward, terminated, info["illegal"]) == (-60.0, True, 10**30)


def test_gymnasium_makes_the_vector_environment() -> None:
    envs = gymnasium.make_vec(
        ENV_ID, num_envs=3, vectorization_mode="vector_entry_point", opponent="random"
    )
    assert isinstance(envs.unwrapped, LostCitiesVectorEnv)
    envs.reset(seed=1)
    envs.close()


def test_answers_are_copies_unless_told_otherwise() -> None:
    for copy in (True, False):
        envs = LostCitiesVectorEnv(2, copy=copy)
        seen, _ = envs.reset(seed=1)
        kept = {key: value.copy() for key, value in seen.items()}
        envs.step(np.array([np.flatnonzero(mask)[0] for mask in seen["action_mask"]]))
        same = all(np.array_equal(kept[key], seen[key]) for key in kept)
        assert same == copy


def test_the_default_rules_are_one_round_with_a_stall_rule() -> None:
    assert LostCitiesVectorEnv(1).rules == DEFAULT_RULES == Rules(rounds=1, stall=40)
