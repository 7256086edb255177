"""Duplicate deals in several processes: each has its own agents, and gets deals when it is idle.

Where both agents have a compiled form, many deals go out together and are played by it, turn for turn as
the agents themselves would. Now and then a deal is left to the agents, to tell what a turn takes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

from lostcities.agents.agent import Agent, close
from lostcities.agents.duel import PlayedDeal, Player, deal_deck, first_seat, play_deal
from lostcities.agents.registry import make_agent
from lostcities.core.errors import LostCitiesError
from lostcities.core.rules import Rules
from lostcities.training.tally import DealResult, Game, Times, digest_of

if TYPE_CHECKING:
    from lostcities.agents.rounds import FastRound, Table


@dataclass(frozen=True, slots=True)
class Plan:
    """What deals are played with.

    Attributes:
        agents: names, as :func:`lostcities.agents.registry.make_agent` takes them.
        rules: the rules in force.
        seed: of the decks and the agents' randomness.
        time_ms: milliseconds a turn.
        memory_mb: MiB that an outside program may take.
        turns: whether the turns played are wanted, for records.
    """

    agents: tuple[str, ...]
    rules: Rules
    seed: int | str
    time_ms: int
    memory_mb: int
    turns: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A deal to play: the places of its two agents, and its number."""

    pair: tuple[int, int]
    deal: int


Bundle = list[Task]
"""Deals that go out together: several of compiled agents, or one."""

MOST_BUNDLED = 64
"""Deals of a bundle."""
TIMED_EVERY = 1000
"""Of so many deals of compiled agents the first is played by the agents themselves, turn by turn."""


@dataclass(frozen=True, slots=True)
class Done:
    """A played deal: what it comes to, and how it went (None unless the plan wants turns)."""

    result: DealResult
    played: PlayedDeal | None


class WorkerError(LostCitiesError):
    """A process that played deals is gone."""


def bundles(plan: Plan, tasks: Iterable[Task]) -> Iterator[Bundle]:
    """Deals as they go out: those that compiled agents play many at a time, others one by one."""
    fast, waiting = compiled_places(plan), []
    for task in tasks:
        if not (fast.issuperset(task.pair) and task.deal % TIMED_EVERY):
            yield [task]
            continue
        waiting.append(task)
        if len(waiting) == MOST_BUNDLED:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def compiled_places(plan: Plan) -> frozenset[int]:
    """The places of the agents that have a compiled form; none where nothing is compiled."""
    if importlib.util.find_spec("numba") is None:
        return frozenset()
    from lostcities.agents.compiled import OUTSIDE, compiled_form
    from lostcities.kernel.jit import COMPILED

    if not COMPILED:
        return frozenset()
    kinds = [compiled_form(name).kind for name in plan.agents]
    return frozenset(place for place, kind in enumerate(kinds) if kind != OUTSIDE)


@dataclass(slots=True)
class Crew:
    """Agents that stay between deals: a program is started once, a compiled agent loaded once."""

    plan: Plan
    _players: dict[tuple[int, int], Player] = field(default_factory=dict)
    _table: Table | None = None

    def play(self, bundle: Bundle) -> list[Done]:
        """Play deals: a single one by the agents themselves, several by their compiled forms."""
        if len(bundle) == 1 and not (bundle[0].deal % TIMED_EVERY and self._compiled(bundle[0])):
            return [self.play_slowly(bundle[0])]
        return self._play_fast(bundle)

    def _compiled(self, task: Task) -> bool:
        return compiled_places(self.plan).issuperset(task.pair)

    def _play_fast(self, bundle: Bundle) -> list[Done]:
        from lostcities.agents.compiled import compiled_form
        from lostcities.agents.rounds import Pairing, Table

        plan = self.plan
        if self._table is None:
            self._table = Table(plan.rules, plan.seed)
        forms = [compiled_form(name) for name in plan.agents]
        pairings = [Pairing(t.deal, forms[t.pair[0]], forms[t.pair[1]]) for t in bundle]
        played = self._table.play(pairings)
        return [
            self.play_slowly(task) if games is None else _done_fast(plan, task, games)
            for task, games in zip(bundle, played, strict=True)
        ]

    def play_slowly(self, task: Task) -> Done:
        """Play a deal by the agents themselves, turn by turn."""
        plan = self.plan
        a, b = (self._player(place, side) for side, place in enumerate(task.pair))
        played = play_deal(plan.rules, plan.seed, task.deal, a, b)
        times = (Times.of(a.times), Times.of(b.times))
        for player in (a, b):
            player.times.clear()
        result = DealResult.of(task.pair, played, times, plan.rules.colours)
        return Done(result, played if plan.turns else None)

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


def _done_fast(plan: Plan, task: Task, games: tuple[FastRound, FastRound]) -> Done:
    first, second = games
    result = DealResult(
        task.pair, task.deal, (_game(first, 0), _game(second, 1)), (Times(), Times())
    )
    if not plan.turns:
        return Done(result, None)
    from lostcities.agents.rounds import as_played

    deck, start = deal_deck(plan.rules, plan.seed, task.deal), first_seat(plan.rules)
    one, two = (as_played(plan.rules, deck, start, each) for each in games)
    return Done(result, PlayedDeal(task.deal, one, two))


def _game(played: FastRound, seat_of_a: int) -> Game:
    score = (played.score[seat_of_a], played.score[1 - seat_of_a])
    return Game(score, played.turns, played.stalled, choices=digest_of(played.actions))


def play_here(plan: Plan, tasks: Iterable[Task]) -> Iterator[Done]:
    """Play deals one after the other in this process."""
    crew = Crew(plan)
    try:
        for bundle in bundles(plan, tasks):
            yield from crew.play(bundle)
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
        yield from _hand_out(crews, bundles(plan, tasks))
    finally:
        for crew in crews:
            crew.end()


class _Process:
    """A process with a crew, at the other end of a pipe."""

    def __init__(self, context: Any, plan: Plan) -> None:
        ours, theirs = context.Pipe()
        self.pipe: Connection[Any, Any] = ours
        self.bundle: Bundle = []
        self._process: BaseProcess = context.Process(
            target=_work, args=(plan, theirs), daemon=True, name="lostcities arena"
        )
        self._process.start()
        theirs.close()

    def start(self, bundle: Bundle) -> None:
        self.bundle = bundle
        try:
            self.pipe.send(bundle)
        except OSError:
            raise self._gone() from None

    def take(self) -> list[Done]:
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            raise self._gone() from None
        self.bundle = []
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, list)
        return answer

    def _gone(self) -> WorkerError:
        self._process.join(1)
        what = f" while it played deal {self.bundle[0].deal}" if self.bundle else ""
        return WorkerError(f"a process ended{what} (status {self._process.exitcode})")

    def end(self) -> None:
        self.pipe.close()
        self._process.join(3)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(3)
        if self._process.is_alive():
            self._process.kill()


def _hand_out(crews: list[_Process], bundled: Iterator[Bundle]) -> Iterator[Done]:
    by_pipe = {crew.pipe: crew for crew in crews}
    busy = 0
    for crew, bundle in zip(crews, bundled, strict=False):
        crew.start(bundle)
        busy += 1
    while busy:
        waiting = [crew.pipe for crew in crews if crew.bundle]
        for ready in wait(waiting):
            crew = by_pipe[ready]  # type: ignore[index]
            done = crew.take()
            busy -= 1
            for bundle in islice(bundled, 1):
                crew.start(bundle)
                busy += 1
            yield from done


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


def _try(crew: Crew, bundle: Bundle) -> list[Done] | Exception:
    try:
        return crew.play(bundle)
    except Exception as error:  # noqa: BLE001 - told where the deal was asked for
        return error
