"""What a seat cannot see, and dealing it anew.

A seat sees its own hand, all rows and piles, and the cards that the other seat took from piles and
still holds. Everything else, *unseen*, is in the deck or the other hand, in any order alike.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, unit
from lostcities.kernel.round import (
    WAGER_FACES,
    PackedRules,
    Row,
    add_to_hand,
    cards_of,
    colour_of,
    deck_card,
    deck_faces,
    deck_wagers,
    put_deck_card,
    shuffle_deck,
)

Odds: TypeAlias = NDArray[np.float32]
"""Of each of 60 faces: the odds that a card of it that a seat cannot see is in the other hand."""

_COUNTS = U(0x030303030303)
_WAGERS_OF_SIX = 6


@inlined
def hand_wagers(row: Row, seat: int) -> Word:
    """Wagers in a seat's hand, a byte a colour."""
    return row[at.SEAT * seat + at.WAGERS] & _COUNTS


@inlined
def laid_wagers(row: Row, seat: int) -> Word:
    """Wagers in a seat's rows, a byte a colour."""
    return (row[at.SEAT * seat + at.WAGERS] >> U(at.IN_LAID)) & _COUNTS


@inlined
def known_wagers(row: Row, seat: int) -> Word:
    """Wagers that a seat is known to hold, a byte a colour."""
    return (row[at.SEAT * seat + at.WAGERS] >> U(at.IN_KNOWN)) & _COUNTS


@inlined
def wager_faces(counts: Word) -> Word:
    """The wagers that occur in byte-a-colour counts, as a set of faces."""
    faces = ZERO
    for colour in range(_WAGERS_OF_SIX):
        some = U((counts >> U(8 * colour)) & at.TWO_BITS != ZERO)
        faces |= some << U(10 * colour)
    return faces


@inlined
def unseen_wagers(row: Row, rules: PackedRules, seat: int) -> Word:
    """Wagers that a seat cannot see, a byte a colour."""
    seen = hand_wagers(row, seat) + laid_wagers(row, 0) + laid_wagers(row, 1)
    return deck_wagers(rules) - seen - row[at.PILED_WAGERS] - known_wagers(row, 1 - seat)


@inlined
def unseen_faces(row: Row, rules: PackedRules, seat: int) -> Word:
    """Faces of which a seat cannot see at least one card; wagers counted by :func:`unseen_wagers`."""
    other = at.SEAT * (1 - seat)
    seen = row[at.SEAT * seat + at.HAND] | row[at.LAID] | row[at.SEAT + at.LAID]
    seen |= row[at.PILED] | row[other + at.KNOWN]
    numbers = deck_faces(rules) & ~seen & ~WAGER_FACES
    return numbers | wager_faces(unseen_wagers(row, rules, seat))


@inlined
def hand_count(row: Row, seat: int) -> int:
    """How many cards a seat holds."""
    return cards_of(row[at.SEAT * seat + at.HAND], hand_wagers(row, seat))


@inlined
def known_count(row: Row, seat: int) -> int:
    """How many of a seat's cards the other seat knows."""
    return cards_of(row[at.SEAT * seat + at.KNOWN], known_wagers(row, seat))


@in_place
def resample(row: Row, rules: PackedRules, seat: int) -> None:
    """Deal what a seat cannot see anew: every arrangement of the unseen cards is equally likely.

    Uses the row's random numbers. What was hidden before has no influence on the result. The other
    hand and the deck keep their sizes; cards that were in neither (possible in studies only) may come
    in and others go out.
    """
    other = 1 - seat
    hidden = hand_count(row, other) - known_count(row, other)
    deck = at.DECK_END - int(row[at.NEXT])
    first = _write_unseen(row, rules, seat)
    shuffle_deck(row, first, deck + hidden)
    _hold_known_only(row, other)
    place = U(at.DECK_END - deck - hidden)
    for _ in range(hidden):
        add_to_hand(row, at.SEAT * other, deck_card(row, place))
        place += ONE


@in_place
def resample_by(row: Row, rules: PackedRules, seat: int, odds: Odds) -> None:
    """As :func:`resample`, but the other hand is drawn by a belief.

    Its hidden cards are drawn one after the other, each with a chance in proportion to its odds, which
    comes close to independent cards of these odds given how many there are. The rest is the deck, in any
    order alike.

    Args:
        row: the round.
        rules: packed rules.
        seat: who cannot see.
        odds: above 0 for each face; only their proportions count.
    """
    other = 1 - seat
    hidden = hand_count(row, other) - known_count(row, other)
    deck = at.DECK_END - int(row[at.NEXT])
    place = _write_unseen(row, rules, seat)
    _hold_known_only(row, other)
    for _ in range(hidden):
        chosen = _drawn_by(row, place, odds)
        face = deck_card(row, chosen)
        put_deck_card(row, chosen, deck_card(row, place))
        put_deck_card(row, place, face)
        add_to_hand(row, at.SEAT * other, face)
        place += ONE
    shuffle_deck(row, place, deck)


@inlined
def _drawn_by(row: Row, first: Word, odds: Odds) -> Word:
    """A place from ``first`` to the end, with a chance in proportion to its card's odds."""
    total = np.float32(0.0)
    for i in range(int(first), at.DECK_END):
        total += odds[int(deck_card(row, U(i)))]
    row[at.RNG] += GAMMA
    left = unit(row[at.RNG]) * total
    for i in range(int(first), at.DECK_END - 1):
        left -= odds[int(deck_card(row, U(i)))]
        if left < 0.0:
            return U(i)
    return U(at.DECK_END - 1)


@inlined
def _hold_known_only(row: Row, seat: int) -> None:
    base = at.SEAT * seat
    row[base + at.HAND] = row[base + at.KNOWN]
    row[base + at.WAGERS] -= hand_wagers(row, seat)
    row[base + at.WAGERS] += known_wagers(row, seat)


@in_place
def _write_unseen(row: Row, rules: PackedRules, seat: int) -> Word:
    # In canonical order at the end of the deck bytes, so that the truth leaves no trace.
    wagers = unseen_wagers(row, rules, seat)
    faces = unseen_faces(row, rules, seat)
    first = U(at.DECK_END - cards_of(faces, wagers))
    place = first
    while faces != ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        copies = 1
        colour = colour_of(face)
        if face == colour * U(10):
            copies = int((wagers >> (colour << U(3))) & at.TWO_BITS)
        for _ in range(copies):
            put_deck_card(row, place, face)
            place += ONE
    return first
