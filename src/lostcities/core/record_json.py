"""Records as JSON-ready dicts, both directions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lostcities.core import sentences as say
from lostcities.core.cards import Card, parse_card, sort_cards
from lostcities.core.errors import NotationError, RecordError
from lostcities.core.match import Termination
from lostcities.core.record import (
    NO_HANDS,
    Record,
    RoundRecord,
    Tags,
    as_record_error,
    parse_termination,
    replay,
)
from lostcities.core.record_text import HEADER_TAGS, ROUND_TAGS, check_tags, check_value
from lostcities.core.rules import Rules
from lostcities.core.said import Said, inside
from lostcities.core.seats import SEATS, BySeat
from lostcities.core.turn import Turn, parse_turn

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def record_to_dict(record: Record) -> dict[str, Any]:
    """The record as JSON-ready values, everything filled in.

    Raises:
        RecordError: the record does not replay.
    """
    filled = replay(record).record
    return {
        "event": filled.event,
        "date": filled.date,
        "seats": list(filled.seats),
        "rules": filled.rules.to_dict(),
        "result": _pair(filled.result),
        "termination": None if filled.termination is None else str(filled.termination),
        "tags": dict(filled.tags),
        "rounds": [_round_to_dict(each) for each in filled.rounds],
    }


def _pair(points: BySeat[int] | None) -> list[int] | None:
    return None if points is None else list(points)


def _names(cards: tuple[Card, ...] | None) -> list[str] | None:
    return None if cards is None else [str(card) for card in cards]


def _round_to_dict(each: RoundRecord) -> dict[str, Any]:
    return {
        "round": each.number,
        "start": each.start,
        "deck": _names(each.deck),
        "hands": [_names(hand) for hand in each.hands],
        "turns": [str(turn) for turn in each.turns],
        "score": _pair(each.score),
        "termination": each.termination,
        "tags": dict(each.tags),
    }


def record_from_dict(values: Mapping[str, Any]) -> Record:
    """Read a record and replay it.

    Raises:
        RecordError: names the key (or round and ply) and the reason.
    """
    if not isinstance(values, Mapping):
        raise RecordError(say.RECORD(), say.KIND_NO_OBJECT(found=type(values).__name__))
    rounds = _list(values.get("rounds", []), "rounds")
    record = Record(
        rules=_rules(values.get("rules", {})),
        rounds=tuple(_round_from(each, index) for index, each in enumerate(rounds, 1)),
        event=_text(values.get("event"), "event"),
        date=_text(values.get("date"), "date"),
        seats=_seats(values.get("seats")),
        result=_points(values.get("result"), "result"),
        termination=_termination(values.get("termination")),
        tags=_tags(values.get("tags", {}), "tags", HEADER_TAGS),
    )
    return replay(record).record


def _rules(values: Any) -> Rules:
    if not isinstance(values, Mapping):
        raise RecordError("rules", say.NO_OBJECT(found=values))
    try:
        return Rules.from_dict(values)
    except NotationError as error:
        raise as_record_error(error, "rules") from None


def _list(value: Any, place: str | Said) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise RecordError(place, say.NO_LIST(found=value))
    return list(value)


def _text(value: Any, place: str | Said) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise RecordError(place, say.NO_TEXT(found=value))
    check_value(place, value, place)
    return value


def _seats(value: Any) -> BySeat[str | None]:
    if value is None:
        return BySeat(None, None)
    names = _list(value, "seats")
    if len(names) != 2:
        raise RecordError("seats", say.NAME_COUNT(n=len(names)))
    return BySeat(_text(names[0], say.SEAT(n=0)), _text(names[1], say.SEAT(n=1)))


def _points(value: Any, place: str | Said) -> BySeat[int] | None:
    if value is None:
        return None
    numbers = _list(value, place)
    if len(numbers) != 2 or not all(type(number) is int for number in numbers):
        raise RecordError(place, say.NO_PAIR(found=value))
    return BySeat(numbers[0], numbers[1])


def _termination(value: Any) -> Termination | None:
    text = _text(value, "termination")
    return None if text is None else parse_termination(text)


def _tags(value: Any, place: str | Said, known: tuple[str, ...]) -> Tags:
    if not isinstance(value, Mapping):
        raise RecordError(place, say.NO_OBJECT(found=value))
    for name, text in value.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise RecordError(place, say.NO_TAG_NAME(found=name))
        if _text(text, inside(place, name)) is None:
            raise RecordError(place, say.TAG_EMPTY(tag=name))
    tags = tuple(value.items())
    check_tags(tags, known, place)
    return tags


def _round_from(values: Any, number: int) -> RoundRecord:
    place = say.ROUND(n=number)
    if not isinstance(values, Mapping):
        raise RecordError(place, say.NO_OBJECT(found=values))
    deck = _cards(values.get("deck"), inside(place, "deck"))
    hands = _hands(values.get("hands"), place)
    if deck is not None and hands != NO_HANDS:
        raise RecordError(place, say.BOTH_DECK_AND_HAND())
    return RoundRecord(
        _whole(values.get("round", number), inside(place, "round")),
        _start(values.get("start"), place),
        deck,
        hands,
        _turns(values.get("turns", []), number),
        _points(values.get("score"), inside(place, "score")),
        _text(values.get("termination"), inside(place, "termination")),
        _tags(values.get("tags", {}), inside(place, "tags"), ROUND_TAGS),
    )


def _whole(value: Any, place: str | Said) -> int:
    if type(value) is not int:
        raise RecordError(place, say.NO_WHOLE(found=value))
    return value


def _start(value: Any, place: str | Said) -> int | None:
    if value is not None and (type(value) is not int or value not in SEATS):
        raise RecordError(place, say.NO_START_SEAT(found=value))
    return value


def _cards(value: Any, place: str | Said) -> tuple[Card, ...] | None:
    if value is None:
        return None
    cards: list[Card] = []
    for item in _list(value, place):
        try:
            cards.append(parse_card(str(item)))
        except NotationError as error:
            raise as_record_error(error, place) from None
    return tuple(cards)


def _hands(value: Any, place: str | Said) -> BySeat[tuple[Card, ...] | None]:
    if value is None:
        return NO_HANDS
    hands = _list(value, inside(place, "hands"))
    if len(hands) != 2:
        raise RecordError(inside(place, "hands"), say.ENTRY_COUNT(n=len(hands)))
    read = [_cards(hands[seat], inside(place, say.HAND_OF(seat=seat))) for seat in SEATS]
    sorted_hands = [None if hand is None else sort_cards(hand) for hand in read]
    return BySeat(sorted_hands[0], sorted_hands[1])


def _turns(value: Any, number: int) -> tuple[Turn, ...]:
    place = inside(say.ROUND(n=number), "turns")
    turns: list[Turn] = []
    for ply, item in enumerate(_list(value, place), 1):
        try:
            turns.append(parse_turn(str(item)))
        except NotationError as error:
            raise as_record_error(error, say.PLY(round=number, ply=ply)) from None
    return tuple(turns)
