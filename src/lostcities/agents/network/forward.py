"""The network in compiled code: a policy over half-turns and the expected end of the round.

The same weights serve every colour; colours hear of each other through the mean and the maximum over
all of them, so that renaming colours renames the policy and leaves the value as it is (after M. Zaheer
and others, "Deep Sets", 2017). With ``x_c`` the bits and numbers of colour ``c`` and ``s`` the shared
ones::

    h1_c = relu(x_c W1 + s S1 + b1)
    h2_c = relu(h1_c A2 + mean(h1) M2 + max(h1) X2 + b2)         and h3 in the same way
    logits of colour c = h3_c O + bo         10 plays, 10 discards, taking the pile
    logit of the deck  = [mean(h3), max(h3)] D + bd
    value              = lead + 50 (relu([mean(h3), max(h3)] V1 + v1) V2 + v2)

The value is the expected final points of the seat to act less those of the other; the present lead is
added by construction.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network.features import (
    COLOUR_BITS,
    COLOUR_NUMBERS,
    SHARED_BITS,
    SHARED_NUMBERS,
    colour_bits,
    colour_numbers,
    shared_bits,
    shared_numbers,
    sight,
)
from lostcities.agents.steady_compiled import whole
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, Word, lowest
from lostcities.kernel.hidden import Odds
from lostcities.kernel.jit import COMPILED, in_place, inlined
from lostcities.kernel.round import (
    PackedRules,
    Row,
    laying,
    lead,
    legal_discards,
    legal_draws,
    legal_plays,
)

WIDTH = 64
VALUE_WIDTH = 32
VALUE_SCALE = 50.0
MAX_COLOURS = 6

MOST_SURE = np.float32(8.0)
"""Logarithms of odds of a belief are cut off here."""

Flat = NDArray[np.float32]


def _shapes() -> dict[str, tuple[int, ...]]:
    width, hidden = WIDTH, VALUE_WIDTH
    square, vector = (width, width), (width,)
    return {
        "w1": (COLOUR_BITS + COLOUR_NUMBERS, width),
        "s1": (SHARED_BITS + SHARED_NUMBERS, width),
        "b1": vector,
        "a2": square, "m2": square, "x2": square, "b2": vector,
        "a3": square, "m3": square, "x3": square, "b3": vector,
        "o": (21, width), "bo": (21,),
        "d": (2 * width,), "bd": (1,),
        "v1": (hidden, 2 * width), "c1": (hidden,),
        "v2": (hidden,), "c2": (1,),
    }  # fmt: skip


SHAPES = _shapes()
"""The arrays of a network by name, in the order in which :func:`flatten` lays them out."""


def _offset(name: str) -> int:
    before = list(SHAPES)[: list(SHAPES).index(name)]
    return sum(int(np.prod(SHAPES[each])) for each in before)


FIRST, SHARED_1, BIAS_1 = _offset("w1"), _offset("s1"), _offset("b1")
LAYER_2, LAYER_3 = _offset("a2"), _offset("a3")
COLOUR_OUT, DECK_OUT = _offset("o"), _offset("d")
VALUE_1, VALUE_2 = _offset("v1"), _offset("v2")
SIZE = _offset("c2") + 1
"""How many numbers a network has."""

SQUARE = WIDTH * WIDTH
POOL = 2 * MAX_COLOURS * WIDTH
COMMON = POOL + 2 * WIDTH
INPUTS = COMMON + WIDTH
SCRATCH = INPUTS + 16


def flatten(arrays: Mapping[str, NDArray[np.float32]]) -> Flat:
    """All weights in one array, as the compiled code takes them.

    Raises:
        ValueError: an array is missing or has another shape.
    """
    for name, shape in SHAPES.items():
        if name not in arrays or arrays[name].shape != shape:
            found = arrays[name].shape if name in arrays else "missing"
            raise ValueError(f"network array {name}: {found}, expected shape {shape}")
    parts = [np.asarray(arrays[name], dtype=np.float32).ravel() for name in SHAPES]
    return np.ascontiguousarray(np.concatenate(parts))


def scratch() -> Flat:
    """Working memory of one thread for :func:`evaluate` and its kin."""
    return np.zeros(SCRATCH, dtype=np.float32)


@inlined
def _add(acc: Flat, to: int, w: Flat, source: int, x: np.float32) -> None:
    # Slices of a constant length compile to a few vector instructions; plain indices do not.
    a, b = acc[to : to + WIDTH], w[source : source + WIDTH]
    for j in range(WIDTH):
        a[j] += x * b[j]


@inlined
def _copy(acc: Flat, to: int, w: Flat, source: int) -> None:
    a, b = acc[to : to + WIDTH], w[source : source + WIDTH]
    for j in range(WIDTH):
        a[j] = b[j]


@inlined
def _relu(acc: Flat, start: int) -> None:
    a = acc[start : start + WIDTH]
    for j in range(WIDTH):
        a[j] = max(np.float32(0.0), a[j])


@in_place
def _pool(acc: Flat, start: int, colours: int) -> None:
    """Mean and maximum over the colours (all at least 0), one after the other at ``POOL``."""
    total, most = acc[POOL : POOL + WIDTH], acc[POOL + WIDTH : POOL + 2 * WIDTH]
    for j in range(WIDTH):
        total[j] = np.float32(0.0)
        most[j] = np.float32(0.0)
    for c in range(colours):
        x = acc[start + c * WIDTH : start + c * WIDTH + WIDTH]
        for j in range(WIDTH):
            total[j] += x[j]
            most[j] = max(most[j], x[j])
    share = np.float32(1.0) / np.float32(colours)
    for j in range(WIDTH):
        total[j] *= share


@in_place
def _dense_plainly(w: Flat, offset: int, acc: Flat, source: int, target: int, colours: int) -> None:
    for i in range(2 * WIDTH):
        _add(acc, COMMON, w, offset + SQUARE + i * WIDTH, acc[POOL + i])
    for c in range(colours):
        to = target + c * WIDTH
        _copy(acc, to, acc, COMMON)
        for i in range(WIDTH):
            _add(acc, to, w, offset + i * WIDTH, acc[source + c * WIDTH + i])
        _relu(acc, to)


if COMPILED:
    from lostcities.agents.network.lanes import add_rows, dense

    _add_pools = add_rows(2 * WIDTH, WIDTH)
    _dense_5, _dense_6 = dense(5, WIDTH), dense(6, WIDTH)

    @in_place
    def _dense(w: Flat, offset: int, acc: Flat, source: int, target: int, colours: int) -> None:
        if colours == 5:
            _add_pools(w, offset + SQUARE, acc, POOL, COMMON)
            _dense_5(w, offset, acc, source, target, COMMON)
        elif colours == 6:
            _add_pools(w, offset + SQUARE, acc, POOL, COMMON)
            _dense_6(w, offset, acc, source, target, COMMON)
        else:
            _dense_plainly(w, offset, acc, source, target, colours)

else:
    _dense = _dense_plainly


@in_place
def _layer(w: Flat, offset: int, acc: Flat, source: int, target: int, colours: int) -> None:
    """One layer from ``source`` to ``target`` (both ``(colours, WIDTH)`` in ``acc``)."""
    _pool(acc, source, colours)
    _copy(acc, COMMON, w, offset + 3 * SQUARE)
    _dense(w, offset, acc, source, target, colours)


@in_place
def _add_bits(acc: Flat, to: int, w: Flat, offset: int, word: Word) -> None:
    while word != ZERO:
        _add(acc, to, w, offset + whole(lowest(word)) * WIDTH, np.float32(1.0))
        word &= word - ONE


@in_place
def _first(w: Flat, row: Row, rules: PackedRules, acc: Flat) -> None:
    seen = sight(row, rules)
    shared_numbers(row, rules, seen, acc, INPUTS)
    _copy(acc, COMMON, w, BIAS_1)
    _add_bits(acc, COMMON, w, SHARED_1, shared_bits(row, rules))
    for i in range(SHARED_NUMBERS):
        _add(acc, COMMON, w, SHARED_1 + (SHARED_BITS + i) * WIDTH, acc[INPUTS + i])
    for c in range(rules[at.COLOURS]):
        to = c * WIDTH
        _copy(acc, to, acc, COMMON)
        first, second, third = colour_bits(row, seen, c)
        _add_bits(acc, to, w, FIRST, first)
        _add_bits(acc, to, w, FIRST + 64 * WIDTH, second)
        _add_bits(acc, to, w, FIRST + 128 * WIDTH, third)
        colour_numbers(seen, c, acc, INPUTS)
        for i in range(COLOUR_NUMBERS):
            x = acc[INPUTS + i]
            if x != 0.0:
                _add(acc, to, w, FIRST + (COLOUR_BITS + i) * WIDTH, x)
        _relu(acc, to)


@in_place
def _trunk(w: Flat, row: Row, rules: PackedRules, acc: Flat) -> None:
    """Run the layers; leaves ``h3`` at 0 and its pools at ``POOL``."""
    colours = whole(rules[at.COLOURS])
    _first(w, row, rules, acc)
    _layer(w, LAYER_2, acc, 0, MAX_COLOURS * WIDTH, colours)
    _layer(w, LAYER_3, acc, MAX_COLOURS * WIDTH, 0, colours)
    _pool(acc, 0, colours)


@inlined
def _dot(acc: Flat, start: int, w: Flat, offset: int) -> np.float32:
    a, b = acc[start : start + WIDTH], w[offset : offset + WIDTH]
    # Four sums side by side: additions in one chain would wait for each other.
    s0 = s1 = s2 = s3 = np.float32(0.0)
    for j in range(0, WIDTH, 4):
        s0 += a[j] * b[j]
        s1 += a[j + 1] * b[j + 1]
        s2 += a[j + 2] * b[j + 2]
        s3 += a[j + 3] * b[j + 3]
    return np.float32((s0 + s1) + (s2 + s3))


@in_place
def _deck_logit(w: Flat, acc: Flat) -> np.float32:
    parts = _dot(acc, POOL, w, DECK_OUT) + _dot(acc, POOL + WIDTH, w, DECK_OUT + WIDTH)
    return np.float32(parts + w[DECK_OUT + 2 * WIDTH])


@in_place
def _value(w: Flat, acc: Flat) -> float:
    value = w[VALUE_2 + VALUE_WIDTH]
    for j in range(VALUE_WIDTH):
        source = VALUE_1 + j * 2 * WIDTH
        hidden = _dot(acc, POOL, w, source) + _dot(acc, POOL + WIDTH, w, source + WIDTH)
        hidden += w[VALUE_1 + 2 * WIDTH * VALUE_WIDTH + j]
        if hidden > 0.0:
            value += hidden * w[VALUE_2 + j]
    return float(value) * VALUE_SCALE


@in_place
def _colour_logit(w: Flat, acc: Flat, colour: int, k: int) -> np.float32:
    out = _dot(acc, colour * WIDTH, w, COLOUR_OUT + k * WIDTH)
    return np.float32(out + w[COLOUR_OUT + 21 * WIDTH + k])


@in_place
def best_action(w: Flat, row: Row, rules: PackedRules, acc: Flat) -> int:
    """The legal half-turn with the highest logit; the lowest action among equals."""
    _trunk(w, row, rules, acc)
    colours = whole(rules[at.COLOURS])
    best, chosen = np.float32(-1e30), -1
    if laying(row):
        for discard in range(2):
            faces = legal_discards(row) if discard else legal_plays(row)
            while faces != ZERO:
                face = whole(lowest(faces))
                faces &= faces - ONE
                logit = _colour_logit(w, acc, face // 10, 10 * discard + face % 10)
                if logit > best:
                    best, chosen = logit, 10 * colours * discard + face
        return chosen
    draws = legal_draws(row, rules) >> ONE
    best, chosen = _deck_logit(w, acc), 20 * colours
    while draws != ZERO:
        colour = whole(lowest(draws))
        draws &= draws - ONE
        logit = _colour_logit(w, acc, colour, 20)
        if logit > best:
            best, chosen = logit, 20 * colours + 1 + colour
    return chosen


@in_place
def evaluate(w: Flat, row: Row, rules: PackedRules, acc: Flat, logits: Flat) -> float:
    """Logits of all legal half-turns (−1e30 elsewhere) and the value for the seat to act.

    Args:
        w: a flat network, see :func:`flatten`.
        row: a round that is not over.
        rules: packed rules.
        acc: see :func:`scratch`.
        logits: ``float32 (21 colours + 1,)``, overwritten.

    Returns:
        The expected final lead of the seat to act, in points.
    """
    _trunk(w, row, rules, acc)
    colours = whole(rules[at.COLOURS])
    logits[: 21 * colours + 1] = np.float32(-1e30)
    if laying(row):
        for discard in range(2):
            faces = legal_discards(row) if discard else legal_plays(row)
            while faces != ZERO:
                face = whole(lowest(faces))
                faces &= faces - ONE
                logits[10 * colours * discard + face] = _colour_logit(
                    w, acc, face // 10, 10 * discard + face % 10
                )
    else:
        draws = legal_draws(row, rules)
        logits[20 * colours] = _deck_logit(w, acc)
        draws >>= ONE
        while draws != ZERO:
            colour = whole(lowest(draws))
            draws &= draws - ONE
            logits[20 * colours + 1 + colour] = _colour_logit(w, acc, colour, 20)
    return lead(row, rules, whole(row[at.MOVER])) + _value(w, acc)


@in_place
def write_odds(w: Flat, row: Row, rules: PackedRules, acc: Flat, odds: Odds) -> None:
    """Of every face, the odds that a card of it that the seat to act cannot see is in the other hand.

    Args:
        w: a flat network of a belief (``lostcities train believe``): its logits of plays are
            logarithms of these odds, the rest of it is not read.
        row: a round that is not over.
        rules: packed rules.
        acc: see :func:`scratch`.
        odds: ``float32 (60,)``; the faces of the round's colours are overwritten.
    """
    _trunk(w, row, rules, acc)
    for colour in range(whole(rules[at.COLOURS])):
        for k in range(10):
            logit = _colour_logit(w, acc, colour, k)
            odds[10 * colour + k] = np.exp(min(MOST_SURE, max(-MOST_SURE, logit)))


@in_place
def expected_lead(w: Flat, row: Row, rules: PackedRules, acc: Flat) -> float:
    """The value alone: the expected final lead of the seat to act, in points."""
    _trunk(w, row, rules, acc)
    return lead(row, rules, whole(row[at.MOVER])) + _value(w, acc)
