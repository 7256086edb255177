"""What rows are worth: the vectors, the whole domain, the properties."""

from itertools import chain, combinations
from typing import Any

import pytest

from data_files import read_rows
from lostcities.core.cards import Card, Colour, parse_cards
from lostcities.core.rules import Rules
from lostcities.core.scoring import (
    Expeditions,
    ExpeditionScore,
    score_expedition,
    score_round,
    score_seat,
)
from lostcities.core.seats import BySeat

VECTORS = read_rows("score_vectors.jsonl")
RULES = Rules()
NUMBERS = range(2, 11)


def expeditions(text: str, rules: Rules = RULES) -> Expeditions:
    cards = parse_cards(text)
    return tuple(
        tuple(card for card in cards if card.colour == colour) for colour in rules.all_colours()
    )


def points(text: str, rules: str = "") -> int:
    return score_expedition(parse_cards(text), Rules.parse(rules)).total


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_vector(vector: dict[str, Any]) -> None:
    rules = Rules.parse(vector.get("rules", ""))
    rows = expeditions(vector["rows"], rules)
    assert score_seat(rows, rules) == vector["points"]
    for letter, wanted in vector.get("by_colour", {}).items():
        row = rows["YBWGRP".index(letter)]
        assert score_expedition(row, rules).total == wanted, letter


def test_the_vectors_are_whole() -> None:
    assert len(VECTORS) == 71
    assert sum("source_says" in vector for vector in VECTORS) == 8


def columns(rules: Rules = RULES) -> list[tuple[Card, ...]]:
    """Every set of cards of one colour, each in an order it could be played in."""
    numbers = list(range(2, rules.top + 1))
    subsets = chain.from_iterable(combinations(numbers, n) for n in range(len(numbers) + 1))
    return [
        tuple(Card(Colour.RED, rank) for rank in (0,) * wagers + ranks)
        for ranks in subsets
        for wagers in range(rules.wagers + 1)
    ]


def test_the_whole_domain() -> None:
    """One figure for each fault a formula can have: 2,048 columns."""
    totals = [score_expedition(column, RULES).total for column in columns()]
    assert len(totals) == 2048
    assert sum(totals) == 44_700
    assert sum(total * total for total in totals) == 3_381_040
    assert [sum(total < 0 for total in totals), totals.count(0)] == [471, 64]
    assert sum(total > 0 for total in totals) == 1_513
    assert len(set(totals)) == 143
    assert (min(totals), max(totals)) == (-80, 156)


def test_a_column_with_the_bonus_is_never_below_it() -> None:
    scores = [score_expedition(column, RULES) for column in columns()]
    long = [score for score in scores if score.bonus]
    assert len(long) == 442
    assert min(score.total for score in long) == 20


def test_the_order_of_a_row_does_not_matter() -> None:
    for column in columns()[::7]:
        assert score_expedition(reversed(column), RULES) == score_expedition(column, RULES)


@pytest.mark.parametrize(
    ("row", "total"),
    [
        ("-", 0),
        ("R2", -18),
        ("RX", -40),
        ("RX RX", -60),
        ("RX RX RX", -80),
        ("RX RX RX R2 R3 R4 R5", -24),
        ("RX RX RX R2 R3 R4 R5 R6", 20),
        ("RX RX RX R2 R3 R4 R7 R10", 44),
        ("RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10", 156),
        ("RX R2 R3 R4 R5 R6 R7 R8", 50),
        ("RX RX R8", -36),
        ("RX RX RX R2 R3 R7 R8", 0),
        ("R2 R3 R4 R5 R6 R7 R8 R9", 44),
    ],
)
def test_a_row(row: str, total: int) -> None:
    assert points(row) == total


@pytest.mark.parametrize(
    ("rules", "row", "total"),
    [
        ("cost=15", "R2 R3 R4 R5 R6 R7 R8 R9", 49),
        ("cost=15", "RX R2 R3 R4 R5 R6 R7 R8", 60),
        ("cost=15", "RX", -30),
        ("bonus=30", "RX R2 R3 R4 R5 R6 R7 R8", 60),
        ("bonus_at=7", "R2 R3 R4 R5 R6 R7 R8", 35),
        ("bonus_at=9", "R2 R3 R4 R5 R6 R7 R8 R9", 24),
        ("bonus_at=12", "RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10", 156),
        ("bonus_at=13", "RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10", 136),
        ("bonus_at=1", "R10", 10),
        ("cost=0 bonus=0", "RX R3", 6),
    ],
)
def test_other_constants(rules: str, row: str, total: int) -> None:
    """Cost and bonus are two numbers: waiving the cost is the same as the bonus only at 20."""
    assert points(row, rules) == total


def test_the_working_is_shown() -> None:
    row = parse_cards("RX RX R2 R3 R5 R7 R8 R10")
    assert score_expedition(row, RULES) == ExpeditionScore(8, 35, 20, 3, 20, 65)
    assert score_expedition((), RULES) == ExpeditionScore(0, 0, 0, 1, 0, 0)
    assert score_expedition(parse_cards("RX"), RULES) == ExpeditionScore(1, 0, 20, 2, 0, -40)


def test_a_bonus_at_nought_cards_still_gives_an_unopened_colour_nothing() -> None:
    assert score_seat(((), (), (), (), ()), Rules(bonus_at=1)) == 0


def test_both_seats_are_scored_apart() -> None:
    rows = BySeat(expeditions("R10 G2"), expeditions("YX Y5 Y9"))
    assert score_round(rows, RULES) == BySeat(-10 - 18, -12)


def test_the_range_of_a_side() -> None:
    """Five colours of wagers only; the dozen of every colour is arithmetic, no round reaches it."""
    wagers = expeditions(" ".join(f"{letter}X {letter}X {letter}X" for letter in "YBWGR"))
    assert score_seat(wagers, RULES) == -400
    full = tuple(column for column in [columns()[-1]] * 5)
    assert score_seat(full, RULES) == 780


def test_the_best_reachable_side() -> None:
    """At most 43 cards reach one side: 16 end in hands and the other side laid at least one."""
    best = {len(column): 0 for column in columns()}
    for column in columns():
        total = score_expedition(column, RULES).total
        best[len(column)] = max(best[len(column)], total)
    reach = {0: 0}
    for _ in range(5):
        step: dict[int, int] = {}
        for cards, total in reach.items():
            for more, points_more in best.items():
                step[cards + more] = max(step.get(cards + more, -999), total + points_more)
        reach = step
    assert max(total for cards, total in reach.items() if cards <= 43) == 580
