"""Errors of the core: each names the place and the reason.

Wrong input raises one of these. A refused turn is no error but a value
(:class:`lostcities.core.refusal.Refusal`).
"""

from __future__ import annotations

from typing import Self

from lostcities.core.said import Said, as_said, inside


class LostCitiesError(ValueError):
    """Base of every error that wrong input can cause."""


class NotationError(LostCitiesError):
    """A card, turn, position or view that cannot be read; says where and why.

    Attributes:
        place: which part of the text is wrong, e.g. ``"hand of seat 0"``; may be empty.
        reason: what is wrong with it.
        where: the place as it was said, for :meth:`within` and for other languages.
        why: the reason likewise.
    """

    def __init__(self, place: str | Said, reason: str | Said) -> None:
        super().__init__(str(inside(place, reason)))
        self.where = place
        self.why = reason
        self.place = str(place)
        self.reason = str(reason)

    @property
    def said(self) -> Said:
        """The whole as a sentence that another language can say."""
        return as_said(inside(self.where, self.why))

    def within(self, place: str | Said) -> Self:
        """The same error seen from outside: ``place`` names what the inner text was part of."""
        return type(self)(inside(place, self.where) if self.place else place, self.why)


class RulesError(NotationError):
    """Rules that cannot be read or cannot be played; ``place`` is the key."""


class RecordError(NotationError):
    """A record that cannot be read or does not replay; ``place`` names round and ply."""


class HiddenCardsError(NotationError):
    """The question needs cards that the reader may not see."""
