"""Is the deck whole? And while dealing: how many cards should it still hold?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lostcities.core.cards import Card, count_faces, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules
from lostcities.table.deck import Deck


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """What was found when somebody went through the cards.

    Attributes:
        held: how many of the cards belong to the deck.
        missing: the cards that the deck should have and that were not there, canonically ordered.
        surplus: cards that were there more often than the deck has them, or do not belong to it.
    """

    held: int
    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]

    @property
    def whole(self) -> bool:
        """Whether the deck can be played with as it is."""
        return not self.missing and not self.surplus


def check_deck(cards: Iterable[Card], rules: Rules) -> DeckCheck:
    """Compare the cards that somebody holds with the deck of the rules."""
    there, due = count_faces(cards), count_faces(rules.all_cards())
    missing, surplus = due - there, there - due
    return DeckCheck(
        (there & due).total(), sort_cards(missing.elements()), sort_cards(surplus.elements())
    )


def cards_but(missing: Iterable[Card], rules: Rules) -> tuple[Card, ...]:
    """Every card of the deck but some: for those who would rather type what is missing.

    Raises:
        NotationError: a card is said to be missing more often than the deck has it.
    """
    whole, gone = count_faces(rules.all_cards()), count_faces(missing)
    for card, count in gone.items():
        if count > whole[card]:
            raise NotationError(str(card), f"missing {count} times, the deck has {whole[card]}")
    return sort_cards((whole - gone).elements())


def deck_left(rules: Rules, lying: int, *, laid: bool = False) -> int:
    """How many cards the deck should still hold, from what lies on the table.

    Every card is in the deck, in a hand, in a row or on a pile, and between turns both hands are
    full.

    Args:
        rules: the rules in force.
        lying: cards in both sides' rows and on the piles.
        laid: whether somebody has laid a card and not yet drawn; that hand is one short.

    Raises:
        NotationError: so many cards cannot lie there.
    """
    most = rules.deck_size - 2 * rules.hand + (1 if laid else 0)
    left = most - lying
    if lying < (1 if laid else 0) or left < (1 if laid else 0):
        reason = f"{lying} cards cannot lie in rows and on piles: the hands hold {2 * rules.hand}"
        raise NotationError("cards lying", f"{reason} of {rules.deck_size}")
    return left


@dataclass(frozen=True, slots=True)
class Box:
    """What to do with a printed deck's box.

    Attributes:
        take: by colour name the indices to take out.
        stay: indices up to the highest one taken that stay in the box; higher ones stay too.
    """

    take: tuple[tuple[str, tuple[str, ...]], ...]
    stay: tuple[str, ...]


def unpack(deck: Deck) -> Box | None:
    """What to take out of the box and what stays; None for a deck without indices."""
    if not deck.indexed:
        return None
    taken = set(deck.by_index())
    numbers = [int(index) for index in taken if index.isdecimal()]
    stay = (str(number) for number in range(1, max(numbers, default=0) + 1))
    return Box(
        tuple((each.name, each.indices) for each in deck.colours),
        tuple(index for index in stay if index not in taken),
    )
