"""Names and titles that people have written, without what cannot be seen and rules over other text."""

from __future__ import annotations

import unicodedata

_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""Formats that emoji and some scripts need."""


def unseen(sign: str) -> bool:
    """Whether a sign is a control, a separator of lines or a format, such as one that turns text."""
    return sign not in _JOINERS and unicodedata.category(sign) in _UNSEEN


def folded(text: str) -> str:
    """The text as it is compared: however its letters are put together, wide, large or small.

    NFKC, and the full case mapping up and down again: browsers have no ``casefold``, and this one they
    can follow letter for letter (``ß`` is ``ss``, the ligature ``ﬁ`` two letters, a final sigma one).
    """
    small = unicodedata.normalize("NFKC", text).lower().upper().lower().replace("\u03c2", "\u03c3")
    return unicodedata.normalize("NFKC", small)


def spaced(text: str) -> str:
    """The text with a space for each sign that cannot be seen."""
    return "".join(" " if unseen(each) else each for each in text)


def plain(text: str) -> str:
    """The text as it is seen; empty if nothing of it is."""
    seen = "".join(each for each in text if not unseen(each))
    return seen if any(not each.isspace() and each not in _JOINERS for each in seen) else ""
