"""What notices say, in the languages of the page. They are written by the room, since a browser
shows them while no page is open.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

ENGLISH = "en"

Texts = dict[str, dict[str, str]]


@functools.cache
def languages() -> frozenset[str]:
    """The languages in which notices can be written."""
    found = files(__package__).joinpath("texts").iterdir()
    return frozenset(each.name.removesuffix(".toml") for each in found if ".toml" in each.name)


def known(language: str) -> str:
    """The language itself where there are texts in it; else English."""
    main = language.lower().partition("-")[0]
    return main if main in languages() else ENGLISH


@functools.cache
def texts(language: str) -> Texts:
    """Every text in a language, by section and key; in English for a language without any."""
    file = files(__package__).joinpath("texts", f"{known(language)}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def say(language: str, section: str, key: str, **values: str) -> str:
    """A text with its places filled. What is filled in is never taken for a place itself."""
    return texts(language)[section][key].strip().format_map(values)
