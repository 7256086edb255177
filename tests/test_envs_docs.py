"""The quick starts of docs/envs run as they stand, and its figures are those of the code."""

import re
from pathlib import Path
from typing import Any

import pytest

from lostcities import encoding
from lostcities.kernel.observe import NUMBERS, OBSERVATION_VERSION, PLANES, observation_length

DOCS = Path(__file__).parents[1] / "docs" / "envs"
NEEDS = {
    "pettingzoo": "pettingzoo",
    "gymnasium": "gymnasium",
    "openspiel": "pyspiel",
}


def examples() -> list[Any]:
    found = []
    for path in sorted(DOCS.glob("*.md")):
        for code in re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL):
            need = NEEDS.get(path.stem)
            marks = [pytest.mark.needs(need)] if need else []
            found.append(pytest.param(code, id=path.stem, marks=marks))
    return found


@pytest.mark.parametrize("code", examples())
def test_a_quick_start_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(code.splitlines()) <= 14
    exec(compile(code, "quick start", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


def test_every_door_has_a_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    for path in DOCS.glob("*.md"):
        assert path.name == "README.md" or f"({path.name})" in index
        assert path.name == "README.md" or "## Versions" in path.read_text("utf-8")


def test_the_figures_on_the_page_are_those_of_the_code() -> None:
    page = (DOCS / "README.md").read_text("utf-8")
    lengths = [observation_length(colours) for colours in (5, 6, 1)]
    assert "{} values with five colours, {} with six, {} in".format(*lengths) in page
    actions = [encoding.actions(colours) for colours in (5, 6, 1)]
    assert "{} with five colours, {} with six, {} in".format(*actions) in page
    assert f"`({PLANES}, C, 10)`" in page
    assert f"`({NUMBERS},)`" in page
    assert f"version {OBSERVATION_VERSION}" in page
