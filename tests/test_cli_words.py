"""What a person types during a match in the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.cli.terminal.words import DrawWish, LayWish, Misread, Order, read_wish
from lostcities.core.cards import FACES, Card, Colour, parse_card
from lostcities.core.turn import Lay, Turn, parse_turn

R5 = parse_card("R5")
PLAY, DISCARD = Lay(R5, discard=False), Lay(R5, discard=True)
DECK, BLUE = DrawWish(None), DrawWish(Colour.BLUE)


@pytest.mark.parametrize("text", ["+R5", "+r5", "+ r5", "play r5", "p R5", "PLAY the r5"])
def test_a_play_in_notation_or_words(text: str) -> None:
    assert read_wish(text, laid=False) == LayWish(PLAY)
    assert read_wish(text, laid=True) == LayWish(PLAY)  # another card instead


@pytest.mark.parametrize("text", ["-R5", "-r5", "- R5", "discard r5", "d r5"])
def test_a_discard_in_notation_or_words(text: str) -> None:
    assert read_wish(text, laid=False) == LayWish(DISCARD)


@pytest.mark.parametrize(
    "text", ["+R5*", "+r5 *", "p r5 *", "play r5 deck", "p r5 and draw from the deck", "+r5 deck"]
)
def test_a_whole_turn_from_the_deck(text: str) -> None:
    assert read_wish(text, laid=False) == LayWish(PLAY, DECK)


@pytest.mark.parametrize(
    "text", ["-R5<B", "-r5 <b", "- r5 < b", "d r5 b", "discard r5 take blue", "d r5 <b", "d r5 b7",
             "discard r5 and take from the blue pile"],
)  # fmt: skip
def test_a_whole_turn_from_a_pile(text: str) -> None:
    assert read_wish(text, laid=False) == LayWish(DISCARD, BLUE)


@pytest.mark.parametrize("text", ["", " ", "*", "deck", "DRAW", "d", "from the deck"])
def test_a_draw_from_the_deck(text: str) -> None:
    assert read_wish(text, laid=True) == DECK


@pytest.mark.parametrize(
    "text", ["<B", "<b", "< b", "b", "blue", "take b", "t blue", "pile b", "B10", "take bx"]
)
def test_a_draw_from_a_pile(text: str) -> None:
    assert read_wish(text, laid=True) == BLUE


@pytest.mark.parametrize("order", list(Order))
def test_one_word_orders(order: Order) -> None:
    for word in order.value:
        assert read_wish(word.upper(), laid=False) is order


def test_yellow_and_yes_are_told_apart_by_what_is_due() -> None:
    assert read_wish("y", laid=True) == DrawWish(Colour.YELLOW)
    assert read_wish("y", laid=False) is Order.GO_ON


@pytest.mark.parametrize(
    ("text", "laid", "said"),
    [
        ("r5", False, "play or discard it? +R5 plays, -R5 discards"),
        ("*", False, "lay a card first"),
        ("", False, "lay a card first"),
        ("nonsense", False, "'nonsense' is not understood"),
        ("nonsense", True, "draw now"),
        ("+Q5", False, "'q5'"),
        ("+", False, "'+' is not understood"),
        ("play", False, "'play' is not understood"),
        ("p r5 x", False, "'x' is not a draw"),
        ("p the", False, "not a card"),
        ("-R5<", False, "not a colour"),
        ("+R5<Q", False, "not a colour"),
        ("+R5*Q", False, "not a card"),
        ("+R5*G8", False, "cannot be named"),
    ],
)
def test_what_is_no_wish_says_what_was_expected(text: str, laid: bool, said: str) -> None:
    read = read_wish(text, laid=laid)
    assert isinstance(read, Misread)
    assert said in read.text


@given(
    st.sampled_from(FACES), st.booleans(), st.sampled_from([None, *Colour]), st.booleans(),
)  # fmt: skip
def test_every_turn_of_the_notation_is_read(
    card: Card, discard: bool, draw: Colour | None, lower: bool
) -> None:
    text = str(Turn(Lay(card, discard), draw))
    read = read_wish(text.lower() if lower else text, laid=False)
    assert read == LayWish(Lay(card, discard), DrawWish(draw))
    assert parse_turn(text).draw == draw


@given(st.text(), st.booleans())
def test_whatever_is_typed_is_answered(text: str, laid: bool) -> None:
    read = read_wish(text, laid=laid)
    assert isinstance(read, Order | LayWish | DrawWish | Misread)
    assert not isinstance(read, Misread) or read.text
