"""Positions as JSON, for programs that would rather not read our position text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lostcities.core.cards import Card
from lostcities.core.errors import NotationError
from lostcities.core.position import format_position, parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions


def position_to_dict(state: RoundState) -> dict[str, Any]:
    """A position between two turns; everything in it is known.

    ``{"to_move", "hands": [[…], […]], "expeditions": [{"R": […]}, {}], "piles": {…}, "deck": […]}``:
    rows in the order played, piles bottom to top, the deck top first; colours without a card are
    left out.
    """
    return {
        "to_move": state.to_move,
        "hands": [_names(hand) for hand in state.hands],
        "expeditions": [_rows(rows) for rows in state.expeditions],
        "piles": _rows(state.piles),
        "deck": _names(state.deck),
    }


def asked(do: str, state: RoundState, **more: Any) -> dict[str, Any]:
    """A request about a position, which stands in it as an object and as text."""
    return {
        "do": do,
        "rules": state.rules.to_dict(),
        "position": position_to_dict(state),
        "text": format_position(state),
        **more,
    }


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _rows(rows: Expeditions) -> dict[str, list[str]]:
    return {row[0].colour.letter: _names(row) for row in rows if row}


def position_from_dict(values: Mapping[str, Any], rules: Rules) -> RoundState:
    """Read such a position.

    Raises:
        NotationError: not of this form, or a position that cannot be.
    """
    return parse_position(_text(values), rules)


def normal(position: Mapping[str, Any] | str, rules: Rules) -> str:
    """A position as text in canonical form, so that two ways to write it compare equal.

    Raises:
        NotationError: as :func:`position_from_dict`.
    """
    if isinstance(position, str):
        return format_position(parse_position(position, rules))
    return format_position(position_from_dict(position, rules))


def _text(values: Mapping[str, Any]) -> str:
    try:
        hands, sides = values["hands"], values["expeditions"]
        fields = [
            str(values["to_move"]), *(_cards(hands[seat]) for seat in (0, 1)),
            *(_cards(_flat(sides[seat])) for seat in (0, 1)),
            _cards(_flat(values["piles"])), _cards(values["deck"]),
        ]  # fmt: skip
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise NotationError("position", f"not of the documented form ({error!r})") from None
    return " | ".join(fields)


def _flat(rows: Mapping[str, list[str]]) -> list[str]:
    return [card for row in rows.values() for card in row]


def _cards(cards: object) -> str:
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise NotationError("position", "cards stand in a list of strings")
    if any("|" in card or "?" in card for card in cards):
        raise NotationError("position", f"not cards: {cards}")
    return " ".join(cards) or "-"
