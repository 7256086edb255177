"""What a reader complains of: an English sentence that also says itself by a code and its facts.

A program that speaks another language words the code itself; everybody else reads the sentence. A
sentence is written once, as a :class:`Sentence`, and said with its facts, so that no complaint can
be without a code. The facts may be sentences in their turn: a place, then what is wrong there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with its facts filled in.

    Attributes:
        code: which sentence it is, e.g. ``"record.twice"``.
        facts: by name what it speaks of; a value of another kind as Python writes it.
        text: the sentence in English.
    """

    code: str
    facts: Mapping[str, str | int | Said]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that something may complain with.

    Attributes:
        code: its name, a group and a word; the page has words for each.
        english: with a field for each fact, as :meth:`str.format` has them.
    """

    code: str
    english: str

    @property
    def fields(self) -> frozenset[str]:
        """The names of its facts."""
        return _fields(self.english)

    def __call__(self, **facts: object) -> Said:
        """The sentence with its facts.

        Raises:
            TypeError: a fact is missing, or is none of its own.
        """
        if facts.keys() != self.fields:
            raise TypeError(f"{self.code} needs {sorted(self.fields)}, not {sorted(facts)}")
        told = {name: _plain(value) for name, value in facts.items()}
        return Said(self.code, told, self.english.format(**facts))


@cache
def _fields(english: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(english) if name)


def _plain(value: object) -> str | int | Said:
    if isinstance(value, Said) or type(value) in (str, int):
        return value  # type: ignore[return-value]
    return repr(value)


WORD = Sentence("place.word", "{word!r}")
"""A place that is itself a word of what was read."""
INSIDE = Sentence("place.inside", "{place}: {what}")
"""A place within another, or what is wrong at a place."""
VERBATIM = Sentence("place.verbatim", "{text}")
"""What has no sentence of its own: words of another program."""


def as_said(what: str | Said) -> Said:
    """A sentence; a plain text as it stands."""
    return what if isinstance(what, Said) else VERBATIM(text=what)


def inside(place: str | Said, what: str | Said) -> str | Said:
    """What stands at a place, or what is wrong there; ``what`` alone without a place."""
    return INSIDE(place=place, what=what) if str(place) else what
