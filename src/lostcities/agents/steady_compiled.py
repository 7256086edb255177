"""``steady@1`` compiled over the kernel's rows: the same turns, for rollouts and training.

:mod:`lostcities.agents.steady` is the form to read, and the authority; a test holds this one to it turn
by turn. Here a colour's numbers are nine bits (bit ``i`` is the number ``i + 2``), and sums, counts and
highest numbers of such sets come from tables. All values are whole numbers of 1/64 point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.steady import (
    BONUS_SLOPE,
    CHANCE,
    DREAM,
    EARLY,
    GIFT_HOPE,
    GIFT_KNOWN,
    GIFT_NUMBER,
    GIFT_WAGER,
    HASTE,
    HELD,
    PLAY,
    RISK,
    UNIT,
    UNKNOWN_CARD,
    UNKNOWN_CARD_EARLY,
)
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest, popcount
from lostcities.kernel.hidden import hand_count, known_count
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.round import deck_faces, deck_left, filled_piles, wagers_in

Row = NDArray[np.uint64]
PackedRules = NDArray[np.int32]

_SETS = 512
_MOST_VALUE = 40
SUM = np.array([sum(i + 2 for i in range(9) if s >> i & 1) for s in range(_SETS)], dtype=np.int64)
"""The sum of a set of numbers."""
TOP = np.array([s.bit_length() + 1 if s else 0 for s in range(_SETS)], dtype=np.int64)
"""The highest number of a set, 0 for none."""


@inlined
def whole(word: Word) -> int:
    """A word as a signed int: signed and unsigned mixed would give a float in compiled code."""
    return int(np.int64(word))


@inlined
def how_many(numbers: int) -> int:
    """How many numbers a set has."""
    return whole(popcount(U(numbers)))


@inlined
def numbers_of(faces: Word, colour: int) -> int:
    """A colour's numbers among a set of faces, as nine bits."""
    return whole((faces >> U(10 * colour + 1)) & U(511))


@inlined
def pile_top(row: Row, colour: int) -> int:
    """The card on a pile: 0 a wager, else the number less 1; −1 for an empty pile."""
    return whole(row[at.PILES + 1 + colour] & U(15)) - 1


@inlined
def beyond(top: int) -> int:
    """The numbers that a row with this highest number still takes, as a set."""
    return 511 if top == 0 else 511 & ~((1 << (top - 1)) - 1)


@inlined
def bonus(rules: PackedRules, cards: int) -> int:
    """What so many cards (of 1/64) promise of the bonus for a long row."""
    if rules[at.BONUS_AT] > rules[at.WAGERS_EACH] + rules[at.TOP] - 1:
        return 0
    near = min(BONUS_SLOPE, cards - UNIT * rules[at.BONUS_AT] + BONUS_SLOPE)
    return int(UNIT * rules[at.BONUS] * near // BONUS_SLOPE) if near > 0 else 0


@inlined
def potential(
    rules: PackedRules,
    total: int,
    wagers: int,
    cards: int,
    top: int,
    held: int,
    held_wagers: int,
    unseen: int,
    lays: int,
    chance: int,
    haste: int,
) -> int:
    """See :func:`lostcities.agents.steady.potential`; the row is ``total … top``."""
    opened = cards > 0
    above = beyond(top)
    mine = held & above
    left = lays - how_many(mine)
    while left < 0:
        mine &= mine - 1
        left += 1
    hoped = unseen & above & ~held
    in_hand = SUM[mine]
    cards = UNIT * (cards + how_many(mine)) + how_many(hoped) * chance
    points = UNIT * (total - rules[at.COST]) + (HELD - haste) * in_hand + SUM[hoped] * chance
    if not opened:
        points -= RISK
    if top == 0 and points > 0:
        more = min(held_wagers, left)
        wagers += more
        cards += UNIT * more
    points *= 1 + wagers
    points += bonus(rules, cards)
    if opened:
        return int(points)
    return int(max(0, points) + DREAM * in_hand)


@inlined
def _with_card(
    rules: PackedRules,
    total: int,
    wagers: int,
    cards: int,
    top: int,
    held: int,
    held_wagers: int,
    unseen: int,
    lays: int,
    chance: int,
    haste: int,
    card: int,
) -> int:
    """The potential with one more card in hand: 0 a wager, else the number less 1."""
    if card == 0:
        held_wagers += 1
    else:
        held |= 1 << (card - 1)
    return potential(
        rules, total, wagers, cards, top, held, held_wagers, unseen, lays, chance, haste
    )


@inlined
def gift(rank: int, wagers: int, cards: int, top: int, shown: bool, lays: int) -> int:
    """See :func:`lostcities.agents.steady.gift`; ``wagers … top`` are of the other seat's row."""
    if lays <= 0:
        return 0
    if cards > 0:
        if rank == 0:
            return 2 * GIFT_WAGER if top == 0 else 0
        return rank * (1 + wagers) * GIFT_NUMBER if rank > top else 0
    worth = GIFT_WAGER if rank == 0 else rank * GIFT_HOPE
    if shown:
        worth += (rank + 4) * GIFT_KNOWN
    return worth * min(lays, EARLY) // EARLY


@in_place
def overload(row: Row, rules: PackedRules, seat: int, lays: int) -> int:
    """Points (of 1/64) lost because more cards of opened colours are held than lays are left."""
    base = at.SEAT * seat
    hand, laid, counts = row[base + at.HAND], row[base + at.LAID], row[base + at.WAGERS]
    many = 0
    for c in range(rules[at.COLOURS]):
        if (laid >> U(10 * c)) & U(0x3FF):
            many += how_many(numbers_of(hand, c) & beyond(TOP[numbers_of(laid, c)]))
    over = many - lays
    lost = 0
    value = 1
    while over > 0 and value < _MOST_VALUE:
        value += 1
        for c in range(rules[at.COLOURS]):
            if over > 0 and (laid >> U(10 * c)) & U(0x3FF):
                factor = 1 + whole(wagers_in(counts, U(c), at.IN_LAID))
                rank = value // factor
                if rank * factor == value and 2 <= rank <= 10:
                    mine = numbers_of(hand, c) & beyond(TOP[numbers_of(laid, c)])
                    if (mine >> (rank - 2)) & 1:
                        lost += value
                        over -= 1
    return UNIT * lost


@inlined
def hidden_cards(row: Row, seat: int) -> int:
    """Cards in the deck and unknown in the other hand."""
    other = 1 - seat
    unknown = whole(U(hand_count(row, other))) - whole(U(known_count(row, other)))
    return deck_left(row) + max(0, unknown)


@inlined
def unseen_numbers(row: Row, rules: PackedRules, seat: int) -> Word:
    """Faces that a seat has not seen; of wagers nothing is told."""
    other = at.SEAT * (1 - seat)
    seen = row[at.SEAT * seat + at.HAND] | row[at.LAID] | row[at.SEAT + at.LAID]
    return deck_faces(rules) & ~(seen | row[at.PILED] | row[other + at.KNOWN])


@inlined
def good_cards(row: Row, rules: PackedRules, seat: int) -> int:
    """How many cards a seat holds that its opened rows still take."""
    base = at.SEAT * seat
    hand, laid, counts = row[base + at.HAND], row[base + at.LAID], row[base + at.WAGERS]
    good = 0
    for c in range(rules[at.COLOURS]):
        if (laid >> U(10 * c)) & U(0x3FF):
            top = TOP[numbers_of(laid, c)]
            good += how_many(numbers_of(hand, c) & beyond(top))
            if top == 0:
                good += whole(wagers_in(counts, U(c), at.IN_HAND))
    return good


@in_place
def steady_lay(row: Row, rules: PackedRules) -> int:
    """The lay that ``steady@1`` makes, as an action, for the seat to move of a row about to lay."""
    seat = whole(row[at.MOVER])
    base, their = at.SEAT * seat, at.SEAT * (1 - seat)
    deck = deck_left(row)
    lays, their_lays = (deck - 1) // 2, deck // 2
    if filled_piles(row) and overload(row, rules, seat, lays + 1) > 0:
        lays = deck // 2
    chance = min(UNIT, CHANCE * lays // hidden_cards(row, seat))
    haste = HASTE * good_cards(row, rules, seat) // (lays + 1)
    hand, laid, counts = row[base + at.HAND], row[base + at.LAID], row[base + at.WAGERS]
    their_laid, their_counts = row[their + at.LAID], row[their + at.WAGERS]
    shown, unseen = row[their + at.KNOWN], unseen_numbers(row, rules, seat)
    colours = int(rules[at.COLOURS])
    best, chosen = -(1 << 60), -1
    for c in range(colours):
        if not (hand >> U(10 * c)) & U(0x3FF):
            continue
        held, held_wagers = numbers_of(hand, c), whole(wagers_in(counts, U(c), at.IN_HAND))
        own, wagers = numbers_of(laid, c), whole(wagers_in(counts, U(c), at.IN_LAID))
        total, top = SUM[own], TOP[own]
        cards = how_many(own) + wagers
        hope = numbers_of(unseen, c)
        before = potential(
            rules, total, wagers, cards, top, held, held_wagers, hope, lays, chance, haste
        )
        theirs, their_wagers = (
            numbers_of(their_laid, c),
            whole(wagers_in(their_counts, U(c), at.IN_LAID)),
        )
        their_cards, their_top = how_many(theirs) + their_wagers, TOP[theirs]
        known = bool((shown >> U(10 * c)) & U(0x3FF))
        regret = 0
        card = pile_top(row, c)
        if card >= 0 and (top == 0 or card >= top):  # otherwise nobody would wish for it
            wish = _with_card(
                rules, total, wagers, cards, top, held, held_wagers, hope, lays, chance, haste,
                card,
            )  # fmt: skip
            regret = max(0, wish - before - UNKNOWN_CARD)
        left = (hand >> U(10 * c)) & U(0x3FF)
        while left != ZERO:
            index = whole(lowest(left))
            left &= left - ONE
            rank, rest, rest_wagers = 0, held, held_wagers - 1
            if index > 0:
                rank, rest, rest_wagers = index + 1, held & ~(1 << (index - 1)), held_wagers
            if rank > top or (rank == 0 and top == 0):
                value = PLAY - before + potential(
                    rules, total + rank, wagers + (1 if rank == 0 else 0), cards + 1, rank, rest,
                    rest_wagers, hope, lays, chance, haste,
                )  # fmt: skip
                if value > best:
                    best, chosen = value, 10 * c + index
                value = potential(
                    rules, total, wagers, cards, top, rest, rest_wagers, hope, lays, chance, haste
                )
            else:
                value = before  # a card that cannot be played adds nothing to its row
            value -= before + regret
            value -= gift(rank, their_wagers, their_cards, their_top, known, their_lays)
            if value > best:
                best, chosen = value, 10 * colours + 10 * c + index
    return chosen


@in_place
def steady_draw(row: Row, rules: PackedRules) -> int:
    """The draw that ``steady@1`` makes, as an action, for a row in the middle of a turn."""
    seat = whole(row[at.MOVER])
    base = at.SEAT * seat
    colours = int(rules[at.COLOURS])
    chosen = 20 * colours
    if whole(row[at.PLY]) >= 2 * (int(rules[at.DECK_SIZE]) - 2 * int(rules[at.HAND_SIZE])):
        return chosen
    deck = deck_left(row)
    after_deck, after_pile = (deck - 1) // 2, deck // 2
    best = -overload(row, rules, seat, after_deck)
    if after_deck > 0:
        best += UNKNOWN_CARD + UNKNOWN_CARD_EARLY * min(after_deck, EARLY)
    lost = overload(row, rules, seat, after_pile)
    chance = min(UNIT, CHANCE * after_deck // hidden_cards(row, seat))
    hand, laid, counts = row[base + at.HAND], row[base + at.LAID], row[base + at.WAGERS]
    unseen = unseen_numbers(row, rules, seat)
    for c in range(colours):
        card = pile_top(row, c)
        if card < 0 or (row[at.CLOSED] >> U(c)) & U(1):
            continue
        held, held_wagers = numbers_of(hand, c), whole(wagers_in(counts, U(c), at.IN_HAND))
        own, wagers = numbers_of(laid, c), whole(wagers_in(counts, U(c), at.IN_LAID))
        total, top = SUM[own], TOP[own]
        cards = how_many(own) + wagers
        hope = numbers_of(unseen, c)
        value = -lost
        if top == 0 or card >= top:  # otherwise it cannot be played and adds nothing
            value += _with_card(
                rules, total, wagers, cards, top, held, held_wagers, hope, after_pile, chance, 0,
                card,
            )  # fmt: skip
            value -= potential(
                rules, total, wagers, cards, top, held, held_wagers, hope, after_pile, chance, 0
            )
        if value > best:
            best, chosen = value, 20 * colours + 1 + c
    return chosen
