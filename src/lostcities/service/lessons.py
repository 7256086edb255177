"""Lessons: practice tables that begin from a position, a record or a deck, as wished and checked.

Hidden cards stay with the room: a lesson's text holds every card, and is read there alone.
"""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import replace

from lostcities.core.cards import Card, format_cards, parse_cards, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.position import format_position, parse_position
from lostcities.core.record import Replay
from lostcities.core.round import RoundState, check_deck
from lostcities.core.rules import Rules
from lostcities.core.said import Said
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.shuffle import shuffled
from lostcities.protocol.practice import NewLesson
from lostcities.service import sentences as say
from lostcities.service.beginnings import FRIEND, Beginning
from lostcities.service.wishes import WishError, read_rules, read_seat


def read_lesson(wish: NewLesson, record: Replay | None) -> Beginning:
    """A lesson as wished, checked.

    Args:
        wish: what was sent.
        record: the record of it, if it names one.

    Raises:
        WishError: names the place and the reason.
    """
    given = [each for each in (wish.position, wish.deck, record) if each is not None]
    if len(given) != 1:
        raise _wrong(say.ONE_BEGINNING())
    try:
        begun = _read(wish, record)
        state = begun.round()
    except NotationError as error:
        raise _wrong(error.said) from None
    if state.over:
        raise _wrong(say.OVER())
    seat = state.to_move if wish.seat is None else read_seat(wish.seat)
    text = "\n".join(wish.text.splitlines()).strip()
    return replace(begun, seat=seat, against=wish.against, text=text)


def _read(wish: NewLesson, record: Replay | None) -> Beginning:
    if record is not None:
        return _from_record(record, wish)
    rules = read_rules(wish.rules)
    if wish.position is not None:
        state = filled(parse_position(wish.position, _one_round(rules, 0)))
        rules = _one_round(rules, state.to_move)
        return Beginning(
            rules, 0, FRIEND, "", position=format_position(replace(state, rules=rules))
        )
    start = read_seat(wish.start)
    deck = parse_cards(wish.deck or "")
    check_deck(rules, deck)
    return Beginning(_one_round(rules, start), 0, FRIEND, "", deck=format_cards(deck), start=start)


def _from_record(record: Replay, wish: NewLesson) -> Beginning:
    rounds = [each for each in record.record.rounds if each.number == wish.round]
    if not rounds:
        raise _wrong(say.NO_ROUND(n=wish.round))
    (found,) = rounds
    if found.deck is None:
        raise _wrong(say.DECK_UNKNOWN(n=wish.round))
    if not 0 <= wish.ply <= len(found.turns):
        raise _wrong(say.NO_PLY(n=wish.round, turns=len(found.turns), ply=wish.ply))
    start = found.start or 0
    turns = tuple(str(turn) for turn in found.turns[: wish.ply])
    rules = _one_round(record.record.rules, start)
    return Beginning(
        rules, 0, FRIEND, "", deck=format_cards(found.deck), start=start, turns=turns
    )  # fmt: skip


def _one_round(rules: Rules, start: Seat) -> Rules:
    return replace(rules, rounds=1, first=0 if start == 0 else 1)


def filled(state: RoundState) -> RoundState:
    """The position with what it hides drawn from the cards that it does not show.

    Raises:
        WishError: a lay is already made, or it cannot be played on.
    """
    if state.lay is not None:
        raise _wrong(say.MID_TURN())
    if state.over:
        raise _wrong(say.OVER())
    unseen = shuffled(_unseen(state), secrets.randbelow)
    hands: BySeat[tuple[Card, ...]] = state.hands
    for seat in SEATS:
        count = state.hidden_hands[seat]
        taken, unseen = unseen[:count], unseen[count:]
        hands = hands.replace(seat, sort_cards((*state.hands[seat], *taken)))
        if not hands[seat]:
            raise _wrong(say.NO_CARD(seat=seat))
    deck = state.deck + unseen[: state.hidden_deck]
    return replace(state, hands=hands, deck=deck, hidden_hands=BySeat(0, 0), hidden_deck=0)


def _unseen(state: RoundState) -> tuple[Card, ...]:
    rows = (state.expeditions[0], state.expeditions[1], state.piles)
    shown = Counter(card for columns in rows for column in columns for card in column)
    shown += Counter((*state.hands[0], *state.hands[1], *state.deck))
    return tuple((Counter(state.rules.all_cards()) - shown).elements())


def _wrong(why: Said) -> WishError:
    return WishError(400, "bad_lesson", why)
