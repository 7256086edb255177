"""The program across the table."""

from __future__ import annotations

from random import Random, SystemRandom

from lostcities.agents.agent import AgentFailureError, close
from lostcities.agents.registry import make_agent
from lostcities.cli.terminal.sitting import OpponentError
from lostcities.core.turn import Turn
from lostcities.core.views import View


class AgentOpponent:
    """An agent of the registry, or an outside program, with its time a turn."""

    def __init__(self, name: str, time_ms: int, seed: int | None) -> None:
        """Make the agent.

        Raises:
            UnknownAgentError: no such agent, or options that it does not have.
        """
        self._agent = make_agent(name)
        self._time_ms = time_ms
        self._rng = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - not for secrets

    @property
    def name(self) -> str:
        """The agent's name with its version, for the record."""
        return self._agent.name

    @property
    def shown(self) -> str:
        """The name without its version, for the board."""
        return self.name.partition("@")[0]

    def choose(self, view: View) -> Turn:
        """The agent's turn.

        Raises:
            OpponentError: it gave none.
        """
        try:
            return self._agent.choose(view, self._time_ms, self._rng).turn
        except AgentFailureError as error:
            raise OpponentError(f"{self.name}: {error.reason}") from error

    def close(self) -> None:
        """Let go of an outside program."""
        close(self._agent)
