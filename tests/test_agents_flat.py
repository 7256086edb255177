"""flat@1: the same samples for every action, the heuristic's choice unless another is clearly better."""

import time
from random import Random

import numpy as np
import pytest

from lostcities.agents.duel import deal_deck
from lostcities.agents.flat import FlatAgent, Race, add_samples, play_out
from lostcities.agents.registry import make_agent
from lostcities.agents.steady_compiled import steady_lay
from lostcities.core.position import parse_position
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.views import View, view_of_round
from lostcities.kernel.bridge import from_row, lay_to_action, pack, to_row, view_to_row
from lostcities.kernel.layout import empty_rows

pytestmark = pytest.mark.needs("numba")


def view_at(position: str, rules: str = "") -> View:
    state = parse_position(position, Rules.parse(rules))
    return view_of_round(state, state.to_move)


def test_a_playout_plays_as_two_steady_agents_do() -> None:
    rules, steady = Rules(stall=100), make_agent("steady@1")
    for number in range(5):
        state = deal(rules, deal_deck(rules, 9, number), 0)
        row = to_row(state)
        while not state.over:
            choice = steady.choose(view_of_round(state, state.to_move), None, Random(0))
            state = state.play(choice.turn)
        play_out(row, pack(rules))
        assert from_row(row, rules).score == state.score


def test_equal_actions_get_equal_leads() -> None:
    rules = Rules(stall=100)
    view = view_of_round(deal(rules, deal_deck(rules, 9, 1), 0), 0)
    row, packed = view_to_row(view, 5), pack(rules)
    actions = np.full(3, lay_to_action(view.legal[0].lay, 5), dtype=np.int64)
    leads = np.zeros((20, 3), dtype=np.int32)
    add_samples(row, packed, 0, 5, actions, leads, *empty_rows(2))
    assert (leads == leads[:, :1]).all()
    assert len(set(leads[:, 0])) > 10


def test_the_last_turn_is_played_exactly() -> None:
    view = view_at("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | - | ?1")
    choice = FlatAgent(samples=10).choose(view, None, Random(1))
    assert str(choice.turn) == "+R9*"
    assert choice.value == -2.0
    assert choice.candidates[0].turn == choice.turn


def test_the_only_turn_is_played_without_sampling() -> None:
    view = view_at("0 | B2 | ?2 | B3 | - | - | ?30", "hand=1")
    begin = time.monotonic()
    choice = FlatAgent(samples=10**9).choose(view, None, Random(1))
    assert str(choice.turn) == "-B2*"
    assert time.monotonic() - begin < 20


def test_more_samples_never_change_the_random_numbers_of_fewer() -> None:
    rules = Rules(stall=100)
    view = view_of_round(deal(rules, deal_deck(rules, 9, 2), 0), 0)
    flat = FlatAgent(samples=20)
    assert flat.choose(view, None, Random(3)) == flat.choose(view, None, Random(3))
    assert flat.choose(view, None, Random(3)) != flat.choose(view, None, Random(4))


def test_a_budget_of_time_is_kept() -> None:
    rules = Rules(stall=100)
    view = view_of_round(deal(rules, deal_deck(rules, 9, 2), 0), 0)
    agent = FlatAgent(samples=1_000_000)
    agent.choose(view, 1, Random(0))
    begin = time.monotonic()
    agent.choose(view, 300, Random(0))
    assert time.monotonic() - begin < 3


def test_doubt_leaves_the_choice_to_the_heuristic() -> None:
    rules = Rules(stall=100)
    view = view_of_round(deal(rules, deal_deck(rules, 9, 3), 0), 0)
    row, packed = view_to_row(view, 5), pack(rules)
    own = int(steady_lay(row, packed))
    lays = list(dict.fromkeys(lay_to_action(turn.lay, 5) for turn in view.legal))
    race = Race(row, packed, 0, lays, own)
    race.run(30, None)
    assert race.found(bonus=0, doubt=1e6).action == own
    assert race.found(bonus=1e6, doubt=0).action == own
    best = race.found(bonus=0, doubt=0)
    assert best.means[best.action] >= best.means[own]


@pytest.mark.parametrize("options", ["samples=0", "samples=-3", "depth=2", "samples=x"])
def test_impossible_options_are_refused(options: str) -> None:
    from lostcities.agents.registry import UnknownAgentError

    with pytest.raises(UnknownAgentError, match="options refused"):
        make_agent(f"flat:{options}")
