"""Bits of a 64-bit word: counting, finding, selecting. Every function takes and gives ``uint64``."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel.jit import BIT_INSTRUCTIONS, COMPILED, inlined

Word: TypeAlias = Any
"""A ``uint64``, in the signatures of functions whose types Numba finds out."""

U: Any = np.uint64
"""Wraps an int as a word. Numba makes a float of an int64 with a uint64, so constants are wrapped."""

ZERO = U(0)
ONE = U(1)


def _select_table() -> NDArray[np.uint8]:
    table = np.zeros(8 * 256, dtype=np.uint8)
    for byte in range(256):
        places = [place for place in range(8) if byte >> place & 1]
        for index, place in enumerate(places):
            table[index << 8 | byte] = place
    return table


SELECT_BYTE = _select_table()
"""The place of the n-th set bit of a byte, at ``n << 8 | byte``."""

_ONES = U(0x0101010101010101)
_HIGHS = U(0x8080808080808080)
_PAIRS = U(0x5555555555555555)
_FOURS = U(0x3333333333333333)
_EIGHTS = U(0x0F0F0F0F0F0F0F0F)
_BYTE = U(0xFF)

if COMPILED:
    from lostcities.kernel import intrinsics

    _select: Any = intrinsics.select_pdep
    popcount: Any = intrinsics.popcount
    """``popcount(word)``: how many bits are set."""
    lowest: Any = intrinsics.lowest
    """``lowest(word)``: the place of the lowest set bit; the word must not be 0."""
    store_bytes: Any = intrinsics.store_bytes
    """``store_bytes(out, place, word)``: the word as eight bytes into a ``uint8`` array, unchecked."""
    store_nibbles: Any = intrinsics.store_nibbles
    """``store_nibbles(out, place, word)``: each four bits as a byte, sixteen in all, unchecked."""
    store_bits: Any = intrinsics.store_bits
    """``store_bits(out, place, word)``: the word's bits as 64 bytes into a ``uint8`` array, unchecked."""
else:
    _select = None

    def popcount(word: Word) -> Word:
        """How many bits are set."""
        return U(int(word).bit_count())

    def lowest(word: Word) -> Word:
        """The place of the lowest set bit; the word must not be 0."""
        return U((int(word) & -int(word)).bit_length() - 1)

    def store_bytes(out: NDArray[np.uint8], place: Word, word: Word) -> None:
        """Write a word as eight bytes, lowest first."""
        out[int(place) : int(place) + 8] = np.array([word], dtype="<u8").view(np.uint8)

    def store_nibbles(out: NDArray[np.uint8], place: Word, word: Word) -> None:
        """Write each four bits of a word as a byte, lowest first."""
        out[int(place) : int(place) + 16] = [int(word) >> 4 * index & 15 for index in range(16)]

    def store_bits(out: NDArray[np.uint8], place: Word, word: Word) -> None:
        """Write the bits of a word as 64 bytes 0 or 1, lowest first."""
        packed = np.array([word], dtype="<u8").view(np.uint8)
        out[int(place) : int(place) + 64] = np.unpackbits(packed, bitorder="little")


@inlined
def select_portable(word: Word, n: Word) -> Word:
    """The place of the ``n``-th set bit (from 0) by arithmetic alone; there must be one.

    Counts the bits of each byte in parallel, finds the byte that holds the bit by comparing the
    running sums with ``n`` in parallel (S. Vigna, "Broadword implementation of rank/select
    queries", 2008), and looks the place within the byte up.
    """
    sums = word - ((word >> U(1)) & _PAIRS)
    sums = (sums & _FOURS) + ((sums >> U(2)) & _FOURS)
    sums = ((sums + (sums >> U(4))) & _EIGHTS) * _ONES
    before = (((n * _ONES) | _HIGHS) - sums) & _HIGHS
    at = ((before >> U(7)) * _ONES >> U(56)) << U(3)
    rest = n - (((sums << U(8)) >> at) & _BYTE)
    return at + U(SELECT_BYTE[(rest << U(8)) | ((word >> at) & _BYTE)])


select: Any = _select if BIT_INSTRUCTIONS else select_portable
"""``select(word, n)``: the place of the ``n``-th set bit (from 0); there must be one."""
