"""What a person types during a match, read into wishes. Nothing here knows whether it is legal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lostcities.core.cards import Card, Colour, parse_card, parse_colour
from lostcities.core.errors import NotationError
from lostcities.core.turn import Lay, parse_turn


class Order(Enum):
    """A wish that is one word; the values are what may be typed for it."""

    HELP = ("?", "help", "h")
    UNDO = ("undo", "u", "back")
    BOARD = ("board", "look", "l")
    PILES = ("piles",)
    SCORE = ("score", "s")
    LEGAL = ("legal",)
    RESIGN = ("resign",)
    QUIT = ("quit", "q", "exit")
    GO_ON = ("continue", "c", "yes", "y")
    STOP = ("no", "n", "stop")


@dataclass(frozen=True, slots=True)
class LayWish:
    """A card to lay, and the draw if it was typed along.

    Attributes:
        lay: the lay.
        draw: the draw that follows at once; None if it is still to be chosen.
    """

    lay: Lay
    draw: DrawWish | None = None


@dataclass(frozen=True, slots=True)
class DrawWish:
    """Where to draw from: a pile's colour, or None for the deck."""

    source: Colour | None


@dataclass(frozen=True, slots=True)
class Misread:
    """What was typed is no wish; ``text`` says what was expected."""

    text: str


Wish = Order | LayWish | DrawWish | Misread

_ORDERS = {word: order for order in Order for word in order.value}
_PLAY = ("play", "p", "+")
_DISCARD = ("discard", "d", "-")
_DECK = ("*", "deck", "draw", "d", "")
_TAKE = ("take", "t", "<", "pile")
_COLOURS = {colour.name.lower(): colour for colour in Colour}
_FILLING = ("the", "a", "from", "and", "then", "draw", "pile")


def read_wish(text: str, *, laid: bool) -> Wish:
    """Read a line.

    Args:
        text: what was typed, in notation (``+R5*``, ``-GX<B``, ``+R5``, ``*``, ``<B``) or in short
            words (``play r5``, ``d gx``, ``deck``, ``take blue``), in either case.
        laid: whether a card has been laid, so that a draw is due.
    """
    words = text.lower().split()
    line = " ".join(words)
    if words and words[0][0] in "+-" and ("*" in line or "<" in line):
        return _read_turn(line.replace(" ", ""))
    if words and words[0][0] in "+-" and words[0] not in "+-":
        words = [words[0][0], words[0][1:], *words[1:]]
    if words and words[0] in _PLAY + _DISCARD and len(words) > 1:
        return _read_spoken(words)
    if laid:
        drawn = _read_draw(words)
        if drawn is not None:
            return drawn
    if line in _ORDERS:
        return _ORDERS[line]
    return _misread(line, laid)


def _read_turn(text: str) -> Wish:
    try:
        turn = parse_turn(text)
    except NotationError as error:
        return Misread(error.reason)
    if turn.drawn is not None:
        return Misread("the card that is drawn from the deck cannot be named")
    return LayWish(turn.lay, DrawWish(turn.draw))


def _read_spoken(words: list[str]) -> Wish:
    card, *rest = [word for word in words[1:] if word not in _FILLING] or [""]
    draw = _read_draw(rest) if rest else None
    if rest and draw is None:
        return Misread(f"{' '.join(rest)!r} is not a draw: deck, or a pile's colour")
    try:
        return LayWish(Lay(parse_card(card), words[0] in _DISCARD), draw)
    except NotationError as error:
        return Misread(str(error))


def _read_draw(words: list[str]) -> DrawWish | None:
    """The draw that words name; None if they name none."""
    words = [word for word in words if word not in _FILLING] or words[:1]
    if " ".join(words) in _DECK:
        return DrawWish(None)
    if words[0] in _TAKE and len(words) == 2:
        words = words[1:]
    elif len(words[0]) > 1 and words[0][0] == "<":
        words = [words[0][1:]]
    colour = _read_colour(words[0]) if len(words) == 1 else None
    return None if colour is None else DrawWish(colour)


def _read_colour(word: str) -> Colour | None:
    if word in _COLOURS:
        return _COLOURS[word]
    try:
        return parse_colour(word)
    except NotationError:
        return _colour_of_card(word)


def _colour_of_card(word: str) -> Colour | None:
    """A pile may be named by the card on its top; whether that lies there is not asked here."""
    try:
        return parse_card(word).colour
    except NotationError:
        return None


def _misread(line: str, laid: bool) -> Misread:
    card = _card(line)
    if laid:
        return Misread("draw now: * for the deck, a colour for its pile, or undo")
    if card is not None:
        return Misread(f"play or discard it? +{card} plays, -{card} discards")
    if line in _DECK or line[:1] in "*<":
        return Misread("lay a card first: +R5 plays, -R5 discards")
    return Misread(f"{line!r} is not understood: +R5 plays, -R5 discards, ? helps")


def _card(word: str) -> Card | None:
    try:
        return parse_card(word)
    except NotationError:
        return None
