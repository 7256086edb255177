"""Reading cards as people type them with their deck in hand.

Words are separated by spaces or commas. A word is a code (``R10``, ``WX``), an index of the deck
(``64``), a colour and a number or wager (``purple4``, ``grey$``), or, where the deck bears no
indices, a colour alone that the following numbers and wagers belong to (``grey $ 2 5``). ``-`` or
``–`` between two of a kind is a sweep: ``62-65``, ``R3-R6``, ``R3-6``, ``purple3-6``; a sweep of
numbers within a colour.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lostcities.core.cards import WAGER, Card, Colour, parse_card
from lostcities.core.errors import NotationError
from lostcities.core.seats import BySeat
from lostcities.table.deck import Deck, ranges
from lostcities.table.plain import folded, spaced

_SEPARATORS = re.compile(r"[\s,;]+")
_SWEEP = re.compile(r"(.*?[0-9A-Za-z])[-–](.+)")
_DIGITS = re.compile(r"[0-9]+")
_INDEX = re.compile(r"[1-9][0-9]*")
"""What is printed as an index: no nought comes first, and no other script's digits are read as ours."""
_RANK = re.compile(r"[1-9][0-9]?")
"""A number as cards bear it, without a nought before it either."""
_MOST = 400
_SIDES = BySeat("first rows", "second rows")


def parse_typed(text: str, deck: Deck) -> tuple[Card, ...]:
    """The cards that a line of typing names, in the order typed; nothing or ``-`` is none.

    Raises:
        NotationError: a word that is none of these, or an index named twice (there is one card with
            it); names the word, its number and the reason.
    """
    return _Reader(deck).read_line(text)


def parse_held(text: str, deck: Deck) -> tuple[tuple[Card, ...], frozenset[str]]:
    """As :func:`parse_typed`, and which indices were named: they tell equal wagers apart."""
    reader = _Reader(deck)
    return reader.read_line(text), frozenset(reader.seen)


def parse_sides(
    texts: BySeat[str], deck: Deck, where: BySeat[str] = _SIDES
) -> BySeat[tuple[Card, ...]]:
    """The cards on both sides; an index named on both is refused as :func:`parse_typed` does.

    Args:
        texts: what was typed for each side.
        deck: whose words it is typed in.
        where: how each side is called in an error.

    Raises:
        NotationError: as :func:`parse_typed`, with the side.
    """
    reader = _Reader(deck)

    def side(seat: int) -> tuple[Card, ...]:
        try:
            return reader.read_line(texts[seat])
        except NotationError as error:
            raise error.within(where[seat]) from None

    return BySeat(side(0), side(1))


def format_typed(cards: tuple[Card, ...], deck: Deck, but: frozenset[str] = frozenset()) -> str:
    """Cards in the deck's words, each face once, with the indices that bear it: ``purple 4 (64)``,
    ``3 × red investment (81–83)``.

    Args:
        cards: what is said.
        deck: whose words it is said in.
        but: indices that are not meant, so that of three wagers the right one is named.
    """
    counted = Counter(cards)
    return ", ".join(_said(card, counted[card], deck, but) for card in counted) or "-"


def _said(card: Card, count: int, deck: Deck, but: frozenset[str]) -> str:
    indices = deck.indices_of(card)
    meant = tuple(index for index in indices if index not in but) or indices
    named = f"{count} × {deck.say(card)}" if count > 1 else deck.say(card)
    return f"{named} ({ranges(meant)})" if indices else named


def _refuse_bare(place: str) -> None:
    if place:
        raise NotationError(place, "a colour alone; its numbers and wagers come after it")


class _Reader:
    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.by_index = deck.by_index()
        self.names = {
            folded(name): each.colour
            for each in deck.colours
            for name in (each.name, *each.other_names)
        }
        self.wagers = {*map(folded, (deck.wager, *deck.other_wagers)), "x"}
        self.colour: Colour | None = None
        self.seen: set[str] = set()

    def read_line(self, text: str) -> tuple[Card, ...]:
        """Every card of a line."""
        stripped, cards = spaced(text).strip(), list[Card]()
        words = [] if stripped in ("", "-") else _SEPARATORS.split(stripped)
        self.colour, bare = None, ""
        for number, word in enumerate(filter(None, words), 1):
            before = self.colour
            try:
                read = list(self.read(word))
            except NotationError as error:
                raise error.within(f"word {number}") from None
            if any(card.colour == before for card in read):
                bare = ""
            elif not read:
                _refuse_bare(bare)
                bare = f"word {number}: {word!r}"
            cards += read
            if len(cards) > _MOST:
                raise NotationError(f"word {number}", f"more than {_MOST} cards")
        _refuse_bare(bare)
        return tuple(cards)

    def read(self, word: str) -> Iterator[Card]:
        """The cards of one word; remembers a colour that stands alone."""
        name = folded(word)
        if name in self.names:
            if self.deck.indexed:
                reason = f"write {name}5, {name}x or an index: a number alone is an index here"
                raise NotationError(repr(word), f"a colour alone; {reason}")
            self.colour = self.names[name]
            return
        card = self.card(word)
        if card is not None:
            yield card
            return
        sweep = _SWEEP.fullmatch(word)
        if sweep is None:
            raise NotationError(repr(word), self.why(word))
        yield from self.sweep(word, sweep[1], sweep[2])

    def card(self, word: str) -> Card | None:
        """The card that a word without a sweep names."""
        lower = folded(word)
        upper = lower.upper()
        if upper in self.by_index:
            return self.indexed(upper)
        found = self.named(lower)
        if found is None and self.colour is not None:
            found = self.ranked(self.colour, lower)
        return found if found is not None else self.coded(upper)

    def indexed(self, index: str) -> Card:
        if index in self.seen:
            raise NotationError(repr(index), "named twice, but only one card has this index")
        self.seen.add(index)
        return self.by_index[index]

    def coded(self, word: str) -> Card | None:
        """The card of a code, if this deck has it."""
        try:
            card = parse_card(word)
        except NotationError:
            return None
        if self.deck.rules.copies(card):
            return card
        letters = ", ".join(f"{each.name} is {each.colour.letter}" for each in self.deck.colours)
        raise NotationError(repr(word), f"not in this deck ({letters})")

    def named(self, word: str) -> Card | None:
        for name in sorted(self.names, key=len, reverse=True):
            if word.startswith(name) and len(word) > len(name):
                card = self.ranked(self.names[name], word[len(name) :].lstrip("-"))
                if card is not None:
                    return card
        return None

    def ranked(self, colour: Colour, word: str) -> Card | None:
        if word in self.wagers:
            return Card(colour, WAGER)
        if _RANK.fullmatch(word) and 2 <= int(word) <= self.deck.rules.top:
            return Card(colour, int(word))
        return None

    def sweep(self, word: str, first: str, last: str) -> Iterator[Card]:
        if _DIGITS.fullmatch(first) and self.deck.indexed:
            yield from self.index_sweep(word, first, last)
            return
        low = self.card(first)
        if low is None:
            raise NotationError(repr(word), self.why(first))
        high = self.ranked(low.colour, folded(last)) or self.card(last)
        if high is None:
            raise NotationError(repr(word), self.why(last))
        if high.colour != low.colour:
            raise NotationError(repr(word), "a sweep stays within one colour")
        if low.is_wager or high.is_wager:
            raise NotationError(repr(word), "a sweep goes from a number to a number")
        if high.rank < low.rank:
            raise NotationError(repr(word), "a sweep runs upward")
        yield from (Card(low.colour, rank) for rank in range(low.rank, high.rank + 1))

    def index_sweep(self, word: str, first: str, last: str) -> Iterator[Card]:
        for end in (first, last):
            if _DIGITS.fullmatch(end) and not _INDEX.fullmatch(end):
                raise NotationError(repr(word), self.why(end))
        if not _DIGITS.fullmatch(last) or len(first + last) > 8 or int(last) < int(first):
            raise NotationError(repr(word), "a sweep of indices runs from one up to another")
        for index in map(str, range(int(first), min(int(last), int(first) + _MOST) + 1)):
            if index not in self.by_index:
                raise NotationError(repr(word), self.why(index))
            yield self.indexed(index)

    def why(self, word: str) -> str:
        if _INDEX.fullmatch(word) and self.deck.indexed:
            return f"the card with index {word} stays in the box (see lostcities decks)"
        if _DIGITS.fullmatch(word) and not self.deck.indexed:
            return f"a number without its colour, or not one of 2 to {self.deck.rules.top}"
        kinds = "an index, " if self.deck.indexed else ""
        names = ", ".join(each.name for each in self.deck.colours)
        return (
            f"not a card of this deck: {kinds}a code such as R5, or a colour ({names}) and 5 or x"
        )
