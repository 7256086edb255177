"""Players who note what they sent and what they were told, and a check of it against the log.

The promises: every acknowledged command is in the log exactly once, at the seq acknowledged; the
log has no gaps and every turn of it was legal; every view shown is the one that the log gives.
What the time rules did for a seat follows a note of that, is what they say, and nobody's command.
"""

import asyncio
import contextlib
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from lostcities.core.events import (
    ContinueDeclined,
    ContinueSaid,
    RoundDealt,
    TakebackAsked,
    TakebackDeclined,
    TimedOut,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import (
    MatchState,
    decide_answer_back,
    decide_ask_back,
    decide_continue,
    decide_time,
    decide_turn,
)
from lostcities.core.pace import safe_turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_for
from lostcities.service.state import TableState, advance
from lostcities.store.interfaces import LogEvent, Overdue, StoredMatch

LOST = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError)
TOO_LATE = ("stale", "no_offer", "nothing_to_take_back", "not_dealt", "round_over", "match_over")
"""Why a wish to take a turn back may be refused: the other has played meanwhile."""


@dataclass
class Sent:
    """A command, and its acknowledgement if one came."""

    match: str
    seat: int
    message: dict[str, Any]
    acked: int | None = None

    @property
    def cmd_id(self) -> str:
        return str(self.message["cmd_id"])


@dataclass
class History:
    """What all players did and saw."""

    sent: list[Sent] = field(default_factory=list)
    views: dict[tuple[str, int, int], dict[str, Any] | None] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    lawful: frozenset[str] = frozenset({"shutdown"})
    """Reasons for which a command may be refused; with clocks a turn can come too late."""
    connections: int = 0

    @property
    def acked(self) -> int:
        return sum(each.acked is not None for each in self.sent)


@dataclass
class Player:
    """Sits in a seat and plays random turns; comes back whenever the line drops."""

    url: str
    cookie: str
    match: str
    seat: int
    history: History
    rng: random.Random
    seq: int = 0
    last: dict[str, Any] = field(default_factory=dict)
    pending: Sent | None = None
    ready: bool = False
    over: bool = False

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set() and not self.over:
            with contextlib.suppress(*LOST):
                headers = {"Cookie": self.cookie}
                address = self.url.replace("http", "ws", 1) + "/api/socket"
                async with connect(
                    address, additional_headers=headers, origin=Origin(self.url)
                ) as socket:
                    self.history.connections += 1
                    self.ready = False
                    await self._talk(socket, stop)
            await asyncio.sleep(0.02)

    async def _talk(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        hello = {"type": "hello", "match": self.match, "last_seq": self.seq}
        await socket.send(json.dumps(hello))
        while not stop.is_set() and not self.over:
            try:
                async with asyncio.timeout(1.0):
                    message = json.loads(await socket.recv())
            except TimeoutError:
                continue
            await self._hear(socket, message)

    async def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("snapshot", "update"):
            self.seq = message["seq"]
            self.history.views[self.match, self.seat, self.seq] = message["view"]
            self.over = message["table"]["phase"] == "over"
            self.last = message
            await self._go_on(socket)
        elif kind == "ready":
            self.ready = True
            await self._send(socket)
        elif kind == "ack" and self.pending and message["cmd_id"] == self.pending.cmd_id:
            self.pending.acked = message["seq"]
            self.pending = None
            if self.seq >= message["seq"]:  # a tail had told of it, and of what came after
                await self._go_on(socket)
        elif kind in ("refused", "failed"):
            await self._refused(socket, message)

    async def _refused(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        reason, wish = message.get("reason"), self.pending
        self.pending = None
        if wish is not None and "back" in wish.message["type"] and reason in TOO_LATE:
            await self._go_on(socket)
        elif reason not in self.history.lawful:
            self.history.refusals.append(f"{wish}: {reason}")

    async def _go_on(self, socket: ClientConnection) -> None:
        if self.pending is None:
            self._choose()
            await asyncio.sleep(self._thinks())
            await self._send(socket)

    def _thinks(self) -> float:
        return 0.1 * self.rng.random()  # no faster than a socket may be

    def _choose(self) -> None:
        view, table = self.last["view"], self.last["table"]
        number = len(self.history.sent)
        command: dict[str, Any] = {"cmd_id": f"command-{self.match}-{self.seat}-{number}"}
        if table["phase"] == "between" and not table["seats"][self.seat]["continued"]:
            command |= {"type": "continue", "round": view["round"]}
        elif table["phase"] == "playing" and view["to_move"] == self.seat:
            turn = self.rng.choice(view["legal"])
            where = {"round": view["round"], "ply": view["ply"], "back": table["back"]}
            if table["back_asked"] == 1 - self.seat and self.rng.random() < 0.8:
                accept = self.rng.random() < 0.7
                command |= {"type": "answer_back", "accept": accept, **where}
            else:
                command |= {"type": "play", "turn": turn, **where}
        elif table["back_open"] == self.seat and table["back_asked"] is None:
            where = {"round": view["round"], "ply": view["ply"], "back": table["back"]}
            command |= {"type": "ask_back", **where}
        else:
            return
        self.pending = Sent(self.match, self.seat, command)
        self.history.sent.append(self.pending)

    async def _send(self, socket: ClientConnection) -> None:
        if self.pending is not None and self.ready:
            await socket.send(json.dumps(self.pending.message))


def faults(history: History, stored: dict[str, StoredMatch]) -> list[str]:
    """What is wrong with a history, in words; nothing if all promises were kept."""
    found = [f"unexpected refusal of {refusal}" for refusal in history.refusals]
    for match, kept in stored.items():
        sent = [each for each in history.sent if each.match == match]
        views = {at[1:]: view for at, view in history.views.items() if at[0] == match}
        of_log = _faults_of_log(kept)
        of_views = [] if of_log else _faults_of_views(views, kept)  # no views of a broken log
        of_commands = _faults_of_commands(sent, kept)
        found += [f"{match}: {fault}" for fault in (*of_log, *of_views, *of_commands)]
    return found


def _faults_of_log(kept: StoredMatch) -> list[str]:
    state = TableState(kept.info.rules)
    before: LogEvent | None = None
    for event in kept.events:
        if state.match is not None and not _legal(state.match, event, before):
            return [f"event {state.seq + 1} was not legal: {event}"]
        state, before = advance(state, event), event
    return ["a time was out, and nothing came of it"] if isinstance(before, Overdue) else []


def _legal(match: MatchState, event: LogEvent, before: LogEvent | None) -> bool:
    if isinstance(before, Overdue) and not _by_time(match, event, before.seat):
        return False
    if isinstance(event, TurnPlayed):
        return decide_turn(match, event.seat, event.turn.public, event.ply) == event
    if isinstance(event, TakebackAsked):
        return decide_ask_back(match, event.seat) == event
    if isinstance(event, TurnTakenBack):
        return decide_answer_back(match, 1 - event.seat, True) == event
    if isinstance(event, ContinueSaid):
        return decide_continue(match, event.seat, True) == event
    if isinstance(event, TimedOut):
        return decide_time(match, event.seat) == event and match.round is not None
    return True


def _by_time(match: MatchState, event: LogEvent, seat: int) -> bool:
    """Whether this is what the time rules do for a seat."""
    if not isinstance(event, TurnPlayed | ContinueSaid | ContinueDeclined) or event.seat != seat:
        return False
    if isinstance(event, TurnPlayed):
        return event.turn.public == safe_turn(view_for(match, event.seat))
    return True


def _faults_of_commands(sent: list[Sent], kept: StoredMatch) -> list[str]:
    found = []
    known = {each.cmd_id: each for each in sent}
    for each in sent:
        record = kept.commands.get(each.cmd_id)
        if each.acked is None:
            continue
        if record is None:
            found.append(f"acknowledged {each.message} is not in the log")
        elif record.seq != each.acked or record.seat != each.seat:
            found.append(f"acknowledged {each.message} as {each.acked}, kept as {record}")
    wished: Counter[str] = Counter()
    for cmd_id in kept.commands:
        if cmd_id not in known:
            found.append(f"nobody sent {cmd_id}")
        else:
            wished[_wish(known[cmd_id])] += 1
    logged = Counter(filter(None, _logged(kept.events)))
    if logged != wished:
        found.append(f"the log does not hold each accepted command once: {logged - wished}, "
                     f"{wished - logged}")  # fmt: skip
    return found


def _wish(sent: Sent) -> str:
    message = sent.message
    at = f"{message['round']}.{message.get('ply')}"
    if message["type"] == "ask_back":
        return f"{sent.seat} asks for {at} back"
    if message["type"] == "answer_back":
        return f"{sent.seat} answers {message['accept']}"
    if message["type"] == "continue":
        return f"{sent.seat} continues after {message['round']}"
    return f"{sent.seat} plays {message['turn']} at {at}"


def _logged(events: tuple[LogEvent, ...]) -> list[str | None]:
    number, ply, result = 0, 0, []
    for before, event in zip((None, *events), events, strict=False):
        wish = None
        if isinstance(event, RoundDealt):
            number, ply = event.number, 0
        elif isinstance(before, Overdue):
            ply = event.ply + 1 if isinstance(event, TurnPlayed) else ply
        elif isinstance(event, TurnPlayed):
            wish = f"{event.seat} plays {event.turn.public} at {number}.{event.ply}"
            ply = event.ply + 1
        elif isinstance(event, TakebackAsked):
            wish = f"{event.seat} asks for {number}.{ply} back"
        elif isinstance(event, TakebackDeclined):
            wish = f"{event.seat} answers False"
        elif isinstance(event, TurnTakenBack):
            wish, ply = f"{1 - event.seat} answers True", event.ply
        elif isinstance(event, ContinueSaid):
            wish = f"{event.seat} continues after {number}"
        result.append(wish)
    return result


def _faults_of_views(
    views: dict[tuple[int, int], dict[str, Any] | None], kept: StoredMatch
) -> list[str]:
    wanted: dict[int, list[int]] = {}
    for seat, seq in views:
        wanted.setdefault(seq, []).append(seat)
    state, found = TableState(kept.info.rules), []
    for event in kept.events:
        state = advance(state, event)
        for seat in wanted.pop(state.seq, ()):
            told = views[seat, state.seq]
            if state.match is None or state.match.round is None:
                right: Any = None
            else:
                right = view_to_dict(view_for(state.match, seat))
                told = {key: value for key, value in (told or {}).items() if key in right}
            if told != right:
                found.append(f"seat {seat} was shown another view at {state.seq}")
    found += [f"a view of seq {seq} was shown, which the log does not have" for seq in wanted]
    return found
