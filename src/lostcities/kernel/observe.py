"""A view as a tensor: what a seat may see, as bytes, and which actions it may take.

An observation holds everything public and the seat's own hand, nothing else, always from the side of
the seat that it is for (*own*; the opponent is *other*). With ``C`` colours it is ``uint8`` of length
``observation_length(C)``, in five blocks, one after the other:

**Planes**, ``(PLANES, C, 10)``: 1 where a face is there, else 0, by colour and face (the wager, then the
numbers 2…10). The network need not care which colour is which: reshape, and share weights over ``C``.

== ==================== ==============================================================================
0  ``own hand``         cards in the hand
1  ``own rows``         cards in one's own expeditions
2  ``other rows``       cards in the other's expeditions
3  ``piles``            cards anywhere in the piles
4  ``pile tops``        the card on top of each pile
5  ``other known``      cards that the other took from piles and still holds
6  ``own known``        the same the other way round: own cards that the other knows
7  ``unseen``           cards of the deck of which one may be in the draw deck or the other hand
8  ``own open``         cards that could still go on one's own rows
9  ``other open``       cards that could still go on the other's rows
== ==================== ==============================================================================

**Wagers**, ``(WAGER_ROWS, C)``: how many wagers of each colour (0…3) are meant by the planes 0, 1, 2, 3, 5,
6 and 7, in this order.

**Stacks**, ``(C, 12)``: the piles in order, the top card first: 1 for a wager, 2…10 for the numbers, 0
below the last card.

**Closed**, ``(C,)``: 1 for the pile that may not be taken from because the seat has just discarded on it.

**Numbers**, ``(8,)``: 1 if the seat has laid and now draws, else 0 · cards in the deck · turns in a row
that drew from piles, where a stall rule counts them, else 0 · the stall limit, 0 for none · turns completed · cards of the other hand that the
seat does not know · own cards that the other does not know · 1 if the seat is to act. Each stops at 255.

The **mask** is ``uint8`` of length ``actions(C)`` (:mod:`lostcities.encoding`): 1 for each legal action,
all 0 when the round is over.

``OBSERVATION_VERSION`` goes up whenever the meaning or the place of a value changes.

In memory a row of either is a little longer, so that it can be written in whole words; the excess is
senseless. Batches show themselves without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, store_bits, store_bytes, store_nibbles
from lostcities.kernel.hidden import (
    hand_count,
    hand_wagers,
    known_count,
    known_wagers,
    laid_wagers,
    unseen_faces,
    unseen_wagers,
)
from lostcities.kernel.jit import inlined
from lostcities.kernel.round import (
    PackedRules,
    Row,
    laying,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
)

OBSERVATION_VERSION = 1

PLANE_NAMES = (
    "own hand",
    "own rows",
    "other rows",
    "piles",
    "pile tops",
    "other known",
    "own known",
    "unseen",
    "own open",
    "other open",
)
PLANES = len(PLANE_NAMES)
WAGER_ROWS = 7
STACK = 12
NUMBERS = 8

Bytes = NDArray[np.uint8]

_LOWS = U(0x0101010101010101)
_SPREAD_SEVEN = U(0x0002040810204081)
_BYTE = U(0xFF)
_FIFTEEN = U(15)
_TEN = U(10)


def observation_length(colours: int) -> int:
    """How many values an observation has (608 with five colours, 728 with six)."""
    return colours * (10 * PLANES + WAGER_ROWS + STACK + 1) + NUMBERS


def observation_memory(colours: int) -> int:
    """How many bytes an observation needs in memory."""
    return _whole_words(max(observation_length(colours), 10 * colours * (PLANES - 1) + 64))


def mask_memory(colours: int) -> int:
    """How many bytes a mask needs in memory."""
    return _whole_words(max(encoding.deck_action(colours) + 8, 10 * colours + 64))


def _whole_words(size: int) -> int:
    return (size + 7) // 8 * 8


def observation_scale(rules: PackedRules) -> NDArray[np.float32]:
    """What to divide an observation by so that its values lie about between 0 and 1."""
    colours = int(rules[at.COLOURS])
    hand = int(rules[at.HAND_SIZE])
    numbers = (1, int(rules[at.DECK_SIZE]), 10, max(1, int(rules[at.STALL])), 100, hand, hand, 1)
    parts = (
        np.ones(10 * PLANES * colours),
        np.full(WAGER_ROWS * colours, max(1, int(rules[at.WAGERS_EACH]))),
        np.full(STACK * colours, encoding.FACES_PER_COLOUR),
        np.ones(colours),
        np.array(numbers),
    )
    return np.concatenate(parts).astype(np.float32)


@inlined
def write_mask(row: Row, rules: PackedRules, out: Bytes, place: Word) -> None:
    """Write the mask of a row at a place of a flat ``uint8`` array; ``mask_memory`` bytes change."""
    faces = U(10 * rules[at.COLOURS])
    plays = discards = draws = ZERO
    if not over(row, rules):
        if laying(row):
            plays, discards = legal_plays(row), legal_discards(row)
        else:
            draws = legal_draws(row, rules)
    store_bits(out, place, plays)
    store_bits(out, place + faces, discards)
    store_bytes(out, place + faces + faces, (draws * _SPREAD_SEVEN) & _LOWS)


@inlined
def write_observation(row: Row, rules: PackedRules, seat: int, out: Bytes, place: Word) -> None:
    """Write a seat's observation at a place of a flat ``uint8`` array.

    Every block overlaps the beginning of the next one, which is written after it; in all
    ``observation_memory`` bytes change.
    """
    colours = U(rules[at.COLOURS])
    place = _write_planes(row, rules, seat, out, place, colours * _TEN)
    place = _write_wagers(row, rules, seat, out, place, colours)
    for colour in range(rules[at.COLOURS]):
        store_nibbles(out, place, row[at.PILES + 1 + colour])
        place += U(STACK)
    store_bytes(out, place, (row[at.CLOSED] * _SPREAD_SEVEN) & _LOWS)
    store_bytes(out, place + colours, _numbers(row, rules, seat))


@inlined
def _write_planes(
    row: Row, rules: PackedRules, seat: int, out: Bytes, place: Word, faces: Word
) -> Word:
    own, other = at.SEAT * seat, at.SEAT * (1 - seat)
    store_bits(out, place, row[own + at.HAND])
    store_bits(out, place + faces, row[own + at.LAID])
    place += faces + faces
    store_bits(out, place, row[other + at.LAID])
    store_bits(out, place + faces, row[at.PILED])
    place += faces + faces
    store_bits(out, place, pile_tops(row))
    store_bits(out, place + faces, row[other + at.KNOWN])
    place += faces + faces
    store_bits(out, place, row[own + at.KNOWN])
    store_bits(out, place + faces, unseen_faces(row, rules, seat))
    place += faces + faces
    store_bits(out, place, row[own + at.OPEN])
    store_bits(out, place + faces, row[other + at.OPEN])
    return place + faces + faces


@inlined
def pile_tops(row: Row) -> Word:
    """The top cards of the piles, as a set of faces."""
    tops = ZERO
    for colour in range(encoding.MAX_COLOURS):
        code = row[at.PILES + 1 + colour] & _FIFTEEN
        tops |= ((ONE << code) >> ONE) << U(10 * colour)
    return tops


@inlined
def _write_wagers(
    row: Row, rules: PackedRules, seat: int, out: Bytes, place: Word, colours: Word
) -> Word:
    other = 1 - seat
    store_bytes(out, place, hand_wagers(row, seat))
    store_bytes(out, place + colours, laid_wagers(row, seat))
    place += colours + colours
    store_bytes(out, place, laid_wagers(row, other))
    store_bytes(out, place + colours, row[at.PILED_WAGERS])
    place += colours + colours
    store_bytes(out, place, known_wagers(row, other))
    store_bytes(out, place + colours, known_wagers(row, seat))
    place += colours + colours
    store_bytes(out, place, unseen_wagers(row, rules, seat))
    return place + colours


@inlined
def _numbers(row: Row, rules: PackedRules, seat: int) -> Word:
    other = 1 - seat
    word = U(not laying(row)) | (U(U(at.DECK_END) - row[at.NEXT]) << U(8))
    limit = U(rules[at.STALL])
    word |= (min(row[at.RUN], _BYTE) * U(limit > ZERO)) << U(16)
    word |= min(limit, _BYTE) << U(24)
    word |= min(row[at.PLY], _BYTE) << U(32)
    word |= U(hand_count(row, other) - known_count(row, other)) << U(40)
    word |= U(hand_count(row, seat) - known_count(row, seat)) << U(48)
    to_act = not over(row, rules) and row[at.MOVER] == U(seat)
    return word | (U(to_act) << U(56))
