"""The deck that a record was played with: the header tag ``[Cards "NAME"]``.

The tag changes nothing in the record: its cards keep their codes, and a reader who lacks the deck
reads it all the same. It says in whose words and colours the match should be shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lostcities.core.errors import RecordError
from lostcities.core.record import Record
from lostcities.core.rules import Rules
from lostcities.core.said import inside
from lostcities.table import sentences as say
from lostcities.table.deck import Deck, DeckError
from lostcities.table.deck_file import shipped

TAG = "Cards"


def deck_of(record: Record, own: Iterable[Deck] = ()) -> Deck | None:
    """The deck that a record names; None if it names none, or one that nobody here knows.

    Args:
        record: the record.
        own: decks beside the shipped ones; they come first.

    Raises:
        RecordError: the deck is known but does not have the cards of the record's rules.
    """
    name = dict(record.tags).get(TAG)
    for deck in (*own, *shipped()):
        if name is not None and name.lower() in (deck.name, *deck.other_names):
            try:
                check_serves(deck, record.rules)
            except DeckError as error:
                raise RecordError(inside(TAG, deck.name), error.why) from None
            return deck
    return None


def with_deck(record: Record, deck: Deck) -> Record:
    """The record with the deck named in it, in the place of another one.

    Raises:
        DeckError: the deck does not have the cards of the record's rules.
    """
    check_serves(deck, record.rules)
    others = tuple((tag, value) for tag, value in record.tags if tag != TAG)
    return replace(record, tags=(*others, (TAG, deck.name)))


def check_serves(deck: Deck, rules: Rules) -> None:
    """Refuse a deck whose cards are not those of the rules.

    Raises:
        DeckError: gives both numbers of cards.
    """
    if deck.rules.all_cards() != rules.all_cards():
        mine = deck.rules
        reason = say.OTHER_CARDS(
            n=mine.deck_size, colours=mine.colours, due=rules.deck_size, due_colours=rules.colours
        )
        raise DeckError(deck.name, (reason,))
