"""The time rules: written and read, the arithmetic of a clock, the safe turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.core.errors import RulesError
from lostcities.core.pace import USUAL, Pace, safe_turn
from lostcities.core.position import parse_position
from lostcities.core.rules import Rules
from lostcities.core.views import View, view_of_round

WRITTEN = [
    ("", "absent=180"),
    ("absent=wait", "absent=wait"),
    ("turn=60", "turn=60 timeout=forfeit absent=180"),
    ("absent=60 timeout=safe turn=90", "turn=90 timeout=safe absent=60"),
    ("clock=300", "clock=300+0 timeout=forfeit absent=180"),
    ("clock=300+5 absent=wait", "clock=300+5 timeout=forfeit absent=wait"),
    ("days=3", "days=3 timeout=forfeit"),
    ("days=1 timeout=safe", "days=1 timeout=safe"),
]
WRONG = [
    ("turn=4", "turn"),
    ("turn=60 turn=61", "given twice"),
    ("turn=sixty", "not a number"),
    ("turn=60 days=3", "only one of"),
    ("clock=300+601", "clock"),
    ("clock=300 timeout=safe", "safe turn needs"),
    ("days=31", "days"),
    ("days=3 absent=60", "may be away"),
    ("timeout=safe", "needs one of"),
    ("turn=60 timeout=shrug", "not forfeit or safe"),
    ("absent=5", "absent"),
    ("absent=-60", "not a number"),
    ("speed=9", "unknown time rule"),
    ("turn", "not a number"),
]


@pytest.mark.parametrize(("text", "whole"), WRITTEN)
def test_time_rules_are_read_and_written(text: str, whole: str) -> None:
    assert str(Pace.parse(text)) == whole
    assert Pace.parse(whole) == Pace.parse(text)


@pytest.mark.parametrize(("text", "reason"), WRONG)
def test_impossible_time_rules_are_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Pace.parse(text)


def test_what_is_usual_has_no_clock_and_three_minutes_for_absence() -> None:
    assert Pace.parse("") == USUAL
    assert (USUAL.kind, USUAL.absent_ms, USUAL.pause_ms) == ("none", 180_000, None)


PACES = st.one_of(
    st.builds(Pace, turn=st.integers(5, 3600), timeout=st.sampled_from(("forfeit", "safe"))),
    st.builds(Pace, bank=st.integers(10, 36_000), increment=st.integers(0, 600)),
    st.builds(Pace, days=st.integers(1, 30), absent=st.none()),
    st.builds(Pace, absent=st.none() | st.integers(10, 86_400)),
)


@given(PACES)
def test_whatever_is_written_is_read_as_it_was(pace: Pace) -> None:
    assert Pace.parse(str(pace)) == pace


@given(st.integers(0, 600), st.lists(st.integers(0, 400_000), max_size=30))
def test_a_clock_loses_what_was_used_and_gains_the_increment(plus: int, used: list[int]) -> None:
    pace = Pace(bank=300, increment=plus)
    left = pace.bank_ms
    for each in used:
        before = left
        left = pace.after_turn(left, each)
        assert left == max(before - each, 0) + 1000 * plus
    assert left >= 0
    if sum(used) <= 300_000:
        assert left == 300_000 - sum(used) + 1000 * plus * len(used)


def view(position: str) -> View:
    state = parse_position(position, Rules(hand=3))
    return view_of_round(state, state.to_move, 1)


@pytest.mark.parametrize(
    ("hand", "rows", "safe"),
    [
        ("Y5 B3 R9", "-", "-B3*"),
        ("Y5 B5 R9", "-", "-Y5*"),
        ("YX B2 R9", "-", "-YX*"),
        ("Y5 B2 R9", "Y7", "-Y5*"),
        ("Y5 Y4 R3", "Y7 R5", "-R3*"),
        ("YX B2 R9", "Y7", "-YX*"),
        ("Y8 B2 R9", "Y7", "-B2*"),
    ],
)
def test_the_safe_turn_is_the_lowest_that_fits_nowhere(hand: str, rows: str, safe: str) -> None:
    assert str(safe_turn(view(f"0 | {hand} | ?3 | {rows} | - | G3 | ?5"))) == safe


def test_the_safe_turn_depends_on_nothing_hidden() -> None:
    hidden = view("0 | Y5 B3 R9 | ?3 | Y7 | - | G3 | ?5")
    for theirs, deck in (("G4 G5 G6", "W2 W3 W4 W5 W6"), ("YX BX RX", "Y2 B2 R2 G2 W2")):
        open_view = view(f"0 | Y5 B3 R9 | {theirs} | Y7 | - | G3 | {deck}")
        assert safe_turn(open_view) == safe_turn(hidden)


def test_there_is_no_safe_turn_for_who_is_not_to_move() -> None:
    state = parse_position("0 | Y5 B3 R9 | G4 G5 G6 | - | - | - | W2", Rules(hand=3))
    with pytest.raises(ValueError, match="to move"):
        safe_turn(view_of_round(state, 1, 1))
