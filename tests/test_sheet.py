"""Score sheets: rows read from cards in the order played; impossible sheets are refused."""

import pytest

from lostcities.core.cards import format_cards
from lostcities.core.errors import NotationError
from lostcities.core.position import parse_position
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_seat
from lostcities.core.sheet import parse_sheet


def test_colours_may_come_interleaved() -> None:
    rows = parse_sheet("rx Y9 R2 Y10 r10", Rules())
    assert [format_cards(row) for row in rows] == ["Y9 Y10", "-", "-", "-", "RX R2 R10"]
    assert score_seat(rows, Rules()) == -1 + -16


@pytest.mark.parametrize("text", ["", " ", "-", " - "])
def test_an_empty_sheet(text: str) -> None:
    assert parse_sheet(text, Rules()) == ((),) * 5


@pytest.mark.parametrize(
    ("text", "rules", "place", "reason"),
    [
        ("R5 Z5", "", "card 2: 'Z5'", "not a card"),
        ("R5 -", "", "card 2: '-'", "not a card"),
        ("R5 P5", "", "card 2", "P5: these rules have no colour P (colours=5)"),
        ("Y9", "top=8", "card 1", "Y9 is not in the deck of these rules"),
        ("YX", "wagers=0", "card 1", "YX is not in the deck of these rules"),
        ("B2 B2", "", "card 2", "B2 appears twice"),
        ("BX BX BX BX", "", "card 4", "BX appears more than 3 times"),
        ("BX BX", "wagers=1", "card 2", "BX appears twice"),
        ("B5 Y2 B4", "", "card 3", "B4 is not higher than B5, which comes before it"),
        ("B10 B9", "", "card 2", "B9 is not higher than B10"),
        ("B5 BX", "", "card 2", "BX is a wager after the number B5"),
    ],
)
def test_an_impossible_sheet_is_refused(text: str, rules: str, place: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_sheet(text, Rules.parse(rules))
    assert (caught.value.place, reason in caught.value.reason) == (place, True), caught.value


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [("B2", "B2", False), ("BX BX", "BX BX", False), ("BX", "BX", True), ("B2", "B3", True)],
)
def test_both_sides_together_hold_the_deck(one: str, other: str, possible: bool) -> None:
    """A sheet is one side's; a position knows both, and counts them together."""
    for side in (one, other):
        parse_sheet(side, Rules())
    text = f"0 | - | - | {one} | {other} | - | Y2"
    if possible:
        parse_position(text)
    else:
        with pytest.raises(NotationError, match="rows of seat 1: B"):
            parse_position(text)


def test_six_colours() -> None:
    rows = parse_sheet("PX P10", Rules(colours=6))
    assert format_cards(rows[5]) == "PX P10"
