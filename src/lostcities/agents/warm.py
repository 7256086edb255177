"""Compile what the searching agents run, so that the first turn against one does not wait for it.

``python -m lostcities.agents.warm`` does it at the lowest priority; what is compiled is kept on disk,
so it takes a moment only where nothing has changed. Without Numba there is nothing to do.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from random import Random

from lostcities.agents.registry import make_agent
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round

SEARCHING = ("flat:samples=8", "tree:iterations=8", "search:samples=8", "level3", "level6")
"""Compiled agents, with next to nothing to think about."""


def warm_up() -> None:
    """Let each compiled agent choose once."""
    rules = Rules()
    view = view_of_round(deal(rules, rules.all_cards(), 0), 0)
    for name in SEARCHING:
        make_agent(name).choose(view, None, Random(1))  # noqa: S311 - no secret hangs on it


if __name__ == "__main__":
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
    if importlib.util.find_spec("numba") is not None:
        warm_up()
