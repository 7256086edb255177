"""What has happened in a match: the facts that its log holds, in order.

Randomness enters only as the shuffled deck and the starting seat inside :class:`RoundDealt`, so a
replay needs no generator. ``evolve`` in :mod:`lostcities.core.match` folds them into a state.
"""

from __future__ import annotations

from dataclasses import dataclass

from lostcities.core.cards import Card
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.core.turn import Turn


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """Both seats are taken and the match begins under these rules."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round was dealt: the whole shuffled deck, top first, and who starts. Hidden from all."""

    number: int
    start: Seat
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """For practice a round begins from a position instead of a deal. Hidden from all.

    Attributes:
        number: of the round, from 1.
        round: every card known, at ply 0, nothing laid; its seat to move starts.
    """

    number: int
    round: RoundState


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A seat played a turn; ``turn.drawn`` is the face drawn from the deck (its seat's alone)."""

    seat: Seat
    ply: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class ContinueSaid:
    """After a round a seat said that it goes on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ContinueDeclined:
    """After a round a seat said that it does not go on, which ends the match."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A seat offered to end the match as a draw; the offer stands until it is answered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """A seat declined the other's offer, or took its own back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """A seat accepted the other's offer: the match ends as a draw."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    """The seat that played last asks to take its turn back; lapses with the next event."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakebackDeclined:
    """A seat declined the other's wish to take a turn back, or gave up its own."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnTakenBack:
    """The turn that ``seat`` played at ``ply`` does not count: the table is as it was before it."""

    seat: Seat
    ply: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave the match up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A seat stayed away, and the match was ended for it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A seat ran out of time and lost the match by it."""

    seat: Seat


Event = (
    MatchStarted
    | RoundDealt
    | PositionSet
    | TurnPlayed
    | ContinueSaid
    | ContinueDeclined
    | DrawOffered
    | DrawDeclined
    | DrawAgreed
    | TakebackAsked
    | TakebackDeclined
    | TurnTakenBack
    | Resigned
    | Abandoned
    | TimedOut
)
"""Every kind of event; a match over these ends in ``assert_never``."""
