"""A colour as the levels below *Expert* see it, over the kernel's rows: what it promises, and what nobody does.

All values are whole numbers of 1/64 point. See :mod:`lostcities.agents.minds_compiled`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents import minds
from lostcities.agents.steady import HELD, RISK, UNIT
from lostcities.agents.steady_compiled import (
    SUM,
    TOP,
    PackedRules,
    Row,
    beyond,
    bonus,
    how_many,
    numbers_of,
    whole,
)
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U, Word
from lostcities.kernel.jit import inlined
from lostcities.kernel.round import wagers_in

Minds: TypeAlias = NDArray[np.int64]

LATE = 10
"""Cards in the deck down from which nobody opens a colour that the hand cannot bring above its cost."""
WAGER_LAID, WAGER_HELD = 96, 64
"""Worth of a wager to one that does not know what it is for: a card like others."""


class Side(NamedTuple):
    """A seat's row in a colour and what it holds of it.

    Attributes:
        total: sum of the row's numbers.
        wagers: wagers in the row.
        cards: cards in the row.
        top: the row's highest number, 0 for none.
        held: numbers in hand, as nine bits.
        held_wagers: wagers in hand.
        unseen: numbers of the colour that the seat has not seen.
    """

    total: int
    wagers: int
    cards: int
    top: int
    held: int
    held_wagers: int
    unseen: int


class Time(NamedTuple):
    """How much is left, as a mind counts it.

    Attributes:
        lays: lays of its seat after this turn.
        chance: the chance of 64 that an unseen card comes.
        haste: what a point in hand is worth less for want of time.
        trust: what is left, of 64, of what it trusted to come with the whole deck before it.
        good: cards in hand that opened rows still take.
        deck: cards in the deck, which anybody sees getting few.
    """

    lays: int
    chance: int
    haste: int
    trust: int
    good: int
    deck: int


# ---- one colour ---------------------------------------------------------------------------------


@inlined
def side_of(row: Row, seat: int, colour: int, unseen: Word) -> Side:
    """A seat's side of a colour."""
    base = at.SEAT * seat
    own, counts = numbers_of(row[base + at.LAID], colour), row[base + at.WAGERS]
    wagers = whole(wagers_in(counts, U(colour), at.IN_LAID))
    return Side(
        int(SUM[own]),
        wagers,
        how_many(own) + wagers,
        int(TOP[own]),
        numbers_of(row[base + at.HAND], colour),
        whole(wagers_in(counts, U(colour), at.IN_HAND)),
        numbers_of(unseen, colour),
    )


@inlined
def laid_by(row: Row, seat: int, colour: int) -> Side:
    """What a seat shows of a colour; its numbers laid stand in the place of those held."""
    base = at.SEAT * seat
    laid, counts = numbers_of(row[base + at.LAID], colour), row[base + at.WAGERS]
    wagers = whole(wagers_in(counts, U(colour), at.IN_LAID))
    return Side(int(SUM[laid]), wagers, how_many(laid) + wagers, int(TOP[laid]), laid, 0, 0)


@inlined
def changed(side: Side, card: int, more: int) -> Side:
    """The side with one card more (1) or less (−1) in hand: 0 a wager, else the number less 1."""
    total, wagers, cards, top, held, held_wagers, unseen = side
    if card == 0:
        held_wagers += more
    else:
        held ^= 1 << (card - 1)
    return Side(total, wagers, cards, top, held, held_wagers, unseen)


@inlined
def played(side: Side, card: int) -> Side:
    """The side after a card of the hand was played."""
    total, wagers, cards, top, held, held_wagers, unseen = side
    if card == 0:
        return Side(total, wagers + 1, cards + 1, top, held, held_wagers - 1, unseen)
    held ^= 1 << (card - 1)
    rank = card + 1
    return Side(total + rank, wagers, cards + 1, rank, held, held_wagers, unseen)


@inlined
def takes(side: Side, card: int) -> bool:
    """Whether a row takes a card: 0 a wager, else the number less 1."""
    return side.top == 0 or card >= side.top


@inlined
def highest(numbers: int, count: int) -> int:
    """The ``count`` highest numbers of a set."""
    over = how_many(numbers) - count
    while over > 0:
        numbers &= numbers - 1
        over -= 1
    return numbers


@inlined
def _plain_wagers(side: Side) -> int:
    """Wagers to one that does not know what they are for: cards like others."""
    return WAGER_LAID * side.wagers + (WAGER_HELD * side.held_wagers if side.top == 0 else 0)


@inlined
def promise(every: Minds, m: int, rules: PackedRules, side: Side, time: Time) -> int:
    """What a colour may come to as a mind sees it."""
    mine = highest(side.held & beyond(side.top), time.lays)
    in_hand = int(SUM[mine])
    if not every[m, minds.COST]:
        held = HELD if side.cards > 0 else int(every[m, minds.DREAM])
        return UNIT * side.total + held * in_hand + _plain_wagers(side)
    hoped = side.unseen & beyond(side.top) & ~side.held if every[m, minds.UNSEEN] else 0
    points = UNIT * (side.total - int(rules[at.COST])) + (HELD - time.haste) * in_hand
    points += int(SUM[hoped]) * time.chance
    points += int(every[m, minds.LUCK]) * time.trust * (10 - max(side.top, 1)) // (9 * UNIT)
    if side.cards == 0:
        points -= RISK
    more = 0
    if side.top == 0 and points > 0:
        more = min(side.held_wagers, time.lays - how_many(mine))
    if every[m, minds.WAGERS]:
        points *= 1 + side.wagers + more
    else:
        points += _plain_wagers(side)
    if every[m, minds.UNSEEN]:
        sure = side.cards + how_many(mine) + more
        points += bonus(rules, UNIT * sure + how_many(hoped) * time.chance)
    if side.cards > 0:
        return points
    return max(0, points) + int(every[m, minds.DREAM]) * in_hand


# ---- what nobody does ---------------------------------------------------------------------------


@inlined
def is_senseless(rules: PackedRules, side: Side, card: int, time: Time) -> bool:
    """Whether a play is nonsense.

    It is if it passes over a lower number in hand though there is time for both, or if it opens a colour
    while the deck is nearly through which the hand cannot bring above its cost any more.
    """
    lays = 1 + (time.deck - 1) // 2
    rest = side.held & beyond(side.top)
    if card > 0 and rest & ((1 << (card - 1)) - 1):
        waiting = time.good if side.cards > 0 else time.good + how_many(rest)
        if lays >= waiting:
            return True
    if side.cards > 0 or time.deck > LATE:
        return False
    first = 0
    if card > 0:
        first = card + 1
        rest &= beyond(first)
    rest = highest(rest, lays - 1)
    if 1 + how_many(rest) >= rules[at.BONUS_AT]:
        return False
    return bool(first + SUM[rest] <= rules[at.COST])


@inlined
def fits_next(side: Side, card: int, theirs: int) -> bool:
    """Whether a number goes on an opened row, and none between could still be laid there.

    Nobody throws such a card away: played it adds points and shuts nothing out.
    """
    if side.cards == 0 or card < max(side.top, 1):
        return False
    between = beyond(side.top) & ((1 << (card - 1)) - 1)
    return between & ~theirs == 0
