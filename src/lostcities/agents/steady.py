"""``steady@1``: a hand-written heuristic, frozen as a yardstick.

It gives every colour a *potential*, the points that its row may still come to, and lays the card
that raises its potentials most or lowers them least. So it starts colours worth starting, plays
wagers while they pay, waits for lower cards while there is time, and throws away what it needs
least, counting what a discard gives to the other seat. Then it takes the top of a pile if that adds
more than an unknown card would; when it holds more good cards than it has lays left, a draw from a
pile wins time, and this is counted too.

All values are whole numbers of 1/64 point; a division rounds down. Ties go to the first in canonical
order. It draws no random numbers and searches nothing. The constants were found by hill climbing
over duplicate deals against ``greedy`` and against itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from lostcities.agents.agent import Candidate, Choice, check_to_move
from lostcities.core.cards import Card, Colour
from lostcities.core.rules import Rules
from lostcities.core.seats import other
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View

UNIT = 64
"""One point."""
HELD = 61
"""Worth of a point in hand; a point laid is worth ``UNIT``, and the difference is what drives plays."""
HASTE = 11
"""A point in hand is worth less by this for each good card held, divided by the lays left."""
CHANCE = 37
"""Chance of ever holding an unseen card: this by lays left by cards unseen, of 64."""
RISK = 69
"""Points by which a colour must promise more than its cost to be worth opening."""
DREAM = 14
"""Worth of a point in hand in an unopened colour, whatever the colour promises."""
BONUS_SLOPE = 82
"""Cards (of 64) below the long expedition at which its bonus begins to count in part."""
PLAY = 57
"""What any play is worth above a discard."""
GIFT_NUMBER = 55
"""Worth of a point given to a row of the other seat that it fits."""
GIFT_HOPE = 19
"""The same in a colour that the other seat has not opened, early in the round."""
GIFT_WAGER = 229
"""Worth of a wager given in a colour not opened; twice that on an opened one without numbers."""
GIFT_KNOWN = 25
"""Added for each point, and 4 more, where the other seat is known to hold cards of the colour."""
UNKNOWN_CARD = 159
"""What a card from the deck is worth at the end of the round."""
UNKNOWN_CARD_EARLY = 8
"""What it is worth more for each lay left, up to ``EARLY`` of them."""
EARLY = 16


class Row(NamedTuple):
    """One seat's row in one colour: sum of numbers, wagers, cards, highest number (0 for none)."""

    sum: int
    wagers: int
    cards: int
    top: int


class Held(NamedTuple):
    """What a hand holds of one colour: a bit for each rank of a number, and how many wagers."""

    numbers: int
    wagers: int

    def with_card(self, rank: int) -> Held:
        """The same with one more card."""
        return Held(self.numbers | 1 << rank, self.wagers) if rank else Held(
            self.numbers, self.wagers + 1
        )  # fmt: skip

    def without(self, rank: int) -> Held:
        """The same with one card less."""
        return Held(self.numbers & ~(1 << rank), self.wagers) if rank else Held(
            self.numbers, self.wagers - 1
        )  # fmt: skip

    def playable(self, row: Row) -> Iterator[int]:
        """The ranks of the numbers that may still be played on a row, highest first."""
        return (rank for rank in range(10, row.top, -1) if self.numbers >> rank & 1)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the heuristic knows, by colour: counted from a view and nothing else.

    Attributes:
        rules: the rules in force.
        own: this seat's rows.
        others: the other seat's rows.
        held: this seat's cards.
        unseen: a bit for each number that lies in the deck or unknown in the other hand.
        shown: whether the other seat is known to hold a card of the colour.
        piles: ranks, bottom to top.
        deck: cards left.
        hidden: cards in the deck and unknown in the other hand.
    """

    rules: Rules
    own: tuple[Row, ...]
    others: tuple[Row, ...]
    held: tuple[Held, ...]
    unseen: tuple[int, ...]
    shown: tuple[bool, ...]
    piles: tuple[tuple[int, ...], ...]
    deck: int
    hidden: int


def sight(view: View) -> Sight:
    """Count what a view shows."""
    seat, colours = view.own_seat, view.rules.all_colours()
    known = view.other_known
    return Sight(
        rules=view.rules,
        own=tuple(_row(row) for row in view.expeditions[seat]),
        others=tuple(_row(row) for row in view.expeditions[other(seat)]),
        held=tuple(_held(view.hand, colour) for colour in colours),
        unseen=tuple(_unseen(view, colour) for colour in colours),
        shown=tuple(any(card.colour == colour for card in known) for colour in colours),
        piles=tuple(tuple(card.rank for card in pile) for pile in view.piles),
        deck=view.deck,
        hidden=view.deck + max(0, view.hand_sizes[other(seat)] - len(known)),
    )


def _row(row: tuple[Card, ...]) -> Row:
    ranks = [card.rank for card in row]
    return Row(sum(ranks), ranks.count(0), len(ranks), max(ranks, default=0))


def _held(hand: tuple[Card, ...], colour: Colour) -> Held:
    ranks = [card.rank for card in hand if card.colour == colour]
    return Held(sum(1 << rank for rank in ranks if rank), ranks.count(0))


def _unseen(view: View, colour: Colour) -> int:
    rows = [view.expeditions[seat][colour] for seat in (0, 1)]
    places = (view.hand, view.other_known, view.piles[colour], *rows)
    seen = {card.rank for cards in places for card in cards if card.colour == colour}
    return sum(1 << rank for rank in range(2, view.rules.top + 1) if rank not in seen)


@dataclass(frozen=True, slots=True)
class Time:
    """How much is left.

    Attributes:
        lays: lays of this seat after this turn.
        chance: the chance of 64 that an unseen card comes to this seat's hand.
        haste: what a point in hand is worth less for want of time.
    """

    lays: int
    chance: int
    haste: int = 0


def _chance(seen: Sight, lays: int) -> int:
    return min(UNIT, CHANCE * lays // seen.hidden)


def _time_to_lay(seen: Sight) -> Time:
    lays = (seen.deck - 1) // 2
    if any(seen.piles) and _overload(seen, lays + 1):
        lays = seen.deck // 2  # a draw from a pile wins the time that is wanting
    load = sum(_good_cards(row, held) for row, held in zip(seen.own, seen.held, strict=True))
    haste = HASTE * load // (lays + 1)
    return Time(lays, _chance(seen, lays), haste)


def _good_cards(row: Row, held: Held) -> int:
    if row.cards == 0:
        return 0
    return len(list(held.playable(row))) + (held.wagers if row.top == 0 else 0)


def potential(rules: Rules, row: Row, held: Held, unseen: int, time: Time) -> int:
    """What a row may come to with the cards held and unseen, in 1/64 points."""
    lays, in_hand, hoped, cards = time.lays, 0, 0, UNIT * row.cards
    for rank in range(10, max(row.top, 1), -1):
        if held.numbers >> rank & 1:
            if lays > 0:
                lays -= 1
                in_hand += rank
                cards += UNIT
        elif unseen >> rank & 1:
            hoped += rank * time.chance
            cards += time.chance
    points = UNIT * (row.sum - rules.cost) + (HELD - time.haste) * in_hand + hoped
    if row.cards == 0:
        points -= RISK
    wagers = row.wagers
    if row.top == 0 and points > 0:
        more = min(held.wagers, lays)
        wagers += more
        cards += UNIT * more
    points = points * (1 + wagers) + _bonus(rules, cards)
    if row.cards == 0:
        return max(0, points) + DREAM * in_hand
    return points


def _bonus(rules: Rules, cards: int) -> int:
    if rules.bonus_at > rules.wagers + rules.top - 1:
        return 0
    near = min(BONUS_SLOPE, cards - UNIT * rules.bonus_at + BONUS_SLOPE)
    return UNIT * rules.bonus * near // BONUS_SLOPE if near > 0 else 0


def gift(rank: int, row: Row, shown: bool, lays: int) -> int:
    """What a card is worth to the other seat, with its row and so many lays left."""
    if lays <= 0:
        return 0
    if row.cards:
        if rank == 0:
            return 2 * GIFT_WAGER if row.top == 0 else 0
        return rank * (1 + row.wagers) * GIFT_NUMBER if rank > row.top else 0
    worth = rank * GIFT_HOPE if rank else GIFT_WAGER
    if shown:
        worth += (rank + 4) * GIFT_KNOWN
    return worth * min(lays, EARLY) // EARLY


def choose_lay(seen: Sight) -> Lay:
    """The best lay, the first of equals."""
    time = _time_to_lay(seen)
    lays = (lay for colour in seen.rules.all_colours() for lay in _lays(seen, colour))
    return max(lays, key=lambda lay: _lay_value(seen, lay, time))


def _lays(seen: Sight, colour: Colour) -> Iterator[Lay]:
    held, row = seen.held[colour], seen.own[colour]
    for rank in (0, *range(2, 11)):
        if held.numbers >> rank & 1 or (rank == 0 and held.wagers):
            card = Card(colour, rank)
            if rank > row.top or (rank == 0 and row.top == 0):
                yield Lay(card, discard=False)
            yield Lay(card, discard=True)


def _lay_value(seen: Sight, lay: Lay, time: Time) -> int:
    colour, rank = lay.card.colour, lay.card.rank
    rules, row, held, unseen = seen.rules, seen.own[colour], seen.held[colour], seen.unseen[colour]
    before = potential(rules, row, held, unseen, time)
    rest = held.without(rank)
    if lay.discard:
        after = potential(rules, row, rest, unseen, time)
        return after - before - _discard_cost(seen, lay.card, before, time)
    played = Row(row.sum + rank, row.wagers + (rank == 0), row.cards + 1, rank)
    return potential(rules, played, rest, unseen, time) - before + PLAY


def _discard_cost(seen: Sight, card: Card, before: int, time: Time) -> int:
    colour, lays = card.colour, seen.deck // 2
    row, pile = seen.others[colour], seen.piles[colour]
    cost = gift(card.rank, row, seen.shown[colour], lays)
    if pile:
        wish = potential(
            seen.rules, seen.own[colour], seen.held[colour].with_card(pile[-1]),
            seen.unseen[colour], time,
        ) - before - UNKNOWN_CARD  # fmt: skip
        cost += max(0, wish)
    return cost


def choose_draw(seen: Sight, closed: Colour | None) -> Colour | None:
    """The best draw after a lay (``seen`` is after it), the deck first among equals.

    Args:
        seen: what is known in the middle of the turn.
        closed: the colour whose pile may not be taken from, because this seat just discarded there.
    """
    after_deck, after_pile = (seen.deck - 1) // 2, seen.deck // 2
    best, chosen = -_overload(seen, after_deck), None
    if after_deck:
        best += UNKNOWN_CARD + UNKNOWN_CARD_EARLY * min(after_deck, EARLY)
    time = Time(after_pile, _chance(seen, after_deck))
    for colour in seen.rules.all_colours():
        if seen.piles[colour] and colour != closed:
            value = _wish(seen, colour, time) - _overload(seen, after_pile)
            if value > best:
                best, chosen = value, colour
    return chosen


def _wish(seen: Sight, colour: Colour, time: Time) -> int:
    held, rank = seen.held[colour], seen.piles[colour][-1]
    row, unseen = seen.own[colour], seen.unseen[colour]
    taken = potential(seen.rules, row, held.with_card(rank), unseen, time)
    return taken - potential(seen.rules, row, held, unseen, time)


def _overload(seen: Sight, lays: int) -> int:
    """Points lost because more cards of opened colours are held than lays are left."""
    values = sorted(
        rank * (1 + row.wagers)
        for row, held in zip(seen.own, seen.held, strict=True)
        if row.cards
        for rank in held.playable(row)
    )
    return UNIT * sum(values[: max(0, len(values) - lays)])


def after_lay(seen: Sight, lay: Lay) -> Sight:
    """What is known after a lay of this seat."""
    colour, rank = lay.card.colour, lay.card.rank
    own, piles, held = list(seen.own), list(seen.piles), list(seen.held)
    held[colour] = held[colour].without(rank)
    if lay.discard:
        piles[colour] = (*piles[colour], rank)
    else:
        row = own[colour]
        own[colour] = Row(row.sum + rank, row.wagers + (rank == 0), row.cards + 1, rank)
    return Sight(
        seen.rules, tuple(own), seen.others, tuple(held), seen.unseen, seen.shown, tuple(piles),
        seen.deck, seen.hidden,
    )  # fmt: skip


def weigh(view: View) -> tuple[Candidate, ...]:
    """Every lay with the draw that the heuristic would follow it with, best first.

    A value is what the lay is worth by the heuristic's own measure, in points, against laying
    nothing: it weighs lays against each other and is no expected result of the round.
    """
    check_to_move(view)
    seen = sight(view)
    time = _time_to_lay(seen)
    found = []
    for lay in (each for colour in seen.rules.all_colours() for each in _lays(seen, colour)):
        closed = lay.card.colour if lay.discard and not view.rules.own_discard else None
        turn = Turn(lay, choose_draw(after_lay(seen, lay), closed))
        found.append(Candidate(turn, _lay_value(seen, lay, time) / UNIT))
    return tuple(sorted(found, key=lambda each: -each.value))


class SteadyAgent:
    """The heuristic as an agent."""

    name = "steady@1"

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`."""
        check_to_move(view)
        seen = sight(view)
        lay = choose_lay(seen)
        if view.ply >= 2 * (view.rules.deck_size - 2 * view.rules.hand):
            return Choice(Turn(lay, None))  # the round has gone on for long enough: end it
        closed = lay.card.colour if lay.discard and not view.rules.own_discard else None
        return Choice(Turn(lay, choose_draw(after_lay(seen, lay), closed)))
