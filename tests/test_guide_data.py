"""The boards of the page's rules and tutorial are what the core makes of them."""

import json
from typing import Any

import pytest
from tools import guide_data

from lostcities.core.position import parse_position
from lostcities.core.round import legal_turns


@pytest.mark.parametrize("name", guide_data.FILES)
def test_the_file_is_what_the_tool_writes(name: str) -> None:
    held = (guide_data.FILES[name][0] / name).read_text("utf-8")
    assert held == guide_data.text_of(name), "out of date: make page-data"


def made(name: str) -> Any:
    return json.loads((guide_data.GUIDE / name).read_text("utf-8"))


def test_every_question_opens_a_board() -> None:
    asked = [each for part in made("order.json")[1:] for each in part["questions"]]
    assert len(asked) >= 50
    assert [each for each in asked if not made("positions.json").get(each)] == []


def test_a_question_offers_every_legal_turn() -> None:
    text = "0 | G2 R5 | Y4 B3 | - | - | R3 | W4 W5"
    (board,) = made("positions.json")["may-i-take-the-card-under-it"]
    turns = [str(turn) for turn in legal_turns(parse_position(text))]
    assert board["start"]["view"]["legal"] == list(board["start"]["next"]) == turns


def test_a_line_of_the_rules_goes_on_by_itself() -> None:
    (board,) = made("positions.json")["may-i-take-my-own-discard-later"][:1]
    node, turns = board["start"], []
    for token in ("-R5*", "-B3*", "-G2<R"):
        node = node["next"][token]
        turns.append(node["turn"])
    assert turns == ["-R5*W4", "-B3*", "-G2<R"]


def test_no_board_tells_what_its_reader_may_not_know() -> None:
    """The other side's hand is hidden, and so is what it draws."""
    for boards in made("positions.json").values():
        for board in boards:
            assert "hidden" not in json.dumps(board)
            assert_hidden(board["start"], board["seat"])


def assert_hidden(node: dict[str, Any], seat: int) -> None:
    view = node["view"]
    assert len(view["hand"]) == view["hand_sizes"][seat]
    for token, after in node.get("next", {}).items():
        mine = view["to_move"] == seat
        assert mine or after["turn"] == token
        assert_hidden(after, seat)
