"""What an agent is: from a view, a time budget and its own random source to a turn."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from lostcities.core.errors import NotationError
from lostcities.core.turn import Turn
from lostcities.core.views import View


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that was considered.

    Attributes:
        turn: the turn.
        value: expected final score difference of the round from the seat's side, in points.
    """

    turn: Turn
    value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """What an agent answers.

    Attributes:
        turn: the turn it plays; ``drawn`` is None.
        value: expected final score difference of the round from the seat's side, in points; None
            if the agent does not estimate it.
        candidates: the turns it considered with their values, best first; may be empty.
    """

    turn: Turn
    value: float | None = None
    candidates: tuple[Candidate, ...] = ()


@runtime_checkable
class Agent(Protocol):
    """A program that can take a seat.

    An agent keeps nothing between calls that changes its choice: the same view, budget and random
    source give the same choice (a budget that cuts a search short excepted). It sees the view and
    nothing else, so its choice cannot depend on what the view hides.
    """

    @property
    def name(self) -> str:
        """The name with its version, e.g. ``steady@1``. A version never plays differently."""
        ...

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """The turn to play.

        Args:
            view: the round as the seat to move sees it.
            time_ms: milliseconds to answer in; None for as many as the agent likes.
            rng: the only source of randomness.

        Raises:
            ViewError: the view's seat is not to move.
            AgentFailureError: no answer can be given (an outside program failed).
        """
        ...


class ViewError(NotationError):
    """A view that an agent cannot answer: it is a spectator's, or its seat is not to move."""


class AgentFailureError(Exception):
    """An agent gave no answer that counts; it loses the round for it.

    Attributes:
        kind: ``"late"`` for no answer in time, else ``"illegal"``.
        reason: what happened, one line.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def check_to_move(view: View) -> None:
    """Raise :class:`ViewError` unless the view's own seat is to move and has a legal turn."""
    if view.seat is None:
        raise ViewError("seat", "null, but an agent needs a seat's view")
    if view.to_move != view.seat:
        raise ViewError("to_move", f"{view.to_move!r}, but the view is of seat {view.seat}")
    if view.deck == 0:
        raise ViewError("deck", "empty, but a seat is to move: the round is over")
    if not view.legal:
        raise ViewError("legal", "empty, though the seat is to move")


def close(agent: Agent) -> None:
    """Let go of what an agent holds (processes, files), if it holds anything."""
    closing = getattr(agent, "close", None)
    if callable(closing):
        closing()
