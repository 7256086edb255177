"""Refusals: why something cannot be done, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from lostcities.core.said import Said, as_said


class Reason(Enum):
    """Why a turn or another wish of a seat was refused; the value is its name on the wire."""

    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"
    NOT_DEALT = "not_dealt"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    NOT_HELD = "not_held"
    NO_SUCH_COLOUR = "no_such_colour"
    NOT_ASCENDING = "not_ascending"
    WAGER_AFTER_NUMBER = "wager_after_number"
    PILE_EMPTY = "pile_empty"
    OWN_DISCARD = "own_discard"
    DECK_EMPTY = "deck_empty"
    OTHER_LAY_MADE = "other_lay_made"
    FACE_NAMED = "face_named"
    FACE_WRONG = "face_wrong"
    NOT_BETWEEN_ROUNDS = "not_between_rounds"
    ALREADY_SAID = "already_said"
    NO_OFFER = "no_offer"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A wish that was refused; nothing has changed.

    Attributes:
        reason: the kind, for programs.
        text: one sentence for people.
        why: the same for other languages; None where the kind tells it all.
    """

    reason: Reason
    text: str
    why: Said | None = field(default=None, compare=False, repr=False)

    @property
    def said(self) -> Said:
        """The sentence, whatever it is known by."""
        return as_said(self.why or self.text)

    def __str__(self) -> str:
        return self.text


def no(reason: Reason, why: Said) -> Refusal:
    """A refusal with a sentence that other languages can say."""
    return Refusal(reason, why.text, why)


class IllegalTurnError(Exception):
    """A turn was applied without asking whether it is legal: a broken invariant of the caller."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal
