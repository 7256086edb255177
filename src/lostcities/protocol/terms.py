"""What people agree on about a table besides the rules of the game."""

from __future__ import annotations

import msgspec


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a table; the same for both seats, fixed when it is made.

    Attributes:
        listed: the table stands in the lobby, where anybody in the room may take its free seat.
        watch: whoever knows the table's address may watch; a watcher sees neither hand before the
            round is over.
        chat: people at the table may write to each other.
        one_device: both seats belong to one browser, which is passed to and fro.
    """

    listed: bool = False
    watch: bool = False
    chat: bool = True
    one_device: bool = False


DEFAULT = Terms()


def terms_to_text(terms: Terms) -> str:
    """The terms as JSON; what is left out has its usual value."""
    whole = msgspec.to_builtins(terms)
    usual = msgspec.to_builtins(DEFAULT)
    told = {key: value for key, value in whole.items() if value != usual[key]}
    return msgspec.json.encode(told).decode()


def terms_from_text(text: str) -> Terms:
    """Read :func:`terms_to_text`; keys of a newer version are passed over.

    Raises:
        msgspec.MsgspecError: not terms.
    """
    found = msgspec.json.decode(text, type=dict[str, bool])
    known = {key: value for key, value in found.items() if key in Terms.__struct_fields__}
    return msgspec.convert(known, Terms)
