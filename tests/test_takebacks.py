"""A turn is taken back only where nothing hidden was seen; then it is as if it had not been played."""

from typing import Any

import pytest

from lostcities import testing
from lostcities.core.events import (
    RoundDealt,
    TakebackAsked,
    TakebackDeclined,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import (
    MatchState,
    decide_answer_back,
    decide_ask_back,
    decide_offer,
    decide_turn,
    evolve,
    fold,
    new_match,
    takeback_open,
)
from lostcities.core.position import parse_position
from lostcities.core.record import record_of, replay
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.refusal import Reason, Refusal
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn

# ---- the rules ----------------------------------------------------------------------------------

SMALL = Rules(colours=2, hand=3, rounds=1, first=0)


def match_at(position: str, rules: Rules = SMALL) -> MatchState:
    state = parse_position(position, rules)
    return MatchState(rules, round=state, number=1, start=state.to_move)


def played(state: MatchState, *tokens: str) -> MatchState:
    for token in tokens:
        assert state.round is not None
        turn = parse_turn(token)
        event = decide_turn(state, state.round.to_move, turn, state.round.ply)
        assert isinstance(event, TurnPlayed), event
        state = evolve(state, event)
    return state


def granted(state: MatchState, decided: Any) -> MatchState:
    assert not isinstance(decided, Refusal), decided
    return evolve(state, decided)


def refused(decided: Any) -> Reason:
    assert isinstance(decided, Refusal)
    return decided.reason


HAND = "0 | Y5 Y6 B3 | B7 B8 Y9 | - | - | Y2 B2 | Y3 B4 Y7 B9 Y4 B5"


def test_a_turn_that_took_from_a_pile_can_be_taken_back() -> None:
    before = match_at(HAND)
    after = played(before, "+Y5<B")
    assert takeback_open(after) == 0
    asked = granted(after, decide_ask_back(after, 0))
    assert asked.asked == 0
    back = granted(asked, decide_answer_back(asked, 1, True))
    assert back.round == before.round
    assert (back.taken_back, back.asked, takeback_open(back)) == (1, None, None)
    again = played(back, "-Y6<B")
    assert again.round == played(before, "-Y6<B").round


def test_a_draw_from_the_deck_has_been_seen() -> None:
    state = played(match_at(HAND), "+Y5*")
    assert takeback_open(state) is None
    for seat in (0, 1):
        assert refused(decide_ask_back(state, seat)) is Reason.NOTHING_TO_TAKE_BACK


@pytest.mark.parametrize("answer", ["+B7<Y", "-B7*"])
def test_an_answered_turn_stays(answer: str) -> None:
    """The answer has laid a card that was hidden."""
    state = played(match_at(HAND), "+Y5<B", answer)
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK


def test_only_who_played_may_ask_and_only_the_other_may_allow() -> None:
    state = played(match_at(HAND), "+Y5<B")
    assert refused(decide_ask_back(state, 1)) is Reason.NOTHING_TO_TAKE_BACK
    assert refused(decide_answer_back(state, 1, True)) is Reason.NO_OFFER
    state = granted(state, decide_ask_back(state, 0))
    assert refused(decide_ask_back(state, 0)) is Reason.ALREADY_SAID
    assert refused(decide_answer_back(state, 0, True)) is Reason.NO_OFFER


@pytest.mark.parametrize("seat", [0, 1])
def test_once_refused_or_given_up_it_is_not_asked_again(seat: int) -> None:
    state = played(match_at(HAND), "+Y5<B")
    state = granted(state, decide_ask_back(state, 0))
    state = granted(state, decide_answer_back(state, seat, False))
    assert state.round == played(match_at(HAND), "+Y5<B").round
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK


def test_the_wish_lapses_with_whatever_happens() -> None:
    state = played(match_at(HAND), "+Y5<B")
    state = granted(state, decide_ask_back(state, 0))
    turned = played(state, "-B7*")
    assert (turned.asked, takeback_open(turned)) == (None, None)
    offered = granted(state, decide_offer(state, 0))
    assert offered.asked is None
    assert refused(decide_answer_back(offered, 1, True)) is Reason.NO_OFFER
    assert takeback_open(offered) == 0, "it may be asked again"


def test_a_round_that_ended_shows_both_hands_so_its_last_turn_stays() -> None:
    rules = Rules(colours=2, hand=3, rounds=2, first=0, stall=1)
    state = played(match_at(HAND, rules), "+Y5<B")
    assert takeback_open(state) is None
    assert refused(decide_ask_back(state, 0)) is Reason.ROUND_OVER


def test_the_count_of_turns_from_piles_goes_back_too() -> None:
    rules = Rules(colours=2, hand=3, rounds=2, first=0, stall=3)
    state = played(match_at(HAND, rules), "+Y5<B", "-B7<Y")
    state = granted(state, decide_ask_back(state, 1))
    state = granted(state, decide_answer_back(state, 0, True))
    assert state.round is not None
    assert not played(state, "-B8<Y").round.over  # type: ignore[union-attr]


def test_a_log_in_which_the_turn_taken_back_is_another_is_refused() -> None:
    state = played(match_at(HAND), "+Y5<B")
    with pytest.raises(ValueError, match="cannot follow"):
        evolve(state, TurnTakenBack(0, 0))
    state = granted(state, decide_ask_back(state, 0))
    for event in (TurnTakenBack(1, 0), TurnTakenBack(0, 1), TakebackAsked(0)):
        with pytest.raises(ValueError, match="cannot follow"):
            evolve(state, event)
    with pytest.raises(ValueError, match="cannot follow"):
        evolve(match_at(HAND), TakebackDeclined(0))


@pytest.mark.parametrize("seed", range(40))
def test_what_was_taken_back_leaves_no_trace_in_the_match(seed: int) -> None:
    """The log without the turns that do not count gives the same match."""
    rules = Rules(colours=3, hand=4, top=6, rounds=2)
    log = list(testing.random_log(rules, seed, takebacks=True))
    straight: list[Any] = []
    for event in log:
        if isinstance(event, TurnTakenBack):
            straight.pop()
        elif not isinstance(event, TakebackAsked | TakebackDeclined):
            straight.append(event)
    one, two = fold(log), fold(straight)
    assert (one.round, one.results, one.winner) == (two.round, two.results, two.winner)
    assert record_of(straight, rules, whole=True).result == one.totals


# ---- records and replays ------------------------------------------------------------------------


def regretted(rules: Rules) -> list[Any]:
    """A log in which at least two turns of a round were taken back."""
    for seed in range(200):
        log = list(testing.random_log(rules, seed, takebacks=True))
        if sum(isinstance(event, TurnTakenBack) for event in log) >= 2:
            return log
    raise AssertionError("no such log")


def test_a_record_is_of_the_play_that_counted_and_names_the_rest() -> None:
    rules = Rules(colours=3, hand=3, top=5, rounds=1)
    log = regretted(rules)
    record = record_of(log, rules, whole=True)
    replay(record)
    turns, back = [], []
    for event in log:
        if isinstance(event, TurnPlayed):
            turns.append(event.turn)
        elif isinstance(event, TurnTakenBack):
            back.append(f"{event.ply + 1} {turns.pop()}")
    assert list(record.rounds[0].turns) == turns
    assert dict(record.rounds[0].tags)["TakenBack"] == ", ".join(back)
    text = format_record(record)
    assert parse_record(text) == record
    assert "*" not in dict(record.rounds[0].tags)["TakenBack"], "no face from the deck"


def test_the_first_state_of_a_match_has_nothing_to_take_back() -> None:
    state = new_match(SMALL)
    assert takeback_open(state) is None
    state = evolve(state, RoundDealt(1, 0, SMALL.all_cards()))
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK
