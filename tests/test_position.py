"""Positions as text: reading, writing, hidden parts, mid-turn, and every error."""

import pytest
from hypothesis import given

from data_files import position, read_positions
from lostcities import testing
from lostcities.core.cards import format_cards
from lostcities.core.errors import HiddenCardsError, NotationError
from lostcities.core.position import FIELDS, format_position, parse_position
from lostcities.core.refusal import IllegalTurnError, Reason
from lostcities.core.round import RoundState, draw_refusal, lay_refusal, make_lay, refusal
from lostcities.core.rules import Rules
from lostcities.core.turn import Lay, parse_turn

PLAIN = "0 | G2 R5 | Y4 B3 | - | - | R3 | W4 W5"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "1 | - | - | - | - | - | -",
        "0 | RX RX R2 | YX | Y2 Y9 RX | WX WX W10 | Y3 Y7 B4 | W5 W2",
        "0 | ?8 | B3 Y4 | - | - | - | ?23".replace("B3 Y4", "Y4 B3"),
        "1 | G2 | ?7 | - | R5 | - | ?3 | +R5",
        "0 | G2 | Y4 | - | - | G3 R5 | W4 | -R5",
        "0 | G2 | Y4 | RX RX | - | - | W4 | +RX",
        "0 | Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 | B3 | - | - | - | W4 W5 W6 W7",
    ],
)
def test_canonical_text_is_reproduced(text: str) -> None:
    assert format_position(position(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0|r5 g2|b3 y4|-|-|r3|w4 w5", PLAIN),
        ("  0 |R5   G2 | B3 Y4 | - | - | R3 |\tW4  W5 ", PLAIN),
        (
            "0 | - | - | R2 Y5 R4 Y6 | - | B9 Y3 B2 | W4",
            "0 | - | - | Y5 Y6 R2 R4 | - | Y3 B9 B2 | W4",
        ),
        ("0 | ?0 | - | - | - | - | ?0", "0 | - | - | - | - | - | -"),
    ],
)
def test_other_readable_text_is_normalised(text: str, canonical: str) -> None:
    assert format_position(position(text)) == canonical


def test_what_a_position_says() -> None:
    state = position("1 | R5 G2 | ?8 | Y4 Y9 | BX | R3 RX | W4 W5 | +BX")
    assert state.to_move == 1
    assert format_cards(state.hands[0]) == "G2 R5"
    assert (state.hand_size(0), state.hand_size(1)) == (2, 8)
    assert format_cards(state.expeditions[0][0]) == "Y4 Y9"
    assert format_cards(state.expeditions[1][1]) == "BX"
    assert format_cards(state.piles[4]) == "R3 RX"
    assert (state.deck_size, format_cards(state.deck)) == (2, "W4 W5")
    assert state.lay == Lay.parse("+BX")
    assert (state.ply, state.last_turn) == (0, None)


ERRORS = [
    ("", "position", "1 fields"),
    ("0 | - | - | - | - | -", "position", "6 fields separated by |, expected 7"),
    (PLAIN + " | +R5 | -", "position", "9 fields"),
    (PLAIN.replace("0", "2", 1), "seat to move", "'2' is not 0 or 1"),
    (PLAIN.replace("0", "-", 1), "seat to move", "'-' is not 0 or 1"),
    (PLAIN.replace("G2 R5", ""), "hand of seat 0", "empty (an empty field is written -)"),
    (PLAIN.replace("G2", "G1"), "hand of seat 0: 'G1'", "not a card"),
    (PLAIN.replace("Y4", "Z4"), "hand of seat 1: 'Z4'", "not a card"),
    (PLAIN.replace("W5", "W55"), "deck: 'W55'", "not a card"),
    (PLAIN.replace("R3", "R3 - R4"), "piles: '-'", "not a card"),
    (PLAIN.replace("G2", "R5"), "hand of seat 0", "R5 appears twice"),
    (PLAIN.replace("Y4", "R5"), "hand of seat 1", "R5 appears twice"),
    (PLAIN.replace("W5", "R3"), "deck", "R3 appears twice"),
    (PLAIN.replace("W4 W5", "WX WX WX WX"), "deck", "WX appears more than 3 times"),
    (PLAIN.replace("G2", "P2"), "hand of seat 0", "P2: these rules have no colour P (colours=5)"),
    (PLAIN.replace("R3", "PX"), "piles", "PX: these rules have no colour P"),
    ("0 | - | - | R5 R4 | - | - | W4", "rows of seat 0", "R4 does not ascend after R5"),
    ("0 | - | - | - | R5 Y2 R4 | - | W4", "rows of seat 1", "R4 does not ascend after R5"),
    ("0 | - | - | R5 RX | - | - | W4", "rows of seat 0", "RX is a wager after the number R5"),
    ("0 | ?x | - | - | - | - | W4", "hand of seat 0", "'?x' is not ? and a number"),
    ("0 | ? | - | - | - | - | W4", "hand of seat 0", "'?' is not ? and a number"),
    ("0 | ?73 | - | - | - | - | W4", "hand of seat 0", "'?73' is not ? and a number"),
    ("0 | ?8 G2 | - | - | - | - | W4", "hand of seat 0", "'?8 G2' is not ? and a number"),
    ("0 | ?-1 | - | - | - | - | W4", "hand of seat 0", "'?-1' is not ? and a number"),
    ("0 | - | ?² | - | - | - | W4", "hand of seat 1", "'?²' is not ? and a number"),
    ("0 | - | - | ?3 | - | - | W4", "rows of seat 0: '?3'", "not a card"),
    ("0 | ?30 | ?30 | - | - | - | ?1", "position", "61 cards, but the deck has 60"),
    ("0 | ?30 | ?29 | - | - | Y2 | ?1", "position", "61 cards, but the deck has 60"),
    (PLAIN + " | R5", "lay: 'R5'", "a lay starts with + (play) or - (discard)"),
    (PLAIN + " | +", "lay: ''", "not a card"),
    (PLAIN + " | -", "lay: ''", "not a card"),
    (PLAIN + " | ", "lay: ''", "a lay starts with"),
    (PLAIN + " | +R5", "lay", "+R5 was laid, but R5 is not last on its row of seat 0"),
    (PLAIN + " | -R5", "lay", "-R5 was laid, but R5 is not last on its pile"),
    (PLAIN + " | +R3", "lay", "+R3 was laid, but R3 is not last on its row of seat 0"),
    (PLAIN + " | +P3", "lay", "P3: these rules have no colour P"),
    ("0 | - | - | - | R5 | - | W4 | +R5", "lay", "not last on its row of seat 0"),
    ("0 | - | - | R5 R7 | - | - | W4 | +R5", "lay", "not last on its row of seat 0"),
    ("0 | - | - | - | - | R5 R3 | W4 | -R5", "lay", "not last on its pile"),
]


@pytest.mark.parametrize(("text", "place", "reason"), ERRORS)
def test_an_error_names_the_field_and_the_card(text: str, place: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert (caught.value.place, reason in caught.value.reason) == (place, True), caught.value


def test_the_fields_have_the_names_that_errors_give() -> None:
    places = {place.partition(":")[0] for _, place, _ in ERRORS}
    assert set(FIELDS) <= places


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("0 | Y6 | - | - | - | - | W4", "top=5", "Y6 is not in the deck of these rules"),
        ("0 | YX | - | - | - | - | W4", "wagers=0", "YX is not in the deck of these rules"),
        ("0 | YX YX | - | - | - | - | W4", "wagers=1", "YX appears twice"),
        ("0 | YX | YX YX | - | - | - | W4", "wagers=2", "YX appears more than 2 times"),
        ("0 | W4 | - | - | - | - | Y4", "colours=2 hand=3", "no colour W (colours=2)"),
    ],
)
def test_study_decks_have_their_own_limits(text: str, rules: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason.replace("(", r"\(").replace(")", r"\)")):
        position(text, rules)


def test_six_colours() -> None:
    text = "0 | P2 PX | - | - | P3 P5 | P10 | R4"
    assert format_position(position(text, "long")) == text.replace("P2 PX", "PX P2")
    with pytest.raises(NotationError, match="no colour P"):
        position(text)


@pytest.mark.parametrize("row", read_positions("perft.txt"), ids=lambda row: str(row)[:9])
def test_positions_of_the_file_read_back(row: tuple[int, str, str]) -> None:
    colours, text, _ = row
    assert format_position(position(text, f"colours={colours}")) == text


@given(testing.positions())
def test_a_position_reads_back(state: RoundState) -> None:
    text = format_position(state)
    again = parse_position(text, state.rules)
    assert again == state
    assert format_position(again) == text


@given(testing.rounds() | testing.mid_turns())
def test_a_position_keeps_what_can_be_played(state: RoundState) -> None:
    again = parse_position(format_position(state), state.rules)
    if not state.over or state.deck_size == 0:
        assert again.legal_turns() == state.legal_turns()
    assert again.score == state.score


# ---- what is hidden -----------------------------------------------------------------------------


def test_a_hidden_hand_may_lay_what_is_nowhere_else() -> None:
    state = position("0 | ?2 | Y4 | - | - | R3 | ?20")
    for token, reason in (("+R5*", None), ("+R3*", Reason.NOT_HELD), ("+Y4*", Reason.NOT_HELD)):
        refused = refusal(state, parse_turn(token))
        assert (None if refused is None else refused.reason) == reason
    with pytest.raises(HiddenCardsError, match="hand of seat 0: hidden"):
        state.legal_turns()
    after = state.play(parse_turn("+R5*"))
    assert (after.hand_size(0), after.hidden_hands[0], after.deck_size) == (2, 2, 19)
    assert format_cards(after.expeditions[0][4]) == "R5"


def test_a_hidden_hand_of_none_lays_nothing() -> None:
    state = position("0 | - | Y4 | - | - | R3 | ?20")
    refused = refusal(state, parse_turn("+R5*"))
    assert refused is not None
    assert refused.reason is Reason.NOT_HELD
    assert state.legal_turns() == ()


def test_a_wager_of_a_hidden_hand_while_one_is_left() -> None:
    two = position("0 | ?2 | RX | RX | - | - | ?20")
    assert refusal(two, parse_turn("+RX*")) is None
    three = position("0 | ?2 | RX RX | RX | - | - | ?20")
    refused = refusal(three, parse_turn("+RX*"))
    assert refused is not None
    assert refused.reason is Reason.NOT_HELD


def test_a_card_taken_into_a_hidden_hand_is_known_there() -> None:
    state = position("0 | ?2 | Y4 | - | - | R3 | ?20").play(parse_turn("+B5<R"))
    assert format_cards(state.hands[0]) == format_cards(state.taken[0]) == "R3"
    assert (state.hidden_hands[0], state.hand_size(0)) == (1, 2)
    assert format_position(state) == "1 | ?2 | Y4 | B5 | - | - | ?20"
    state = state.play(parse_turn("-Y4*G2")).play(parse_turn("+R3*"))
    assert (state.taken[0], state.hands[0], state.hidden_hands[0]) == ((), (), 2)


def test_a_face_drawn_from_a_hidden_deck_must_be_left() -> None:
    state = position("0 | G2 R5 | Y4 | - | - | R3 | ?3")
    for token in ("+G2*Y4", "+G2*R3", "+G2*G2", "+G2*R5"):
        refused = refusal(state, parse_turn(token))
        assert refused is not None, token
        assert refused.reason is Reason.FACE_WRONG
        assert "every" in refused.text
    after = state.play(parse_turn("+G2*WX"))
    assert format_cards(after.hands[0]) == "WX R5"
    assert (after.deck_size, after.deck) == (2, ())
    bare = state.play(parse_turn("+G2*"))
    assert (bare.hidden_hands[0], bare.hand_size(0)) == (1, 2)


def test_the_card_laid_from_a_hidden_hand_cannot_be_drawn() -> None:
    state = position("0 | ?1 | Y4 | - | - | - | ?3")
    assert refusal(state, parse_turn("+R5*R6")) is None
    refused = refusal(state, parse_turn("+R5*R5"))
    assert refused is not None
    assert refused.reason is Reason.FACE_WRONG
    mid = position("0 | ?1 | Y4 | R5 | - | - | ?3 | +R5")
    assert refusal(mid, parse_turn("+R5*R6")) is None
    assert refusal(mid, parse_turn("+R5*R5")) is not None


def test_the_face_drawn_from_a_known_deck_is_checked() -> None:
    state = position(PLAIN)
    assert refusal(state, parse_turn("+R5*W4")) is None
    refused = refusal(state, parse_turn("+R5*W5"))
    assert refused is not None
    assert (refused.reason, refused.text) == (
        Reason.FACE_WRONG,
        "the card drawn is W4, not W5",
    )


# ---- the middle of a turn -----------------------------------------------------------------------


def test_a_lay_that_is_made_cannot_be_changed() -> None:
    state = make_lay(position(PLAIN), Lay.parse("-R5"))
    assert format_position(state) == "0 | G2 | Y4 B3 | - | - | R3 R5 | W4 W5 | -R5"
    refused = refusal(state, parse_turn("+G2*"))
    assert refused is not None
    assert refused.reason is Reason.OTHER_LAY_MADE
    assert lay_refusal(state, Lay.parse("-R5")) is None
    assert lay_refusal(state, Lay.parse("+R5")) is not None
    assert make_lay(state, Lay.parse("-R5")) == state
    after = state.play(parse_turn("-R5*"))
    assert format_position(after) == "1 | G2 W4 | Y4 B3 | - | - | R3 R5 | W5".replace(
        "G2 W4", "W4 G2"
    )
    assert after.lay is None
    assert after == position(PLAIN).play(parse_turn("-R5*"))


def test_an_illegal_lay_or_turn_is_not_made() -> None:
    state = position("0 | G2 R5 | Y4 B3 | R7 | - | - | W4 W5")
    for lay in ("+R5", "+Y4", "-W4", "+P2"):
        with pytest.raises(IllegalTurnError):
            make_lay(state, Lay.parse(lay))
        with pytest.raises(IllegalTurnError) as caught:
            state.play(parse_turn(f"{lay}*"))
        assert str(caught.value) == caught.value.refusal.text
    assert state == position("0 | G2 R5 | Y4 B3 | R7 | - | - | W4 W5")


def test_a_round_that_is_over_refuses_everything() -> None:
    state = position("0 | G2 R5 | Y4 B3 | - | - | R3 | -")
    for token in ("+R5*", "-R5*", "+G2<R"):
        refused = refusal(state, parse_turn(token))
        assert refused is not None
        assert refused.reason is Reason.ROUND_OVER
    assert lay_refusal(state, Lay.parse("+R5")) is not None
    draw = draw_refusal(state, parse_turn("+R5*"))
    assert draw is not None
    assert draw.reason is Reason.DECK_EMPTY


def test_a_pile_of_a_colour_that_these_rules_lack() -> None:
    refused = refusal(position(PLAIN), parse_turn("+R5<P"))
    assert refused is not None
    assert (refused.reason, "no colour P" in refused.text) == (Reason.NO_SUCH_COLOUR, True)


def test_rules_are_the_defaults_where_none_are_given() -> None:
    assert parse_position(PLAIN).rules == Rules()
