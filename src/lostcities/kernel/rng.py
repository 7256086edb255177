"""Random numbers of a row: splitmix64 (Steele, Lea and Flood, 2014), one word of state.

Numbers below a bound are taken by multiplying 32 random bits with it, so with a bound of ``n`` the
chances differ by at most ``n / 2**32`` of themselves.
"""

from __future__ import annotations

from lostcities.kernel.bits import U, Word
from lostcities.kernel.jit import inlined

GAMMA = U(0x9E3779B97F4A7C15)
_MIX1 = U(0xBF58476D1CE4E5B9)
_MIX2 = U(0x94D049BB133111EB)
LOW32 = U(0xFFFFFFFF)
_S27 = U(27)
_S30 = U(30)
_S31 = U(31)
S32 = U(32)
_S11 = U(11)
_UNIT = 1.0 / 9007199254740992.0


@inlined
def mix(state: Word) -> Word:
    """The 64 random bits that belong to a state; the next state is ``state + GAMMA``."""
    z = (state ^ (state >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@inlined
def seeded(seed: Word) -> Word:
    """The first state for a seed: scattered, so that seeds in a row share no stream."""
    return mix(seed + GAMMA)


@inlined
def below(bits: Word, bound: Word) -> Word:
    """A number in ``0 … bound - 1`` from 32 random bits."""
    return (bits * bound) >> S32


@inlined
def unit(state: Word) -> float:
    """A float in ``[0, 1)`` with 53 random bits for a state."""
    return float(mix(state) >> _S11) * _UNIT
