"""Score sheets: one player's rows, read from the cards in the order they were played.

The colour is in each card, so the colours may come interleaved; what counts is each colour's own
order. A sheet that no play could have made is refused.
"""

from __future__ import annotations

from lostcities.core import sentences as say
from lostcities.core.cards import Card, parse_card
from lostcities.core.errors import NotationError
from lostcities.core.position import colour_beyond
from lostcities.core.round import may_play
from lostcities.core.rules import Rules
from lostcities.core.said import Said
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
        place = say.CARD(n=number)
        try:
            card = parse_card(word)
        except NotationError as error:
            raise error.within(place) from None
        reason = _absent(card, rules) or _misplaced(card, rows[card.colour], rules)
        if reason is not None:
            raise NotationError(place, reason)
        rows[card.colour].append(card)
    return tuple(map(tuple, rows))


def _absent(card: Card, rules: Rules) -> Said | None:
    if card.colour >= rules.colours:
        return colour_beyond(card, rules)
    if rules.copies(card) == 0:
        return say.ABSENT(card=str(card))
    return None


def _misplaced(card: Card, row: list[Card], rules: Rules) -> Said | None:
    copies = rules.copies(card)
    if row.count(card) >= copies:
        many = say.MORE_THAN(card=str(card), most=copies)
        return say.TWICE(card=str(card)) if copies == 1 else many
    if may_play(card, tuple(row)):
        return None
    if card.is_wager:
        return say.WAGER_LATE(card=str(card), before=str(row[-1]))
    return say.LOWER_BEFORE(card=str(card), before=str(row[-1]))
