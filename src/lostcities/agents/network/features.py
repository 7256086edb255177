"""What the network is shown of a round: bits and a few numbers a colour, and some shared by all.

Everything is seen from the seat to act and comes from what that seat may see: its own hand, all
rows and piles, the cards that the other seat is known to hold, and what is left unseen. The same
numbers are made for every colour, in the same order, so that weights can be shared between colours.

**Bits of a colour** (``COLOUR_BITS``, in ``COLOUR_WORDS`` words). A field of twelve is three bits for
"at least 1, 2, 3 wagers" and nine for the numbers 2…10; a field of ten is a wager and the numbers.

======  ======  =====================================================
from    bits    field
======  ======  =====================================================
0       12      own hand
12      12      own row
24      12      the other's row
36      12      the pile's content
48      12      what the other is known to hold
64      12      own cards that the other knows
76      12      unseen
88      10      the pile's top card
98      10      the card under it
108     10      what the own row still takes
118     10      what the other's row still takes
128     10      own hand that the own row takes
138     10      unseen that the own row takes
148     10      unseen that the other's row takes
158     1       the pile is closed this turn
159     1       the pile has a card
160     1       its top card goes on the own row
161     1       its top card goes on the other's row
======  ======  =====================================================

**Numbers of a colour** (``COLOUR_NUMBERS``)

======  ===========================================================================
0, 1    sum of the numbers in the own row, in the other's; / 20
2, 3    what they score as they lie at a cost of 20, without bonus; / 50
4       sum of the own hand's numbers that the own row takes; / 20
5, 6    sum of the unseen numbers that the own row takes, that the other's does; / 40
7, 8    cards in the own row, in the other's; / 8
9       number 4 times the own row's factor (1 and its wagers); / 50, of the plain sum
======  ===========================================================================

**Shared bits** (``SHARED_BITS``): 0, a card is to be drawn; 1, six colours; from 2, the deck has at
least so many cards for each of ``DECK_STEPS``; from 23, so many turns in a row drew from piles for each
of ``RUN_STEPS``; 29, the deck's size is odd.

**Shared numbers** (``SHARED_NUMBERS``): deck / 44; own and the other's score as the rows lie / 50; rows
begun by either / 5; cards of the other's hand that are known, and of the own that the other knows, / 8.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.steady_compiled import whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, popcount
from lostcities.kernel.hidden import (
    hand_wagers,
    known_count,
    known_wagers,
    laid_wagers,
    unseen_faces,
    unseen_wagers,
)
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.round import PackedRules, Row, deck_left, laying, score

FEATURES_VERSION = 1
COLOUR_WORDS = 3
COLOUR_BITS = 64 * COLOUR_WORDS
COLOUR_NUMBERS = 10
SHARED_BITS = 32
SHARED_NUMBERS = 7

Numbers: TypeAlias = NDArray[np.float32]
Sight: TypeAlias = tuple[Word, ...]
Words3: TypeAlias = tuple[Word, Word, Word]

_TEN = U(0x3FF)
_NINE = U(0x1FF)
_FIFTEEN = U(15)
_NUMBERS_OF_TEN = U(0x3FE)
_FULL_ROW = 20

DECK_STEPS = np.array(
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40, 44, 50, 56], dtype=np.int64
)
"""The deck's size is shown as one bit for each of these that it reaches."""
RUN_STEPS = np.array([1, 2, 4, 8, 16, 32], dtype=np.int64)
"""The same for turns in a row that drew from piles."""

_SUMS = np.array(
    [sum(place + 2 for place in range(9) if bits >> place & 1) for bits in range(512)],
    dtype=np.int64,
)


@inlined
def _twelve(faces: Word, wagers: Word, colour: int) -> Word:
    """Three bits for at least so many wagers, nine for the numbers."""
    count = (wagers >> U(8 * colour)) & U(3)
    thermometer = (ONE << count) - ONE
    return thermometer | (((faces >> U(10 * colour + 1)) & _NINE) << U(3))


@inlined
def _pile_card(pile: Word, depth: int) -> Word:
    """The card of a pile under ``depth`` others, as one bit of ten; 0 where there is none."""
    code = (pile >> U(4 * depth)) & _FIFTEEN
    return (ONE << code) >> ONE


@inlined
def number_sum(faces: Word, colour: int) -> int:
    """The numbers of one colour in a set of faces, added up."""
    return int(_SUMS[whole((faces >> U(10 * colour + 1)) & _NINE)])


@inlined
def sight(row: Row, rules: PackedRules) -> Sight:
    """The sets of faces and counts of wagers that the seat to act sees, once for all colours."""
    seat = whole(row[at.MOVER])
    base, away = at.SEAT * seat, at.SEAT * (1 - seat)
    return (
        row[base + at.HAND],
        row[base + at.OPEN],
        row[away + at.OPEN],
        row[base + at.LAID],
        row[away + at.LAID],
        hand_wagers(row, seat),
        laid_wagers(row, seat),
        laid_wagers(row, 1 - seat),
        row[away + at.KNOWN],
        known_wagers(row, 1 - seat),
        row[base + at.KNOWN],
        known_wagers(row, seat),
        unseen_faces(row, rules, seat),
        unseen_wagers(row, rules, seat),
    )


@inlined
def colour_bits(row: Row, seen: Sight, c: int) -> Words3:
    """The bits of colour ``c``."""
    hand, open_, open2, laid, laid2, hand_w, laid_w, laid2_w = seen[:8]
    known, known_w, shown, shown_w, unseen, unseen_w = seen[8:]
    pile = row[at.PILES + 1 + c]
    top = _pile_card(pile, 0)
    shift = U(10 * c)
    mine, theirs = (open_ >> shift) & _TEN, (open2 >> shift) & _TEN
    held, out = (hand >> shift) & _TEN, (unseen >> shift) & _TEN
    first = (
        _twelve(hand, hand_w, c)
        | (_twelve(laid, laid_w, c) << U(12))
        | (_twelve(laid2, laid2_w, c) << U(24))
        | (_twelve(row[at.PILED], row[at.PILED_WAGERS], c) << U(36))
        | (_twelve(known, known_w, c) << U(48))
    )
    second = (
        _twelve(shown, shown_w, c)
        | (_twelve(unseen, unseen_w, c) << U(12))
        | (top << U(24))
        | (_pile_card(pile, 1) << U(34))
        | (mine << U(44))
        | (theirs << U(54))
    )
    third = (
        (held & mine)
        | ((out & mine) << U(10))
        | ((out & theirs) << U(20))
        | (((row[at.CLOSED] >> U(c)) & ONE) << U(30))
        | (U(pile != ZERO) << U(31))
        | (U((top & mine) != ZERO) << U(32))
        | (U((top & theirs) != ZERO) << U(33))
    )
    return first, second, third


@inlined
def laid_count(laid: Word, wagers: Word, c: int) -> int:
    """How many cards lie in a row of colour ``c``."""
    numbers = popcount((laid >> U(10 * c)) & _NUMBERS_OF_TEN)
    return whole(numbers + ((wagers >> U(8 * c)) & U(3)))


@inlined
def colour_numbers(seen: Sight, c: int, out: Numbers, to: int) -> None:
    """Write the numbers of colour ``c`` at ``out[to]`` and after."""
    hand, open_, open2, laid, laid2, _, laid_w, laid2_w = seen[:8]
    unseen = seen[12]
    count, count2 = laid_count(laid, laid_w, c), laid_count(laid2, laid2_w, c)
    factor = 1 + whole((laid_w >> U(8 * c)) & U(3))
    factor2 = 1 + whole((laid2_w >> U(8 * c)) & U(3))
    total, total2 = number_sum(laid, c), number_sum(laid2, c)
    playable = number_sum(hand & open_, c)
    out[to] = total / 20.0
    out[to + 1] = total2 / 20.0
    out[to + 2] = (total - 20) * factor / 50.0 if count else 0.0
    out[to + 3] = (total2 - 20) * factor2 / 50.0 if count2 else 0.0
    out[to + 4] = playable / 20.0
    out[to + 5] = number_sum(unseen & open_, c) / 40.0
    out[to + 6] = number_sum(unseen & open2, c) / 40.0
    out[to + 7] = count / 8.0
    out[to + 8] = count2 / 8.0
    out[to + 9] = playable * factor / 50.0


@inlined
def shared_bits(row: Row, rules: PackedRules) -> Word:
    """The bits that all colours share: whether to draw, six colours, deck and run as steps."""
    deck, run = deck_left(row), whole(row[at.RUN])
    word = U(not laying(row)) | (U(rules[at.COLOURS] == 6) << ONE)
    for i in range(DECK_STEPS.size):
        word |= U(deck >= DECK_STEPS[i]) << U(2 + i)
    for i in range(RUN_STEPS.size):
        word |= U(run >= RUN_STEPS[i]) << U(23 + i)
    return word | (U(deck & 1) << U(29))


@inlined
def shared_numbers(row: Row, rules: PackedRules, seen: Sight, out: Numbers, to: int) -> None:
    """Write the numbers that all colours share at ``out[to]`` and after."""
    seat = whole(row[at.MOVER])
    opened = opened2 = 0
    for c in range(rules[at.COLOURS]):
        opened += laid_count(seen[3], seen[6], c) > 0
        opened2 += laid_count(seen[4], seen[7], c) > 0
    out[to] = deck_left(row) / 44.0
    out[to + 1] = score(row, rules, seat) / 50.0
    out[to + 2] = score(row, rules, 1 - seat) / 50.0
    out[to + 3] = opened / 5.0
    out[to + 4] = opened2 / 5.0
    out[to + 5] = known_count(row, 1 - seat) / 8.0
    out[to + 6] = known_count(row, seat) / 8.0


@in_place
def write_features(
    row: Row,
    rules: PackedRules,
    bits: NDArray[np.uint64],
    numbers: Numbers,
    shared: Numbers,
) -> Word:
    """Write all that the network is shown, for training.

    Args:
        row: the round; what the seat to act cannot see is not read.
        rules: packed rules.
        bits: ``uint64 (colours, COLOUR_WORDS)``, overwritten.
        numbers: ``float32 (colours * COLOUR_NUMBERS,)``, overwritten.
        shared: ``float32 (SHARED_NUMBERS,)``, overwritten.

    Returns:
        The shared bits.
    """
    seen = sight(row, rules)
    for c in range(rules[at.COLOURS]):
        bits[c, 0], bits[c, 1], bits[c, 2] = colour_bits(row, seen, c)
        colour_numbers(seen, c, numbers, c * COLOUR_NUMBERS)
    shared_numbers(row, rules, seen, shared, 0)
    return shared_bits(row, rules)
