"""A round in a row: dealing, what is legal, laying, drawing, scores.

Functions that end in nothing special take a row (``uint64``, 1-D) and packed rules (``int32``, 1-D)
and are compiled; call them from other compiled functions. They do not check what they are given: an
illegal action leaves a senseless row. Ask :func:`is_legal` where it comes from outside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, popcount
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.rng import GAMMA, LOW32, below, mix, seeded

Row = NDArray[np.uint64]
PackedRules = NDArray[np.int32]

TEN = U(10)
COLOUR_BITS = U(0x3FF)
ALL_ONES = U(0xFFFFFFFFFFFFFFFF)
_BYTE = U(0xFF)
_FIFTEEN = U(15)
_NUMBERS = U(0x1FF)
_DECK = U(at.DECK)
_DRAWN = U(at.PILES)
_PILE = U(at.PILES + 1)


# ---- cards and colours --------------------------------------------------------------------------


@inlined
def colour_of(face: Word) -> Word:
    """The colour of a face (0…59), by multiplication."""
    return (face * U(205)) >> U(11)


@inlined
def wagers_in(counts: Word, colour: Word, field: int) -> Word:
    """How many wagers of a colour a ``WAGERS`` word counts in a field (``IN_HAND``…)."""
    return (counts >> ((colour << U(3)) + U(field))) & at.TWO_BITS


@inlined
def deck_faces(rules: PackedRules) -> Word:
    """Every face that the deck of these rules has."""
    return U(rules[at.FACES_LOW]) | (U(rules[at.FACES_HIGH]) << U(30))


@inlined
def deck_wagers(rules: PackedRules) -> Word:
    """Wagers of the whole deck, a byte a colour."""
    return U(rules[at.EACH_LOW]) | (U(rules[at.EACH_HIGH]) << U(24))


@inlined
def cards_of(faces: Word, wagers: Word) -> int:
    """How many cards a set of faces is, its wagers counted a byte a colour in ``wagers``."""
    some = popcount(wagers & U(0x010101010101)) + (popcount(wagers & U(0x020202020202)) << ONE)
    return int(popcount(faces & ~WAGER_FACES) + some)


WAGER_FACES = U(sum(1 << 10 * colour for colour in range(6)))
"""The wager of every colour as a set of faces."""


# ---- dealing ------------------------------------------------------------------------------------


@inlined
def deck_card(row: Row, place: Word) -> Word:
    """The face at a place among the deck bytes; the deck runs from ``row[NEXT]`` to ``DECK_END``."""
    return (row[_DECK + (place >> U(3))] >> ((place & U(7)) << U(3))) & _BYTE


@inlined
def put_deck_card(row: Row, place: Word, face: Word) -> None:
    """Write a face at a place among the deck bytes."""
    word = _DECK + (place >> U(3))
    shift = (place & U(7)) << U(3)
    row[word] = (row[word] & ~(_BYTE << shift)) | (face << shift)


@inlined
def deck_left(row: Row) -> int:
    """How many cards the deck still has."""
    return at.DECK_END - int(row[at.NEXT])


@in_place
def deal(row: Row, rules: PackedRules, deck: NDArray[np.uint8], start: int) -> None:
    """Deal a round from a whole deck of faces, top first: one card at a time, seat 0 first.

    Args:
        row: is overwritten, but for its random numbers and its spare words.
        rules: packed rules.
        deck: ``uint8``, the faces of all cards of these rules, shuffled.
        start: the seat that starts.
    """
    place = U(at.DECK_END - rules[at.DECK_SIZE])
    for face in deck:
        put_deck_card(row, place, U(face))
        place += ONE
    _deal_hands(row, rules, start)


@in_place
def deal_seeded(row: Row, rules: PackedRules, seed: int, start: int) -> None:
    """Seed the row's random numbers, shuffle a deck with them and deal it as :func:`deal` does."""
    row[at.RNG] = seeded(U(seed))
    deal_next(row, rules, start)


@in_place
def deal_next(row: Row, rules: PackedRules, start: int) -> None:
    """Shuffle with the row's random numbers as they stand and deal a new round."""
    faces = deck_faces(rules)
    place = U(at.DECK_END - rules[at.DECK_SIZE])
    for f in range(10 * rules[at.COLOURS]):
        copies = 0
        if (faces >> U(f)) & ONE:
            copies = rules[at.WAGERS_EACH] if f % 10 == 0 else 1
        for _ in range(copies):
            put_deck_card(row, place, U(f))
            place += ONE
    shuffle_deck(row, U(at.DECK_END - rules[at.DECK_SIZE]), rules[at.DECK_SIZE])
    _deal_hands(row, rules, start)


@in_place
def shuffle_deck(row: Row, first: Word, count: int) -> None:
    """Permute the deck bytes from ``first`` to the end uniformly; enough for the last ``count``.

    Fisher and Yates from the end: after ``count`` steps the last ``count`` places hold a uniformly
    drawn sequence of all these cards.
    """
    state = row[at.RNG]
    left = at.DECK_END - int(first)
    for step in range(min(count, left - 1)):
        state += GAMMA
        last = U(at.DECK_END - 1 - step)
        chosen = first + below(mix(state) & LOW32, U(left - step))
        face = deck_card(row, chosen)
        put_deck_card(row, chosen, deck_card(row, last))
        put_deck_card(row, last, face)
    row[at.RNG] = state


@in_place
def _deal_hands(row: Row, rules: PackedRules, start: int) -> None:
    for word in range(at.RNG):
        row[word] = ZERO
    for word in range(at.LAST, at.DECK):
        row[word] = ZERO
    faces = deck_faces(rules)
    row[at.OPEN] = faces
    row[at.SEAT + at.OPEN] = faces
    row[at.MOVER] = U(start)
    place = U(at.DECK_END - rules[at.DECK_SIZE])
    for _ in range(rules[at.HAND_SIZE]):
        add_to_hand(row, 0, deck_card(row, place))
        add_to_hand(row, at.SEAT, deck_card(row, place + ONE))
        place += U(2)
    row[at.NEXT] = place


@inlined
def add_to_hand(row: Row, base: int, face: Word) -> None:
    """Put a card into the hand of the seat whose words begin at ``base`` (``SEAT * seat``)."""
    colour = colour_of(face)
    row[base + at.HAND] |= ONE << face
    row[base + at.WAGERS] += U(face == colour * TEN) << (colour << U(3))


@inlined
def copy_row(row: Row, out: Row) -> None:
    """Make ``out`` the same round, random numbers included; a slice would count references."""
    for word in range(at.WORDS):
        out[word] = row[word]


# ---- what is legal ------------------------------------------------------------------------------


@inlined
def over(row: Row, rules: PackedRules) -> bool:
    """Whether the round has ended: the deck is empty, or the stall rule ended it."""
    return bool(row[at.NEXT] == U(at.DECK_END)) or stalled(row, rules)


@inlined
def stalled(row: Row, rules: PackedRules) -> bool:
    """Whether the stall rule ended the round (a truncation, no natural end)."""
    limit = rules[at.STALL]
    return bool(limit > 0 and row[at.RUN] >= U(limit) and row[at.NEXT] < U(at.DECK_END))


@inlined
def laying(row: Row) -> bool:
    """Whether the seat to act lays next; otherwise it draws."""
    return bool(row[at.LAY] == ZERO)


@inlined
def legal_plays(row: Row) -> Word:
    """The faces that the seat to act may play, as a set; only where it lays next."""
    base = at.SEAT * int(row[at.MOVER])
    return row[base + at.HAND] & row[base + at.OPEN]


@inlined
def legal_discards(row: Row) -> Word:
    """The faces that the seat to act may discard, as a set; only where it lays next."""
    return row[at.SEAT * int(row[at.MOVER]) + at.HAND]


@inlined
def filled_piles(row: Row) -> Word:
    """Bit ``c`` set where pile ``c`` has a card."""
    filled = ZERO
    for c in range(encoding.MAX_COLOURS):
        filled |= U(row[at.PILES + 1 + c] != ZERO) << U(c)
    return filled


@inlined
def legal_draws(row: Row, rules: PackedRules) -> Word:  # noqa: ARG001
    """The draws after the lay as bits: bit 0 the deck, bit ``1 + c`` pile ``c``."""
    return ((filled_piles(row) & ~row[at.CLOSED]) << ONE) | ONE


@inlined
def is_legal(row: Row, rules: PackedRules, action: int) -> bool:
    """Whether the seat to act may do an action (any int) now."""
    lays = 20 * rules[at.COLOURS]
    if action < 0 or action > lays + rules[at.COLOURS] or over(row, rules):
        return False
    if action >= lays:
        return not laying(row) and bool((legal_draws(row, rules) >> U(action - lays)) & ONE == ONE)
    if not laying(row):
        return False
    if action < lays // 2:
        return bool((legal_plays(row) >> U(action)) & ONE == ONE)
    return bool((legal_discards(row) >> U(action - lays // 2)) & ONE == ONE)


@inlined
def top_of(row: Row, colour: int) -> int:
    """The face on top of a pile, −1 where it is empty."""
    code = int(row[at.PILES + 1 + colour] & _FIFTEEN)
    return 10 * colour + code - 1 if code else -1


# ---- laying and drawing -------------------------------------------------------------------------


@inlined
def apply(row: Row, rules: PackedRules, action: int) -> None:
    """Do a legal action: a lay, or the draw that ends the turn."""
    if laying(row):
        apply_lay(row, rules, action)
    else:
        apply_draw(row, rules, action)


@inlined
def apply_turn(row: Row, rules: PackedRules, lay: int, draw: int) -> None:
    """Do a whole legal turn."""
    apply_lay(row, rules, lay)
    apply_draw(row, rules, draw)


@inlined
def apply_lay(row: Row, rules: PackedRules, action: int) -> None:
    """Do a legal lay. Without branches: which of play and discard it is cannot be predicted."""
    faces = 10 * int(rules[at.COLOURS])
    base = at.SEAT * int(row[at.MOVER])
    discard = U(action >= faces)
    discarding = ZERO - discard
    face = U(action) - (discarding & U(faces))
    colour = colour_of(face)
    shift = colour << U(3)
    bit = ONE << face
    is_wager = U(face == colour * TEN)
    counts = row[base + at.WAGERS]
    known_wagers = is_wager & U(wagers_in(counts, colour, at.IN_KNOWN) != ZERO)
    counts -= (is_wager + (known_wagers << U(at.IN_KNOWN))) << shift
    more = is_wager & U(wagers_in(counts, colour, at.IN_HAND) != ZERO)
    more_known = is_wager & U(wagers_in(counts, colour, at.IN_KNOWN) != ZERO)
    row[base + at.HAND] &= ~(bit & (more - ONE))
    row[base + at.KNOWN] &= ~(bit & (more_known - ONE))
    row[base + at.LAID] |= bit & ~discarding
    counts += (is_wager & ~discarding) << (shift + U(at.IN_LAID))
    row[base + at.WAGERS] = counts
    passed = ((bit << ONE) - (ONE << (colour * TEN))) & (is_wager - ONE)
    row[base + at.OPEN] &= ~(passed & ~discarding)
    pile = row[_PILE + colour]
    pushed = (pile << U(4)) | (face - colour * TEN + ONE)
    row[_PILE + colour] = pile ^ ((pile ^ pushed) & discarding)
    row[at.PILED] |= bit & discarding
    row[at.PILED_WAGERS] += (is_wager & discarding) << shift
    row[at.CLOSED] = (discard & U(rules[at.OWN_DISCARD] == 0)) << colour
    row[at.LAY] = U(action + 1)


@inlined
def apply_draw(row: Row, rules: PackedRules, action: int) -> None:
    """Do a legal draw, which ends the turn and perhaps the round."""
    draw = U(action - 20 * int(rules[at.COLOURS]))
    base = at.SEAT * int(row[at.MOVER])
    from_deck = U(draw == ZERO)
    decking = ZERO - from_deck
    place = row[at.NEXT]
    pile = row[_DRAWN + draw]
    taken = (draw - ONE) * TEN + (pile & _FIFTEEN) - ONE
    row[_DRAWN + draw] = pile >> U(4)
    face = taken ^ ((taken ^ deck_card(row, place)) & decking)
    colour = colour_of(face)
    shift = colour << U(3)
    bit = ONE << face
    is_wager = U(face == colour * TEN)
    from_pile = ONE - from_deck
    known = is_wager & from_pile
    row[base + at.HAND] |= bit
    row[base + at.KNOWN] |= bit & ~decking
    row[base + at.WAGERS] += (is_wager + (known << U(at.IN_KNOWN))) << shift
    row[at.PILED_WAGERS] -= known << shift
    more = is_wager & U((row[at.PILED_WAGERS] >> shift) & at.TWO_BITS != ZERO)
    row[at.PILED] &= ~(bit & (more - ONE) & ~decking)
    row[at.LAST] = row[at.LAY] | (U(action + 1) << U(8)) | (((face + ONE) & decking) << U(16))
    row[at.NEXT] = place + from_deck
    row[at.RUN] = (row[at.RUN] + ONE) & ~decking
    row[at.PLY] += ONE
    row[at.MOVER] ^= ONE
    row[at.LAY] = ZERO
    row[at.CLOSED] = ZERO


# ---- scores -------------------------------------------------------------------------------------


@inlined
def colour_score(rules: PackedRules, laid: Word, counts: Word, colour: int) -> int:
    """Points of one colour, from a seat's ``LAID`` and ``WAGERS`` words."""
    c = U(colour)
    numbers = (laid >> (c * TEN + ONE)) & _NUMBERS
    index = (numbers << U(2)) | wagers_in(counts, c, at.IN_LAID)
    return int(rules[U(at.SCORES) + index])


@inlined
def laid_score(rules: PackedRules, laid: Word, counts: Word) -> int:
    """Points of all rows of a seat, from its ``LAID`` and ``WAGERS`` words."""
    total = 0
    for colour in range(rules[at.COLOURS]):
        total += colour_score(rules, laid, counts, colour)
    return total


@inlined
def score(row: Row, rules: PackedRules, seat: int) -> int:
    """A seat's points as its rows lie now."""
    base = at.SEAT * seat
    return laid_score(rules, row[base + at.LAID], row[base + at.WAGERS])


@inlined
def lead(row: Row, rules: PackedRules, seat: int) -> int:
    """By how many points a seat is ahead as the rows lie now."""
    return score(row, rules, seat) - score(row, rules, 1 - seat)


@in_place
def lead_rows(rows: NDArray[np.uint64], rules: PackedRules, leads: NDArray[np.int32]) -> None:
    """Write by how many points the seat to act is ahead in every round, ``(n,)``."""
    for i in range(rows.shape[0]):
        leads[i] = lead(rows[i], rules, int(rows[i, at.MOVER]))
