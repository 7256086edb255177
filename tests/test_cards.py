"""Cards, colours and turns as text, and lists of cards."""

import random

import pytest
from hypothesis import given

from lostcities import testing
from lostcities.core.cards import (
    FACES,
    Card,
    Colour,
    count_faces,
    distinct,
    format_cards,
    parse_card,
    parse_cards,
    parse_colour,
    sort_cards,
    with_card,
    without,
)
from lostcities.core.errors import LostCitiesError, NotationError
from lostcities.core.turn import Lay, Turn, parse_turn

CANONICAL = (
    "YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 BX B2 B3 B4 B5 B6 B7 B8 B9 B10 "
    "WX W2 W3 W4 W5 W6 W7 W8 W9 W10 GX G2 G3 G4 G5 G6 G7 G8 G9 G10 "
    "RX R2 R3 R4 R5 R6 R7 R8 R9 R10 PX P2 P3 P4 P5 P6 P7 P8 P9 P10"
)


def test_the_canonical_order() -> None:
    """Colours Y B W G R P, wagers first, 10 after 9: never the order of the text."""
    assert format_cards(FACES) == CANONICAL
    mixed = list(FACES)
    random.Random(1).shuffle(mixed)
    assert sort_cards(mixed) == FACES == tuple(sorted(mixed))
    assert sorted(map(str, FACES)) != CANONICAL.split()


@pytest.mark.parametrize("card", FACES, ids=str)
def test_a_card_reads_back(card: Card) -> None:
    for text in (str(card), str(card).lower(), str(card).title()):
        assert parse_card(text) == Card.parse(text) == card
    assert card.is_wager == str(card).endswith("X")
    assert hash(card) == hash(Card(card.colour, card.rank))


def test_faces_hash_apart_except_few() -> None:
    assert len({hash(card) for card in FACES}) >= 55


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "starts with a colour"),
        ("5", "starts with a colour"),
        ("Z5", "starts with a colour"),
        ("5R", "starts with a colour"),
        ("-", "starts with a colour"),
        ("R", "a number from 2 to 10, or X"),
        ("R1", "a number from 2 to 10, or X"),
        ("R0", "a number from 2 to 10, or X"),
        ("R11", "a number from 2 to 10, or X"),
        ("R05", "a number from 2 to 10, or X"),
        ("RW", "a number from 2 to 10, or X"),
        ("RXX", "a number from 2 to 10, or X"),
        ("R 5", "a number from 2 to 10, or X"),
        ("R\u0665", "a number from 2 to 10, or X"),
    ],
)
def test_no_card(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert caught.value.place == repr(text)
    assert reason in caught.value.reason
    assert str(caught.value) == f"{text!r}: {caught.value.reason}"


def test_colours() -> None:
    for colour in Colour:
        assert parse_colour(colour.letter) == parse_colour(colour.letter.lower()) == colour
    for text in ("", "Z", "YB", "yellow", "ß", "0"):
        with pytest.raises(NotationError, match="not a colour"):
            parse_colour(text)


def test_lists_of_cards() -> None:
    assert parse_cards("r5  yX\tg10") == (parse_card("R5"), parse_card("YX"), parse_card("G10"))
    for nothing in ("", " ", "-", " - "):
        assert parse_cards(nothing) == ()
    assert format_cards(()) == "-"
    assert format_cards(parse_cards("R5 YX")) == "R5 YX"
    with pytest.raises(NotationError):
        parse_cards("R5 - G3")


def test_one_of_two_equal_cards_leaves() -> None:
    hand = parse_cards("YX YX Y2 RX RX RX")
    assert format_cards(without(hand, parse_card("YX"))) == "YX Y2 RX RX RX"
    assert format_cards(without(hand, parse_card("RX"))) == "YX YX Y2 RX RX"
    with pytest.raises(ValueError, match="not in"):
        without(hand, parse_card("Y3"))


@pytest.mark.parametrize("card", ["YX", "Y2", "Y9", "Y10", "BX", "R9", "R10", "PX"])
def test_a_card_finds_its_place(card: str) -> None:
    hand = parse_cards("YX Y3 Y10 BX R9 R10")
    after = with_card(hand, parse_card(card))
    assert after == sort_cards((*hand, parse_card(card)))
    assert len(after) == 7


def test_faces_are_told_apart_and_counted() -> None:
    hand = parse_cards("RX Y10 RX Y9 RX")
    assert format_cards(distinct(hand)) == "Y9 Y10 RX"
    assert count_faces(hand)[parse_card("RX")] == 3
    assert count_faces(hand)[parse_card("BX")] == 0


@pytest.mark.parametrize(
    ("token", "lay", "draw", "drawn"),
    [
        ("+R5*", "+R5", None, None),
        ("+R5*G8", "+R5", None, "G8"),
        ("-GX<B", "-GX", Colour.BLUE, None),
        ("+r10*g8", "+R10", None, "G8"),
        ("-r10<p", "-R10", Colour.PURPLE, None),
    ],
)
def test_turns(token: str, lay: str, draw: Colour | None, drawn: str | None) -> None:
    face = None if drawn is None else parse_card(drawn)
    turn = Turn(Lay.parse(lay), draw, face)
    assert parse_turn(token) == Turn.parse(token) == turn
    assert str(turn) == token.upper()
    assert turn.lay.discard == token.startswith("-")
    assert turn.public == Turn(Lay.parse(lay), draw)


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("", "ends with its draw"),
        ("+R5", "ends with its draw"),
        ("R5*", "starts with \\+"),
        ("*", "starts with \\+"),
        ("=R5*", "starts with \\+"),
        ("+R11*", "a number from 2 to 10"),
        ("+*", "starts with a colour"),
        ("+R5<", "not a colour"),
        ("+R5<Z", "not a colour"),
        ("+R5<B4", "not a colour"),
        ("+R5*Z", "starts with a colour"),
        ("+R5**", "starts with a colour"),
        ("+R5<*", "a number from 2 to 10"),
        ("+R5 *", "a number from 2 to 10"),
        ("++R5*", "starts with a colour"),
    ],
)
def test_no_turn(token: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_turn(token)


@pytest.mark.parametrize("token", ["", "R5", "+", "+R5*", "*", "~R5"])
def test_no_lay(token: str) -> None:
    with pytest.raises(NotationError):
        Lay.parse(token)


def test_an_error_names_the_place_within() -> None:
    inner = NotationError("'Z5'", "not a card")
    assert str(inner.within("deck")) == "deck: 'Z5': not a card"
    assert str(NotationError("", "empty").within("deck")) == "deck: empty"
    assert isinstance(inner, LostCitiesError)
    assert isinstance(inner, ValueError)


@given(testing.turns())
def test_a_turn_reads_back(turn: Turn) -> None:
    assert parse_turn(str(turn)) == parse_turn(str(turn).lower()) == turn


@given(testing.lays())
def test_a_lay_reads_back(lay: Lay) -> None:
    assert Lay.parse(str(lay)) == lay
