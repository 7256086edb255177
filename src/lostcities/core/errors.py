"""Errors of the core: each names the place and the reason.

Wrong input raises one of these. A refused turn is no error but a value
(:class:`lostcities.core.refusal.Refusal`).
"""


class LostCitiesError(ValueError):
    """Base of every error that wrong input can cause."""


class NotationError(LostCitiesError):
    """A card, turn, position or view that cannot be read; says where and why.

    Attributes:
        place: which part of the text is wrong, e.g. ``"hand of seat 0"``; may be empty.
        reason: what is wrong with it.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason

    def within(self, place: str) -> "NotationError":
        """The same error seen from outside: ``place`` names what the inner text was part of."""
        return type(self)(f"{place}: {self.place}" if self.place else place, self.reason)


class RulesError(NotationError):
    """Rules that cannot be read or cannot be played; ``place`` is the key."""


class RecordError(NotationError):
    """A record that cannot be read or does not replay; ``place`` names round and ply."""


class HiddenCardsError(NotationError):
    """The question needs cards that the reader may not see."""
