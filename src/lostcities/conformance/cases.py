"""The cases of the suite: each one request, and what a right program answers.

What is expected comes from the data beside this module (collected vectors, stories of play, perft
lines, whole matches) and, for what follows from a position, from this project's core, which its own
tests hold to the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lostcities.conformance import cases_matches, cases_play, cases_scoring
from lostcities.conformance.case import Case

GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "scoring": cases_scoring.scoring,
    "columns": cases_scoring.columns,
    "sheets": cases_scoring.sheets,
    "legal": cases_play.legal,
    "stories": cases_play.stories,
    "rounds": cases_matches.rounds,
    "perft": cases_play.perft,
    "records": cases_matches.records,
    "matches": cases_matches.matches,
    "views": cases_matches.views,
}
"""The groups by name, in the order in which they run."""


def all_cases() -> Iterator[Case]:
    """Every case, group by group."""
    for group in GROUPS.values():
        yield from group()
