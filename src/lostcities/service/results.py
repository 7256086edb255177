"""What lists and results are told of a table: the rounds that ended, and how the match did."""

from __future__ import annotations

from lostcities.core.match import Phase
from lostcities.core.seats import BySeat
from lostcities.service.state import TableState
from lostcities.store.interfaces import Outcome, RoundScored

CLOSED = "closed"
"""Termination of a table that was given up before its match began, or that the host closed."""


def results_of(
    before: TableState, after: TableState
) -> tuple[tuple[RoundScored, ...], Outcome | None]:
    """The rounds that ended between two states of a table, and its end if it came in between."""
    known = 0 if before.match is None else len(before.match.results)
    results = () if after.match is None else after.match.results[known:]
    rounds = tuple(
        RoundScored(number, each.start, each.score, each.turns)
        for number, each in enumerate(results, known + 1)
    )
    return rounds, _outcome(after) if after.over and not before.over else None


def _outcome(state: TableState) -> Outcome:
    match = state.match
    if match is None:
        return Outcome(CLOSED, None, BySeat(0, 0), 0)
    if match.phase is not Phase.OVER:
        return Outcome(CLOSED, None, match.totals, len(match.results))
    end = match.termination
    return Outcome(
        None if end is None else str(end), match.winner, match.totals, len(match.results)
    )
