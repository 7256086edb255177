"""Looking ahead: paired deals, exact ends, the same found for the same seed, blind to hidden cards."""

import time
from random import Random

import numpy as np
import pytest

from lostcities.agents import trials
from lostcities.agents.agent import Agent
from lostcities.agents.duel import deal_deck
from lostcities.agents.lookahead import EXACT, PLAYOUTS, Lookahead, Looked, LookSettings
from lostcities.agents.network import forward
from lostcities.agents.policy import PolicyAgent
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.agents.search import (
    Search2Agent,
    Search3Agent,
    SearchAgent,
    worth_in_match,
)
from lostcities.core.cards import parse_card
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.core.views import View, view_of_round
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.bridge import pack, to_row
from lostcities.kernel.choose import MOST_LEGAL, list_legal
from lostcities.kernel.round import apply
from lostcities.testing import random_round
from networks import PackedRules, Row, played_rows, random_arrays, redealt

pytestmark = [pytest.mark.needs("numba"), pytest.mark.slow]

NETWORK = forward.flatten(random_arrays())
HOW = sorted(PLAYOUTS)


def some_row(number: int = 40) -> tuple[Row, PackedRules]:
    for count, found in enumerate(played_rows("stall=100", 3)):
        if count == number:
            return found
    raise AssertionError


def same(one: Looked, other: Looked) -> bool:
    return (
        one.action == other.action
        and (one.actions == other.actions).all()
        and (one.means == other.means).all()
        and one.deals == other.deals
    )


@pytest.mark.parametrize("how", HOW)
def test_the_same_random_numbers_find_the_same(how: str) -> None:
    row, rules = some_row()
    settings = LookSettings(how, samples=40, beaten=99)
    ahead = Lookahead(NETWORK, settings)
    first = ahead.look(row, rules)
    assert same(first, Lookahead(NETWORK, settings).look(row, rules))
    assert same(first, ahead.look(row, rules))
    row[at.RNG] += U(1)
    assert not same(first, ahead.look(row, rules))


@pytest.mark.parametrize("how", HOW)
def test_hidden_cards_change_nothing_that_is_found(how: str) -> None:
    ahead, differing = Lookahead(NETWORK, LookSettings(how, samples=16)), 0
    for row, rules in played_rows("stall=100", 2, every=9):
        twin = redealt(row, rules, 7)
        differing += int((twin != row).any())
        assert same(ahead.look(row, rules), ahead.look(twin, rules))
    assert differing > 10


def test_a_belief_changes_the_deals_and_sees_nothing_hidden() -> None:
    belief = forward.flatten(random_arrays(3))
    evenly = Lookahead(NETWORK, LookSettings("policy", samples=16, beaten=99))
    ahead = Lookahead(NETWORK, evenly.settings, belief)
    differing = other = 0
    for row, rules in played_rows("stall=100", 2, every=9):
        twin = redealt(row, rules, 7)
        differing += int((twin != row).any())
        found = ahead.look(row, rules)
        assert same(found, ahead.look(twin, rules))
        other += not same(found, evenly.look(row, rules))
    assert differing > 10
    assert other > 10


def test_looking_leaves_the_round_as_it_is() -> None:
    row, rules = some_row()
    before = row.copy()
    Lookahead(NETWORK, LookSettings(samples=16)).look(row, rules)
    assert (row == before).all()


@pytest.mark.parametrize("how", HOW)
def test_the_last_draw_is_valued_exactly(how: str) -> None:
    """Drawing the last card ends the round: what that comes to is known, whatever the card is."""
    rules = Rules.parse("hand=3 stall=100")
    packed = pack(rules)
    state = parse_position("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | G2 | ?1", rules)
    row = to_row(state, fill_hidden=True)
    apply(row, packed, play_of("R9"))
    found = Lookahead(NETWORK, LookSettings(how, samples=8, beaten=99)).look(row, packed)
    values = dict(zip(found.actions.tolist(), found.means.tolist(), strict=True))
    # One that knows that drawing it is the best tries nothing else.
    known = how == EXACT
    assert set(values) == ({20 * rules.colours} if known else set(legal_actions(row, packed)))
    assert len(values) == 2 - known
    assert values[20 * rules.colours] == -2.0


def play_of(card: str) -> int:
    return parse_card(card).face


def test_a_decided_end_is_valued_exactly_and_won() -> None:
    """Nothing can be taken back from the rows: with one card in the deck the best lay is plain."""
    rules = Rules.parse("hand=3 stall=100")
    packed = pack(rules)
    row = to_row(
        parse_position("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | - | ?1", rules), fill_hidden=True
    )
    settings = LookSettings("steady", samples=20, candidates=20, certain=20, doubt=0)
    found = Lookahead(NETWORK, settings).look(row, packed)
    values = dict(zip(found.actions.tolist(), found.means.tolist(), strict=True))
    # Red 2 3 4 9 is 18 - 20; nobody draws from piles that are empty, so the round ends with this turn.
    assert found.action == play_of("R9")
    assert values[play_of("R9")] == -2.0
    assert values[play_of("R5")] == -6.0


def test_every_candidate_sees_the_same_deals() -> None:
    row, rules = some_row()
    actions = np.zeros(trials.MOST_ACTIONS, np.int64)
    actions[:3] = legal_actions(row, rules)[0]
    leads = np.zeros((3, 30), np.float32)
    dealt, line = np.zeros((2, at.WORDS), np.uint64)
    trials.try_out(
        row, rules, actions, 3, np.ones(3, np.bool_), 0, 30, trials.POLICY, 0, NETWORK,
        forward.scratch(), dealt, line, leads, np.zeros(0, np.float32),
    )  # fmt: skip
    assert (leads == leads[:1]).all()
    assert len(set(leads[0].tolist())) > 2


@pytest.mark.parametrize("how", ["policy", "policy-exact", "policy-steady"])
def test_trials_end_where_no_rule_ends_the_round(how: str) -> None:
    """Regression: a network that draws from piles for ever kept a search without a stall rule for ever."""
    arrays = random_arrays()
    arrays["o"], arrays["bo"] = arrays["o"].copy() * 0, arrays["bo"].copy() * 0
    arrays["bo"][10:] = 100  # discards, and draws from piles
    arrays["bd"] = np.full_like(arrays["bd"], -100)
    ahead = Lookahead(forward.flatten(arrays), LookSettings(how, depth=10**6, samples=2))
    rules = Rules()
    row = to_row(deal(rules, rules.all_cards(), 0))
    assert len(ahead.look(row, pack(rules)).actions) > 1


def legal_actions(row: Row, rules: PackedRules) -> list[int]:
    legal = np.zeros(MOST_LEGAL, np.int64)
    return [int(action) for action in legal[: list_legal(row, rules, legal)]]


def test_candidates_are_ranked_and_steady_has_a_say() -> None:
    for row, rules in played_rows("stall=100", 2, every=7):
        logits, actions = np.zeros(127, np.float32), np.zeros(trials.MOST_ACTIONS, np.int64)
        scratch = forward.scratch()
        kept = trials.rank(row, rules, NETWORK, scratch, logits, actions, 5, 2, 0.0)
        legal = legal_actions(row, rules)
        assert kept == min(5, len(legal))
        wanted = sorted(legal, key=lambda action: -logits[action])[:kept]
        assert [float(logits[each]) for each in actions[:kept]] == [
            float(logits[each]) for each in wanted
        ]
        assert trials.rank(row, rules, NETWORK, scratch, logits, actions, 5, 2, 2.0) == min(
            2, len(legal)
        )
        settings = LookSettings("policy-value", depth=0, samples=2, candidates=1, certain=1)
        if len(legal) > 1:
            found = Lookahead(NETWORK, settings).look(row, rules)
            tried = {int(wanted[0]), int(trials.steady_choice(row, rules))}
            assert set(found.actions.tolist()) == tried


def test_those_surely_behind_drop_out() -> None:
    leads = np.zeros((3, 100), np.float32)
    noise = np.random.default_rng(0).normal(0, 10, 100)
    leads[0], leads[1], leads[2] = noise, noise - 5, noise - 0.1
    running = np.ones(3, np.bool_)
    assert trials.drop_beaten(3, running, leads, 100, 2.5) == 2
    assert running.tolist() == [True, False, True]


@pytest.mark.parametrize(
    "wrong",
    [{"playout": "random"}, {"samples": 0}, {"samples": 10**6}, {"depth": -1}, {"chunk": 0},
     {"candidates": 0}, {"candidates": 40}, {"certain": 0}, {"threads": 0}],
)  # fmt: skip
def test_impossible_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        LookSettings(**wrong)  # type: ignore[arg-type]


# ---- agents -------------------------------------------------------------------------------------


@pytest.fixture
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("search", "policy"):
        monkeypatch.setattr(f"lostcities.agents.{module}.shipped", lambda _: NETWORK)


def played_states(agent: Agent, rules: Rules, turns: int) -> list[RoundState]:
    state = deal(rules, deal_deck(rules, 5, 1), 0)
    states: list[RoundState] = []
    while not state.over and len(states) < turns:
        states.append(state)
        state = state.play(agent.choose(view_of_round(state, state.to_move), None, Random(1)).turn)
    return states


def a_view() -> View:
    """In the middle of a round, with cards in piles."""
    state = list(random_round(Rules.parse("stall=100"), 3))[20]
    return view_of_round(state, state.to_move)


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize(
    "text", ["stall=100", "colours=6 stall=100", "colours=2 hand=1 wagers=0 top=4 stall=20"]
)
def test_agents_play_legal_turns_to_the_end(text: str) -> None:
    for agent in (PolicyAgent(), SearchAgent(samples=4)):
        assert len(played_states(agent, Rules.parse(text), 200)) > 3


@pytest.mark.usefixtures("untrained")
def test_search_with_samples_repeats_itself() -> None:
    view = a_view()
    choice = SearchAgent(samples=30).choose(view, None, Random(3))
    assert choice == SearchAgent(samples=30).choose(view, 1, Random(3))
    assert choice != SearchAgent(samples=30).choose(view, None, Random(4))
    assert choice.candidates[0].turn == choice.turn
    values = [each.value for each in choice.candidates[1:]]
    assert values == sorted(values, reverse=True)


@pytest.mark.usefixtures("untrained")
@pytest.mark.parametrize(("cpu", "clock"), [(0, "perf_counter"), (1, "thread_time")])
def test_search_with_more_time_tries_more(
    monkeypatch: pytest.MonkeyPatch, cpu: int, clock: str
) -> None:
    """By a clock of its own, which a busy machine does not disturb."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(time, clock, lambda: next(ticks) / 100)
    monkeypatch.setattr(trials, "drop_beaten", lambda *_: 2)
    seen: list[int] = []
    look = Lookahead.look

    def counted(*args: object, **named: object) -> Looked:
        found = look(*args, **named)  # type: ignore[arg-type]
        seen.append(found.deals)
        return found

    monkeypatch.setattr(Lookahead, "look", counted)
    agent, view = SearchAgent(cpu=cpu), a_view()
    for time_ms in (1, 100, 400):
        agent.choose(view, time_ms, Random(1))
    one, some, more = (sum(seen[at : at + 2]) for at in (0, 2, 4))
    assert one <= 2 * LookSettings().chunk < some < more


def overruled(agent: SearchAgent, states: list[RoundState]) -> int:
    """At how many positions a search turns away from its network."""
    network = make_agent("policy@3")
    views = [view_of_round(state, state.to_move) for state in states]
    return sum(
        agent.choose(view, None, Random(1)).turn != network.choose(view, None, Random(1)).turn
        for view in views
    )


def test_search_3_leaves_the_first_part_of_a_round_to_its_network() -> None:
    """Regression: early in a round the best of many noisy trials was worse than the network's choice."""
    states = played_states(make_agent("policy@3"), Rules.parse("stall=100"), 200)
    early = [state for state in states if len(state.deck) > 28]
    late = [state for state in states if 2 <= len(state.deck) <= 28]
    assert len(early) > 10
    assert overruled(Search2Agent(samples=8, caution=0), early) > 0
    assert overruled(Search3Agent(samples=32, caution=0), early) == 0
    assert overruled(Search3Agent(samples=8, caution=0), late) > 0


def test_search_3_deals_by_what_the_other_hand_may_hold() -> None:
    state = next(
        each
        for each in played_states(make_agent("policy@3"), Rules.parse("stall=100"), 200)
        if len(each.deck) == 12
    )
    view = view_of_round(state, state.to_move)
    evenly = Search2Agent(samples=8).choose(view, None, Random(1)).candidates
    believing = Search3Agent(samples=8).choose(view, None, Random(1)).candidates
    assert [each.value for each in evenly] != [each.value for each in believing]


def test_processor_time_is_counted_of_one_thread_only() -> None:
    with pytest.raises(UnknownAgentError, match="cpu: counts the time of one thread, not of 2"):
        make_agent("search:cpu=1,threads=2")


# ---- playing for the match ----------------------------------------------------------------------

LATE = (
    "1 | Y9 B7 WX WX W7 W9 W10 G5 | Y10 B5 B9 WX W2 W8 GX G10 | "
    "YX Y4 Y5 Y8 W3 W4 W5 W6 G3 G8 RX R5 R6 R8 | "
    "Y3 Y6 B3 B8 B10 GX GX G2 G4 G6 G7 RX R4 R7 R9 R10 | "
    "Y2 YX B2 BX BX BX B6 B4 R3 R2 RX | G9 Y7 YX"
)
"""Three cards in the deck. Green 10 is worth 30 points at once, which is enough to win unless far behind; yellow
10 first gets both laid more often, and is the better one for points."""


def late_view(behind: int, number: int = 3) -> View:
    rules = Rules.parse("rounds=3 stall=100")
    return view_of_round(parse_position(LATE, rules), 1, number, BySeat(behind, 0))


@pytest.mark.parametrize("kind", [SearchAgent, Search3Agent])
def test_the_best_turn_of_the_last_round_changes_with_the_totals(kind: type[SearchAgent]) -> None:
    agent, points = kind(samples=200), kind(samples=200, match=0)
    for seed in range(2):
        for behind, card in ((0, "+G10"), (20, "+G10"), (38, "+Y10")):
            turn = agent.choose(late_view(behind), None, Random(seed)).turn
            assert str(turn).startswith(card), (behind, seed)
        turn = points.choose(late_view(0), None, Random(seed)).turn
        assert str(turn).startswith("+Y10")


def test_the_first_round_is_played_for_points() -> None:
    assert worth_in_match(late_view(0, number=1)) is None
    worth = worth_in_match(late_view(38))
    assert worth is not None
    assert worth(np.array([38.0, 39.0, 10.0])).tolist() == [50.0, 100.0, 0.0]
    early = worth_in_match(late_view(38, number=2))
    assert early is not None
    assert 20 < early(np.array([30.0]))[0] < 50


@pytest.mark.usefixtures("untrained")
def test_threads_find_the_same() -> None:
    view = a_view()
    one = SearchAgent(samples=40).choose(view, None, Random(3))
    assert one == SearchAgent(samples=40, threads=3).choose(view, None, Random(3))
