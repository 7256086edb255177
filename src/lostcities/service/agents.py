"""Agents in seats: they think in other processes, at the lowest priority, a few at a time."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection
from typing import Protocol, TypeVar

from lostcities.core.turn import Turn
from lostcities.core.views import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentCard:
    """An agent that can be chosen: its registered name, and how people are told of it."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What an agent would do.

    Attributes:
        turn: the turn it would play.
        exact: values are expected differences of the round; else they weigh turns only.
        candidates: turns with their values in points, best first; may be empty.
    """

    turn: Turn
    exact: bool = False
    candidates: tuple[tuple[Turn, float], ...] = ()


class Agents(Protocol):
    """The programs that can take a seat."""

    def cards(self) -> tuple[AgentCard, ...]:
        """Every agent that one may choose, the gentlest first."""
        ...

    async def choose(self, name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        """The agent's turn for what its seat may see. It gets a view and nothing else.

        ``begun`` is called when it has a processor: waiting for one is not thinking.

        Raises:
            Exception: whatever the agent raised; the table then plays a plain turn for it.
        """
        ...

    async def advise(self, name: str, view: View) -> Advice:
        """What the agent would do in a seat's place, and what it thinks of the other turns.

        Raises:
            Exception: whatever the agent raised.
        """
        ...

    def close(self) -> None:
        """Stop thinking."""
        ...


LONGEST = 60.0
"""Seconds after which an agent is given up; agents get a budget far below."""

Think = Callable[[str, View], Turn]
"""Answers an agent's turn; imported by name in the thinking process."""
Advise = Callable[[str, View], Advice]
"""Answers an agent's advice, likewise."""


class ProcessAgents:
    """Agents in a bounded pool of processes.

    In threads of the room they would hold its interpreter lock and every person's turn would wait
    for them. The processes yield to the room (and to everything else) wherever the system can say
    so. What does not fit into the pool waits its turn there.

    Args:
        cards: the agents to offer.
        think: a function at the top of a module, run in the pool.
        advise: the same for advice; without it only the turn is told.
        workers: how many may think at once; by default one less than there are processors, so that
            one is left for people, and four at most.
    """

    def __init__(
        self,
        cards: tuple[AgentCard, ...],
        think: Think,
        workers: int | None = None,
        advise: Advise | None = None,
    ) -> None:
        self._cards = cards
        self._advise = advise
        self._think = think
        self._workers = workers or default_workers()
        self._slots = asyncio.Semaphore(self._workers)
        self._pool: ProcessPoolExecutor | None = None

    def cards(self) -> tuple[AgentCard, ...]:
        """See :meth:`Agents.cards`."""
        return self._cards

    async def choose(self, name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        """See :meth:`Agents.choose`.

        Raises:
            TimeoutError: it thought longer than ``LONGEST``; its process is ended.
        """
        return await self._patiently(self._think, name, view, begun)

    async def advise(self, name: str, view: View) -> Advice:
        """See :meth:`Agents.advise`."""
        if self._advise is None:
            return Advice(await self.choose(name, view))
        return await self._patiently(self._advise, name, view)

    async def _patiently(
        self,
        ask: Callable[[str, View], T],
        name: str,
        view: View,
        begun: Callable[[], None] = lambda: None,
    ) -> T:
        async with self._slots:  # so that only thinking counts, not waiting for a process
            begun()
            try:
                return await self._ask(ask, name, view)
            except BrokenProcessPool:
                # A process was ended by the system (for its memory) or together with a slow one.
                return await self._ask(ask, name, view)

    async def _ask(self, ask: Callable[[str, View], T], name: str, view: View) -> T:
        pool = self._pool
        if pool is None:
            # A fork would copy the room's threads and sockets; a fresh process knows nothing.
            context = multiprocessing.get_context("spawn")
            pool = self._pool = ProcessPoolExecutor(self._workers, context, _begin_thinking)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LONGEST):
                return await loop.run_in_executor(pool, ask, name, view)
        except (BrokenProcessPool, TimeoutError):
            if self._pool is pool:
                self.close()
            raise

    def close(self) -> None:
        """See :meth:`Agents.close`; whoever is thinking is ended."""
        pool, self._pool = self._pool, None
        if pool is not None:
            thinking = list((pool._processes or {}).values())  # noqa: SLF001 - 3.14 has a name for it
            pool.shutdown(wait=False, cancel_futures=True)
            for process in thinking:
                process.terminate()


def default_workers() -> int:
    """How many agents think at once unless told otherwise."""
    return min(4, max(1, (os.cpu_count() or 2) - 1))


def _begin_thinking() -> None:
    """Yield to the room and whatever else is going on, and end when the room does.

    Not at the system's idle priority: on a busy machine an agent would then not move at all, and
    measured beside each other people wait no longer for their acknowledgement this way.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the room alone
    threading.Thread(target=_end_with_parent, name="end-with-the-room", daemon=True).start()


def _end_with_parent() -> None:
    """A room that was killed cannot end its processes; they would stay for ever."""
    room = multiprocessing.parent_process()
    if room is not None:
        connection.wait([room.sentinel])
        os._exit(0)
