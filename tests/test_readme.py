"""The README is run as it stands."""

import doctest
import re
from pathlib import Path

from lostcities.cli import main as cli

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_examples_of_the_readme_hold() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_every_command_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"^    lostcities (\w+)", README.read_text("utf-8"), re.MULTILINE))
    assert len(named) >= 4
    for name in sorted(named):
        assert cli.main([name, "--help"]) == 0, name
