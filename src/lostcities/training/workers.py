"""Duplicate deals in several processes: each has its own agents, and gets a deal when it is idle."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from lostcities.agents.agent import Agent, close
from lostcities.agents.duel import PlayedDeal, Player, play_deal
from lostcities.agents.registry import make_agent
from lostcities.core.errors import LostCitiesError
from lostcities.core.rules import Rules
from lostcities.training.tally import DealResult, Times


@dataclass(frozen=True, slots=True)
class Plan:
    """What deals are played with.

    Attributes:
        agents: names, as :func:`lostcities.agents.registry.make_agent` takes them.
        rules: the rules in force.
        seed: of the decks and the agents' randomness.
        time_ms: milliseconds a turn.
        memory_mb: MiB that an outside program may take.
    """

    agents: tuple[str, ...]
    rules: Rules
    seed: int
    time_ms: int
    memory_mb: int


@dataclass(frozen=True, slots=True)
class Task:
    """A deal to play: the places of its two agents, and its number."""

    pair: tuple[int, int]
    deal: int


@dataclass(frozen=True, slots=True)
class Done:
    """A played deal: what it comes to, and how it went."""

    result: DealResult
    played: PlayedDeal


class WorkerError(LostCitiesError):
    """A process that played deals is gone."""


@dataclass(slots=True)
class Crew:
    """Agents that stay between deals: a program is started once, a compiled agent loaded once."""

    plan: Plan
    _players: dict[tuple[int, int], Player] = field(default_factory=dict)

    def play(self, task: Task) -> Done:
        """Play a deal."""
        a, b = (self._player(place, side) for side, place in enumerate(task.pair))
        played = play_deal(self.plan.rules, self.plan.seed, task.deal, a, b)
        times = (Times.of(a.times), Times.of(b.times))
        for player in (a, b):
            player.times.clear()
        return Done(DealResult.of(task.pair, played, times), played)

    def _player(self, place: int, side: int) -> Player:
        # An agent against itself sits there twice.
        if (place, side) not in self._players:
            agent: Agent = make_agent(self.plan.agents[place], memory_mb=self.plan.memory_mb)
            self._players[place, side] = Player(agent, self.plan.time_ms)
        return self._players[place, side]

    def close(self) -> None:
        """End the programs."""
        for player in self._players.values():
            close(player.agent)
        self._players.clear()


def play_here(plan: Plan, tasks: Iterable[Task]) -> Iterator[Done]:
    """Play deals one after the other in this process."""
    crew = Crew(plan)
    try:
        for task in tasks:
            yield crew.play(task)
    finally:
        crew.close()


def play_apart(plan: Plan, tasks: Iterable[Task], jobs: int) -> Iterator[Done]:
    """Play deals in ``jobs`` processes, in whatever order they get done.

    Closing the iterator ends the processes and their programs.

    Raises:
        WorkerError: a process is gone, e.g. because an agent in it crashed.
    """
    context = multiprocessing.get_context("spawn")
    crews = [_Process(context, plan) for _ in range(jobs)]
    try:
        yield from _hand_out(crews, iter(tasks))
    finally:
        for crew in crews:
            crew.end()


class _Process:
    """A process with a crew, at the other end of a pipe."""

    def __init__(self, context: Any, plan: Plan) -> None:
        ours, theirs = context.Pipe()
        self.pipe: Connection[Any, Any] = ours
        self.task: Task | None = None
        self._process: BaseProcess = context.Process(
            target=_work, args=(plan, theirs), daemon=True, name="lostcities arena"
        )
        self._process.start()
        theirs.close()

    def start(self, task: Task) -> None:
        self.task = task
        try:
            self.pipe.send(task)
        except OSError:
            raise self._gone() from None

    def take(self) -> Done:
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            raise self._gone() from None
        self.task = None
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, Done)
        return answer

    def _gone(self) -> WorkerError:
        self._process.join(1)
        what = f" while it played deal {self.task.deal}" if self.task else ""
        return WorkerError(f"a process ended{what} (status {self._process.exitcode})")

    def end(self) -> None:
        self.pipe.close()
        self._process.join(3)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(3)
        if self._process.is_alive():
            self._process.kill()


def _hand_out(crews: list[_Process], tasks: Iterator[Task]) -> Iterator[Done]:
    by_pipe = {crew.pipe: crew for crew in crews}
    busy = 0
    for crew, task in zip(crews, tasks, strict=False):
        crew.start(task)
        busy += 1
    while busy:
        waiting = [crew.pipe for crew in crews if crew.task is not None]
        for ready in wait(waiting):
            crew = by_pipe[ready]  # type: ignore[index]
            done = crew.take()
            busy -= 1
            for task in islice(tasks, 1):
                crew.start(task)
                busy += 1
            yield done


def _work(plan: Plan, pipe: Connection[Any, Any]) -> None:
    # Ctrl-C reaches every process of a terminal; the first one decides, by closing the pipes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    crew = Crew(plan)
    try:
        with contextlib.suppress(EOFError, OSError):
            while True:
                pipe.send(_try(crew, pipe.recv()))
    finally:
        crew.close()


def _leave() -> None:
    raise SystemExit(0)


def _try(crew: Crew, task: Task) -> Done | Exception:
    try:
        return crew.play(task)
    except Exception as error:  # noqa: BLE001 - told where the deal was asked for
        return error
