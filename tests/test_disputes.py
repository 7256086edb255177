"""Every question about the rules that is on record has a decision, and tests that show it."""

import re
from pathlib import Path
from typing import Any

import pytest

from data_files import read_own_rows

TESTS = Path(__file__).parent
ROWS = read_own_rows("disputes.jsonl")
NOT_OFFERED = {"LC-15", "LC-54", "LC-63"}
"""House rules of their own: two turns after the end, partnership, a deal of twelve."""


def test_every_question_is_there_once() -> None:
    assert [row["id"] for row in ROWS] == [f"LC-{number:02}" for number in range(1, 64)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_a_decision_names_tests_that_exist(row: dict[str, Any]) -> None:
    assert row["situation"]
    assert row["outcome"]
    assert (row["decision"] == "not offered") == (row["id"] in NOT_OFFERED)
    assert row["tests"] or row["id"] in NOT_OFFERED
    for test in row["tests"]:
        file, name = test.split("::")
        source = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", source, re.MULTILINE), test
