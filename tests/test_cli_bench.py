"""The command bench measures, and says so in the promised form."""

import json

import pytest

from lostcities.cli.main import main

pytestmark = pytest.mark.slow


def test_every_figure_stands_beside_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "random rounds", "batched steps", "turns of steady@1", "records replayed",
    }  # fmt: skip
    for figure in found.values():
        assert set(figure) == {"value", "unit", "against", "ratio"}
        assert figure["value"] > 0
        assert figure["ratio"] > 0
    assert found["random rounds"]["ratio"] > 10


def test_rules_that_cannot_be_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rules", "colours=9"]) == 1
    assert "colours" in capsys.readouterr().err
