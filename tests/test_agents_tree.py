"""tree@1: a tree over what the seat can tell apart, the same for the same random source."""

import time
from random import Random

import pytest

from lostcities.agents.duel import deal_deck
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.agents.tree import TreeAgent
from lostcities.agents.tree_search import Search, legal_actions
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.views import View, view_of_round
from lostcities.kernel.bridge import lay_to_action, pack, to_row, turn_to_actions, view_to_row
from lostcities.kernel.round import apply_lay

pytestmark = pytest.mark.needs("numba")


def a_state(number: int, turns: int, text: str = "stall=100") -> RoundState:
    rules = Rules.parse(text)
    state, rng = deal(rules, deal_deck(rules, 8, number), 0), Random(number)
    for _ in range(turns):
        state = state.play(rng.choice(state.legal_turns()))
    return state


def a_view(number: int, turns: int = 0) -> View:
    state = a_state(number, turns)
    return view_of_round(state, state.to_move)


@pytest.mark.parametrize("text", ["stall=100", "colours=6", "own_discard=yes colours=2 hand=4"])
def test_the_actions_are_those_of_the_legal_turns(text: str) -> None:
    rules = Rules.parse(text)
    for turns in range(5):
        state = a_state(turns, turns, text)
        row, packed = to_row(state), pack(rules)
        pairs = [turn_to_actions(turn, rules.colours) for turn in state.legal_turns()]
        assert legal_actions(row, packed) == sorted({lay for lay, _ in pairs})
        lay = pairs[-1][0]
        apply_lay(row, packed, lay)
        assert legal_actions(row, packed) == [draw for first, draw in pairs if first == lay]


def test_every_visit_is_counted_once_and_sums_up() -> None:
    view = a_view(1, 6)
    search = Search(view_to_row(view, 3), pack(view.rules), view.own_seat)
    search.run(200, None)
    assert search.root.visits == 200
    assert sum(child.visits for child in search.root.children.values()) == 200
    for child in search.root.children.values():
        assert sum(each.visits for each in child.children.values()) in (
            child.visits,
            child.visits - 1,
        )
    assert search.root.total == -sum(child.total for child in search.root.children.values())


def test_leads_are_for_the_seat_that_did_the_action() -> None:
    # Seat 0 is far ahead, whatever is done: so are its lay and its draw, and not the other's.
    state = parse_position("0 | B2 W2 | B3 W3 | R6 R7 R8 R9 R10 | - | - | Y2 Y3 Y4 Y5 Y6 Y7")
    view = view_of_round(state, 0)
    search = Search(view_to_row(view, 3), pack(view.rules), 0)
    search.run(300, None)
    lay = search.root.children[search.best()]
    draw = max(lay.children.values(), key=lambda child: child.visits)
    answer = max(draw.children.values(), key=lambda child: child.visits)
    assert search.root.mean < -10
    assert lay.mean > 10
    assert draw.mean > 10
    assert answer.mean < -10
    search.step(search.best())
    search.run(300, None)
    assert search.root.mean > 10


def test_the_same_random_source_gives_the_same_choice() -> None:
    view, agent = a_view(2, 10), TreeAgent(60)
    assert agent.choose(view, None, Random(1)) == agent.choose(view, None, Random(1))


def test_the_last_turn_is_played_exactly() -> None:
    state = parse_position("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | - | ?1")
    choice = TreeAgent(200).choose(view_of_round(state, 0), None, Random(1))
    assert str(choice.turn) == "+R9*"
    assert choice.value == -2.0
    assert choice.candidates[0].turn == choice.turn


def test_the_row_of_the_view_is_left_as_it_is() -> None:
    view = a_view(3, 4)
    row = view_to_row(view, 3)
    search = Search(row, pack(view.rules), view.own_seat)
    before = row.copy()
    search.run(20, None)
    changed = [place for place in range(len(row)) if row[place] != before[place]]
    assert len(changed) <= 1  # the random numbers
    search.step(lay_to_action(view.legal[0].lay, 5))
    assert search.root.visits <= 20


def test_a_budget_of_time_is_kept() -> None:
    view, agent = a_view(4), TreeAgent(10**9)
    agent.choose(view, 1, Random(0))
    begin = time.monotonic()
    agent.choose(view, 300, Random(0))
    assert time.monotonic() - begin < 3


def test_impossible_options_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match="options refused"):
        make_agent("tree:iterations=0")
