"""A round as lines of text, for the doors' ``render``."""

from __future__ import annotations

from lostcities.core.cards import Card, format_cards
from lostcities.core.round import RoundState
from lostcities.core.seats import SEATS, Seat

_WIDTH = 7


def draw_round(state: RoundState, hidden: Seat | None = None) -> str:
    """A round as text, a line for every row.

    Args:
        state: the round.
        hidden: the seat whose hand is counted rather than shown; None to show both.
    """
    return "\n".join([_heading(state), *_seats(state, hidden), *_piles(state)])


def _heading(state: RoundState) -> str:
    deck = f"ply {state.ply}, {state.deck_size} cards in the deck"
    if state.over:
        return f"{deck}: {'stalled' if state.stalled else 'over'}"
    doing = "lays" if state.lay is None else f"has laid {state.lay} and draws"
    return f"{deck}: seat {state.to_move} {doing}"


def _seats(state: RoundState, hidden: Seat | None) -> list[str]:
    lines = []
    for seat in SEATS:
        hand = f"?{state.hand_size(seat)}" if seat == hidden else format_cards(state.hands[seat])
        lines.append(f"seat {seat} {state.score[seat]:+4d}  hand {hand}")
        lines += [_row(row) for row in state.expeditions[seat] if row]
    return lines


def _row(cards: tuple[Card, ...]) -> str:
    return " " * _WIDTH + format_cards(cards)


def _piles(state: RoundState) -> list[str]:
    return ["piles", *(_row(pile) for pile in state.piles if pile)]
