"""``search``: the network's candidates tried out over sampled hidden cards, until the time is up.

First for the lay, then for the draw after it, see :mod:`lostcities.agents.lookahead`. With a number of
samples it plays the same for the same seed; with a budget of time it uses that.
"""

from __future__ import annotations

import time
from random import Random
from typing import ClassVar

from lostcities.agents.agent import Candidate, Choice, check_to_move
from lostcities.agents.lookahead import MOST_SAMPLES, Lookahead, LookSettings
from lostcities.agents.network.weights import shipped
from lostcities.core.rules import Rules
from lostcities.core.views import View
from lostcities.kernel import bridge
from lostcities.kernel.round import PackedRules, apply_lay

LAY_SHARE = 0.65
"""Share of the time that the lay gets; the draw has fewer candidates."""
USED = 0.9
"""Share of the time that is used: answering takes some too."""
_USUAL = LookSettings()


class SearchAgent:
    """See the module.

    Args:
        samples: deals for each half-turn that stays in; 0 for as many as the time allows (or 200
            where none is given).
        playout: how trials are played on, see :class:`lostcities.agents.lookahead.LookSettings`,
            also for the others.
        depth: half-turns of the network in a trial.
        candidates: half-turns tried at most.
        doubt: standard errors by which another half-turn must be ahead of the network's first choice.
    """

    name: ClassVar[str] = "search@1"
    network: ClassVar[str] = "policy-1"

    def __init__(
        self,
        samples: int = 0,
        playout: str = _USUAL.playout,
        depth: int = _USUAL.depth,
        candidates: int = _USUAL.candidates,
        doubt: float = _USUAL.doubt,
    ) -> None:
        settings = LookSettings(
            playout, depth, samples or _USUAL.samples, candidates=candidates, doubt=doubt
        )
        self._timed = samples == 0
        self._ahead = Lookahead(shipped(self.network), settings)
        self._packed: dict[Rules, PackedRules] = {}

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`."""
        check_to_move(view)
        begin, colours, rules = time.perf_counter(), view.rules.colours, self._pack(view.rules)
        row = bridge.view_to_row(view, rng.getrandbits(63))
        timed = self._timed and time_ms is not None
        budget = USED * (time_ms or 0) / 1000
        samples = MOST_SAMPLES if timed else 0
        lay = self._ahead.look(row, rules, begin + LAY_SHARE * budget if timed else None, samples)
        apply_lay(row, rules, lay.action)
        draw = self._ahead.look(row, rules, begin + budget if timed else None, samples)
        values = dict(zip(draw.actions.tolist(), draw.means.tolist(), strict=True))
        first = [draw.action, *sorted(set(values) - {draw.action}, key=lambda each: -values[each])]
        candidates = tuple(
            Candidate(bridge.actions_to_turn(lay.action, each, colours), values[each])
            for each in first
        )
        return Choice(candidates[0].turn, candidates[0].value, candidates)

    def _pack(self, rules: Rules) -> PackedRules:
        if rules not in self._packed:
            self._packed[rules] = bridge.pack(rules)
        return self._packed[rules]
