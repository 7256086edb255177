"""The tree search of ``tree@1`` compiled: the same tree, node for node, as an array.

:mod:`lostcities.agents.tree_search` is the form to read, and the authority; a test holds this one to it.
A node is a row of whole numbers: a lead is one, so a sum of leads is exact however long it is. Logarithms
come from a table that Python's own function filled, and the other floats from operations that IEEE 754
rounds the same way everywhere, in the order of the form to read.
"""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.flat import copy_row, play_out
from lostcities.agents.steady_compiled import PackedRules, Row, steady_draw, steady_lay, whole
from lostcities.agents.tree_search import CLOCK, EXPLORE, UNTRIED, Node
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, Word, lowest
from lostcities.kernel.hidden import resample
from lostcities.kernel.jit import in_place, inlined
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

Nodes = NDArray[np.int64]
Logs = NDArray[np.float64]
Place = NDArray[np.int64]

VISITS, LEGAL, TOTAL, ACTION, SEAT, PARENT, CHILD, SIBLING = range(8)
"""Fields of a node: what :class:`lostcities.agents.tree_search.Node` counts, the action and the seat that
did it, and the places of its parent, its newest child and the child before it; 0 stands for none."""
FIELDS = 8
ROOT, USED = 0, 1
"""Of a tree's place: which node the search starts at, and how many nodes there are."""

_ROOM = 4096
_BATCH = 256
_SET = 64


def _logs(count: int) -> Logs:
    """The logarithm of each number below ``count``; 0 has none and is not asked for."""
    return np.array([0.0, *(math.log(number) for number in range(1, count))])


_FIRST_LOGS = _logs(_ROOM)


@inlined
def _bit(words: Word, place: int) -> bool:
    return bool((words >> U(place)) & ONE == ONE)


@in_place
def _select(nodes: Nodes, node: int, row: Row, rules: PackedRules, logs: Logs) -> int:
    """The child to go down to; ``-1 - action`` where it has no node yet."""
    faces = 10 * int(rules[at.COLOURS])
    if laying(row):
        own, turned = int(steady_lay(row, rules)), -1.0
        base, low, high = 0, legal_plays(row), legal_discards(row)
    else:
        own, turned = int(steady_draw(row, rules)), 1.0
        base, low, high = 2 * faces, legal_draws(row, rules), ZERO
    visits = nodes[node, VISITS]
    level = turned * (nodes[node, TOTAL] / visits) if visits > 0 else 0.0
    best, chosen, first = -np.inf, -1, 1 << 30
    child = nodes[node, CHILD]
    while child != 0:
        action = nodes[child, ACTION]
        place = action - base
        if place < faces:
            legal = _bit(low, place)
            low &= ~(ONE << U(place))
        else:
            legal = _bit(high, place - faces)
            high &= ~(ONE << U(place - faces))
        if legal:
            nodes[child, LEGAL] += 1
            times = nodes[child, VISITS]
            value = nodes[child, TOTAL] / times + EXPLORE * math.sqrt(
                logs[nodes[child, LEGAL] + 1] / times
            )
            # The form to read goes by the order of actions: of equals the first one stays.
            if value > best or (value == best and action < first):
                best, chosen, first = value, child, action
        child = nodes[child, SIBLING]
    hope = EXPLORE * math.sqrt(logs[visits + 1])
    # What is left in the sets was never tried; but for the heuristic's own all are worth the same.
    own_untried = _bit(low, own - base) if own - base < faces else _bit(high, own - base - faces)
    if own_untried:
        value = level + hope
        if value > best or (value == best and own < first):
            best, chosen, first = value, -1 - own, own
        if own - base < faces:
            low &= ~(ONE << U(own - base))
        else:
            high &= ~(ONE << U(own - base - faces))
    if low != ZERO or high != ZERO:
        action = base + whole(lowest(low)) if low != ZERO else base + faces + whole(lowest(high))
        value = level + hope - UNTRIED
        if value > best or (value == best and action < first):
            chosen = -1 - action
    return chosen


@in_place
def _iterate(
    nodes: Nodes, place: Place, row: Row, rules: PackedRules, seat: int, logs: Logs, work: Row
) -> None:
    copy_row(row, work)
    resample(work, rules, seat)
    row[at.RNG] = work[at.RNG]
    node, grown = place[ROOT], False
    while not grown and not over(work, rules):
        chosen = _select(nodes, node, work, rules, logs)
        grown = chosen < 0
        if grown:
            chosen = _add(nodes, place, node, -1 - chosen, whole(work[at.MOVER]))
        node = chosen
        apply(work, rules, nodes[node, ACTION])
    if not over(work, rules):
        play_out(work, rules)
    ahead = lead(work, rules, seat)
    while True:
        nodes[node, VISITS] += 1
        nodes[node, TOTAL] += ahead if nodes[node, SEAT] == seat else -ahead
        if node == place[ROOT]:
            break
        node = nodes[node, PARENT]


@inlined
def _add(nodes: Nodes, place: Place, parent: int, action: int, seat: int) -> int:
    node = place[USED]
    place[USED] += 1
    nodes[node, ACTION], nodes[node, SEAT], nodes[node, PARENT] = action, seat, parent
    nodes[node, SIBLING] = nodes[parent, CHILD]
    nodes[parent, CHILD] = node
    return int(node)


@in_place
def iterate(
    nodes: Nodes,
    place: Place,
    row: Row,
    rules: PackedRules,
    seat: int,
    logs: Logs,
    work: Row,
    count: int,
) -> None:
    """Search on, see :class:`lostcities.agents.tree_search.Search`.

    Args:
        nodes: ``int64 (n, FIELDS)`` with room for one more node an iteration.
        place: ``int64 (2,)``, see :data:`ROOT`.
        row: what the seat sees; its random numbers move on, nothing else changes.
        rules: packed rules.
        seat: whose view it is.
        logs: ``float64``, the logarithm of each number up to one more than all visits.
        work: a row for scratch.
        count: how many iterations.
    """
    for _ in range(count):
        _iterate(nodes, place, row, rules, seat, logs, work)


class CompiledSearch:
    """:class:`lostcities.agents.tree_search.Search` over an array of nodes.

    Args:
        row: what the seat sees, on a row with a random filling.
        rules: packed rules.
        seat: whose view it is.
    """

    def __init__(self, row: Row, rules: PackedRules, seat: int) -> None:
        self.row, self._rules, self._seat = row, rules, seat
        self._nodes = np.zeros((_ROOM, FIELDS), dtype=np.int64)
        # Node 0 is none, so that a field can say so.
        self._place = np.array([1, 2], dtype=np.int64)
        self._nodes[1, SEAT] = 1 - seat if laying(row) else seat
        self._logs, self._iterations = _FIRST_LOGS, 0
        self._work = empty_rows(1)[0]

    def run(self, iterations: int, until: float | None) -> None:
        """See :meth:`lostcities.agents.tree_search.Search.run`; it looks at the clock as often."""
        left, batch = iterations, CLOCK - 1
        while left > 0:
            if until is None:
                batch = _BATCH
            batch = min(batch, left)
            self._make_room(batch)
            iterate(
                self._nodes, self._place, self.row, self._rules, self._seat, self._logs,
                self._work, batch,
            )  # fmt: skip
            left -= batch
            self._iterations += batch
            if until is not None and time.monotonic() >= until:
                return
            batch = CLOCK

    def step(self, action: int) -> None:
        """See :meth:`lostcities.agents.tree_search.Search.step`."""
        apply(self.row, self._rules, action)
        for child in self._children(int(self._place[ROOT])):
            if self._nodes[child, ACTION] == action:
                self._place[ROOT] = child
                return
        self._make_room(1)
        self._nodes[self._place[USED], SEAT] = self._seat
        self._place[ROOT] = self._place[USED]
        self._place[USED] += 1

    def tree(self, depth: int) -> Node:
        """See :meth:`lostcities.agents.tree_search.Search.tree`."""
        return self._node(int(self._place[ROOT]), depth)

    def _node(self, place: int, depth: int) -> Node:
        fields = self._nodes[place].tolist()
        node = Node(fields[VISITS], fields[LEGAL], float(fields[TOTAL]))
        if depth:
            for child in self._children(place):
                node.children[int(self._nodes[child, ACTION])] = self._node(child, depth - 1)
        return node

    def _children(self, place: int) -> list[int]:
        """The places of a node's children, the oldest first."""
        found, child = [], int(self._nodes[place, CHILD])
        while child:
            found.append(child)
            child = int(self._nodes[child, SIBLING])
        return found[::-1]

    def _make_room(self, count: int) -> None:
        needed = int(self._place[USED]) + count
        if needed > len(self._nodes):
            more = np.zeros((max(needed, len(self._nodes)), FIELDS), dtype=np.int64)
            self._nodes = np.concatenate((self._nodes, more))
        needed = self._iterations + count + 2
        if needed > len(self._logs):
            self._logs = _logs(2 * needed)
