"""``search``: the network's candidates tried out over sampled hidden cards, until the time is up.

First for the lay, then for the draw after it, see :mod:`lostcities.agents.lookahead`. With a number of
samples it plays the same for the same seed; with a budget of time it uses that.

In a match it plays to win it: from the second round on a trial counts for what its lead makes of the
chance to win the match, see :mod:`lostcities.agents.equity`. In the first round that and points go
together, so it plays for points there.
"""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.agent import Candidate, Choice, check_to_move
from lostcities.agents.equity import BLUR, win_chance
from lostcities.agents.lookahead import EXACT, MOST_SAMPLES, Lookahead, LookSettings, Worth
from lostcities.agents.network.weights import shipped
from lostcities.core.seats import other
from lostcities.core.views import View
from lostcities.kernel import bridge
from lostcities.kernel.round import apply_lay

LAY_SHARE = 0.65
"""Share of the time that the lay gets; the draw has fewer candidates."""
USED = 0.9
"""Share of the time that is used: answering takes some too."""
EARLY = 0.25
"""Share of that where trials are only told, because the network decides."""
PERCENT = 100.0
"""A hundredth of a match is taken for a point."""
_LIKELY = LookSettings(
    "policy", certain=4, least=0.001, candidates=12, bonus=0.2, doubt=0.0, caution=1.0
)
_ALL = replace(_LIKELY, playout=EXACT, certain=24, least=0.0, candidates=24)
_LATE = replace(_ALL, deck=28)


class SearchAgent:
    """Tries the half-turns that its network gives some chance; see the module.

    Args:
        samples: deals for each half-turn that stays in, in the mean; 0 for as many as the time allows
            (or 200 where none is given).
        playout: how trials are played on, see :class:`lostcities.agents.lookahead.LookSettings`,
            also for the others; empty for what this version usually does.
        depth: half-turns of the network in a trial.
        candidates: half-turns tried at most; 0 for as many as this version usually does.
        caution: another half-turn must be ahead of the network's first choice by 0.2 points and so many
            times the square of the standard error, see :class:`lostcities.agents.lookahead.LookSettings`.
        threads: how many threads think.
        match: 1 to play for the chance to win the match, 0 for points.
        cpu: 1 to count the processor time of the thinking thread instead of the clock's, so that a busy
            machine measures the same strength; with one thread.

    Raises:
        ValueError: a number is out of its range, or ``cpu`` with several threads.
    """

    name: ClassVar[str] = "search@1"
    network: ClassVar[str] = "policy-3"
    belief: ClassVar[str] = ""
    blur: ClassVar[float] = 0.0
    usual: ClassVar[LookSettings] = _LIKELY

    def __init__(
        self,
        samples: int = 0,
        playout: str = "",
        depth: int = _LIKELY.depth,
        candidates: int = 0,
        caution: float = _LIKELY.caution,
        threads: int = 1,
        match: int = 1,
        cpu: int = 0,
    ) -> None:
        if cpu and threads != 1:
            raise ValueError(f"cpu: counts the time of one thread, not of {threads}")
        self._clock = time.thread_time if cpu else time.perf_counter
        most = candidates or self.usual.candidates
        settings = replace(
            self.usual, playout=playout or self.usual.playout, depth=depth, samples=samples or self.usual.samples,
            candidates=most, certain=min(self.usual.certain, most), caution=caution,
            threads=threads,
        )  # fmt: skip
        self._timed = samples == 0
        self._match = bool(match)
        belief = shipped(self.belief) if self.belief else None
        self._ahead = Lookahead(shipped(self.network), settings, belief, self._clock)

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`."""
        check_to_move(view)
        begin, colours, rules = self._clock(), view.rules.colours, bridge.packed(view.rules)
        row = bridge.view_to_row(view, rng.getrandbits(63))
        timed = self._timed and time_ms is not None
        share = 1.0 if self._ahead.may_overrule(row) else EARLY
        budget = share * USED * (time_ms or 0) / 1000
        samples = MOST_SAMPLES if timed else max(1, int(share * self._ahead.settings.samples))
        worth = worth_in_match(view, self.blur) if self._match else None
        lay = self._ahead.look(
            row, rules, begin + LAY_SHARE * budget if timed else None, samples, worth
        )
        apply_lay(row, rules, lay.action)
        draw = self._ahead.look(row, rules, begin + budget if timed else None, samples, worth)
        values = dict(zip(draw.actions.tolist(), draw.means.tolist(), strict=True))
        first = [draw.action, *sorted(set(values) - {draw.action}, key=lambda each: -values[each])]
        candidates = tuple(
            Candidate(bridge.actions_to_turn(lay.action, each, colours), values[each])
            for each in first
        )
        return Choice(candidates[0].turn, candidates[0].value, candidates)


class Search2Agent(SearchAgent):
    """Tries every half-turn, and plays the last card of the deck exactly, in its trials too.

    Late in a round the network gives next to no chance to half-turns that are the best by some points:
    which of its cards fit into the turns that are left is a sum over colours that it does not learn.
    """

    name: ClassVar[str] = "search@2"
    usual: ClassVar[LookSettings] = _ALL


class Search3Agent(Search2Agent):
    """Overrules the network only late in a round, and deals hidden cards by what the other may hold.

    With more than 28 cards in the deck, half-turns that trials prefer to the network's are some two points
    worse (the best of many noisy values is noise), and with 28 or fewer trials judge better where
    what the other seat has not done counts: nobody keeps what it cannot use.
    """

    name: ClassVar[str] = "search@3"
    belief: ClassVar[str] = "belief-1"
    blur: ClassVar[float] = BLUR
    usual: ClassVar[LookSettings] = _LATE


class Search4Agent(Search3Agent):
    """The same with the network of ``policy@4``, in its trials too."""

    name: ClassVar[str] = "search@4"
    network: ClassVar[str] = "policy-4"


def worth_in_match(view: View, blur: float = 0.0) -> Worth | None:
    """What a final lead of this round is worth in the match, in percent; None where only points count.

    Only points count in the first round, and where nobody knows how many rounds there will be.

    Args:
        view: what the seat sees.
        blur: for each card of the deck, see :func:`lostcities.agents.equity.win_chance`.
    """
    if view.rounds == "open" or view.round == 1:
        return None
    ahead = view.totals[view.own_seat] - view.totals[other(view.own_seat)]
    rest = view.rounds - view.round

    def worth(leads: NDArray[np.float64]) -> NDArray[np.float64]:
        return PERCENT * win_chance(ahead + leads, rest, blur * view.deck)

    return worth
