"""How the levels below *Expert* weigh a turn, over the kernel's rows: see :mod:`lostcities.agents.minds`.

As ``steady@1`` does, a mind gives every colour the points that it may still come to, and makes the lay
that raises them most; but it counts only what it thinks of. What anybody at a table would call nonsense
no mind plays, however much it misjudges: :func:`is_senseless`, :func:`fits_next` and :func:`mind_draw`
say what that is.

Whole numbers of 1/64 point only, so the same random numbers give the same turns everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lostcities.agents import minds
from lostcities.agents.steady import BONUS_SLOPE, CHANCE, EARLY, HASTE, HELD, RISK, UNIT
from lostcities.agents.steady_compiled import (
    SUM,
    TOP,
    PackedRules,
    Row,
    beyond,
    gift,
    good_cards,
    hidden_cards,
    how_many,
    numbers_of,
    overload,
    pile_top,
    unseen_numbers,
    whole,
)
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, mix
from lostcities.kernel.round import deck_left, filled_piles, wagers_in

Minds = NDArray[np.int64]

MINDS: Minds = np.array(minds.numbers(), dtype=np.int64)
"""The minds, one a row, of the levels 1 to 5."""

LATE = 10
"""Cards in the deck down from which nobody opens a colour that the hand cannot bring above its cost."""
WAGER_LAID, WAGER_HELD = 96, 64
"""Worth of a wager to one that does not know what it is for: a card like others."""
ENDLESS = 99
"""Lays that are left to one that does not count them."""
_NEVER = -(1 << 60)
_NOTHING = -(1 << 59)
_DRAWING = U(0x2545F4914F6CDD1D)
_HALVES = U(0xFFFF)
_MEAN, _DEVIATION = 131_070, 37_837
"""Of the sum of four even numbers of 16 bits."""


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
def _bonus(rules: PackedRules, cards: int) -> int:
    if rules[at.BONUS_AT] > rules[at.WAGERS_EACH] + rules[at.TOP] - 1:
        return 0
    near = min(BONUS_SLOPE, cards - UNIT * rules[at.BONUS_AT] + BONUS_SLOPE)
    return int(UNIT * rules[at.BONUS] * near // BONUS_SLOPE) if near > 0 else 0


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
        points += _bonus(rules, UNIT * sure + how_many(hoped) * time.chance)
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


# ---- errors -------------------------------------------------------------------------------------


@inlined
def misjudged(error: int, state: Word) -> int:
    """An error with this standard deviation, never above 3.5 of it: four even numbers added up."""
    bits = mix(state)
    total = whole((bits & _HALVES) + ((bits >> U(16)) & _HALVES))
    total += whole(((bits >> U(32)) & _HALVES) + (bits >> U(48)))
    return int(error * (total - _MEAN) // _DEVIATION)


@in_place
def mind_of(every: Minds, level: int, seed: int) -> int:
    """The mind in force in a turn: that of the level, counted from 0, or of the one below it.

    Args:
        every: the minds.
        level: of the player.
        seed: of the turn, from 0.
    """
    if level > 0 and whole(mix(U(seed)) % U(100)) < every[level, minds.LAPSE]:
        return level - 1
    return level


# ---- laying -------------------------------------------------------------------------------------


@inlined
def _uncounted(row: Row, rules: PackedRules, every: Minds, m: int, good: int) -> Time:
    """Time to one that does not count its lays: it only sees the deck get thinner."""
    deck = deck_left(row)
    trust = UNIT * deck // max(1, int(rules[at.DECK_SIZE]) - 2 * int(rules[at.HAND_SIZE]))
    return Time(ENDLESS, int(every[m, minds.HOPE]) * trust // UNIT, 0, trust, good, deck)


@inlined
def _time_to_lay(row: Row, rules: PackedRules, every: Minds, m: int, seat: int) -> Time:
    deck, good = deck_left(row), good_cards(row, rules, seat)
    if not every[m, minds.DECK]:
        return _uncounted(row, rules, every, m, good)
    lays = (deck - 1) // 2
    wins_time = every[m, minds.OTHER] > 1 and filled_piles(row) != ZERO
    if wins_time and overload(row, rules, seat, lays + 1) > 0:
        lays = deck // 2
    chance = min(UNIT, CHANCE * lays // hidden_cards(row, seat))
    return Time(lays, chance, HASTE * good // (lays + 1), UNIT, good, deck)


@inlined
def _leap(every: Minds, m: int, side: Side, card: int, time: Time) -> int:
    """What a mind minds about the numbers that a card passes over."""
    return int(every[m, minds.JUMP]) * time.trust * (card - max(side.top, 1)) // UNIT


@inlined
def _play_value(
    rules: PackedRules, every: Minds, m: int, side: Side, card: int, time: Time, before: int
) -> int:
    if not takes(side, card) or is_senseless(rules, side, card, time):
        return _NEVER
    few = how_many(side.held) + side.held_wagers < every[m, minds.START]
    if few and side.cards == 0 and not every[m, minds.COST]:
        return _NEVER
    value = int(every[m, minds.PLAY]) - before
    value += promise(every, m, rules, played(side, card), time)
    if card > 0:
        value -= _leap(every, m, side, card, time)
    return value


@inlined
def _discard_value(
    rules: PackedRules,
    every: Minds,
    m: int,
    side: Side,
    theirs: Side,
    shown: bool,
    card: int,
    time: Time,
    before: int,
) -> int:
    value = 0
    if takes(side, card):
        if card > 0 and fits_next(side, card, theirs.held):
            return _NEVER
        value = promise(every, m, rules, changed(side, card, -1), time) - before
    if every[m, minds.OTHER] > 1 or (every[m, minds.OTHER] and theirs.cards > 0):
        rank = card + 1 if card > 0 else 0
        value -= gift(rank, theirs.wagers, theirs.cards, theirs.top, shown, time.deck // 2)
    return value


@inlined
def _regret(
    rules: PackedRules, every: Minds, m: int, side: Side, card: int, time: Time, before: int
) -> int:
    """What is lost by laying a card on a pile's top, which is ``card``; −1 for an empty pile."""
    if every[m, minds.OTHER] < 2 or card < 0 or not takes(side, card):
        return 0
    wish = promise(every, m, rules, changed(side, card, 1), time)
    return max(0, wish - before - int(every[m, minds.DRAW]))


@inlined
def _laid_by(row: Row, seat: int, colour: int) -> Side:
    """What a seat shows of a colour; its numbers laid stand in the place of those held."""
    base = at.SEAT * seat
    laid, counts = numbers_of(row[base + at.LAID], colour), row[base + at.WAGERS]
    wagers = whole(wagers_in(counts, U(colour), at.IN_LAID))
    return Side(int(SUM[laid]), wagers, how_many(laid) + wagers, int(TOP[laid]), laid, 0, 0)


@in_place
def mind_lay(row: Row, rules: PackedRules, every: Minds, m: int, seed: int) -> int:
    """The lay that a mind makes, as an action, for the seat to move of a row about to lay.

    Args:
        row: the round; what the seat to act cannot see is not read.
        rules: packed rules.
        every: the minds.
        m: which of them.
        seed: of this turn's errors, from 0.
    """
    seat, colours = whole(row[at.MOVER]), int(rules[at.COLOURS])
    time = _time_to_lay(row, rules, every, m, seat)
    hand, shown = row[at.SEAT * seat + at.HAND], row[at.SEAT * (1 - seat) + at.KNOWN]
    unseen = unseen_numbers(row, rules, seat)
    error, state = int(every[m, minds.ERROR]), mix(U(seed) + GAMMA)
    last = time.deck < 3 and overload(row, rules, seat, 0) > 0  # nobody throws its last lay away
    best, chosen = _NOTHING, -1
    for c in range(colours):
        left = (hand >> U(10 * c)) & U(0x3FF)
        if left == ZERO:
            continue
        side, theirs = side_of(row, seat, c, unseen), _laid_by(row, 1 - seat, c)
        before = promise(every, m, rules, side, time)
        regret = _regret(rules, every, m, side, pile_top(row, c), time, before)
        known = bool((shown >> U(10 * c)) & U(0x3FF))
        while left != ZERO:
            card = whole(lowest(left))
            left &= left - ONE
            state += GAMMA
            value = _play_value(rules, every, m, side, card, time, before) + misjudged(error, state)
            if value > best:
                best, chosen = value, 10 * c + card
            if last:
                continue
            state += GAMMA
            value = misjudged(error, state) - regret
            value += _discard_value(rules, every, m, side, theirs, known, card, time, before)
            if value > best:
                best, chosen = value, 10 * (colours + c) + card
    return chosen


# ---- drawing ------------------------------------------------------------------------------------


@inlined
def _wish(rules: PackedRules, every: Minds, m: int, side: Side, card: int, time: Time) -> int:
    """What a card of a pile would add to its colour."""
    if not takes(side, card):
        return 0
    value = promise(every, m, rules, changed(side, card, 1), time)
    value -= promise(every, m, rules, side, time)
    if card > 0 and side.cards > 0:
        value -= _leap(every, m, side, card, time)
    return value


@in_place
def mind_draw(row: Row, rules: PackedRules, every: Minds, m: int, seed: int) -> int:
    """The draw that a mind makes, as an action, for a row in the middle of a turn.

    From a pile it takes only a card that its row takes, or, if it wins time, any where more cards fit
    than there are lays left; never the card it has just discarded. A round that has gone on for twice
    its natural length gets no more draws from piles.
    """
    seat, colours = whole(row[at.MOVER]), int(rules[at.COLOURS])
    chosen = 20 * colours
    if whole(row[at.PLY]) >= 2 * (int(rules[at.DECK_SIZE]) - 2 * int(rules[at.HAND_SIZE])):
        return chosen
    deck = deck_left(row)
    after_deck, after_pile = (deck - 1) // 2, deck // 2
    time, best = _uncounted(row, rules, every, m, 0), int(every[m, minds.DRAW])
    if every[m, minds.DECK]:
        chance = min(UNIT, CHANCE * after_deck // hidden_cards(row, seat))
        time = Time(after_pile, chance, 0, UNIT, 0, deck)
        best = best * min(after_deck, EARLY) // EARLY
    wanting = 0
    if every[m, minds.OTHER] > 1:
        wanting = overload(row, rules, seat, after_deck)
        best -= wanting - overload(row, rules, seat, after_pile)
    unseen = unseen_numbers(row, rules, seat)
    thrown = (whole(row[at.LAY]) - 1) // 10 - colours
    state = mix(U(seed) ^ _DRAWING)
    for c in range(colours):
        card = pile_top(row, c)
        if card < 0 or c == thrown or (row[at.CLOSED] >> U(c)) & ONE:
            continue
        side = side_of(row, seat, c, unseen)
        if not takes(side, card) and wanting == 0:
            continue
        state += GAMMA
        value = _wish(rules, every, m, side, card, time)
        value += misjudged(int(every[m, minds.ERROR]), state)
        if value > best:
            best, chosen = value, 20 * colours + 1 + c
    return chosen
