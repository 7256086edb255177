"""tree@1: a tree over what the seat can tell apart, the same for the same random source, in both forms."""

import time
from random import Random

import pytest

from lostcities.agents import tree
from lostcities.agents.duel import deal_deck
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.agents.tree import TreeAgent
from lostcities.agents.tree_compiled import CompiledSearch
from lostcities.agents.tree_search import Node, Search, legal_actions
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.views import View, view_of_round
from lostcities.kernel.bridge import lay_to_action, pack, to_row, turn_to_actions, view_to_row
from lostcities.kernel.round import apply_lay

pytestmark = pytest.mark.needs("numba")

Form = type[Search | CompiledSearch]


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


BOTH = pytest.mark.parametrize("form", [Search, CompiledSearch])


@BOTH
def test_every_visit_is_counted_once_and_sums_up(form: Form) -> None:
    view = a_view(1, 6)
    search = form(view_to_row(view, 3), pack(view.rules), view.own_seat)
    search.run(200, None)
    root = search.tree(3)
    assert root.visits == 200
    assert sum(child.visits for child in root.children.values()) == 200
    for child in root.children.values():
        assert sum(each.visits for each in child.children.values()) in (
            child.visits,
            child.visits - 1,
        )
    assert root.total == -sum(child.total for child in root.children.values())


@BOTH
def test_leads_are_for_the_seat_that_did_the_action(form: Form) -> None:
    # Seat 0 is far ahead, whatever is done: so are its lay and its draw, and not the other's.
    state = parse_position("0 | B2 W2 | B3 W3 | R6 R7 R8 R9 R10 | - | - | Y2 Y3 Y4 Y5 Y6 Y7")
    view = view_of_round(state, 0)
    search = form(view_to_row(view, 3), pack(view.rules), 0)
    search.run(300, None)
    root = search.tree(3)
    lay = root.children[root.best()]
    draw = max(lay.children.values(), key=lambda child: child.visits)
    answer = max(draw.children.values(), key=lambda child: child.visits)
    assert root.mean < -10
    assert lay.mean > 10
    assert draw.mean > 10
    assert answer.mean < -10
    search.step(root.best())
    search.run(300, None)
    assert search.tree(0).mean > 10


def test_the_same_random_source_gives_the_same_choice() -> None:
    view, agent = a_view(2, 10), TreeAgent(60)
    assert agent.choose(view, None, Random(1)) == agent.choose(view, None, Random(1))


def test_the_last_turn_is_played_exactly() -> None:
    state = parse_position("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | - | ?1")
    choice = TreeAgent(200).choose(view_of_round(state, 0), None, Random(1))
    assert str(choice.turn) == "+R9*"
    assert choice.value == -2.0
    assert choice.candidates[0].turn == choice.turn


@BOTH
def test_the_row_of_the_view_is_left_as_it_is(form: Form) -> None:
    view = a_view(3, 4)
    row = view_to_row(view, 3)
    search = form(row, pack(view.rules), view.own_seat)
    before = row.copy()
    search.run(20, None)
    changed = [place for place in range(len(row)) if row[place] != before[place]]
    assert len(changed) <= 1  # the random numbers
    search.step(lay_to_action(view.legal[0].lay, 5))
    assert search.tree(0).visits <= 20


def in_order(node: Node) -> list[object]:
    """A node with its children in the order in which they came: equal dicts may differ in it."""
    children = [(action, in_order(child)) for action, child in node.children.items()]
    return [node.visits, node.legal, node.total, children]


@pytest.mark.parametrize(
    "text", ["stall=100", "stall=100 colours=6", "own_discard=yes colours=2 hand=4 stall=9"]
)
def test_both_forms_grow_the_same_tree(text: str) -> None:
    for number in range(12):
        state = a_state(number, 3 * number, text)
        if state.over:
            continue
        view = view_of_round(state, state.to_move)
        packed = pack(view.rules)
        read, compiled = (
            form(view_to_row(view, number), packed, view.own_seat)
            for form in (Search, CompiledSearch)
        )
        for search in (read, compiled):
            search.run(300, None)
        assert in_order(compiled.tree(10**6)) == in_order(read.tree(10**6))
        action = read.tree(1).best()
        for search in (read, compiled):
            search.step(action)
            search.run(150, None)
        assert in_order(compiled.tree(10**6)) == in_order(read.tree(10**6))
        assert compiled.row.tolist() == read.row.tolist()


@pytest.mark.parametrize("text", ["stall=100", "stall=100 colours=6"])
def test_both_forms_make_the_same_choice(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        state = a_state(number, 3 * number, text)
        if state.over:
            continue
        view, choices = view_of_round(state, state.to_move), []
        for form in (Search, CompiledSearch):
            monkeypatch.setattr(tree, "SEARCH", form)
            choices.append(TreeAgent(80).choose(view, None, Random(number)))
        assert choices[0] == choices[1]


def test_both_forms_go_on_alike_from_an_action_never_tried() -> None:
    view = a_view(5, 4)
    read, compiled = (
        form(view_to_row(view, 5), pack(view.rules), view.own_seat)
        for form in (Search, CompiledSearch)
    )
    for search in (read, compiled):
        search.run(1, None)
    action = next(
        action
        for turn in view.legal
        if (action := lay_to_action(turn.lay, 5)) not in read.tree(1).children
    )
    for search in (read, compiled):
        search.step(action)
        assert search.tree(1) == Node()
        search.run(100, None)
    assert in_order(compiled.tree(99)) == in_order(read.tree(99))


def test_a_tree_outgrows_its_first_room() -> None:
    view = a_view(6, 2)
    read, compiled = (
        form(view_to_row(view, 6), pack(view.rules), view.own_seat)
        for form in (Search, CompiledSearch)
    )
    for search in (read, compiled):
        search.run(5000, None)
    assert in_order(compiled.tree(10**6)) == in_order(read.tree(10**6))


@BOTH
def test_a_time_that_is_over_leaves_as_many_iterations(form: Form) -> None:
    view = a_view(7, 2)
    search = form(view_to_row(view, 7), pack(view.rules), view.own_seat)
    search.run(100, 0.0)
    assert search.tree(0).visits == 15
    search.run(10, 0.0)
    assert search.tree(0).visits == 25


def test_a_budget_of_time_is_kept() -> None:
    view, agent = a_view(4), TreeAgent(10**9)
    agent.choose(view, 1, Random(0))
    begin = time.monotonic()
    agent.choose(view, 300, Random(0))
    assert time.monotonic() - begin < 3


def test_impossible_options_are_refused() -> None:
    with pytest.raises(UnknownAgentError, match="options refused"):
        make_agent("tree:iterations=0")
