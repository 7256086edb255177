"""The last card: what is played there is the best of all play, tried out against every reply."""

from functools import cache
from random import Random

import numpy as np
import pytest

from lostcities.agents.endings import last_action, last_card
from lostcities.agents.lookahead import EXACT, Lookahead, LookSettings
from lostcities.agents.network import forward
from lostcities.agents.search import Search2Agent
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.seats import other
from lostcities.core.views import view_of_round
from lostcities.kernel import layout as at
from lostcities.kernel.bridge import actions_to_turn, pack, to_row
from lostcities.kernel.round import apply, apply_lay
from lostcities.testing import random_round
from networks import random_arrays

pytestmark = [pytest.mark.needs("numba"), pytest.mark.slow]

SMALL = Rules.parse("colours=2 hand=3 wagers=1 top=5 stall=4")
NETWORK = forward.flatten(random_arrays())


def ends(rules: Rules, count: int) -> list[RoundState]:
    """Positions of random rounds with one card in the deck."""
    found: list[RoundState] = []
    seed = 0
    while len(found) < count:
        states = list(random_round(rules, seed))
        found += [each for each in states if not each.over and each.deck_size == 1]
        seed += 1
    return found[:count]


@cache
def best_lead(state: RoundState, seat: int) -> int:
    """What perfect play of both, who see everything, comes to for a seat."""
    if state.over:
        return state.score[seat] - state.score[other(seat)]
    leads = [best_lead(state.play(turn), seat) for turn in state.legal_turns()]
    return max(leads) if state.to_move == seat else min(leads)


def test_no_play_of_anybody_does_better_than_the_last_turn() -> None:
    rules, drew_from_piles = pack(SMALL), 0
    for state in ends(SMALL, 40):
        row, seat = to_row(state), state.to_move
        lay = last_action(row, rules)
        apply_lay(row, rules, lay)
        turn = actions_to_turn(lay, last_action(row, rules), SMALL.colours)
        played = state.play(turn)
        assert played.over
        assert best_lead(played, seat) == best_lead(state, seat), state
        drew_from_piles += sum(each.draw is not None for each in state.legal_turns())
    assert drew_from_piles > 40


@pytest.mark.parametrize("text", ["stall=100", "colours=6 stall=100", "own_discard=yes stall=100"])
def test_the_last_lay_adds_the_most_points(text: str) -> None:
    rules = Rules.parse(text)
    for state in ends(rules, 60):
        row, seat = to_row(state), state.to_move
        before = row.copy()
        lay = last_action(row, pack(rules))
        assert (row == before).all()
        apply_lay(row, pack(rules), lay)
        chosen = actions_to_turn(lay, 20 * rules.colours, rules.colours)
        ending = [turn for turn in state.legal_turns() if turn.draw is None]
        most = max(state.play(turn).score[seat] for turn in ending)
        assert state.play(chosen).score[seat] == most


def test_a_search_plays_the_last_card_without_trying_it_out() -> None:
    ahead = Lookahead(NETWORK, LookSettings(EXACT, samples=50))
    rules = Rules.parse("stall=100")
    for state in ends(rules, 20):
        row = to_row(state)
        assert last_card(row)
        found = ahead.look(row, pack(rules))
        assert found.deals == 0
        apply(row, pack(rules), found.action)
        score = state.play(actions_to_turn(found.action, 100, rules.colours)).score
        assert found.means[0] == score[state.to_move] - score[other(state.to_move)]


def test_the_agent_ends_the_round_with_the_best_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lostcities.agents.search.shipped", lambda _: NETWORK)
    agent, rules = Search2Agent(samples=4), Rules.parse("stall=100")
    for state in ends(rules, 10):
        choice = agent.choose(view_of_round(state, state.to_move), None, Random(1))
        assert choice.turn.draw is None
        ending = [turn for turn in state.legal_turns() if turn.draw is None]
        seat = state.to_move
        assert state.play(choice.turn).score[seat] == max(
            state.play(turn).score[seat] for turn in ending
        )


def test_trials_with_the_last_card_played_exactly_lose_nothing() -> None:
    """Its own last lay, played out by a network that knows nothing, is worth at least as much."""
    rules, packed = Rules.parse("stall=100"), pack(Rules.parse("stall=100"))
    gained = 0.0
    for state in ends(rules, 30):
        row = to_row(state)
        row[at.RNG] = np.uint64(5)
        plain = LookSettings("policy", samples=8, candidates=24, certain=24, beaten=99)
        tried = Lookahead(NETWORK, plain).look(row, packed)
        exact = Lookahead(NETWORK, LookSettings(EXACT, samples=8)).look(row, packed)
        gained += float(exact.means[0] - tried.means.max())
        assert exact.means[0] >= tried.means[0] - 1e-6 or tried.deals == 0
    assert gained >= 0.0
