"""Score sheets: one player's rows, read from the cards in the order they were played.

The colour is in each card, so the colours may come interleaved; what counts is each colour's own
order. A sheet that no play could have made is refused.
"""

from __future__ import annotations

from lostcities.core.cards import Card, parse_card
from lostcities.core.errors import NotationError
from lostcities.core.round import may_play
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions


def parse_sheet(text: str, rules: Rules) -> Expeditions:
    """Read one player's rows; nothing or ``-`` is the empty sheet.

    Raises:
        NotationError: names the card and why it cannot lie there: no card, not in the deck of these
            rules, more often than the deck has it, not ascending, or a wager after a number.
    """
    rows: list[list[Card]] = [[] for _ in range(rules.colours)]
    words = [] if text.strip() == "-" else text.split()
    for number, word in enumerate(words, 1):
        place = f"card {number}"
        try:
            card = parse_card(word)
        except NotationError as error:
            raise error.within(place) from None
        reason = _absent(card, rules) or _misplaced(card, rows[card.colour], rules)
        if reason is not None:
            raise NotationError(place, reason)
        rows[card.colour].append(card)
    return tuple(map(tuple, rows))


def _absent(card: Card, rules: Rules) -> str | None:
    if card.colour >= rules.colours:
        return f"{card}: these rules have no colour {card.colour.letter} (colours={rules.colours})"
    if rules.copies(card) == 0:
        return f"{card} is not in the deck of these rules"
    return None


def _misplaced(card: Card, row: list[Card], rules: Rules) -> str | None:
    copies = rules.copies(card)
    if row.count(card) >= copies:
        often = "twice" if copies == 1 else f"more than {copies} times"
        return f"{card} appears {often}"
    if may_play(card, tuple(row)):
        return None
    if card.is_wager:
        return f"{card} is a wager after the number {row[-1]}"
    return f"{card} is not higher than {row[-1]}, which comes before it"
