"""Views as plain dicts, both directions: the JSON that pages and programs receive.

Keys may be added by the writer; the reader ignores what it does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from lostcities.core.cards import Card, Colour, format_cards, parse_card, parse_colour, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.round import may_play
from lostcities.core.rules import Rounds, Rules
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Turn, parse_turn
from lostcities.core.views import View
from lostcities.encoding import COLOUR_LETTERS

T = TypeVar("T")


def view_to_dict(view: View) -> dict[str, Any]:
    """The view as JSON-ready values; see the notation for the keys.

    A spectator's view has ``seat`` null, no ``hand`` and no ``exposed``, and ``known`` by seat.
    """
    result: dict[str, Any] = {
        "seat": view.seat,
        "to_move": view.to_move,
        "round": view.round,
        "rounds": view.rounds,
        "ply": view.ply,
    }
    if view.seat is not None:
        result["hand"] = _names(view.hand)
    result |= {
        "expeditions": [_rows(rows) for rows in view.expeditions],
        "piles": _rows(view.piles),
        "deck": view.deck,
        "hand_sizes": list(view.hand_sizes),
    }
    if view.seat is None:
        result["known"] = [_names(cards) for cards in view.known]
    else:
        result["known"] = _names(view.other_known)
        result["exposed"] = _names(view.exposed)
    if view.rules.stall:
        result["run"] = view.pile_run
    return result | {
        "scores": list(view.scores),
        "totals": list(view.totals),
        "last_turn": None if view.last_turn is None else str(view.last_turn),
        "legal": [str(turn) for turn in view.legal],
        "rules": view.rules.to_dict(),
    }


def _names(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _rows(rows: Expeditions) -> dict[str, list[str]]:
    return {COLOUR_LETTERS[index]: _names(row) for index, row in enumerate(rows) if row}


def view_from_dict(values: Mapping[str, Any]) -> View:
    """Read a view.

    Raises:
        NotationError: names the key and the reason; also for a view that cannot be: a face too
            often, a row that does not ascend, a legal turn whose card is not in the hand.
    """
    if not isinstance(values, Mapping):
        raise NotationError("view", f"{type(values).__name__} is not an object")
    rules = _rules(values)
    seat = _optional_seat(values, "seat")
    hand = sort_cards(_cards(_get(values, "hand"), "hand")) if seat is not None else ()
    view = View(
        seat=seat,
        to_move=_optional_seat(values, "to_move"),
        round=_count(values, "round"),
        rounds=_rounds(values),
        ply=_count(values, "ply"),
        hand=hand,
        expeditions=_pair(values, "expeditions", lambda rows, at: _read_rows(rows, rules, at)),
        piles=_read_rows(_get(values, "piles"), rules, "piles"),
        deck=_count(values, "deck"),
        hand_sizes=_pair(values, "hand_sizes", _whole),
        known=_known(values, seat),
        scores=_pair(values, "scores", _integer),
        totals=_pair(values, "totals", _integer),
        last_turn=_optional_turn(values),
        legal=tuple(_turn(text, "legal") for text in _list(_get(values, "legal"), "legal")),
        rules=rules,
        pile_run=_whole(values.get("run", 0), "run"),
    )
    _check(view)
    return view


def _get(values: Mapping[str, Any], key: str) -> Any:
    if key not in values:
        raise NotationError(key, "missing")
    return values[key]


def _rules(values: Mapping[str, Any]) -> Rules:
    rules = _get(values, "rules")
    if not isinstance(rules, Mapping):
        raise NotationError("rules", f"{rules!r} is not an object")
    try:
        return Rules.from_dict({key: value for key, value in rules.items() if key in _RULE_KEYS})
    except NotationError as error:
        raise NotationError(f"rules: {error.place}", error.reason) from None


_RULE_KEYS = frozenset(Rules().to_dict())


def _rounds(values: Mapping[str, Any]) -> Rounds:
    rounds = _get(values, "rounds")
    return "open" if rounds == "open" else _whole(rounds, "rounds")


def _integer(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError(place, f"{value!r} is not a whole number")
    return value


def _whole(value: Any, place: str) -> int:
    if _integer(value, place) < 0:
        raise NotationError(place, f"{value!r} is negative")
    return int(value)


def _count(values: Mapping[str, Any], key: str) -> int:
    return _whole(_get(values, key), key)


def _optional_seat(values: Mapping[str, Any], key: str) -> Seat | None:
    seat = _get(values, key)
    if seat is None:
        return None
    if isinstance(seat, bool) or seat not in SEATS:
        raise NotationError(key, f"{seat!r} is not 0, 1 or null")
    return int(seat)


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise NotationError(place, f"{value!r} is not a list")
    return list(value)


def _pair(values: Mapping[str, Any], key: str, read: Callable[[Any, str], T]) -> BySeat[T]:
    items = _list(_get(values, key), key)
    if len(items) != 2:
        raise NotationError(key, f"{len(items)} entries, expected one a seat")
    return BySeat(read(items[0], f"{key} of seat 0"), read(items[1], f"{key} of seat 1"))


def _card(value: Any, place: str) -> Card:
    if not isinstance(value, str):
        raise NotationError(place, f"{value!r} is not a card")
    try:
        return parse_card(value)
    except NotationError as error:
        raise error.within(place) from None


def _cards(value: Any, place: str) -> tuple[Card, ...]:
    return tuple(_card(item, place) for item in _list(value, place))


def _read_rows(value: Any, rules: Rules, place: str) -> Expeditions:
    if not isinstance(value, Mapping):
        raise NotationError(place, f"{value!r} is not an object of colours")
    rows: list[tuple[Card, ...]] = [()] * rules.colours
    for letter, cards in value.items():
        colour = _row_colour(letter, rules, place)
        if rows[colour]:
            raise NotationError(place, f"{letter} is given twice")
        rows[colour] = _one_row(cards, colour, f"{place}: {letter}")
    return tuple(rows)


def _row_colour(letter: Any, rules: Rules, place: str) -> Colour:
    try:
        colour = parse_colour(str(letter))
    except NotationError as error:
        raise error.within(place) from None
    if colour >= rules.colours:
        raise NotationError(place, f"these rules have no colour {letter}")
    return colour


def _one_row(value: Any, colour: Colour, place: str) -> tuple[Card, ...]:
    row = _cards(value, place)
    for card in row:
        if card.colour != colour:
            raise NotationError(place, f"{card} has another colour")
    return row


def _known(values: Mapping[str, Any], seat: Seat | None) -> BySeat[tuple[Card, ...]]:
    if seat is None:
        return _pair(values, "known", lambda cards, at: sort_cards(_cards(cards, at)))
    exposed = sort_cards(_cards(values.get("exposed", []), "exposed"))
    known = sort_cards(_cards(_get(values, "known"), "known"))
    return BySeat(exposed, known) if seat == 0 else BySeat(known, exposed)


def _turn(value: Any, place: str) -> Turn:
    if not isinstance(value, str):
        raise NotationError(place, f"{value!r} is not a turn")
    try:
        return parse_turn(value)
    except NotationError as error:
        raise error.within(place) from None


def _optional_turn(values: Mapping[str, Any]) -> Turn | None:
    last = values.get("last_turn")
    return None if last is None else _turn(last, "last_turn")


def _check(view: View) -> None:
    placed = sum(len(cards) for cards, _ in _placed(view))
    if placed + sum(view.hand_sizes) + view.deck > view.rules.deck_size:
        raise NotationError("deck", f"more cards in all than these rules have ({view.deck} here)")
    _check_faces(view)
    for seat in SEATS:
        _check_ascending(view.expeditions[seat], f"expeditions of seat {seat}")
    if view.seat is not None:
        _check_own(view)


def _check_faces(view: View) -> None:
    counts: dict[Card, int] = {}
    places = [(view.hand, "hand"), *_placed(view)]
    if view.seat is not None:
        places.append((view.other_known, "known"))
    else:
        places += [(cards, f"known of seat {seat}") for seat, cards in enumerate(view.known)]
    for cards, place in places:
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
            _check_copies(card, counts[card], view.rules, place)


def _placed(view: View) -> list[tuple[tuple[Card, ...], str]]:
    rows = [(row, f"expeditions of seat {s}") for s in SEATS for row in view.expeditions[s]]
    return rows + [(pile, "piles") for pile in view.piles]


def _check_copies(card: Card, count: int, rules: Rules, place: str) -> None:
    copies = rules.copies(card)
    if copies == 0:
        raise NotationError(place, f"{card} is not in the deck of these rules")
    if count > copies:
        raise NotationError(place, f"{card} appears too often (the deck has {copies})")


def _check_ascending(rows: Expeditions, place: str) -> None:
    for row in rows:
        for index, card in enumerate(row):
            if not may_play(card, row[:index]):
                raise NotationError(place, f"{card} may not follow {format_cards(row[:index])}")


def _check_own(view: View) -> None:
    seat = view.own_seat
    if len(view.hand) != view.hand_sizes[seat]:
        reason = f"{view.hand_sizes[seat]} at seat {seat}, but the hand has {len(view.hand)}"
        raise NotationError("hand_sizes", reason)
    if Counter(view.exposed) - Counter(view.hand):
        raise NotationError("exposed", "has a card that is not in the hand")
    if len(view.other_known) > view.hand_sizes[other(seat)]:
        raise NotationError("known", "more cards than the other seat holds")
    for turn in view.legal:
        if turn.lay.card not in view.hand:
            raise NotationError("legal", f"{turn}: {turn.lay.card} is not in the hand")
