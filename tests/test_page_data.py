"""What the page knows of decks, sheets and rules is up to date."""

import json
from pathlib import Path

import pytest
from tools import page_data

from page_examples import examples

RULES = Path(__file__).parents[1] / "docs" / "rules.md"


@pytest.mark.parametrize("name", page_data.FILES)
def test_the_file_is_what_the_tool_writes(name: str) -> None:
    held = (page_data.SHEET / name).read_text("utf-8")
    assert held == page_data.text_of(name), "out of date: make page-data"


def test_no_question_and_no_example_is_lost() -> None:
    questions = json.loads((page_data.SHEET / "rules.json").read_text("utf-8"))["questions"]
    assert sum(len(each["examples"]) for each in questions) == len(examples(RULES))
    assert len({each["id"] for each in questions}) == len(questions) >= 45
    assert all(each["answer"] or each["examples"] for each in questions)


def test_the_cases_hold_three_whole_rounds_and_every_kind_of_problem() -> None:
    sheets = json.loads((page_data.SHEET / "cases.json").read_text("utf-8"))["sheets"]
    assert sum(len(each["cards"][0]) > 8 and not each["problems"] for each in sheets) >= 3
    about_cards = {bool(each["card"]) for sheet in sheets for each in sheet["problems"]}
    assert about_cards == {True, False}
    assert sum(bool(sheet["problems"]) for sheet in sheets) >= 6
