"""Score sheets of a whole round at a real table: both sides' rows, checked against each other.

A sheet at the table has no order of play: the cards lie as they lie, so rows are put in order. What
cannot be is told at once: a card in two rows, a fourth wager, more cards than can lie there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lostcities.core.cards import Card, count_faces, sort_cards
from lostcities.core.rules import Rules
from lostcities.core.said import Said
from lostcities.core.scoring import Expeditions, ExpeditionScore, score_expedition
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.sentences import ABSENT
from lostcities.table import sentences as say


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a sheet cannot be.

    Attributes:
        card: the card it is about; None for the sheet as a whole.
        seats: whose rows show it.
        said: one sentence for people, in any language.
    """

    card: Card | None
    seats: tuple[Seat, ...]
    said: Said

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.said.text


@dataclass(frozen=True, slots=True)
class Sheet:
    """Both sides' rows of one round, with the working.

    Attributes:
        rows: by seat, then colour, each row wagers first and numbers ascending.
        scores: by seat, the working of every colour in force.
        problems: why this cannot be; empty for a sheet that can.
    """

    rows: BySeat[Expeditions]
    scores: BySeat[tuple[ExpeditionScore, ...]]
    problems: tuple[Problem, ...]

    @property
    def totals(self) -> BySeat[int]:
        """Points of the round by seat."""
        return self.scores.map(lambda scores: sum(score.total for score in scores))


def make_sheet(cards: BySeat[tuple[Card, ...]], rules: Rules) -> Sheet:
    """The sheet of the cards that lie on each side, in whatever order they were typed.

    Cards of colours that the rules lack are told as problems and count for nothing.
    """
    rows = cards.map(lambda side: _rows(side, rules))
    scores = rows.map(lambda side: tuple(score_expedition(row, rules) for row in side))
    return Sheet(rows, scores, tuple(find_problems(cards, rules)))


def _rows(cards: Iterable[Card], rules: Rules) -> Expeditions:
    ordered = sort_cards(cards)
    return tuple(
        tuple(card for card in ordered if card.colour == colour and rules.copies(card))
        for colour in rules.all_colours()
    )


def find_problems(cards: BySeat[tuple[Card, ...]], rules: Rules) -> Iterator[Problem]:
    """Everything that makes a pair of sheets impossible, over both sides together."""
    counts = cards.map(count_faces)
    for card in sort_cards(set(cards[0]) | set(cards[1])):
        copies = rules.copies(card)
        seats = tuple(seat for seat in SEATS if counts[seat][card])
        if copies == 0:
            yield Problem(card, seats, ABSENT(card=str(card)))
        elif counts[0][card] + counts[1][card] > copies:
            yield Problem(card, seats, _too_often(card, copies, seats))
    yield from _too_many(cards, rules)


def _too_often(card: Card, copies: int, seats: tuple[Seat, ...]) -> Said:
    if copies == 1:
        sentence = say.BOTH_SIDES if len(seats) == 2 else say.LIES_TWICE
        return sentence(card=str(card))
    return say.ONLY(n=copies, card=str(card))


def _too_many(cards: BySeat[tuple[Card, ...]], rules: Rules) -> Iterator[Problem]:
    """Both hands are full at the end, and the last card that the other side laid is not mine:
    it came after my last draw from a pile, or lies where I left it when I drew the last deck card.
    """
    most = rules.deck_size - 2 * rules.hand
    total = len(cards[0]) + len(cards[1])
    if total > most:
        reason = say.MOST_LIE(n=total, most=most, size=rules.deck_size, hand=rules.hand)
        yield Problem(None, SEATS, reason)
        return
    for seat in SEATS:
        if most > 1 and len(cards[seat]) == most:
            yield Problem(None, (seat,), say.ALL_ONE_SIDE(n=most))
