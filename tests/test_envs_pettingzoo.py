"""The PettingZoo door: its own compliance tests, and a round beside the core."""

import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lostcities import encoding
from lostcities.core.errors import RulesError
from needs import needs_import

needs_import("pettingzoo")

with warnings.catch_warnings():
    # Where pygame is installed, this imports some of PettingZoo's own environments, and they warn.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
    from pettingzoo.test import test_save_obs as save_obs_test

from lostcities.envs import lost_cities_v0

# What the compliance tests say of every environment that has masks and hidden cards.
MASKS = [
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
]


def masked(function: Any) -> Any:
    for text in MASKS:
        function = pytest.mark.filterwarnings(text)(function)
    return function


@masked
@pytest.mark.parametrize("rules", [None, "long", "mini", "stall=3"])
def test_pettingzoo_api(rules: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(lost_cities_v0.env(rules=rules), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


@masked
def test_pettingzoo_seed() -> None:
    seed_test(lost_cities_v0.env, num_cycles=200)


@masked
def test_pettingzoo_render(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lost_cities_v0.env, custom_tests={"ansi": lambda text: "cards in the deck" in text})


@masked
def test_pettingzoo_max_cycles() -> None:
    replacing = {
        name: partial(getattr(lost_cities_v0, name), illegal="replace")
        for name in ("env", "parallel_env")
    }
    max_cycles_test(SimpleNamespace(**replacing))


@masked
def test_pettingzoo_save_obs() -> None:
    env = lost_cities_v0.env()
    env.reset(seed=1)
    save_obs_test(env)


def play(env: Any, seed: int) -> list[tuple[str, float, bool, bool]]:
    """A random round; what `last` said to each agent at its end."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    ends = []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            ends.append((agent, reward, terminated, truncated))
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
    return ends


@pytest.mark.parametrize("reward", ["difference", "scaled", "win"])
def test_rewards_are_the_difference_of_both_scores(reward: Any) -> None:
    env = lost_cities_v0.raw_env(reward=reward)
    for seed in range(5):
        ends = play(env, seed)
        scores = env._round.state().score
        difference = scores[0] - scores[1]
        wanted = {"difference": difference, "scaled": difference / 100}
        wanted["win"] = (difference > 0) - (difference < 0)
        assert {agent: value for agent, value, *_ in ends} == {
            "seat_0": wanted[reward],
            "seat_1": -wanted[reward],
        }


def test_the_end_of_the_deck_terminates_and_the_stall_rule_truncates() -> None:
    ended = play(lost_cities_v0.env(rules="stall=999"), 3)
    assert [end[2:] for end in ended] == [(True, False)] * 2
    stalled = play(lost_cities_v0.env(rules="stall=1"), 3)
    assert [end[2:] for end in stalled] == [(False, True)] * 2


def test_an_agent_lays_and_then_draws() -> None:
    env = lost_cities_v0.env()
    env.reset(seed=4)
    first = env.agent_selection
    lay = int(np.flatnonzero(env.observe(first)["action_mask"])[0])
    env.step(lay)
    assert encoding.is_lay(5, lay)
    assert env.agent_selection == first
    env.step(encoding.deck_action(5))
    assert env.agent_selection != first
    assert not env.observe(first)["action_mask"].any()


@pytest.mark.parametrize("wrapped", [True, False])
def test_an_illegal_action_loses_the_round(wrapped: bool) -> None:
    env = (lost_cities_v0.env if wrapped else lost_cities_v0.raw_env)()
    env.reset(seed=5)
    loser = env.agent_selection
    env.step(encoding.deck_action(5))
    other = next(agent for agent in env.agents if agent != loser)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {loser: -60.0, other: 60.0}
    assert env.infos[loser] == {"illegal": encoding.deck_action(5), "scores": (0, 0)}


def test_an_illegal_action_can_be_replaced() -> None:
    env = lost_cities_v0.raw_env(illegal="replace")
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(encoding.deck_action(5))
    assert not any(env.terminations.values())
    assert env.agent_selection == agent
    assert env._round.state().lay is not None


def test_the_seed_fixes_later_deals_too() -> None:
    one, two = lost_cities_v0.env(), lost_cities_v0.env()
    one.reset(seed=6)
    two.reset(seed=6)
    one.reset()
    two.reset()
    assert np.array_equal(one.unwrapped._round.row, two.unwrapped._round.row)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reward": "points"}, ValueError),
        ({"illegal": "pass"}, ValueError),
        ({"render_mode": "rgb_array"}, ValueError),
        ({"rules": "colours=9"}, RulesError),
        ({"rules": "nonesuch"}, RulesError),
        ({"rules": 5}, TypeError),
        ({"max_cycles": 0}, ValueError),
    ],
)
def test_options_that_there_are_not(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        lost_cities_v0.env(**options)


def test_actions_that_are_no_whole_numbers() -> None:
    env = lost_cities_v0.raw_env()
    env.reset(seed=1)
    action: Any
    for action in (4.7, "x", [3]):
        with pytest.raises(TypeError, match="an action must be a whole number"):
            env.step(action)


def test_nothing_is_there_before_the_first_reset() -> None:
    env = lost_cities_v0.raw_env(render_mode="ansi")
    for ask in (lambda: env.step(0), lambda: env.observe("seat_0"), env.render):
        with pytest.raises(RuntimeError, match="reset first"):
            ask()


def test_agents_that_there_are_not() -> None:
    env = lost_cities_v0.raw_env()
    env.reset(seed=1)
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(ValueError, match="'seat_2' is neither seat_0 nor seat_1"):
            ask("seat_2")


def test_pettingzoo_makes_it_by_its_id() -> None:
    pettingzoo = needs_import("pettingzoo")
    made = pettingzoo.make("aec", "LostCities-v0", rules="mini", max_cycles=2)
    assert made.unwrapped.rules.top == 5
    made.reset(seed=1)
    parallel = pettingzoo.make("parallel", "LostCities-v0")
    assert set(parallel.reset(seed=1)[0]) == {"seat_0", "seat_1"}
