"""A real room for tests: uvicorn on a port of its own, and people who play over real sockets."""

import asyncio
import contextlib
import functools
import json
import queue
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from lostcities.core.cards import Card
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from lostcities.core.views import View
from lostcities.server.run import RoomServer, bind, server_config
from lostcities.server.settings import Limits, Settings
from lostcities.service.agents import Advice, AgentCard
from lostcities.service.room import Room
from lostcities.store.sql import SqlStore, now_ms

GENEROUS = Limits(posts=100_000, codes=100_000, messages=100_000, messages_a_second=100_000)
PATIENCE = 20.0


class FirstLegal:
    """An agent in this process for tests: plays the first legal turn, or what ``answer`` says."""

    def __init__(self, answer: Callable[[View], Turn] = lambda view: view.legal[0]) -> None:
        self.answer = answer
        self.asked = 0

    def cards(self) -> tuple[AgentCard, ...]:
        return (AgentCard("first", "First", "plays the first legal turn"),)

    async def choose(self, name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        self.asked += 1
        begun()
        return self.answer(view)

    async def advise(self, name: str, view: View) -> Advice:
        turn = self.answer(view)
        return Advice(turn, True, ((turn, 3.5),))

    def close(self) -> None:
        pass


@dataclass
class FixedDecks:
    """Decks decided beforehand, round by round."""

    decks: Sequence[tuple[Card, ...]]
    start: int = 0

    def deck(self, rules: Rules, number: int) -> tuple[Card, ...]:
        return self.decks[number - 1]

    def coin(self) -> int:
        return self.start


class CountingIds:
    """Ids that are the same in every run."""

    def __init__(self) -> None:
        self.count = 0

    def _next(self, what: str) -> str:
        self.count += 1
        return f"{what}{self.count:040d}"

    def token(self) -> str:
        return self._next("token")

    def player(self) -> str:
        return self._next("player")

    def match(self) -> str:
        return self._next("match")

    def invite(self) -> str:
        return self._next("invite")

    def opening(self) -> str:
        return "opening"

    def device_code(self) -> str:
        return f"CODE{self.count:04d}"

    def coin(self) -> int:
        return 0


@dataclass
class RunningRoom:
    room: Room
    store: Any
    settings: Settings
    url: str


@functools.cache
def _empty_database() -> bytes:
    """A SQLite file with its tables made; copying it is quicker than migrating anew."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "room.sqlite3")
        asyncio.run(SqlStore.open(f"sqlite:///{path}").close())
        return path.read_bytes()


@contextlib.contextmanager
def running_beside(folder: Path, **options: Any) -> Iterator[RunningRoom]:
    """A room in a thread of its own, for many tests; only its ``url`` is for use from outside."""
    found: queue.SimpleQueue[RunningRoom | BaseException] = queue.SimpleQueue()
    leave = threading.Event()

    async def main() -> None:
        try:
            async with running(folder / "room.sqlite3", **options) as room:
                found.put(room)
                await asyncio.to_thread(leave.wait)
        except BaseException as error:
            found.put(error)
            raise

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        room = found.get(timeout=PATIENCE)
        if isinstance(room, BaseException):
            raise room
        yield room
    finally:
        leave.set()
        thread.join()


@contextlib.asynccontextmanager
async def running(
    database: Path | str, *, agents: Any = None, limits: Limits = GENEROUS, **options: Any
) -> AsyncIterator[RunningRoom]:
    """A room on a free port of this machine; it ends with the block, its database stays."""
    url = f"sqlite:///{database}" if isinstance(database, Path) else database
    settings_keys = {"public_url", "page", "name", "proxies"}
    if isinstance(database, Path) and not database.exists():  # noqa: ASYNC240 - tests may block
        database.write_bytes(await asyncio.to_thread(_empty_database))  # noqa: ASYNC240
    chosen = {key: options.pop(key) for key in settings_keys & set(options)}
    store = options.pop("store", None) or SqlStore.open(url)
    room = Room(store, agents or FirstLegal(), clock=now_ms, **options)
    listening = bind("127.0.0.1", 0)
    settings = Settings("127.0.0.1", listening.getsockname()[1], limits=limits, **chosen)
    ready = asyncio.Event()
    server = RoomServer(server_config(room, settings), room, ready.set)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait([waiting, serving], return_when=asyncio.FIRST_COMPLETED)
        assert not serving.done(), serving.exception()
        yield RunningRoom(room, store, settings, settings.own_url)
    finally:
        server.should_exit = True
        await serving
        await room.close()
        await store.close()


class Person:
    """A browser: a cookie jar, and sockets."""

    def __init__(self, url: str, name: str = "Ada") -> None:
        self.url = url
        self.name = name
        self.http = httpx2.AsyncClient(base_url=url, headers={"origin": url}, timeout=PATIENCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        return "; ".join(f"{c.name}={c.value}" for c in self.http.cookies.jar)

    async def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        answer = await self.http.post(path, json={} if body is None else body)
        if status is not None:
            assert answer.status_code == status, answer.text
        else:
            assert answer.is_success, answer.text
        return answer.json()

    async def get(self, path: str, status: int = 200) -> Any:
        answer = await self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def create(self, **wish: Any) -> dict[str, Any]:
        made: dict[str, Any] = await self.post("/api/tables", {"name": self.name, **wish})
        return made

    async def accept(self, invite: str) -> dict[str, Any]:
        joined: dict[str, Any] = await self.post(f"/api/invites/{invite[3:]}", {"name": self.name})
        return joined

    @contextlib.asynccontextmanager
    async def sit(self, match: str, last_seq: int = 0) -> "AsyncIterator[Chair]":
        """A socket at a table, level with it."""
        async with self.socket() as socket:
            chair = Chair(socket)
            await chair.send(type="hello", match=match, last_seq=last_seq)
            yield chair

    def socket(self, **options: Any) -> Any:
        headers = {"Cookie": self.cookie, **options.pop("headers", {})}
        return connect(
            self.url.replace("http", "ws", 1) + "/api/socket",
            additional_headers=headers,
            origin=options.pop("origin", self.url),
            compression=None,
            **options,
        )


@dataclass
class Chair:
    """A socket at a table, and what it has been told."""

    socket: ClientConnection
    frames: list[str] = field(default_factory=list)
    seq: int = 0
    view: dict[str, Any] | None = None
    table: dict[str, Any] = field(default_factory=dict)
    commands: int = 0

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: dict[str, Any] = json.loads(frame)
        if message["type"] in ("snapshot", "update"):
            if message["type"] == "update":
                assert message["from_seq"] == self.seq or self.seq == 0, "a gap in the log"
            self.seq, self.view, self.table = message["seq"], message["view"], message["table"]
        return message

    async def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; what comes before it is taken in."""
        while True:
            message = await self.receive()
            if message["type"] == kind:
                return message
            assert message["type"] != "failed", message

    async def reach(self, seq: int) -> None:
        """Read until the table stands at ``seq``."""
        while self.seq < seq:
            await self.receive()

    async def command(self, kind: str, cmd_id: str | None = None, **values: Any) -> dict[str, Any]:
        """Send a command and return its answer, ``ack`` or ``refused``."""
        self.commands += 1
        cmd_id = cmd_id or f"command-{id(self)}-{self.commands}"
        await self.send(type=kind, cmd_id=cmd_id, **values)
        while True:
            message = await self.receive()
            assert message["type"] != "failed", message
            if message["type"] in ("ack", "refused") and message["cmd_id"] == cmd_id:
                return message

    async def play(self, turn: str, **values: Any) -> dict[str, Any]:
        assert self.view is not None
        where = {"round": self.view["round"], "ply": self.view["ply"]}
        return await self.command("play", turn=turn, **{**where, **values})


async def failure(socket: Any) -> dict[str, Any]:
    """The ``failed`` message that ends a socket, after whatever came before it."""
    failed: dict[str, Any] = {}

    async def read() -> None:
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == "failed":
                failed.update(message)

    async with asyncio.timeout(10):
        with pytest.raises(ConnectionClosed) as caught:
            await read()
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code in (1008, 1012), "policy, or the room closes"
    return failed


def built_page(folder: Path) -> Path:
    page = folder / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html><title>Room</title>")
    (page / "assets" / "index-B2f9.js").write_text("export {}")
    (page / "icon.svg").write_text("<svg/>")
    (folder / "secret.txt").write_text("a secret beside the page")
    return page
