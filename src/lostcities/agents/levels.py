"""Seven named levels, from *first game* to *master*, evenly spaced in strength.

The levels 1 to 5 think of more and look further from one to the next: their first version only misjudged more or
less, their second is a :class:`MindAgent`. Level 6 plays as the network of ``policy@2`` does, level 7 is a
search. Strengths: docs/strength.md.

In the first versions (:class:`ErringAgent`) an error was added, drawn anew each time, to the worth that the
network of ``policy@2`` gives every half-turn, and the half-turn that then looked best was played; none that is
worse than the best by more than ``REACH`` errors.
"""

from __future__ import annotations

from functools import partial
from math import cos, log, pi, sqrt
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.agent import Agent, Choice, check_to_move
from lostcities.agents.level_table import LEVELS
from lostcities.agents.minds_compiled import MINDS, mind_draw, mind_lay, mind_of
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.agents.search import Search2Agent, Search3Agent, Search4Agent, SearchAgent
from lostcities.core.views import View
from lostcities.kernel import bridge
from lostcities.kernel.choose import MOST_LEGAL, list_legal
from lostcities.kernel.jit import in_place
from lostcities.kernel.rng import GAMMA, unit
from lostcities.kernel.round import PackedRules, Row, apply_lay

NETWORK = "policy-2"
"""Its logits are half the worth in points, because it was taught softened values of 2 points."""
POINTS = 2.0
REACH = 2.0
"""Errors by which a half-turn may be behind the best and still be played."""


@in_place
def erring_action(
    w: forward.Flat,
    row: Row,
    rules: PackedRules,
    acc: forward.Flat,
    logits: forward.Flat,
    work: NDArray[np.int64],
    error: float,
    state: NDArray[np.uint64],
) -> int:
    """The half-turn that looks best to a player who errs.

    Args:
        w: a flat network taught softened values.
        row: the round; what the seat to act cannot see is not read.
        rules: packed rules.
        acc: working memory of the network.
        logits: ``float32 (actions,)`` to work in.
        work: ``int64 (MOST_LEGAL,)`` to work in.
        error: standard deviation of what it misjudges a half-turn by, points.
        state: random numbers ``(1,)``; they go on.
    """
    forward.evaluate(w, row, rules, acc, logits)
    count = list_legal(row, rules, work)
    best = logits[work[0]]
    for j in range(1, count):
        best = max(best, logits[work[j]])
    chosen, most = -1, -1e30
    for j in range(count):
        state[0] += GAMMA
        first = unit(state[0])
        state[0] += GAMMA
        # A normal error from two even numbers (Box and Muller, 1958).
        wrong = error * sqrt(-2.0 * log(first + 1e-300)) * cos(2.0 * pi * unit(state[0]))
        worth = POINTS * logits[work[j]]
        if worth >= POINTS * best - REACH * error and worth + wrong > most:
            chosen, most = work[j], worth + wrong
    return chosen


class ErringAgent:
    """The network of ``policy@2``, misjudging; see the module.

    Args:
        error: by how many points (a standard deviation).
    """

    def __init__(self, error: float = 3.0, name: str = "erring@1") -> None:
        if error < 0:
            raise ValueError(f"error: {error} is less than 0")
        self.name = name
        self._error, self._weights = float(error), shipped(NETWORK)
        self._scratch = forward.scratch()
        self._logits = np.zeros(21 * forward.MAX_COLOURS + 1, dtype=np.float32)
        self._work = np.zeros(MOST_LEGAL, dtype=np.int64)

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`; time plays no part."""
        check_to_move(view)
        row, rules = bridge.view_to_row(view), bridge.packed(view.rules)
        state = np.array([rng.getrandbits(63)], dtype=np.uint64)
        lay = self._half_turn(row, rules, state)
        apply_lay(row, rules, lay)
        draw = self._half_turn(row, rules, state)
        return Choice(bridge.actions_to_turn(lay, draw, view.rules.colours))

    def _half_turn(self, row: Row, rules: PackedRules, state: NDArray[np.uint64]) -> int:
        return int(
            erring_action(
                self._weights, row, rules, self._scratch, self._logits, self._work, self._error,
                state,
            )
        )  # fmt: skip


class MindAgent:
    """A level that thinks of some things and not of others, see :mod:`lostcities.agents.minds`.

    Args:
        level: 1 to 5.
    """

    def __init__(self, level: int) -> None:
        self.name = f"level{level}@2"
        self._level = level - 1

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`; time plays no part."""
        check_to_move(view)
        row, rules = bridge.view_to_row(view), bridge.packed(view.rules)
        seed = rng.getrandbits(63)
        mind = mind_of(MINDS, self._level, seed)
        lay = int(mind_lay(row, rules, MINDS, mind, seed))
        apply_lay(row, rules, lay)
        draw = int(mind_draw(row, rules, MINDS, mind, seed))
        return Choice(bridge.actions_to_turn(lay, draw, view.rules.colours))


def make_level(name: str, samples: int = 0) -> Agent:
    """The agent of a level, in its first version.

    Args:
        name: of the level.
        samples: of the search of the strongest one; 0 for as many as the time allows.

    Raises:
        ValueError: ``samples`` for a level that does not search.
    """
    error = LEVELS[name].error
    if error is None:
        return Master1(samples)
    if samples:
        raise ValueError(f"samples: {name} does not search")
    return ErringAgent(error, f"{name}@1")


class _Master(SearchAgent):
    """A search as a level, which has no other options."""

    def __init__(self, samples: int = 0) -> None:
        super().__init__(samples)


class Master1(_Master):
    """``search@1`` as a level."""

    name: ClassVar[str] = "level7@1"


class Master2(_Master, Search2Agent):
    """``search@2`` as a level."""

    name: ClassVar[str] = "level7@2"


class Master3(_Master, Search3Agent):
    """``search@3`` as a level."""

    name: ClassVar[str] = "level7@3"


class Master4(_Master, Search4Agent):
    """``search@4`` as a level."""

    name: ClassVar[str] = "level7@4"


level1, level2, level3, level4, level5, level6, level7 = (
    partial(make_level, name) for name in LEVELS
)
mind1, mind2, mind3, mind4, mind5 = (partial(MindAgent, level) for level in range(1, 6))
