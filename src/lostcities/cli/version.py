"""``lostcities version``: the version, and what is installed beside it."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

from lostcities.cli import options

NAME = "version"
HELP = "The version of lostcities, of Python, and of the optional packages it found."

_OPTIONAL = ("numba", "numpy", "torch", "gymnasium", "pettingzoo", "psycopg", "redis")


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    options.add_json(parser, "the versions")
    options.example(parser, "lostcities version")


def run(args: argparse.Namespace) -> int:
    """Print the versions."""
    found: dict[str, str | None] = {
        "lostcities": installed("lostcities"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: installed(name) for name in _OPTIONAL},
    }
    if args.json:
        options.show(found)
        return 0
    print(f"lostcities {found.pop('lostcities') or '(not installed, run from its source)'}")
    for name, value in found.items():
        print(f"  {name:<11}{value or '-'}")
    return 0


def installed(name: str) -> str | None:
    """The version of an installed distribution; None if it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
