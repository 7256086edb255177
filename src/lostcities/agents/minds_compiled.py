"""How the levels below *Expert* weigh a turn, over the kernel's rows: see :mod:`lostcities.agents.minds`.

As ``steady@1`` does, a mind gives every colour the points that it may still come to, and makes the lay
that raises them most; but it counts only what it thinks of. What anybody at a table would call nonsense
no mind plays, however much it misjudges: :func:`~lostcities.agents.minds_colour.is_senseless`,
:func:`~lostcities.agents.minds_colour.fits_next` and :func:`mind_draw` say what that is.

Whole numbers of 1/64 point only, so the same random numbers give the same turns everywhere.
"""

from __future__ import annotations

import numpy as np

from lostcities.agents import minds
from lostcities.agents.minds_colour import (
    Minds,
    Side,
    Time,
    changed,
    fits_next,
    is_senseless,
    laid_by,
    played,
    promise,
    side_of,
    takes,
)
from lostcities.agents.steady import CHANCE, EARLY, HASTE, UNIT
from lostcities.agents.steady_compiled import (
    PackedRules,
    Row,
    gift,
    good_cards,
    hidden_cards,
    how_many,
    overload,
    pile_top,
    unseen_numbers,
    whole,
)
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, mix
from lostcities.kernel.round import deck_left, filled_piles

MINDS: Minds = np.array(minds.numbers(), dtype=np.int64)
"""The minds, one a row, of the levels 1 to 5."""

ENDLESS = 99
"""Lays that are left to one that does not count them."""
_NEVER = -(1 << 60)
_NOTHING = -(1 << 59)
_DRAWING = U(0x2545F4914F6CDD1D)
_HALVES = U(0xFFFF)
_MEAN, _DEVIATION = 131_070, 37_837
"""Of the sum of four even numbers of 16 bits."""


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
        side, theirs = side_of(row, seat, c, unseen), laid_by(row, 1 - seat, c)
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
