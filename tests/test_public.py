"""The public library: what `import lostcities` gives."""

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import lostcities
from lostcities.core import cards


def test_every_public_name_loads_and_says_what_it_is() -> None:
    for name in lostcities.__all__:
        value = getattr(lostcities, name)
        assert name in dir(lostcities)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert value.__module__.startswith("lostcities.core.")
            assert inspect.getdoc(value), name


def test_the_names_for_type_checkers_are_the_names_that_load() -> None:
    tree = ast.parse(Path(lostcities.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        for alias in node.names if (node.module or "").startswith("lostcities.core.")
    }  # fmt: skip
    assert typed | {"__version__"} == set(lostcities.__all__)
    homes = {
        name: node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        for name in (alias.name for alias in node.names)
    }  # fmt: skip
    for name in typed:
        assert homes[name] == f"lostcities.core.{lostcities._HOME_OF[name]}"


def test_names_are_the_cores_own_values() -> None:
    assert lostcities.Card is cards.Card
    assert {name for name in lostcities.__all__ if not hasattr(lostcities, name)} == set()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Game'"):
        lostcities.Game  # noqa: B018
    with pytest.raises(ImportError):
        exec("from lostcities import Game")


def test_importing_loads_no_part_of_the_core_until_it_is_used() -> None:
    code = (
        "import sys, lostcities\n"
        "print([name for name in sys.modules if name.startswith('lostcities.')])\n"
        "lostcities.Card; print('lostcities.core.cards' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\nTrue\n"


def test_the_example_in_the_package_runs() -> None:
    assert doctest.testmod(lostcities).attempted == 3
    assert doctest.testmod(lostcities).failed == 0


def test_the_version_is_the_distributions() -> None:
    assert lostcities.__version__[0].isdigit()
