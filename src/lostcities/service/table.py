"""A table: the live object of one match, with one writer.

Everything that changes a table goes through its inbox, one thing after the other:
decide on a copy → append to the log → install → acknowledge → push to every socket. Nothing is
installed or told before it is on disk, so whatever is read from ``state`` is committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from lostcities.core.match import MatchState
from lostcities.core.pace import safe_turn
from lostcities.core.seats import Seat, other
from lostcities.core.shuffle import DeckSource
from lostcities.core.views import view_for
from lostcities.protocol.messages import (
    Ack,
    ChatRefused,
    EndAbsent,
    Play,
    Refused,
    Say,
)
from lostcities.service.agents import Agents
from lostcities.service.audience import Audience, nobody_cares
from lostcities.service.chat import ChatBook, clean_line
from lostcities.service.decide import Command, decide, settle
from lostcities.service.overdue import what_time_does
from lostcities.service.refusing import No
from lostcities.service.results import results_of
from lostcities.service.seeing import seat_view
from lostcities.service.state import Entry, TableState
from lostcities.service.subscriber import Subscriber
from lostcities.service.timekeeper import Timekeeper
from lostcities.service.timing import deadlines, wait_of
from lostcities.store.interfaces import (
    Append,
    Changes,
    CommandRecord,
    ConflictError,
    LogEvent,
    SitDown,
    Store,
    StoredMatch,
    StoreError,
    TimeUsed,
)

T = TypeVar("T")

log = logging.getLogger("lostcities.table")

INBOX = 256
"""Wishes that may wait at one table."""
TRIES = 20
"""How often to decide again when other writers were first."""
RETRY = 1000
"""Milliseconds until the table looks again, when what the time did could not be saved."""


NOTHING = Changes()
PUT_AWAY = "the table has just been put away"
WATCHING = No("watching", "this browser only watches")
MUTED = No("muted", "the host does not let you write")


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be written: events, and what else belongs in the same transaction."""

    events: tuple[LogEvent, ...]
    changes: Changes = NOTHING
    command: CommandRecord | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What is on disk now and is to be installed."""

    state: TableState
    entries: list[Entry]
    command: CommandRecord | None
    sits: tuple[SitDown, ...]
    due: int | None


class BusyError(Exception):
    """The table's inbox is full."""


class Table(Audience):
    """One match, live. Made by the room from what the store has."""

    def __init__(
        self,
        stored: StoredMatch,
        store: Store,
        agents: Agents,
        decks: DeckSource,
        chat: ChatBook,
        keeper: Timekeeper,
    ) -> None:
        self.chat = chat
        self._saying: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        super().__init__(stored, keeper)
        self._keeper = keeper
        self.changed_at: int | None = None
        """When something last happened here (ms since 1970), as far as this process has seen."""
        self._store = store
        self._agents = agents
        self._decks = decks
        self._inbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(INBOX)
        self._thinking: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._writer: asyncio.Task[None] | None = None
        self._working = False
        self._stopped = False
        self._wishes: set[asyncio.Future[Any]] = set()
        """What waits for its turn: nobody waits for a table that has been stopped."""
        self.changed: Callable[[], None] = nobody_cares
        """Called after something was committed and told at the table; must neither wait nor fail."""

    # ---- life -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to serve; takes up what was interrupted, if anything was."""
        self._writer = asyncio.create_task(self._run(), name=f"table {self.match}")
        self._inbox.put_nowait(self._resume)

    async def stop(self) -> None:
        """Stop serving; what is on its way to disk is waited for by the store."""
        self._stopped = True
        self._disarm()
        tasks = [*self._thinking.values(), *self._saying]
        if self._writer is not None:
            tasks.append(self._writer)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for wish in tuple(self._wishes):
            if not wish.done():
                wish.set_exception(StoreError(PUT_AWAY))

    @property
    def busy(self) -> bool:
        """Whether something is being written, waits to be, or is being thought about."""
        return self._working or bool(self._thinking) or not self._inbox.empty()

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is going on, not even a live clock."""
        ticks = self.info.pace.live and self._alarm is not None
        return not self._sockets and not self.busy and not ticks

    async def _run(self) -> None:
        while True:
            work = await self._inbox.get()
            self.touched = asyncio.get_running_loop().time()
            self._working = True
            try:
                await work()
            except Exception:
                # A defect, not an input: the table reads the truth anew and goes on.
                log.exception("table %s: a step failed", self.match)
                with contextlib.suppress(StoreError):  # what is installed is committed anyhow
                    await self.reload()
            finally:
                self._working = False

    async def _resume(self) -> None:
        await self._commit(lambda: Decision(()))
        self._wake_agents()
        self._arm()

    # ---- commands -------------------------------------------------------------------------------

    def submit(self, socket: Subscriber, command: Command) -> None:
        """Queue a command of a seat; its answer comes on the socket. An ended socket has no say.

        Raises:
            BusyError: too much is waiting already.
        """
        if socket.ended is None:
            at = self._keeper.now  # time used is until it came, not until there was time for it
            self._enqueue(lambda: self._command(socket, command, at))

    def _enqueue(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            self._inbox.put_nowait(work)
        except asyncio.QueueFull:
            raise BusyError from None

    async def do(self, wish: Callable[[], Awaitable[T]]) -> T:
        """Run a wish of the room in its turn, on the table's writer.

        Raises:
            BusyError: too much is waiting already.
            StoreError: the table was stopped first.
        """
        if self._stopped:
            raise StoreError(PUT_AWAY)
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wishes.add(future)
        future.add_done_callback(self._wishes.discard)

        async def work() -> None:
            try:
                result = await wish()
            except Exception as error:  # noqa: BLE001 - belongs to whoever waits
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)

        self._enqueue(work)
        return await future

    async def _command(self, socket: Subscriber, command: Command, at: int) -> None:
        seat = socket.seat
        if seat is None:
            return self._refuse(socket, command.cmd_id, WATCHING)
        return await self._seat_command(socket, seat, command, at)

    async def _seat_command(
        self, socket: Subscriber, seat: Seat, command: Command, at: int
    ) -> None:
        content = content_of(command)
        try:
            done = await self._commit(
                lambda: self._decide_command(seat, command, content, at),
                lambda: self._answer(socket, command),
            )
        except StoreError as error:
            done = No("not_saved", f"the room could not save this, nothing has changed: {error}")
        if isinstance(done, No):
            self._refuse(socket, command.cmd_id, done)

    def _decide_command(
        self, seat: Seat, command: Command, content: str, at: int
    ) -> Decision | No | CommandRecord:
        known = self._commands.get(command.cmd_id)
        if known is not None:
            if (known.seat, known.content) == (seat, content):
                return known
            return No("cmd_reused", "this command id has been used for something else")
        if isinstance(command, EndAbsent) and self.timing.away(self.state)[other(seat)] != 0:
            return No("not_absent", "the other has not been away for long enough")
        decided = decide(self.state, seat, command)
        if isinstance(decided, No):
            return decided
        if isinstance(command, Play):
            decided = (*self._time_used(seat, at), *decided)
        return Decision(decided, command=CommandRecord(command.cmd_id, seat, content, 0))

    def _time_used(self, seat: Seat, at: int) -> tuple[LogEvent, ...]:
        if not self.info.pace.bank:
            return ()
        return (TimeUsed(seat, min(max(0, self.timing.used(at)), self.state.banks[seat])),)

    def _answer(self, socket: Subscriber, command: Command) -> None:
        socket.send(Ack(command.cmd_id, self._commands[command.cmd_id].seq))

    def _refuse(self, socket: Subscriber, cmd_id: str, no: No) -> None:
        state, seat = self.state, socket.seat
        told = self._told(seat)
        socket.send(Refused(cmd_id, no.reason, no.text, state.seq, told, seat_view(state, seat)))

    # ---- chat -----------------------------------------------------------------------------------

    def _greet(self, socket: Subscriber) -> None:
        if self.chat.used:
            socket.send(self.chat.all())

    def say(self, socket: Subscriber, say: Say) -> None:
        """Take a line of the chat beside the inbox: no turn waits for it, nor makes it stale."""
        seat = socket.seat
        no = MUTED if socket.muted else self.chat.refusal(self.info.terms, seat, say)
        if no is not None or seat is None:
            no = no or WATCHING
            socket.send(ChatRefused(no.reason, no.text))
            return
        who = self.state.taken[seat]
        name = "" if who is None else who.name
        kind, body = "text", clean_line(say.text or "")
        if say.phrase is not None:
            kind, body = "phrase", say.phrase
        task = asyncio.create_task(self._say(socket, seat, name, kind, body))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _say(self, socket: Subscriber, seat: Seat, name: str, kind: str, body: str) -> None:
        try:
            self.tell(await self.chat.add(seat, name, kind, body))
        except StoreError as error:
            socket.send(ChatRefused("not_saved", f"the room could not keep this: {error}"))

    # ---- writing --------------------------------------------------------------------------------

    async def commit(self, wish: Callable[[], Decision | No]) -> No | None:
        """Decide and write, deciding again whenever another writer was first. Only inside ``do``.

        Raises:
            StoreError: nothing was written.
        """
        return await self._commit(wish)

    async def _commit(
        self,
        wish: Callable[[], Decision | No | CommandRecord],
        acknowledge: Callable[[], None] = nobody_cares,
    ) -> No | None:
        for _ in range(TRIES):
            decision = wish()
            if isinstance(decision, No):
                return decision
            if isinstance(decision, CommandRecord):
                acknowledge()
                return None
            try:
                written = await self._append(decision)
            except ConflictError:
                await self.reload()
                continue
            self.install(written, acknowledge)
            return None
        raise StoreError("other writers were always first")

    async def _append(self, decision: Decision) -> Written:
        changes, written = self.prepare(decision)
        if changes != NOTHING:
            await self._store.write(changes)
        return written

    def prepare(self, decision: Decision) -> tuple[Changes, Written]:
        """What a decision and all that follows from it writes, and what to install then."""
        before = self.state
        sits = tuple(each for each in decision.changes.seats if each.match == self.match)
        agents = {each.occupant.seat for each in sits if each.occupant.kind == "agent"}
        state, entries = settle(before, decision.events, self.agent_seats | agents, self._decks)
        command = decision.command
        if command is not None:
            command = replace(command, seq=state.seq)
        pace, wall = self.info.pace, self._keeper.wall
        due = deadlines(self.match, pace, wait_of(before), wait_of(state), wall)
        changes = replace(decision.changes, deadlines=due) if due else decision.changes
        if entries:
            events = tuple(entry.event for entry in entries)
            rounds, outcome = results_of(before, state)
            append = Append(self.match, before.seq, events, command, rounds, outcome)
            changes = replace(changes, appends=(*changes.appends, append))
        until = due[0].due if due else self.timing.due
        return changes, Written(state, entries, command, sits, until)

    def install(self, written: Written, acknowledge: Callable[[], None] = nobody_cares) -> None:
        """Take over what is on disk now, acknowledge it and tell every socket."""
        before = self.state.seq
        if written.entries:
            self.changed_at = self._keeper.wall
        for sit in written.sits:
            self.occupants = self.occupants.replace(sit.occupant.seat, sit.occupant)
        if written.command is not None:
            self._commands[written.command.cmd_id] = written.command
        self._log.extend(written.entries)
        self.state = written.state
        self.timing.due = written.due
        self.timing.follow(self.state, self.agent_seats)
        self.timing.seen(self.state, self.present)
        acknowledge()
        if written.entries:
            self._push(before)
        self._wake_agents()
        self._arm()
        self.changed()

    async def reload(self) -> None:
        """Read the truth anew, after another writer (or a defect) made ours doubtful."""
        stored = await self._store.load(self.match)
        if stored is None:
            raise StoreError(f"match {self.match} has vanished")
        before = self.state.seq
        self._restore(stored)
        if self.state.seq > before:
            self._push(before)
        self._arm()

    # ---- time -----------------------------------------------------------------------------------

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _arm(self, at_least: int = 0) -> None:
        self._disarm()
        wait = self.timing.alarm(self.state)
        if wait is not None:
            # A timer may be early by a hair; then it would ring twice.
            seconds = (max(wait, at_least) + 1) / 1000
            self._alarm = asyncio.get_running_loop().call_later(seconds, self.look_at_the_clock)

    def look_at_the_clock(self) -> None:
        """Whether a time is out is decided in its turn among the commands: each turn has one end."""
        self._disarm()
        try:
            self._inbox.put_nowait(self._time_may_be_out)
        except asyncio.QueueFull:
            self._arm(RETRY)

    async def _time_may_be_out(self) -> None:
        def wish() -> Decision | No:
            seats = self.timing.overdue(self.state)
            done = what_time_does(self.state, self.info.pace, seats, self.agent_seats)
            return Decision(done) if done else No("nothing", "")

        try:
            await self._commit(wish)
        except StoreError as error:
            log.warning("table %s: a time is out, but it could not be saved: %s", self.match, error)
            self._arm(RETRY)
        else:
            self._arm()

    # ---- agents ---------------------------------------------------------------------------------

    def _wake_agents(self) -> None:
        match = self.state.playing
        if match is None or match.round is None:
            return
        seat = match.round.to_move
        where = (match.number, match.round.ply)
        who = self.occupants[seat]
        if who is None or who.agent is None or where in self._thinking:
            return
        thought = self._think(who.agent, seat, match)
        task = asyncio.create_task(thought, name=f"agent at {self.match}")
        self._thinking[where] = task
        task.add_done_callback(lambda _: self._thinking.pop(where, None))

    async def _think(self, agent: str, seat: Seat, match: MatchState) -> None:
        view = view_for(match, seat)
        try:
            turn = await self._agents.choose(agent, view, self._program_thinks)
            if turn not in view.legal:
                log.error("agent %s answered %s, which is not legal", agent, turn)
                turn = safe_turn(view)
        except Exception:
            log.exception("agent %s failed", agent)
            turn = safe_turn(view)
        at = self._keeper.now
        play = Play(f"agent-{match.number}-{view.ply}", match.number, view.ply, str(turn))
        await self._inbox.put(lambda: self._agent_turn(seat, play, at))

    def _program_thinks(self) -> None:
        if self.timing.thinks() and self.timing.told(self.state) is not None:
            self._tell_presence()
            self._arm()

    async def _agent_turn(self, seat: Seat, play: Play, at: int) -> None:
        def wish() -> Decision | No:
            decided = decide(self.state, seat, play)
            if isinstance(decided, No):
                return decided
            return Decision((*self._time_used(seat, at), *decided))

        await self._commit(wish)


def content_of(command: Command) -> str:
    """A fingerprint of a command, by which a retry is told from another one with the same id."""
    return hashlib.sha256(msgspec.json.encode(command)).hexdigest()
