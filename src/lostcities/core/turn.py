"""Turns: a lay, then a draw, written as one token.

``+R5*`` plays the red 5 and draws from the deck; ``-GX<B`` discards a green wager and takes the top
card of the blue pile; ``+R10*G8`` says that the card drawn was the green 8.
"""

from __future__ import annotations

from dataclasses import dataclass

from lostcities.core import sentences as say
from lostcities.core.cards import Card, Colour, parse_card, parse_colour
from lostcities.core.errors import NotationError
from lostcities.core.said import WORD


@dataclass(frozen=True, slots=True)
class Lay:
    """The first half of a turn: a card leaves the hand.

    Attributes:
        card: what is laid.
        discard: onto the pile of its colour, rather than to one's own expedition.
    """

    card: Card
    discard: bool

    def __str__(self) -> str:
        return ("-" if self.discard else "+") + str(self.card)

    @staticmethod
    def parse(text: str) -> Lay:
        """Read ``+R5`` or ``-R5``.

        Raises:
            NotationError: the text is no lay.
        """
        if not text or text[0] not in "+-":
            raise NotationError(WORD(word=text), say.NO_LAY())
        return Lay(parse_card(text[1:]), text[0] == "-")


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn.

    Attributes:
        lay: the card laid and where.
        draw: the colour of the pile taken from, or None for the deck.
        drawn: the card drawn from the deck where the reader knows it; always None with a pile.
    """

    lay: Lay
    draw: Colour | None
    drawn: Card | None = None

    def __str__(self) -> str:
        if self.draw is not None:
            return f"{self.lay}<{self.draw.letter}"
        return f"{self.lay}*{self.drawn or ''}"

    @property
    def public(self) -> Turn:
        """The turn as the other seat sees it: without the face drawn from the deck."""
        return self if self.drawn is None else Turn(self.lay, self.draw)

    @staticmethod
    def parse(text: str) -> Turn:
        """Read a turn token.

        Raises:
            NotationError: the text is no turn; says which part is wrong.
        """
        return parse_turn(text)


def parse_turn(text: str) -> Turn:
    """Read a turn token such as ``+R5*``, ``+R5*G8`` or ``-GX<B``.

    Raises:
        NotationError: the text is no turn; names it and the reason.
    """
    for mark in "*<":
        lay, found, draw = text.partition(mark)
        if found:
            return _with_draw(text, lay, mark, draw)
    raise NotationError(WORD(word=text), say.NO_DRAW())


def _with_draw(text: str, lay: str, mark: str, draw: str) -> Turn:
    try:
        if mark == "<":
            return Turn(Lay.parse(lay), parse_colour(draw))
        return Turn(Lay.parse(lay), None, parse_card(draw) if draw else None)
    except NotationError as error:
        raise error.within(say.TURN(turn=text)) from None
