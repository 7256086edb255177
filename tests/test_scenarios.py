"""Short stories of play, half a turn at a time, read from data/scenarios.jsonl."""

from dataclasses import replace
from typing import Any

import pytest

from data_files import position, read_rows
from lostcities.core.cards import format_cards, parse_cards, parse_colour
from lostcities.core.perft import perft
from lostcities.core.position import format_position, parse_position
from lostcities.core.round import (
    RoundState,
    deal,
    draw_refusal,
    lay_refusal,
    make_lay,
)
from lostcities.core.rules import Rules
from lostcities.core.turn import Lay, Turn, parse_turn

ROWS = read_rows("scenarios.jsonl")
STEPS = [row for row in ROWS if "steps" in row]
LOOPS = [row for row in ROWS if "loop" in row]
DEALS = [row for row in ROWS if "deck" in row]


def ids(row: dict[str, Any]) -> str:
    return str(row["id"])


def halves(state: RoundState) -> str:
    """What may be done next, half a turn at a time."""
    if state.lay is None:
        return " ".join(map(str, state.lays())) or "-"
    return " ".join("*" if draw is None else f"<{draw.letter}" for draw in state.draws(state.lay))


def read_draw(half: str, lay: Lay) -> Turn:
    return Turn(lay, None if half == "*" else parse_colour(half[1:]))


def refused(state: RoundState, half: str) -> bool:
    """Whether half a turn is refused where it stands."""
    if half[0] in "+-":
        return lay_refusal(state, Lay.parse(half)) is not None
    if state.lay is None:  # a draw before the lay: there is no such turn
        return half not in halves(state).split()
    return draw_refusal(state, read_draw(half, state.lay)) is not None


def step(state: RoundState, half: str) -> RoundState:
    if half[0] in "+-":
        lay = Lay.parse(half)
        assert lay_refusal(state, lay) is None
        return make_lay(state, lay)
    assert state.lay is not None
    return state.play(read_draw(half, state.lay))


def check(state: RoundState, wanted: dict[str, Any]) -> None:
    assert halves(state) == wanted["legal"]
    assert state.over == wanted.get("over", False)
    if wanted["seat"] is not None:
        assert state.to_move == wanted["seat"]
    for seat in (0, 1):
        if (hand := wanted.get(f"hand{seat}")) is not None:
            assert format_cards(state.hands[seat]) == hand
    if (score := wanted.get("score")) is not None:
        assert list(state.score) == score


@pytest.mark.parametrize("row", STEPS, ids=ids)
def test_story(row: dict[str, Any]) -> None:
    state = position(row["position"])
    for number, wanted in enumerate(row["steps"], 1):
        if (half := wanted.get("refused")) is not None:
            assert refused(state, half), f"step {number}: {half} was allowed"
            continue
        state = step(state, wanted["half"])
        check(state, wanted)
        reread = parse_position(format_position(state), state.rules)
        assert halves(reread) == halves(state), f"step {number}: reads back otherwise"


@pytest.mark.parametrize("row", LOOPS, ids=ids)
def test_an_endless_loop_is_legal(row: dict[str, Any]) -> None:
    start = position(row["position"])
    state = start
    for _ in range(25):
        for token in row["loop"]:
            state = state.play(parse_turn(token))
        assert format_position(state) == format_position(start)
    assert state.ply == 25 * len(row["loop"])
    assert perft(state, 1) > 0


@pytest.mark.parametrize("stall", [1, 2, 5, 8])
@pytest.mark.parametrize("row", LOOPS, ids=ids)
def test_a_loop_meets_the_stall_rule_where_one_is_set(row: dict[str, Any], stall: int) -> None:
    state = position(row["position"], f"stall={stall}")
    for index in range(stall):
        assert not state.over
        assert state.termination is None
        state = state.play(parse_turn(row["loop"][index % len(row["loop"])]))
    assert state.over
    assert state.termination == "stall"
    assert state.deck_size == 2
    assert state.legal_turns() == ()
    assert perft(state, 1) == 0


def test_a_draw_from_the_deck_starts_the_stall_count_anew() -> None:
    state = position(LOOPS[0]["position"], "stall=3")
    for token in ("-G5<R", "-Y6<W", "+W2*", "-B2<G", "-R4<Y"):
        state = state.play(parse_turn(token))
        assert not state.over
    assert state.play(parse_turn("+W7<B")).termination == "stall"


def test_the_last_deck_card_is_a_natural_end_even_under_a_stall_rule() -> None:
    state = position("0 | G5 W2 | Y6 B2 | - | - | R4 | B3", "stall=1")
    assert state.play(parse_turn("-G5*")).termination is None
    stalled = state.play(parse_turn("-G5<R"))
    assert stalled.termination == "stall"
    assert stalled.score == state.score


@pytest.mark.parametrize("row", DEALS, ids=ids)
@pytest.mark.parametrize("start", [0, 1])
def test_the_deal_is_fixed_by_the_deck_alone(row: dict[str, Any], start: int) -> None:
    state = deal(Rules(), parse_cards(row["deck"]), start)
    assert format_cards(state.hands[0]) == row["hand0"]
    assert format_cards(state.hands[1]) == row["hand1"]
    assert state.deck_size == row["deck_left"]
    assert str(state.deck[0]) == row["next"]
    assert state.to_move == start
    assert state == replace(deal(Rules(), parse_cards(row["deck"]), 1 - start), to_move=start)


def test_the_file_is_whole() -> None:
    assert (len(STEPS), len(LOOPS), len(DEALS)) == (14, 2, 1)
