"""Reading records of either kind for the commands that take them."""

from __future__ import annotations

import json

from lostcities.cli import options
from lostcities.core.errors import NotationError, RecordError
from lostcities.core.record import Replay, replay
from lostcities.core.record_json import record_from_dict
from lostcities.core.record_text import read_record


def load_replay(path: str) -> Replay:
    """Read a record, text or JSON, from a file (``-`` for standard input) and play it through.

    Raises:
        RecordError: it cannot be read or breaks the rules; names the file, the place and the
            reason.
        OSError: the file cannot be read.
    """
    text = options.read_text(path)
    place = options.name_of(path)
    try:
        if text.lstrip(" \t\r\n\ufeff").startswith("{"):
            return replay(record_from_dict(_parse_json(text)))
        return replay(read_record(text))
    except NotationError as error:
        raise error.within(place) from None


def _parse_json(text: str) -> dict[str, object]:
    try:
        read = json.loads(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]}, column {error.colno}"
        raise RecordError(f"line {error.lineno}", reason) from None
    except (ValueError, RecursionError):
        raise RecordError(
            "", "not JSON that can be read: a number or a nesting is too long"
        ) from None
    assert isinstance(read, dict)
    return read
