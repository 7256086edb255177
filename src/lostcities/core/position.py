"""Positions as one line of text: seven fields, an eighth for a lay already made.

``seat to move | hand of seat 0 | hand of seat 1 | rows of seat 0 | rows of seat 1 | piles | deck``
"""

from __future__ import annotations

from collections import Counter

from lostcities.core import sentences as say
from lostcities.core.cards import Card, format_cards, parse_cards, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.round import RoundState, may_play
from lostcities.core.rules import Rules
from lostcities.core.said import Said
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import BySeat, Seat
from lostcities.core.turn import Lay

_PLACES = (
    say.TO_MOVE(),
    say.HAND_OF(seat=0),
    say.HAND_OF(seat=1),
    say.ROWS_OF(seat=0),
    say.ROWS_OF(seat=1),
    say.PILES(),
    say.DECK(),
    say.LAY(),
)
FIELDS = tuple(map(str, _PLACES))
"""The names of the fields, as errors give them."""

_MOST = 72


def parse_position(text: str, rules: Rules | None = None) -> RoundState:
    """Read a position under some rules (the defaults if not given).

    Raises:
        NotationError: names the field and the card.
    """
    fields = [field.strip() for field in text.split("|")]
    if len(fields) not in (7, 8):
        raise NotationError(say.POSITION(), say.FIELD_COUNT(n=len(fields)))
    return _build(fields, rules or Rules())


def _build(fields: list[str], rules: Rules) -> RoundState:
    seat = _read_seat(fields[0])
    hand0, hidden0 = _read_hidable(fields[1], _PLACES[1])
    hand1, hidden1 = _read_hidable(fields[2], _PLACES[2])
    deck, hidden_deck = _read_hidable(fields[6], _PLACES[6])
    lists = [hand0, hand1, *(_read_cards(fields[i], _PLACES[i]) for i in (3, 4, 5)), deck]
    _check_faces(lists, rules, hidden0 + hidden1 + hidden_deck)
    rows0, rows1, piles = (_by_colour(cards, rules) for cards in lists[2:5])
    for rows, place in ((rows0, _PLACES[3]), (rows1, _PLACES[4])):
        _check_rows(rows, place)
    lay = _read_lay(fields[7]) if len(fields) == 8 else None
    state = RoundState(
        rules, seat, BySeat(sort_cards(hand0), sort_cards(hand1)), BySeat(rows0, rows1), piles,
        deck, BySeat(hidden0, hidden1), hidden_deck, lay,
    )  # fmt: skip
    _check_lay(state)
    return state


def _read_seat(text: str) -> Seat:
    if text not in ("0", "1"):
        raise NotationError(_PLACES[0], say.NO_SEAT(found=text))
    return int(text)


def _read_hidable(text: str, place: Said) -> tuple[tuple[Card, ...], int]:
    if not text.startswith("?"):
        return _read_cards(text, place), 0
    count = text[1:]
    if not (count.isascii() and count.isdigit() and len(count) <= 2 and int(count) <= _MOST):
        raise NotationError(place, say.NO_HIDDEN(found=text, most=_MOST))
    return (), int(count)


def _read_cards(text: str, place: Said) -> tuple[Card, ...]:
    if not text:
        raise NotationError(place, say.EMPTY_FIELD())
    try:
        return parse_cards(text)
    except NotationError as error:
        raise error.within(place) from None


def _check_faces(lists: list[tuple[Card, ...]], rules: Rules, hidden: int) -> None:
    seen: Counter[Card] = Counter()
    for cards, place in zip(lists, _PLACES[1:7], strict=True):
        for card in cards:
            seen[card] += 1
            _check_face(card, seen[card], rules, place)
    if seen.total() + hidden > rules.deck_size:
        count = seen.total() + hidden
        raise NotationError(say.POSITION(), say.TOO_MANY(n=count, size=rules.deck_size))


def _check_face(card: Card, count: int, rules: Rules, place: Said) -> None:
    if card.colour >= rules.colours:
        raise NotationError(place, colour_beyond(card, rules))
    copies = rules.copies(card)
    if copies == 0:
        raise NotationError(place, say.ABSENT(card=str(card)))
    if count > copies:
        often = say.OFTEN_THERE(card=str(card), most=copies)
        raise NotationError(place, often if copies > 1 else say.TWICE_THERE(card=str(card)))


def colour_beyond(card: Card, rules: Rules) -> Said:
    """Why a card has no place: the rules lack its colour."""
    letter = card.colour.letter
    return say.COLOUR_BEYOND(card=str(card), colour=letter, colours=rules.colours)


def _by_colour(cards: tuple[Card, ...], rules: Rules) -> Expeditions:
    return tuple(
        tuple(card for card in cards if card.colour == colour) for colour in rules.all_colours()
    )


def _check_rows(rows: Expeditions, place: Said) -> None:
    for row in rows:
        for index, card in enumerate(row):
            if not may_play(card, row[:index]):
                raise NotationError(place, _why_not(card, row[index - 1]))


def _why_not(card: Card, before: Card) -> Said:
    if card.is_wager:
        return say.WAGER_LATE(card=str(card), before=str(before))
    return say.LOWER(card=str(card), before=str(before))


def _read_lay(text: str) -> Lay:
    try:
        return Lay.parse(text)
    except NotationError as error:
        raise error.within(say.LAY()) from None


def _check_lay(state: RoundState) -> None:
    if state.lay is None:
        return
    card, seat = state.lay.card, state.to_move
    if card.colour >= state.rules.colours:
        reason = say.CARD_COLOUR_LACKS(card=str(card), colour=card.colour.letter)
        raise NotationError(say.LAY(), reason)
    where = state.piles if state.lay.discard else state.expeditions[seat]
    if where[card.colour][-1:] != (card,):
        laid, last = str(state.lay), str(card)
        on_pile = say.LAY_NOT_ON_PILE(lay=laid, card=last)
        on_row = say.LAY_NOT_ON_ROW(lay=laid, card=last, seat=seat)
        raise NotationError(say.LAY(), on_pile if state.lay.discard else on_row)


def format_position(state: RoundState) -> str:
    """Write a position; what is hidden is counted."""
    fields = [
        str(state.to_move),
        *(_hidable(state.hands[seat], state.hidden_hands[seat]) for seat in (0, 1)),
        *(_rows(state.expeditions[seat]) for seat in (0, 1)),
        _rows(state.piles),
        _hidable(state.deck, state.hidden_deck),
    ]
    if state.lay is not None:
        fields.append(str(state.lay))
    return " | ".join(fields)


def _hidable(cards: tuple[Card, ...], hidden: int) -> str:
    return f"?{len(cards) + hidden}" if hidden else format_cards(cards)


def _rows(rows: Expeditions) -> str:
    return format_cards(card for row in rows for card in row)
