"""``policy``: the network alone, without search. Well under a millisecond a turn once loaded."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from lostcities.agents.agent import Choice, check_to_move
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.core.rules import Rules
from lostcities.core.views import View
from lostcities.kernel import bridge
from lostcities.kernel.jit import COMPILED
from lostcities.kernel.layout import empty_rows
from lostcities.kernel.round import apply_lay, deal_seeded


class PolicyAgent:
    """The legal half-turns that the network thinks best, one after the other."""

    name: ClassVar[str] = "policy@1"
    network: ClassVar[str] = "policy-1"

    def __init__(self) -> None:
        self._weights = shipped(self.network)
        self._scratch = forward.scratch()
        if COMPILED:
            self._warm_up()

    def _warm_up(self) -> None:
        """Compile now, which may take seconds the first time, rather than on somebody's clock."""
        row, rules = empty_rows(1)[0], bridge.pack(Rules())
        deal_seeded(row, rules, 0, 0)
        forward.expected_lead(self._weights, row, rules, self._scratch)
        apply_lay(row, rules, forward.best_action(self._weights, row, rules, self._scratch))

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`; neither time nor chance plays a part."""
        check_to_move(view)
        row, rules = bridge.view_to_row(view), bridge.packed(view.rules)
        value = forward.expected_lead(self._weights, row, rules, self._scratch)
        lay = int(forward.best_action(self._weights, row, rules, self._scratch))
        apply_lay(row, rules, lay)
        draw = int(forward.best_action(self._weights, row, rules, self._scratch))
        return Choice(bridge.actions_to_turn(lay, draw, view.rules.colours), float(value))


class Policy2Agent(PolicyAgent):
    """The same with the network that learnt from looking ahead."""

    name: ClassVar[str] = "policy@2"
    network: ClassVar[str] = "policy-2"


class Policy3Agent(PolicyAgent):
    """The same with the network that then learnt from playing itself."""

    name: ClassVar[str] = "policy@3"
    network: ClassVar[str] = "policy-3"


class Policy4Agent(PolicyAgent):
    """The same with the network that then learnt to beat that one, for longer and trying more."""

    name: ClassVar[str] = "policy@4"
    network: ClassVar[str] = "policy-4"
