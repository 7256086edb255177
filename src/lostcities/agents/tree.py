"""``tree@1``: information-set Monte Carlo tree search, see :mod:`lostcities.agents.tree_search`.

The compiled form of it where Numba is there, else the one to read: they choose alike, but the latter takes
about a thousand times as long, since rows and playouts are the kernel's.
"""

from __future__ import annotations

import time
from random import Random

from lostcities.agents.agent import Candidate, Choice, check_to_move
from lostcities.agents.tree_compiled import CompiledSearch
from lostcities.agents.tree_search import Node, Search, TreeSearch
from lostcities.core.turn import Turn
from lostcities.core.views import View
from lostcities.kernel.bridge import action_to_draw, action_to_lay, packed, view_to_row
from lostcities.kernel.jit import COMPILED

USED = 0.9
"""Part of a time budget that is spent."""
SEARCH: type[Search | CompiledSearch] = CompiledSearch if COMPILED else Search
"""The form of the search that runs here."""


class TreeAgent:
    """Information-set tree search.

    Args:
        iterations: for the lay, and half as many more for the draw; fewer if time runs out.
    """

    name = "tree@1"

    def __init__(self, iterations: int = 2000) -> None:
        if iterations < 1:
            raise ValueError(f"iterations: {iterations} is less than 1")
        self._iterations = int(iterations)

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`; a budget that cuts it short matters."""
        check_to_move(view)
        begin = time.monotonic()
        lay_end, draw_end = (
            None if time_ms is None else begin + part * USED * time_ms / 1000 for part in (0.7, 1.0)
        )
        row = view_to_row(view, rng.getrandbits(63))
        search: TreeSearch = SEARCH(row, packed(view.rules), view.own_seat)
        search.run(self._iterations, lay_end)
        looked = search.tree(2)
        lay, values = looked.best(), _values(looked, view)
        search.step(lay)
        search.run(max(1, self._iterations // 2), draw_end)
        drawing = search.tree(1)
        draw = drawing.best()
        turn = Turn(
            action_to_lay(lay, view.rules.colours), action_to_draw(draw, view.rules.colours)
        )
        return Choice(turn, drawing.children[draw].mean, values)


def _values(root: Node, view: View) -> tuple[Candidate, ...]:
    """Every lay tried with its most visited draw, the most visited first."""
    colours, found = view.rules.colours, []
    for lay, node in sorted(root.children.items(), key=lambda item: -item[1].visits):
        if node.children:
            draw = max(node.children, key=lambda action: node.children[action].visits)
            turn = Turn(action_to_lay(lay, colours), action_to_draw(draw, colours))
            found.append(Candidate(turn, node.mean))
    return tuple(found)
