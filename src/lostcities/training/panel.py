"""The frozen panel: an agent against the same opponents on the same deals, held out from everything.

Opponents are named with their versions, which never play differently. The decks have a label where an
arena's have their seed: no whole number gives them, so no arena, no tuning by arenas and no training can
draw them. A panel is never changed; another one gets another name.
"""

from __future__ import annotations

from pathlib import Path

from lostcities.training.arena import Settings, arena_rules
from lostcities.training.workers import Plan

PANEL = "panel@1"
"""The name of the panel."""
OPPONENTS = ("random@1", "greedy@1", "steady@1", "policy@1", "policy@2")
"""Who sits in it: all play at once and without search, so that their choices are the same everywhere."""
SEED = "panel-1"
"""What stands for the seed of its decks, and of the random numbers of the agents."""
DEALS = 500
"""Duplicate deals against each opponent, unless told otherwise."""


def panel(
    agent: str,
    *,
    deals: int = DEALS,
    jobs: int | None = None,
    time_ms: int = 1000,
    memory_mb: int = 2048,
    log: Path | None = None,
    records: Path | None = None,
    cluster: str | None = None,
) -> Settings:
    """The arena in which an agent plays the panel, to be held by :func:`lostcities.training.arena.hold`.

    Args:
        agent: its name, with its version.
        deals: against each opponent; the first so many of the panel's deals.
        jobs: see :class:`lostcities.training.arena.Settings`, as for the others.
        time_ms: milliseconds a turn.
        memory_mb: MiB that an outside program may take.
        log: see there.
        records: see there.
        cluster: see there.
    """
    plan = Plan((agent, *OPPONENTS), arena_rules(""), SEED, time_ms, memory_mb)
    return Settings(plan, deals, jobs, log, records, cluster=cluster, panel=PANEL)
