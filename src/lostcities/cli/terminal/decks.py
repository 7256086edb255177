"""Decks that a seed repeats, for study: the same seed gives the same deals and the same starter.

They come from SHA-256 in counter mode over the seed and the round, so that a seed means the same
deals on every machine and every version of Python. Whoever knows the seed knows the cards.
"""

from __future__ import annotations

import hashlib
from itertools import count

from lostcities.core.cards import Card
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.core.shuffle import shuffled

_WORD = 1 << 64


class SeededDecks:
    """A source of decks that repeats itself for the same seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def deck(self, rules: Rules, number: int) -> tuple[Card, ...]:
        """See :meth:`lostcities.core.shuffle.DeckSource.deck`."""
        return shuffled(rules.all_cards(), _Stream(f"{self._seed} round {number}").below)

    def coin(self) -> Seat:
        """See :meth:`lostcities.core.shuffle.DeckSource.coin`."""
        return _Stream(f"{self._seed} coin").below(2)


class _Stream:
    """Uniform numbers from a text."""

    def __init__(self, text: str) -> None:
        self._words = (
            int.from_bytes(
                hashlib.sha256(f"lostcities {text} {index}".encode()).digest()[:8], "big"
            )
            for index in count()
        )

    def below(self, n: int) -> int:
        """A number from 0 to n − 1; words beyond the last whole multiple of n are passed over."""
        limit = _WORD - _WORD % n
        return next(word for word in self._words if word < limit) % n
