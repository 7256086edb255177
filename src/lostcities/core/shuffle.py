"""Where decks come from.

A :class:`DeckSource` gives each round's shuffled deck and the coin that picks the first starter.
The default draws on the operating system's entropy; a shuffle that both seats can verify takes the
same place.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Protocol

from lostcities.core.cards import Card
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat


class DeckSource(Protocol):
    """Gives the chance events of a match."""

    def deck(self, rules: Rules, number: int) -> tuple[Card, ...]:
        """The whole shuffled deck of a round (``number`` from 1), top first."""
        ...

    def coin(self) -> Seat:
        """The seat that starts where the rules leave it to chance."""
        ...


def shuffled(cards: tuple[Card, ...], below: Callable[[int], int]) -> tuple[Card, ...]:
    """A permutation by Fisher and Yates; ``below(n)`` is uniform over 0…n−1."""
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        chosen = below(last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


class SystemEntropy:
    """Decks from the operating system's entropy."""

    def deck(self, rules: Rules, number: int) -> tuple[Card, ...]:
        """See :meth:`DeckSource.deck`."""
        return shuffled(rules.all_cards(), secrets.randbelow)

    def coin(self) -> Seat:
        """See :meth:`DeckSource.coin`."""
        return secrets.randbelow(2)
