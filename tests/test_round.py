"""A round: legality one rule at a time, refusals, properties of every play."""

from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_files import position
from lostcities import testing
from lostcities.core.cards import Card, Colour, format_cards, parse_card, parse_cards
from lostcities.core.position import format_position
from lostcities.core.refusal import Reason, Refusal
from lostcities.core.round import RoundState, deal, legal_turns, may_play, refusal, visible
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS, BySeat
from lostcities.core.turn import Turn, parse_turn


def play(state: RoundState, *tokens: str) -> RoundState:
    for token in tokens:
        state = state.play(parse_turn(token))
    return state


def why(state: RoundState, token: str) -> Reason | None:
    refused = state.refusal(parse_turn(token))
    return None if refused is None else refused.reason


# ---- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "row", "may"),
    [
        ("R2", "-", True),
        ("R10", "-", True),
        ("RX", "-", True),
        ("RX", "RX", True),
        ("RX", "RX RX", True),
        ("R2", "RX RX RX", True),
        ("R9", "R8", True),
        ("R10", "R9", True),
        ("R10", "R2", True),
        ("R5", "R5", False),
        ("R4", "R5", False),
        ("R2", "R10", False),
        ("R9", "R10", False),
        ("RX", "R2", False),
        ("RX", "RX R2", False),
        ("R3", "RX R2", True),
    ],
)
def test_may_play(card: str, row: str, may: bool) -> None:
    """Strictly ascending: an equal number is refused, though no deck has one."""
    assert may_play(parse_card(card), parse_cards(row)) is may


def test_the_three_wagers_go_down_in_any_order() -> None:
    """They are one face; no numbering hides in them."""
    start = position("0 | RX RX RX R2 | Y2 Y3 Y4 Y5 | - | - | - | W2 W3 W4 W5 W6 W7 W8")
    for order in permutations(range(3)):
        state = start
        for wagers, _ in enumerate(order, 1):
            state = play(state, "+RX*")
            state = play(state, f"-{state.hands[1][0]}*")
            assert format_cards(state.expeditions[0][4]) == " ".join(["RX"] * wagers)
        assert format_cards(play(state, "+R2*").expeditions[0][4]) == "RX RX RX R2"


def test_one_of_two_equal_wagers_leaves_the_hand() -> None:
    state = position("0 | YX YX G2 G3 G4 G5 G6 G7 | B3 | - | - | B2 | W4 W5")
    for lay in ("+YX", "-YX"):
        for draw, drawn in (("*", "W4"), ("<B", "B2")):
            after = play(state, lay + draw)
            assert Counter(map(str, after.hands[0])) == Counter(
                ["YX", "G2", "G3", "G4", "G5", "G6", "G7", drawn]
            )


def test_equal_wagers_are_one_turn() -> None:
    state = position("0 | YX YX YX | B3 | - | - | - | W4 W5")
    assert [str(turn) for turn in legal_turns(state)] == ["+YX*", "-YX*"]


def test_ten_is_higher_than_nine() -> None:
    """By number, not by text."""
    state = position("0 | R10 | B3 | R9 | - | - | W4 W5")
    assert why(state, "+R10*") is None
    assert why(position("0 | R9 | B3 | R10 | - | - | W4 W5"), "+R9*") is Reason.NOT_ASCENDING


def test_no_row_limits_another() -> None:
    rows = "Y3 B3 W3 G3"
    state = position(f"0 | R2 | B4 | {rows} | R9 G10 | - | W4 W5")
    assert why(state, "+R2*") is None


def test_a_card_once_laid_stays() -> None:
    """Every turn lays a card of the hand; none moves one that lies on a row."""
    for state in testing.random_round(Rules(), 2):
        for turn in state.legal_turns():
            assert turn.lay.card in state.hands[state.to_move]


# ---- draws --------------------------------------------------------------------------------------


def test_draws_are_those_after_the_lay() -> None:
    """A pile that was empty is not opened by one's own discard; an open one is closed by it."""
    state = position("0 | R5 G2 | B3 Y4 | - | - | R3 | W4 W5")
    tokens = [str(turn) for turn in state.legal_turns()]
    assert "-G2<G" not in tokens
    assert "-R5<R" not in tokens
    assert "-G2<R" in tokens
    assert why(state, "-G2<G") is Reason.OWN_DISCARD
    assert why(state, "-R5<R") is Reason.OWN_DISCARD
    assert why(state, "+G2<G") is Reason.PILE_EMPTY
    assert why(state, "+R5<R") is None


def test_there_is_one_pile_of_each_colour() -> None:
    state = position("0 | R5 | B3 | - | - | Y2 B4 W6 G8 | W4 W5")
    draws = [str(turn)[3:] for turn in state.legal_turns() if not turn.lay.discard]
    assert draws == ["*", "<Y", "<B", "<W", "<G"]


def test_piles_are_stacks() -> None:
    state = position("0 | G2 G3 | B3 B4 | - | - | R9 R3 RX | W2 W3 W4")
    state = play(state, "+G2<R", "+B3<R", "+G3<R")
    assert format_cards(state.hands[0]) == "RX R9"
    assert format_cards(state.hands[1]) == "B4 R3"
    assert state.piles[4] == ()


def test_an_empty_pile_refuses_and_the_turn_stays() -> None:
    state = position("0 | G2 G3 | B3 B4 | - | - | R9 | W2 W3 W4")
    before = format_position(state)
    assert why(state, "+G2<W") is Reason.PILE_EMPTY
    assert (state.to_move, format_position(state)) == (0, before)


def test_a_refused_play_keeps_the_card() -> None:
    state = position("0 | R4 G3 | B3 B4 | R7 | - | - | W2 W3")
    assert why(state, "+R4*") is Reason.NOT_ASCENDING
    assert format_cards(state.hands[0]) == "G3 R4"
    assert why(state, "-R4*") is None


def test_a_card_that_is_not_held_is_refused() -> None:
    state = position("0 | R4 G3 | B3 B4 | - | - | R9 | W2 W3")
    for token in ("+B3*", "-B4*", "+W2*", "+R9*", "+RX*"):
        assert why(state, token) is Reason.NOT_HELD


def test_refusals_say_what_is_wrong() -> None:
    state = position("0 | R4 RX G3 | B3 B4 | R7 | - | R9 | W2 W3")
    texts = {
        "+B3*": "seat 0 does not hold B3",
        "+R4*": "R4 is not higher than R7",
        "+RX*": "RX may not follow the number R7",
        "+P4*": "P4 is not in the deck of these rules",
        "+G3<B": "the B pile is empty",
        "-R4<R": "the R pile is closed this turn: you have just discarded on it",
        "+G3<P": "these rules have no colour P",
        "+G3*W3": "the card drawn is W2, not W3",
    }
    for token, text in texts.items():
        assert str(state.refusal(parse_turn(token))) == text, token


def test_a_face_named_with_a_pile_draw_is_refused() -> None:
    state = position("0 | R4 G3 | B3 B4 | - | - | R9 | W2 W3")
    turn = Turn(parse_turn("+G3*").lay, Colour.RED, parse_card("R9"))
    refused = state.refusal(turn)
    assert refused is not None
    assert refused.reason is Reason.FACE_NAMED


def test_the_list_is_the_movers_own() -> None:
    state = position("1 | R4 G3 | B3 B4 | - | - | - | W2 W3")
    assert [str(turn) for turn in state.legal_turns()] == ["+B3*", "-B3*", "+B4*", "-B4*"]


def test_the_round_ends_with_the_last_deck_card() -> None:
    state = position("0 | R4 G3 | B3 B4 | - | - | R9 | W2 W3")
    state = play(state, "+R4*")
    assert not state.over
    state = play(state, "+B3<R")
    assert (state.over, state.deck_size) == (False, 1)
    state = play(state, "+G3*")
    assert (state.over, state.to_move, state.termination) == (True, 1, None)
    assert state.legal_turns() == ()
    assert list(state.draws(parse_turn("+B4*").lay))[:1] != [None]
    assert state.score == BySeat(-16 - 17, -17)
    assert format_cards(state.hands[0]) == "W2 W3"


def test_an_undone_turn_is_the_state_before() -> None:
    """States are values: what was before a turn is unchanged by it."""
    state = position("0 | R4 G3 | B3 B4 | - | - | R9 | W2 W3")
    before, turns = format_position(state), state.legal_turns()
    after = [state.play(turn) for turn in turns]
    assert len(set(map(format_position, after))) == len(turns)
    assert (format_position(state), state.legal_turns()) == (before, turns)
    with pytest.raises(FrozenInstanceError):
        state.ply = 3  # type: ignore[misc]


def test_plies_and_the_run_of_pile_draws_are_counted() -> None:
    state = position("0 | R4 G3 | B3 B4 | - | - | G9 R9 | W2 W3 W4")
    seen = []
    for token in ("+R4<R", "-B3<G", "+R9<B", "+B4*"):
        state = play(state, token)
        seen.append((state.ply, state.pile_run, str(state.last_turn)))
    assert seen == [(1, 1, "+R4<R"), (2, 2, "-B3<G"), (3, 3, "+R9<B"), (4, 0, "+B4*W2")]


def test_visible_counts_every_known_place() -> None:
    state = position("0 | YX YX | YX Y2 | Y3 | Y4 | Y5 | Y6")
    assert visible(state) == Counter(parse_cards("YX YX YX Y2 Y3 Y4 Y5 Y6"))


# ---- every play ---------------------------------------------------------------------------------


def placed(state: RoundState) -> list[Card]:
    cards = [card for pile in state.piles for card in pile]
    return cards + [card for rows in state.expeditions for row in rows for card in row]


def check_whole(state: RoundState) -> None:
    rules = state.rules
    cards = [*placed(state), *state.deck, *state.hands[0], *state.hands[1]]
    assert Counter(cards) == Counter(rules.all_cards())
    assert [len(hand) for hand in state.hands] == [rules.hand, rules.hand]
    for seat in SEATS:
        assert list(state.hands[seat]) == sorted(state.hands[seat])
        for colour, row in enumerate(state.expeditions[seat]):
            ranks = [card.rank for card in row]
            numbers = [rank for rank in ranks if rank]
            assert all(card.colour == colour for card in row)
            assert ranks == [0] * (len(ranks) - len(numbers)) + sorted(set(numbers))
    for colour, pile in enumerate(state.piles):
        assert all(card.colour == colour for card in pile)


@given(testing.common_rules(), testing.seeds)
@settings(max_examples=40)
def test_cards_are_conserved_after_every_turn(rules: Rules, seed: int) -> None:
    for state in testing.random_round(rules, seed):
        check_whole(state)


@given(testing.rules(), testing.seeds)
@settings(max_examples=40)
def test_cards_are_conserved_under_any_rules(rules: Rules, seed: int) -> None:
    for state in testing.random_round(rules, seed):
        check_whole(state)


@given(testing.rounds(), st.data())
def test_legal_turns_are_those_not_refused(state: RoundState, data: st.DataObject) -> None:
    legal = set(state.legal_turns())
    assert len(legal) == len(state.legal_turns())
    turns = [Turn(each.lay, draw) for each in list(legal)[::5] for draw in (None, *Colour)]
    turns += data.draw(st.lists(testing.turns(), max_size=9))
    for turn in turns:
        if turn.drawn is None:
            assert (refusal(state, turn) is None) == (turn in legal), turn


@given(testing.rounds())
def test_after_a_turn_the_other_seat_moves_with_a_full_hand(state: RoundState) -> None:
    for turn in state.legal_turns():
        after = state.play(turn)
        assert after.to_move == 1 - state.to_move
        assert after.ply == state.ply + 1
        assert after.hand_size(state.to_move) == state.hand_size(state.to_move)
        assert after.hands[after.to_move] == state.hands[after.to_move]
        assert after.deck_size == state.deck_size - (turn.draw is None)


@given(testing.rounds())
def test_a_wrong_face_is_refused_and_the_right_one_is_not(state: RoundState) -> None:
    for turn in state.legal_turns():
        if turn.draw is None:
            right = Turn(turn.lay, None, state.deck[0])
            assert refusal(state, right) is None
            assert state.play(right) == state.play(turn)
            wrong = next(card for card in state.rules.all_cards() if card != state.deck[0])
            refused = refusal(state, Turn(turn.lay, None, wrong))
            assert isinstance(refused, Refusal)
            assert refused.reason is Reason.FACE_WRONG


def test_a_deal_is_of_the_whole_deck() -> None:
    deck = Rules().all_cards()
    for wrong in (deck[1:], (*deck, deck[0]), (deck[-1], *deck[1:])):
        with pytest.raises(ValueError, match="does not hold the cards"):
            deal(Rules(), wrong, 0)


def test_a_deal_alternates_from_seat_nought() -> None:
    deck = Rules(colours=6).all_cards()
    for start in SEATS:
        state = deal(Rules(colours=6), deck, start)
        assert format_cards(state.hands[0]) == "YX YX Y3 Y5 Y7 Y9 BX BX"
        assert format_cards(state.hands[1]) == "YX Y2 Y4 Y6 Y8 Y10 BX B2"
        assert (state.to_move, state.deck_size, str(state.deck[0])) == (start, 56, "B3")
        assert (state.ply, state.lay, state.last_turn) == (0, None, None)
