"""First versions of the levels, and match equity: errors as told, no blunders, chances that add up."""

from random import Random

import numpy as np
import pytest

from lostcities.agents.equity import APART, MOST_ROUNDS, STEP, win_chance
from lostcities.agents.level_table import LEVELS
from lostcities.agents.levels import POINTS, REACH, ErringAgent, erring_action
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.agents.policy import Policy2Agent
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round
from lostcities.kernel.choose import MOST_LEGAL, list_legal
from networks import played_rows


@pytest.mark.needs("numba")
@pytest.mark.slow
def test_levels_play_nothing_that_they_hold_for_a_blunder() -> None:
    weights, acc = shipped("policy-2"), forward.scratch()
    logits, work = np.zeros(127, np.float32), np.zeros(MOST_LEGAL, np.int64)
    state, error, behind, best = np.array([3], np.uint64), 2.0, [], 0
    for row, rules in played_rows("stall=100", 4):
        for _ in range(5):
            chosen = erring_action(weights, row, rules, acc, logits, work, error, state)
            legal = work[: list_legal(row, rules, work)]
            worth = POINTS * logits[legal]
            behind.append(float(worth.max() - POINTS * logits[chosen]))
            best += behind[-1] == 0
    assert max(behind) <= REACH * error + 1e-4
    assert max(behind) > error, "some are far from the best"
    assert 0.3 < best / len(behind) < 0.95


@pytest.mark.needs("numba")
@pytest.mark.slow
def test_without_error_a_level_plays_as_its_network_and_with_it_by_chance() -> None:
    rules = Rules.parse("stall=100")
    state = deal(rules, rules.all_cards(), 0)
    exact, network, errs = ErringAgent(0.0), Policy2Agent(), ErringAgent(4.0)
    turns = set()
    for step in range(20):
        view = view_of_round(state, state.to_move)
        turn = exact.choose(view, None, Random(step)).turn
        assert turn == network.choose(view, None, Random(0)).turn
        assert errs.choose(view, None, Random(5)) == errs.choose(view, None, Random(5))
        turns |= {errs.choose(view, None, Random(each)).turn for each in range(4)}
        state = state.play(turn)
    assert len(turns) > 22


@pytest.mark.needs("numba")
def test_levels_go_from_first_game_to_master() -> None:
    titles = [level.title for level in LEVELS.values()]
    assert titles[0] == "First game"
    assert titles[-1] == "Master"
    assert len(set(titles)) == 7
    errors = [level.error for level in LEVELS.values()][:-1]
    assert errors == sorted(errors, key=lambda each: -(each or 0))
    newest = [make_agent(name).name for name in LEVELS]
    assert newest == [*(f"level{number}@2" for number in range(1, 6)), "level6@1", "level7@4"]
    with pytest.raises(UnknownAgentError, match="does not search"):
        make_agent("level4@1:samples=3")
    with pytest.raises(UnknownAgentError, match="options refused"):
        make_agent("level4@2:samples=3")
    with pytest.raises(ValueError, match="error"):
        ErringAgent(-1.0)


# ---- match equity -------------------------------------------------------------------------------


def test_chances_are_those_of_either_seat() -> None:
    leads = np.arange(-200.0, 201.0, 7.0)
    for rounds in range(MOST_ROUNDS + 3):
        chances = win_chance(leads, rounds)
        assert np.allclose(chances + win_chance(-leads, rounds), 1)
        assert (np.diff(chances) >= -1e-12).all()
    assert win_chance(np.array([0.0, 1.0, -1.0]), 0).tolist() == [0.5, 1.0, 0.0]
    blurred = win_chance(np.array([0.0, 15.0, -15.0, 60.0]), 0, blur=15.0)
    assert blurred == pytest.approx([0.5, 0.841, 0.159, 1.0], abs=0.01)
    with pytest.raises(ValueError, match="rounds"):
        win_chance(leads, -1)


def test_chances_with_a_round_to_come_are_those_of_the_rounds_counted() -> None:
    counts = np.array(APART, float)
    for ahead in (20, 40, 80):
        beaten = counts[ahead // STEP :].sum() / counts.sum() / 2
        assert win_chance(np.array([float(ahead)]), 1)[0] == pytest.approx(1 - beaten, abs=0.02)
    one, two = (win_chance(np.array([30.0]), rounds)[0] for rounds in (1, 2))
    assert 0.5 < two < one < 1
