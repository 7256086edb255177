"""The batched two-seat door beside the core."""

from random import Random
from typing import Any

import numpy as np
import pytest

from lostcities.agents.registry import make_agent
from lostcities.core.errors import RulesError
from lostcities.core.views import view_of_round
from lostcities.envs.self_play import SelfPlay
from lostcities.kernel import bridge


def random_actions(play: SelfPlay, rng: np.random.Generator) -> Any:
    return np.argmax(rng.random(play.masks.shape) * play.masks, axis=1)


@pytest.mark.parametrize("reward", ["difference", "scaled", "win"])
def test_both_seats_are_rewarded_when_a_round_ends(reward: Any) -> None:
    rules = "colours=3 hand=4 top=6 stall=5"
    play, rng = SelfPlay(16, rules, seed=1, reward=reward), np.random.default_rng(1)
    states = [bridge.from_row(row, play.rules) for row in play.batch.rows]
    ends = {"end": 0, "stall": 0}
    for _ in range(60):
        lays, seats = random_actions(play, rng), play.seats.copy()
        rewards, terminated, truncated = play.step(lays)
        assert not any(each.any() for each in (rewards, terminated, truncated))
        assert np.array_equal(play.seats, seats)
        draws = random_actions(play, rng)
        rewards, terminated, truncated = play.step(draws)
        for i in range(len(play)):
            state = states[i].play(bridge.actions_to_turn(int(lays[i]), int(draws[i]), 3))
            assert (terminated[i], truncated[i]) == (
                state.over and not state.stalled,
                state.stalled,
            )
            lead = state.score[0] - state.score[1] if state.over else 0
            worth = {"difference": lead, "scaled": np.float32(lead / 100), "win": np.sign(lead)}
            assert rewards[i].tolist() == [worth[reward], -worth[reward]]
            if state.over:
                ends["stall" if state.stalled else "end"] += 1
                state = bridge.from_row(play.batch.rows[i], play.rules)
            states[i] = state
            assert bridge.from_row(play.batch.rows[i], play.rules) == state
            assert play.seats[i] == state.to_move
    assert min(ends.values()) > 5


def test_all_rounds_stay_in_one_phase() -> None:
    play, rng = SelfPlay(8, "mini", seed=2), np.random.default_rng(2)
    for step in range(40):
        draws = play.masks[:, 20:].any(axis=1)
        assert draws.all() if step % 2 else not draws.any()
        play.step(random_actions(play, rng))


def test_a_seed_repeats_the_rounds() -> None:
    one, two = SelfPlay(4, seed=3), SelfPlay(4, seed=4)
    assert not np.array_equal(one.batch.rows, two.batch.rows)
    two.reset(3)
    assert np.array_equal(one.batch.rows, two.batch.rows)
    assert np.array_equal(one.observations, two.observations)
    logits = np.random.default_rng(1).standard_normal(one.masks.shape).astype(np.float32)
    (first, log_probs), (second, _) = one.choose(logits), two.choose(logits)
    assert np.array_equal(first, second)
    assert one.masks[np.arange(4), first].all()
    assert (log_probs <= 0).all()
    assert one.float_observations().max() <= 1


def test_bad_input() -> None:
    play = SelfPlay(3, seed=1)
    before = play.batch.rows.copy()
    with pytest.raises(ValueError, match="round 0: action 100 is illegal"):
        play.step(np.full(3, 100))
    assert np.array_equal(play.batch.rows, before)
    with pytest.raises(ValueError, match="actions are needed"):
        play.step(np.zeros(2, dtype=np.int64))
    with pytest.raises(ValueError, match="at least one round"):
        SelfPlay(0)
    with pytest.raises(ValueError, match="reward 'x'"):
        SelfPlay(1, reward="x")  # type: ignore[arg-type]
    with pytest.raises(RulesError):
        SelfPlay(1, "colours=7")


@pytest.mark.parametrize("actions", [np.full(3, 4.7), np.ones(3, dtype=bool), ["a"] * 3, None])
def test_actions_that_are_no_whole_numbers(actions: Any) -> None:
    with pytest.raises(TypeError, match="actions must be whole numbers"):
        SelfPlay(3).step(actions)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"count": 2.5}, TypeError, "number of rounds must be a whole one, not 2.5"),
        ({"rules": 3}, TypeError, "rules must be Rules or words"),
        ({"seed": None}, TypeError, "seed must be a whole number, not None"),
        ({"seed": -1}, ValueError, "from 0 to 2"),
        ({"seed": 2**64}, ValueError, "from 0 to 2"),
    ],
)
def test_options_that_there_are_not(
    options: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        SelfPlay(**{"count": 1, **options})


def test_logits_that_say_nothing() -> None:
    play = SelfPlay(3)
    logits = np.zeros(play.masks.shape, dtype=np.float32)
    logits[1] = np.nan
    with pytest.raises(ValueError, match="round 1: the logits of its legal actions"):
        play.choose(logits)
    with pytest.raises(ValueError, match="logits must be"):
        play.choose(logits[:2])
    with pytest.raises(TypeError, match="logits must be numbers"):
        play.choose(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [0, 1])
def test_the_rules_say_who_starts(first: int) -> None:
    play, rng = SelfPlay(6, f"mini first={first}", seed=1), np.random.default_rng(1)
    assert (play.seats == first).all()
    ended = 0
    for _ in range(60):
        _, terminated, truncated = play.step(random_actions(play, rng))
        over = terminated | truncated
        ended += over.sum()
        assert (play.seats[over] == first).all()
    assert ended > 20
    play.reset(2)
    assert (play.seats == first).all()


def test_either_seat_starts_where_the_rules_name_none() -> None:
    play, rng = SelfPlay(6, "mini", seed=1), np.random.default_rng(1)
    assert play.seats.tolist() == [0, 1, 0, 1, 0, 1]
    starts = set()
    for _ in range(60):
        _, terminated, truncated = play.step(random_actions(play, rng))
        starts |= set(play.seats[terminated | truncated].tolist())
    assert starts == {0, 1}


def test_leads_are_those_of_the_seat_to_act() -> None:
    play, rng = SelfPlay(8, seed=6), np.random.default_rng(6)
    found = set()
    for _ in range(40):
        for lead, row in zip(play.leads(), play.batch.rows, strict=True):
            state = bridge.from_row(row, play.rules)
            assert lead == state.score[state.to_move] - state.score[1 - state.to_move]
            found.add(int(lead))
        play.step(random_actions(play, rng))
    assert len(found) > 20


@pytest.mark.parametrize("name", ["greedy", "steady"])
def test_a_suggestion_is_what_the_agent_would_do(name: str) -> None:
    play, rng, agent = SelfPlay(8, seed=5), np.random.default_rng(5), make_agent(name)
    for _ in range(12):
        lays = play.suggest(name)
        states = [bridge.from_row(row, play.rules) for row in play.batch.rows]
        views = [view_of_round(state, state.to_move) for state in states]
        turns = [agent.choose(view, None, Random(0)).turn for view in views]
        assert lays.tolist() == [bridge.turn_to_actions(turn, 5)[0] for turn in turns]
        play.step(lays)
        assert play.suggest(name).tolist() == [bridge.turn_to_actions(turn, 5)[1] for turn in turns]
        play.step(random_actions(play, rng))


def test_only_compiled_agents_suggest() -> None:
    with pytest.raises(ValueError, match="neither greedy nor steady"):
        SelfPlay(1).suggest("random")
