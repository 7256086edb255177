"""What an expedition and a round are worth, with the working.

An expedition scores ``(sum - cost) * (1 + wagers)``, plus the bonus, after multiplying, when it has
``bonus_at`` cards or more, wagers included. A colour without a card scores 0. Cards left in a hand
count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lostcities.core.cards import Card
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat

Expeditions = tuple[tuple[Card, ...], ...]
"""One seat's rows by colour, in canonical colour order, each in the order played."""


@dataclass(frozen=True, slots=True)
class ExpeditionScore:
    """The working of one colour.

    Attributes:
        cards: how many cards lie in the row.
        sum: the numbers added up.
        cost: what was taken off (0 for an unopened colour).
        multiplier: 1 + wagers.
        bonus: what was added after multiplying.
        total: the points of the colour.
    """

    cards: int
    sum: int
    cost: int
    multiplier: int
    bonus: int
    total: int


def score_expedition(cards: Iterable[Card], rules: Rules) -> ExpeditionScore:
    """The points of one row, in any order, and how they come about."""
    row = tuple(cards)
    if not row:
        return ExpeditionScore(0, 0, 0, 1, 0, 0)
    total_numbers = sum(card.rank for card in row)
    multiplier = 1 + sum(1 for card in row if card.is_wager)
    bonus = rules.bonus if len(row) >= rules.bonus_at else 0
    total = (total_numbers - rules.cost) * multiplier + bonus
    return ExpeditionScore(len(row), total_numbers, rules.cost, multiplier, bonus, total)


def score_seat(expeditions: Expeditions, rules: Rules) -> int:
    """One seat's points in a round."""
    return sum(score_expedition(row, rules).total for row in expeditions if row)


def score_round(expeditions: BySeat[Expeditions], rules: Rules) -> BySeat[int]:
    """Both seats' points in a round."""
    return expeditions.map(lambda rows: score_seat(rows, rules))
