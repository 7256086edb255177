"""Networks and positions that several test modules use."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network import forward
from lostcities.agents.network.weights import Arrays, write_weights
from lostcities.core.rules import Rules
from lostcities.kernel import layout as at
from lostcities.kernel.bridge import pack
from lostcities.kernel.choose import MOST_LEGAL, list_legal
from lostcities.kernel.hidden import resample
from lostcities.kernel.round import apply, deal_seeded, over

Row = NDArray[np.uint64]
PackedRules = NDArray[np.int32]


def random_arrays(seed: int = 0) -> Arrays:
    """A network that knows nothing, answers something different everywhere, and mostly draws from the
    deck, so that its rounds end.
    """
    rng = np.random.default_rng(seed)
    arrays = {
        name: (0.1 * rng.standard_normal(shape)).astype(np.float32)
        for name, shape in forward.SHAPES.items()
    }
    arrays["bd"][:] = 4
    return arrays


def random_network(folder: Path, seed: int = 0) -> Path:
    """The same as a file."""
    path = folder / f"random-{seed}.safetensors"
    write_weights(path, random_arrays(seed), {})
    return path


def redealt(row: Row, rules: PackedRules, seed: int) -> Row:
    """The round with other hidden cards, which the seat to act cannot tell from it."""
    twin = row.copy()
    twin[at.RNG] = seed
    resample(twin, rules, int(row[at.MOVER]))
    twin[at.RNG] = row[at.RNG]
    return twin


def played_rows(text: str, rounds: int, every: int = 3) -> Iterator[tuple[Row, PackedRules]]:
    """Positions before and in the middle of turns, of rounds played at random."""
    rules = pack(Rules.parse(text))
    row, legal = np.zeros(at.WORDS, dtype=np.uint64), np.zeros(MOST_LEGAL, dtype=np.int64)
    rng = np.random.default_rng(rounds)
    for seed in range(rounds):
        deal_seeded(row, rules, 1000 + seed, seed & 1)
        step = seed
        while not over(row, rules):
            step += 1
            if step % every == 0:
                yield row.copy(), rules
            apply(row, rules, int(rng.choice(legal[: list_legal(row, rules, legal)])))
