"""Cases about what rows are worth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

from lostcities.conformance.case import REFUSED, Case, objects
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_expedition


def _score(name: str, group: str, why: str, cards: str, rules: str = "") -> Case:
    """A sheet with its total and its points by colour."""
    in_force = Rules.parse(rules)
    row = parse_cards(cards)
    colours = {
        colour.letter: score_expedition([c for c in row if c.colour == colour], in_force).total
        for colour in in_force.all_colours()
    }
    request = {"do": "score", "rules": in_force.to_dict(), "cards": [str(card) for card in row]}
    return Case(name, group, why, request, {"total": sum(colours.values()), "colours": colours})


def scoring() -> Iterator[Case]:
    """Rows and sheets with their points."""
    for row in objects("score_vectors.jsonl"):
        case = _score(row["id"], "scoring", row.get("note", ""), row["rows"], row.get("rules", ""))
        if case.expected["total"] != row["points"]:
            raise AssertionError(f"the core contradicts {row['id']}")
        yield case
    yield from _other_constants()


def _other_constants() -> Iterator[Case]:
    rows = (
        ("cost=15", "R2 R3 R4 R5 R6 R7 R8 R9", "waiving the cost is not the same as the bonus"),
        ("cost=15", "RX R2 R3 R4 R5 R6 R7 R8", "the cost is multiplied, the bonus is not"),
        ("bonus=30", "RX R2 R3 R4 R5 R6 R7 R8", "the bonus is a number of its own"),
        ("bonus_at=9", "R2 R3 R4 R5 R6 R7 R8 R9", "the bonus from nine cards on"),
        ("bonus_at=13", "RX RX RX R2 R3 R4 R5 R6 R7 R8 R9 R10", "no bonus at all"),
        ("colours=6", "PX P2 P3 P4 P5 P6 P7 P8 Y2", "purple counts like any other"),
    )
    for number, (rules, cards, why) in enumerate(rows, 1):
        yield _score(f"constants-{number}", "scoring", why, cards, rules)


def columns() -> Iterator[Case]:
    """Every column there can be: 2,048 sets of cards of one colour, the colours by turns."""
    numbers = range(2, 11)
    sets = chain.from_iterable(combinations(numbers, size) for size in range(10))
    for number, (ranks, wagers) in enumerate((r, w) for r in sets for w in range(4)):
        letter = "YBWGR"[number % 5]
        cards = " ".join([f"{letter}X"] * wagers + [f"{letter}{rank}" for rank in ranks])
        yield _score(f"column-{number:04}", "columns", "", cards)


def sheets() -> Iterator[Case]:
    """Sheets that cannot be."""
    rows = (
        ("RX RX RX RX", "", "a fourth wager"),
        ("R5 R5", "", "a number twice"),
        ("R5 RX", "", "a wager after a number"),
        ("R5 R4", "", "a lower number after a higher one"),
        ("YX Y5 B2 Y3", "", "a lower number, with another colour between"),
        ("P5", "", "purple in a game of five colours"),
        ("R1", "", "there is no 1"),
        ("R11", "", "there is no 11"),
    )
    for number, (cards, rules, why) in enumerate(rows, 1):
        request = {
            "do": "score", "rules": Rules.parse(rules).to_dict(), "cards": cards.split(),
        }  # fmt: skip
        yield Case(f"sheet-{number}", "sheets", why, request, REFUSED)
