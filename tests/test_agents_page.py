"""docs/agents.md is run as it stands."""

import doctest
import re
from pathlib import Path

from lostcities.agents.registry import agent_names

PAGE = Path(__file__).parents[1] / "docs" / "agents.md"


def test_the_example_of_the_page_holds() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_page_tells_of_every_agent() -> None:
    told = re.findall(r"^\| `(\S+@\d+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [name for name in agent_names() if name in told] == told
    assert set(told) == set(agent_names())


def test_the_files_that_the_page_names_exist() -> None:
    links = re.findall(r"\]\((\.\./[^)]+)\)", PAGE.read_text("utf-8"))
    assert len(links) >= 3
    for link in links:
        assert (PAGE.parent / link).exists(), link
