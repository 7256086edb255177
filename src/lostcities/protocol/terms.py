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
        takebacks: a turn may be taken back by consent, where nothing hidden has been seen since.
        aids: learners' aids are shown to both.
        one_device: both seats belong to one browser, which is passed to and fro.
        count_deck: the page shows how many cards the deck still holds.
        count_lays: the page shows how many lays are left.
        count_gone: the page shows what has gone by in each colour.
        count_known: the page marks the cards that a hand is known to hold.
    """

    listed: bool = False
    watch: bool = False
    chat: bool = True
    takebacks: bool = True
    aids: bool = False
    one_device: bool = False
    count_deck: bool = True
    count_lays: bool = True
    count_gone: bool = True
    count_known: bool = True


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
