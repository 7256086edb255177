"""What is wrong with the body of a request, in one sentence: the place, then the reason."""

from __future__ import annotations

import re

import msgspec

from lostcities.core.said import VERBATIM, Said, Sentence, as_said, inside
from lostcities.service import sentences as say

_SENTENCES: tuple[tuple[re.Pattern[str], Sentence], ...] = (
    (re.compile("Object missing required field `(?P<field>.+)`"), say.LACKS),
    (re.compile("Object contains unknown field `(?P<field>.+)`"), say.UNKNOWN_FIELD),
    (re.compile("Expected `(?P<due>.+)`, got `(?P<found>.+)`"), say.OTHER_KIND),
    (re.compile("Expected `(?P<kind>.+)` of length <= (?P<most>.+)"), say.LONGER),
    (re.compile("Expected `(?P<kind>.+)` of length >= (?P<least>.+)"), say.SHORTER),
    (re.compile("Expected `(?P<kind>.+)` <= (?P<most>.+)"), say.MORE),
    (re.compile("Expected `(?P<kind>.+)` >= (?P<least>.+)"), say.LESS),
    (re.compile("Invalid enum value '(?P<found>.+)'"), say.NO_CHOICE),
)


def in_words(error: msgspec.MsgspecError) -> Said:
    """What msgspec says of a body, so that the page can say it in its language."""
    text, _, path = str(error).partition(" - at `")
    if not isinstance(error, msgspec.ValidationError):
        return say.NO_JSON(why=text)
    place = path.rstrip("`").removeprefix("$").removeprefix(".")
    return as_said(inside(place, _reason(text)))


def _reason(text: str) -> Said:
    for pattern, sentence in _SENTENCES:
        if found := pattern.fullmatch(text):
            return sentence(**found.groupdict())
    plain = text.replace("Object", "the body").replace("`", "'")
    return VERBATIM(text=plain[0].lower() + plain[1:])
