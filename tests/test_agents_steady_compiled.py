"""The compiled form of steady@1 plays the turns of the readable one, everywhere."""

from random import Random

import pytest

from lostcities.agents.duel import deal_deck
from lostcities.agents.registry import make_agent
from lostcities.agents.steady_compiled import steady_draw, steady_lay
from lostcities.core.position import format_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from lostcities.core.views import view_of_round
from lostcities.kernel.bridge import actions_to_turn, pack, to_row, view_to_row
from lostcities.kernel.round import apply_lay

pytestmark = pytest.mark.needs("numba")

RULES = [
    "stall=100",
    "colours=6 stall=100",
    "colours=1 hand=2 stall=30",
    "colours=3 hand=5 wagers=1 top=7 cost=9 stall=40",
    "colours=2 hand=1 wagers=0 top=4 stall=20",
    "hand=12 cost=0 bonus=99 bonus_at=1 stall=60",
    "own_discard=yes bonus_at=13 stall=90",
    "colours=4 bonus_at=6 bonus=45 cost=35 wagers=2 stall=100",
    "",
]


def compiled_turn(state: RoundState, *, from_view: bool) -> Turn:
    if from_view:
        row = view_to_row(view_of_round(state, state.to_move), seed=1)
    else:
        row = to_row(state, seed=1)
    packed = pack(state.rules)
    lay = int(steady_lay(row, packed))
    apply_lay(row, packed, lay)
    return actions_to_turn(lay, int(steady_draw(row, packed)), state.rules.colours)


def check_round(rules: Rules, number: int, whim: float) -> int:
    """Play a round of steady turns, some replaced by random ones; compare every turn."""
    steady, rng = make_agent("steady@1"), Random(f"{rules} {number}")
    state, turns = deal(rules, deal_deck(rules, 5, number), number % 2), 0
    while not state.over and turns < 300:
        wanted = steady.choose(view_of_round(state, state.to_move), None, rng).turn
        got = compiled_turn(state, from_view=turns % 2 == 0)
        assert got == wanted, format_position(state)
        legal = state.legal_turns()
        state = state.play(rng.choice(legal) if rng.random() < whim else wanted)
        turns += 1
    return turns


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("whim", [0.0, 0.3, 1.0])
def test_both_forms_play_the_same_turns(text: str, whim: float) -> None:
    assert sum(check_round(Rules.parse(text), number, whim) for number in range(2)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_both_forms_play_the_same_turns_in_many_rounds(text: str) -> None:
    turns = sum(check_round(Rules.parse(text), n, (0.0, 0.1, 0.5, 1.0)[n % 4]) for n in range(40))
    assert turns > 100
