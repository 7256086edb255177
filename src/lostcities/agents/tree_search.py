"""The tree search of ``tree@1``, in the form to read.

One tree for the seat to move, over half-turns: every iteration samples the hidden cards anew, walks down
through actions that are legal there, adds one node, lets ``steady@1`` play the round out from it for both
seats, and carries the lead back up (single-observer ISMCTS: P. I. Cowling, E. J. Powley and
D. Whitehouse, "Information set Monte Carlo tree search", 2012). An action that has not been tried counts
as one visit somewhat worse than its node, the heuristic's own as just as good, so that the tree grows
where it matters. The most visited action is played.

Where Numba is there :mod:`lostcities.agents.tree_compiled` does the same sooner.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Protocol

from lostcities.agents.flat import copy_row, play_out
from lostcities.agents.steady_compiled import PackedRules, Row, steady_draw, steady_lay
from lostcities.kernel import layout as at
from lostcities.kernel.hidden import resample
from lostcities.kernel.jit import COMPILED
from lostcities.kernel.layout import empty_rows
from lostcities.kernel.round import (
    apply,
    laying,
    lead,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
)

EXPLORE = 12.0
"""Points of the exploration term: how far an uncertain action is looked upon with hope."""
UNTRIED = 6.0
"""Points by which an action that was never tried is believed to be worse than its node."""
CLOCK = 16 if COMPILED else 1
"""Iterations between two looks at the clock."""


@dataclass(slots=True)
class Node:
    """What is known of an action: visits, how often it was legal, and leads for who did it."""

    visits: int = 0
    legal: int = 0
    total: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Mean lead of the seat that did the action, in points."""
        return self.total / self.visits if self.visits else 0.0

    def best(self) -> int:
        """The most visited action, of equals the better one."""
        children = self.children
        return max(children, key=lambda action: (children[action].visits, children[action].mean))


class TreeSearch(Protocol):
    """What the two forms of the search have in common."""

    def run(self, iterations: int, until: float | None) -> None:
        """Search on, until there are enough iterations or the clock says stop."""

    def step(self, action: int) -> None:
        """Do an action of the seat's own (no draw from the deck) and go on from its node."""

    def tree(self, depth: int) -> Node:
        """The tree down to a depth at least; ``mean`` of the root's children is for the seat's own."""


@dataclass(slots=True)
class Search:
    """A search from a seat's view.

    Attributes:
        row: what the seat sees, on a row with a random filling.
        rules: packed rules.
        seat: whose view it is.
        root: the tree; ``mean`` of its children is for this seat.
    """

    row: Row
    rules: PackedRules
    seat: int
    root: Node = field(default_factory=Node)
    _work: Row = field(default_factory=lambda: empty_rows(1)[0])

    def run(self, iterations: int, until: float | None) -> None:
        """Search on, until there are enough iterations or the clock says stop."""
        for count in range(iterations):
            if until is not None and count % CLOCK == CLOCK - 1 and time.monotonic() >= until:
                return
            self._iterate()

    def step(self, action: int) -> None:
        """Do an action of the seat's own (no draw from the deck) and go on from its node."""
        apply(self.row, self.rules, action)
        self.root = self.root.children.get(action, Node())

    def tree(self, depth: int) -> Node:
        """The tree, all of it."""
        return self.root

    def _iterate(self) -> None:
        work, rules = self._work, self.rules
        copy_row(self.row, work)
        resample(work, rules, self.seat)
        self.row[at.RNG] = work[at.RNG]
        came = 1 - self.seat if laying(work) else self.seat
        node, path = self.root, [(self.root, came)]
        grown = False
        while not grown and not over(work, rules):
            mover = int(work[at.MOVER])
            action = self._select(node)
            grown = action not in node.children
            node = node.children.setdefault(action, Node())
            path.append((node, mover))
            apply(work, rules, action)
        if not over(work, rules):
            play_out(work, rules)
        ahead = float(lead(work, rules, self.seat))
        for visited, mover in path:
            visited.visits += 1
            visited.total += ahead if mover == self.seat else -ahead

    def _select(self, node: Node) -> int:
        work, rules = self._work, self.rules
        own = int(steady_lay(work, rules) if laying(work) else steady_draw(work, rules))
        # A node's mean is for who came to it; its children's are for who moves now.
        turned = -1.0 if laying(work) else 1.0
        level = turned * node.mean
        best, chosen = -math.inf, own
        for action in legal_actions(work, rules):
            child = node.children.get(action)
            if child is None:
                hope = EXPLORE * math.sqrt(math.log(node.visits + 1))
                value = level + hope - (0 if action == own else UNTRIED)
            else:
                child.legal += 1
                value = child.mean + EXPLORE * math.sqrt(math.log(child.legal + 1) / child.visits)
            if value > best:
                best, chosen = value, action
        return chosen


def legal_actions(row: Row, rules: PackedRules) -> list[int]:
    """The actions that are legal now, in the order of their numbers."""
    faces = 10 * int(rules[at.COLOURS])
    if not laying(row):
        return [2 * faces + bit for bit in _bits(int(legal_draws(row, rules)))]
    plays = _bits(int(legal_plays(row)))
    return plays + [faces + bit for bit in _bits(int(legal_discards(row)))]


def _bits(word: int) -> list[int]:
    found = []
    while word:
        low = word & -word
        found.append(low.bit_length() - 1)
        word ^= low
    return found
