"""How a round lies in memory: one row of 64-bit words, and the rules beside it as ints.

**A row** is ``WORDS`` unsigned words; a batch is a C-contiguous ``uint64`` array ``(n, WORDS)``.

Cards are sets of faces: bit ``f`` of a word is the face ``f`` of :mod:`lostcities.encoding`, so a
colour has ten bits, of which the lowest is its wager. How *many* wagers is counted apart, in a word with
one byte a colour. The words:

=========================  ==============================================================================
``SEAT * s + HAND``        faces in the hand of seat ``s``
``SEAT * s + OPEN``        faces of this deck that seat ``s`` could still play to its expeditions
``SEAT * s + LAID``        faces in its expeditions
``SEAT * s + KNOWN``       faces that it took from piles and still holds, as the other seat knows
``SEAT * s + WAGERS``      byte ``c``: wagers of colour ``c``, two bits each: in hand, laid, known
``MOVER``                  seat to act
``LAY``                    the lay of this turn as an action plus 1; 0 where none has been made
``CLOSED``                 bit ``c``: pile ``c`` may not be taken from in this turn
``NEXT``                   place of the deck's top card among the deck bytes; ``DECK_END`` if none is left
``RUN``                    turns in a row, both seats together, that drew from piles
``PLY``                    turns completed
``RNG``                    state of the row's random numbers, see :mod:`lostcities.kernel.rng`
``LAST``                   last turn: lay, draw and the face drawn from the deck, a byte each, plus 1
``PILED``                  faces in piles
``PILED_WAGERS``           byte ``c``: wagers in pile ``c``
``PILES``                  always 0; stands for the deck where a draw is selected
``PILES + 1 + c``          pile ``c``: four bits a card, ``1 + f % 10``, the top card lowest
``DECK``… (9 words)        the deck, a byte a face, in the order drawn; it ends at byte ``DECK_END``
``SPARE``… (4 words)       never touched here; for whoever owns the batch
=========================  ==============================================================================

**Rules** are an ``int32`` array of ``RULES_LENGTH``: the numbers below, then for every possible row of
one colour what it scores, see :func:`lostcities.kernel.rules.pack_rules`.
"""

from __future__ import annotations

import numpy as np

from lostcities.kernel.bits import U

HAND, OPEN, LAID, KNOWN, WAGERS = range(5)
SEAT = 5
MOVER, LAY, CLOSED, NEXT, RUN, PLY, RNG, LAST, PILED, PILED_WAGERS = range(10, 20)
PILES = 20
DECK = 27
SPARE = 36
WORDS = 40

DECK_BYTES = 8 * DECK
DECK_END = 72

# Fields of a byte of WAGERS: how far to shift, and what one more wager adds.
IN_HAND, IN_LAID, IN_KNOWN = 0, 2, 4
TWO_BITS = U(3)

COLOURS, HAND_SIZE, OWN_DISCARD, STALL, WAGERS_EACH, TOP, DECK_SIZE = range(7)
COST, BONUS, BONUS_AT = range(7, 10)
# The faces of the deck, and its wagers a byte a colour: of colours 0…2, then of 3…5.
FACES_LOW, FACES_HIGH, EACH_LOW, EACH_HIGH = range(10, 14)
# Who starts the rounds that a batch deals: 1 + the seat, or 0 for seats by turns and then at random.
FIRST = 14
SCORES = 16
RULES_LENGTH = SCORES + 2048
"""Scores of one colour at ``SCORES + (numbers << 2 | wagers)``; bit ``i`` of numbers is ``i + 2``."""

ROW = np.uint64
RULES = np.int32


def empty_rows(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Memory for a batch of rounds; each must be dealt before use."""
    return np.zeros((count, WORDS), dtype=ROW)
