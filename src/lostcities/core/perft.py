"""perft: how many sequences of turns of exactly a given length a position has.

The deck order is known, so a sequence of tokens names one line of play; equal faces in a hand are
one token. As in chess programs, the counts pin a rules engine down and the divide finds the fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from lostcities.core.errors import HiddenCardsError
from lostcities.core.round import RoundState
from lostcities.core.seats import SEATS
from lostcities.core.turn import Turn


def perft(state: RoundState, length: int) -> int:
    """The number of turn sequences of exactly ``length`` turns; 1 for length 0.

    Raises:
        HiddenCardsError: cards that the count depends on are hidden (length 1 needs the mover's
            hand only).
        ValueError: a length below 0.
    """
    check_known(state, length)
    return _count(state, length)


def divide(state: RoundState, length: int) -> Iterator[tuple[Turn, int]]:
    """For each legal turn in order, the number of sequences that begin with it (length ≥ 1).

    Raises:
        HiddenCardsError: as :func:`perft`.
    """
    check_known(state, length)
    for turn in state.legal_turns():
        yield turn, _count(state.play(turn), length - 1) if length > 1 else 1


def check_known(state: RoundState, length: int) -> None:
    """Raise :class:`HiddenCardsError` if a count of that length needs hidden cards."""
    if length < 0:
        raise ValueError(f"a length of {length} turns cannot be")
    if length < 2:
        return
    for seat in SEATS:
        if state.hidden_hands[seat]:
            raise HiddenCardsError(f"hand of seat {seat}", f"hidden, but length {length} needs it")
    if state.hidden_deck:
        raise HiddenCardsError("deck", f"hidden, but length {length} needs its order")


def _count(state: RoundState, length: int) -> int:
    if length == 0:
        return 1
    if length == 1:
        return sum(1 for lay in state.lays() for _ in state.draws(lay))
    return sum(_count(state.play(turn), length - 1) for turn in state.legal_turns())
