"""Cards and colours: values, parsing, formatting and the canonical order.

A card is written as its colour letter and its rank: ``R10``, or ``WX`` for a wager. Parsing accepts
lower case; output is upper case. The canonical order is ``Y B W G R P``, wagers before numbers,
numbers ascending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from lostcities import encoding
from lostcities.core import sentences as say
from lostcities.core.errors import NotationError
from lostcities.core.said import WORD, Said

WAGER = 0
"""The rank of a wager."""


class Colour(IntEnum):
    """The six colours in canonical order; the five-colour game leaves out purple."""

    YELLOW = 0
    BLUE = 1
    WHITE = 2
    GREEN = 3
    RED = 4
    PURPLE = 5

    @property
    def letter(self) -> str:
        """The letter that stands for this colour in every notation."""
        return encoding.COLOUR_LETTERS[self]


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One face of the deck: a colour and a rank. Ordered canonically.

    Attributes:
        colour: one of the six colours.
        rank: ``WAGER`` (0) or the number 2…10.
    """

    colour: Colour
    rank: int

    @property
    def face(self) -> int:
        """The int of this face, see :mod:`lostcities.encoding`."""
        return encoding.face_of(self.colour, self.rank)

    @property
    def is_wager(self) -> bool:
        """Whether this is a wager (investment, funding) card."""
        return self.rank == WAGER

    def __hash__(self) -> int:
        return 10 * self.colour + self.rank

    def __str__(self) -> str:
        return _NAMES[self]

    @staticmethod
    def parse(text: str) -> Card:
        """Read one card, ``"R10"`` or ``"wx"``.

        Raises:
            NotationError: the text is no card.
        """
        return parse_card(text)


FACES: tuple[Card, ...] = tuple(
    Card(Colour(encoding.colour_of(f)), encoding.rank_of(f))
    for f in range(encoding.faces(encoding.MAX_COLOURS))
)
"""Every card by its face int; cards are shared, not made anew."""

_NAMES: dict[Card, str] = {
    card: card.colour.letter + ("X" if card.is_wager else str(card.rank)) for card in FACES
}
_BY_NAME: dict[str, Card] = {name: card for card, name in _NAMES.items()}


def parse_colour(text: str) -> Colour:
    """Read a colour letter in either case.

    Raises:
        NotationError: no such letter.
    """
    index = encoding.COLOUR_LETTERS.find(text.upper()) if len(text) == 1 else -1
    if index < 0:
        raise NotationError(WORD(word=text), say.NO_COLOUR(letters=encoding.COLOUR_LETTERS))
    return Colour(index)


def parse_card(text: str) -> Card:
    """Read one card.

    Raises:
        NotationError: the text is no card; names it and says what a card looks like.
    """
    card = _BY_NAME.get(text) or _BY_NAME.get(text.upper())
    if card is None:
        raise NotationError(WORD(word=text), _why_no_card(text))
    return card


def _why_no_card(text: str) -> Said:
    if not text or text[0].upper() not in encoding.COLOUR_LETTERS:
        return say.NO_CARD_COLOUR(letters=encoding.COLOUR_LETTERS)
    return say.NO_CARD_RANK()


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces, in the order given; ``-`` or nothing is no card."""
    stripped = text.strip()
    if stripped in ("", "-"):
        return ()
    return tuple(parse_card(word) for word in stripped.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Cards separated by spaces, ``-`` if there are none."""
    return " ".join(map(str, cards)) or "-"


def sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The same cards in canonical order."""
    return tuple(sorted(cards, key=lambda card: card.face))


def distinct(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Each face once, in canonical order."""
    return sort_cards(set(cards))


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards less exactly one ``card``: one of two equal wagers stays (it must be there)."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def with_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """A canonically ordered tuple with one more card in its place."""
    face = card.face
    index = sum(1 for other in cards if other.face <= face)
    return (*cards[:index], card, *cards[index:])


def count_faces(cards: Iterable[Card]) -> Counter[Card]:
    """How often each face occurs."""
    return Counter(cards)
