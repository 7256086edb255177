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
        count_deck: the page shows how many cards the deck has left.
        count_lays: it shows how many lays are left to one's own seat, and what a draw from a pile
            does to them.
        count_gone: it shows what has gone by in each colour, and how many cards a pile has.
        count_known: it shows which cards a hand holds that the other seat saw being taken.
        aids: learner aids, for both seats: a started row shows the points that it still needs and
            which of its cards are gone. The match counts in no results.
        takebacks: a seat may ask to take its last turn back, if that drew from a pile and is not
            answered yet; the other may let it. Between people only. Counts in no results.

    Counts and aids are how the page looks to people; views are the same either way.
    """

    listed: bool = False
    watch: bool = False
    chat: bool = True
    one_device: bool = False
    count_deck: bool = True
    count_lays: bool = True
    count_gone: bool = True
    count_known: bool = True
    aids: bool = False
    takebacks: bool = False


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
