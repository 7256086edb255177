"""Any text and any JSON: every reader answers, or refuses with an error of this project."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from data_files import DATA
from lostcities import testing
from lostcities.core.cards import parse_card, parse_cards, parse_colour
from lostcities.core.errors import LostCitiesError, NotationError
from lostcities.core.position import format_position, parse_position
from lostcities.core.record import parse_termination
from lostcities.core.record_json import record_from_dict, record_to_dict
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.rules import Rules
from lostcities.core.turn import Lay, parse_turn
from lostcities.core.view_json import view_from_dict, view_to_dict
from lostcities.core.views import view_of_round

READERS: list[Callable[[str], Any]] = [
    parse_card,
    parse_cards,
    parse_colour,
    parse_turn,
    Lay.parse,
    Rules.parse,
    parse_position,
    parse_record,
    parse_termination,
]
RECORD = (DATA / "records" / "m001.lcr").read_text(encoding="utf-8")
POSITION = "0 | ?2 | YX YX R5 | Y2 R2 | - | R3 G10 | W4 W5"
WORDS = [
    *"YBWGRPX+-*<?|=[]\"\\ .:;\n\t0123456789",
    "R5", "YX", "P10", "+R5*", "-R5<R", " | ", "[Round \"1\"]", "[Termination \"stall\"]",
    "colours=6", "rounds=open", "room", "?8", "resigned 0", "\ufeff", "\x00", "²", "İ", "ß",
]  # fmt: skip
texts = st.text() | st.lists(st.sampled_from(WORDS)).map("".join)


def answers(read: Callable[[Any], Any], value: object) -> bool:
    """Whether a reader takes a value; any error but one of this project's fails the test."""
    error = None
    try:
        read(value)
    except LostCitiesError as caught:
        error = caught
    if error is None:
        return True
    assert isinstance(error, NotationError)
    assert error.reason
    assert str(error)
    return False


@pytest.mark.parametrize("read", READERS, ids=lambda read: str(read.__qualname__))
@given(text=texts)
@settings(max_examples=60)
@example(text="")
@example(text="|" * 500)
@example(text="?" + "9" * 5000)
@example(text="colours=" + "9" * 5000)
@example(text='[Round "' + "9" * 5000 + '"]')
@example(text='[Result "' + "9" * 5000 + ' 1"]')
def test_any_text(read: Callable[[str], Any], text: str) -> None:
    answers(read, text)


def spoilt(text: str, at: int, cut: int, more: str) -> str:
    place = at % (len(text) + 1)
    return text[:place] + more + text[place + cut :]


edits = st.tuples(st.integers(0, 10_000), st.integers(0, 9), st.sampled_from(["", *WORDS]))


@given(st.lists(edits, min_size=1, max_size=4))
def test_a_spoilt_position(edits: list[tuple[int, int, str]]) -> None:
    text = POSITION
    for edit in edits:
        text = spoilt(text, *edit)
    if answers(parse_position, text):
        once = format_position(parse_position(text))
        assert format_position(parse_position(once)) == once


@given(st.lists(edits, min_size=1, max_size=3))
def test_a_spoilt_record(edits: list[tuple[int, int, str]]) -> None:
    text = RECORD
    for edit in edits:
        text = spoilt(text, *edit)
    if answers(parse_record, text):
        record = parse_record(text)
        once = format_record(record)
        assert parse_record(once) == record
        assert format_record(parse_record(once)) == once


@given(testing.rules(), edits)
def test_spoilt_rules(rules: Rules, edit: tuple[int, int, str]) -> None:
    text = spoilt(str(rules), *edit)
    if answers(Rules.parse, text):
        assert Rules.parse(str(Rules.parse(text))) == Rules.parse(text)


# ---- JSON ---------------------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.sampled_from(
    ["", "Y", "R5", "YX", "+R5*", "open", "random", "-R5<R", "resigned 0", "stall", "²"]
)  # fmt: skip
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["Y", "R", "seat", "deck", "colours", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
VIEW = view_to_dict(view_of_round(list(testing.random_round(Rules(), 4))[40], 0))
RECORD_JSON = record_to_dict(parse_record(RECORD))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a JSON value."""
    found = [path]
    if isinstance(value, dict):
        items: list[tuple[Any, Any]] = list(value.items())
    else:
        items = list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy with something else at one place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


@given(st.sampled_from(places(VIEW)), anything)
@settings(max_examples=300)
def test_a_spoilt_view(path: tuple[Any, ...], new: Any) -> None:
    values = put(VIEW, path, new)
    if answers(view_from_dict, values):
        view = view_from_dict(values)
        assert view_from_dict(view_to_dict(view)) == view
        json.dumps(view_to_dict(view))


@given(st.sampled_from(places(RECORD_JSON)), anything)
@settings(max_examples=200)
def test_a_spoilt_record_in_json(path: tuple[Any, ...], new: Any) -> None:
    values = put(RECORD_JSON, path, new)
    if answers(record_from_dict, values):
        record = record_from_dict(values)
        assert record_from_dict(record_to_dict(record)) == record
        assert parse_record(format_record(record)) == record


@given(st.sampled_from(places(Rules().to_dict())), anything)
@settings(max_examples=200)
def test_spoilt_rules_in_json(path: tuple[Any, ...], new: Any) -> None:
    if not path:
        return
    values = put(Rules().to_dict(), path, new)
    if answers(Rules.from_dict, values):
        rules = Rules.from_dict(values)
        assert Rules.parse(str(rules)) == rules
        assert Rules.from_dict(rules.to_dict()) == rules


@pytest.mark.parametrize("read", [view_from_dict, record_from_dict])
@given(value=anything)
@settings(max_examples=60)
def test_any_json(read: Callable[[Any], Any], value: Any) -> None:
    answers(read, value)
