"""The room under load, over real sockets, with commit before acknowledgement.

    python benchmarks/room.py matches [--matches 200] [--seconds 20] [--pause 0]
    python benchmarks/room.py agents [--rounds 5]

``matches``: so many matches at once, both seats played by programs over sockets of their own, each
turn after a pause of so many seconds (0 for as fast as they can, which shows the rate that the room
sustains; with a pause, how long an acknowledgement takes when it is not driven to its limit). Beside
it in the same run: what the store alone appends for as many writers, and what a socket alone echoes
for as many clients. ``agents``: how long a person waits for an acknowledgement while nobody thinks,
and while four agents do
(as many at once as the room lets), in turns.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect

from lostcities.core.events import TurnPlayed
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn, parse_turn
from lostcities.core.views import View
from lostcities.server.run import bind, serve
from lostcities.server.run import run as run_loop
from lostcities.server.settings import Limits, Settings
from lostcities.service.agents import AgentCard, ProcessAgents, default_workers
from lostcities.service.room import Room
from lostcities.store.interfaces import Append, Changes, CommandRecord, MatchInfo
from lostcities.store.sql import SqlStore, now_ms

MANY = 1_000_000
THINKING = 4


def burn(_name: str, view: View) -> Turn:
    """An agent that thinks hard for long."""
    end = time.monotonic() + 58
    value = 0
    while time.monotonic() < end:
        for _ in range(100_000):
            value = value * 31 + 7 & 0xFFFF
    return view.legal[0]


# ---- the servers, each in a process of its own --------------------------------------------------


def serve_room(port: int, folder: str) -> None:
    limits = Limits(MANY, MANY, MANY, MANY, MANY, MANY, sockets=MANY)
    settings = Settings("127.0.0.1", port, limits=limits)
    listening = bind("127.0.0.1", port)
    store = SqlStore.open(f"sqlite:///{folder}/room.sqlite3")

    async def main() -> None:
        agents = ProcessAgents((AgentCard("burn", "Burn", ""),), burn)
        await serve(Room(store, agents, clock=now_ms), store, settings, listening)

    run_loop(main)


def serve_echo(port: int, _folder: str) -> None:
    async def echo(ws: WebSocket) -> None:
        await ws.accept()
        async for text in ws.iter_text():
            await ws.send_text(text)

    app = Starlette(routes=[WebSocketRoute("/api/socket", echo)])
    uvicorn.run(
        app, port=port, ws="websockets-sansio", ws_per_message_deflate=False, lifespan="off",
        log_level="error", access_log=False,
    )  # fmt: skip


SERVERS: dict[str, Callable[[int, str], None]] = {"room": serve_room, "echo": serve_echo}


class Server:
    """A server in a process of its own, on a free port."""

    def __init__(self, what: str, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, __file__, "serve", what, str(self.port), str(folder)]
        self.process = subprocess.Popen(command)

    async def ready(self) -> None:
        """Wait until it listens."""
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            await asyncio.sleep(0.05)
        raise SystemExit("the server did not start")

    def cpu(self) -> float:
        """Seconds of processor that it has used (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.asynccontextmanager
async def server(what: str, folder: Path) -> AsyncIterator[Server]:
    running = Server(what, folder)
    try:
        await running.ready()
        yield running
    finally:
        running.process.terminate()
        await asyncio.to_thread(running.process.wait)


# ---- players ------------------------------------------------------------------------------------


class Seen(msgspec.Struct):
    """What a player reads of a message."""

    type: str
    cmd_id: str = ""
    seat: int | None = None
    view: dict[str, Any] | None = None
    table: dict[str, Any] | None = None


_read = msgspec.json.Decoder(Seen).decode


class Player:
    """Plays random legal turns in a seat and times their acknowledgements."""

    def __init__(self, socket: ClientConnection, seat: int, seed: int, pause: float = 0.0) -> None:
        self.socket, self.seat, self.pause = socket, seat, pause
        self.random = random.Random(seed)
        self.sent: dict[str, float] = {}
        self.waits: list[float] = []
        self.turns = 0
        self.last = ""

    async def play(self) -> None:
        """Play until cancelled."""
        async for frame in self.socket:
            message = _read(frame)
            if message.type == "ack":
                self.turns += "play" in message.cmd_id
                self.waits.append(time.perf_counter() - self.sent.pop(message.cmd_id))
            elif message.type in ("snapshot", "update"):
                await self._answer(message)

    async def _answer(self, message: Seen) -> None:
        view, table = message.view, message.table
        if view is None or table is None:
            return
        command: dict[str, Any]
        if table["phase"] == "playing" and view["to_move"] == self.seat:
            turn = self._choose(view["legal"])
            command = {"type": "play", "round": view["round"], "ply": view["ply"], "turn": turn}
        elif table["phase"] == "between" and not table["seats"][self.seat]["continued"]:
            command = {"type": "continue", "round": view["round"]}
        else:
            return
        cmd_id = f"command-{self.seat}-{view['round']}-{view['ply']}-{command['type']}"
        if cmd_id == self.last:
            return  # the other seat said to continue while ours was on its way
        self.last = cmd_id
        if self.pause:
            await asyncio.sleep(self.pause)
        self.sent[cmd_id] = time.perf_counter()
        await self.socket.send(json.dumps({**command, "cmd_id": cmd_id}))

    def _choose(self, legal: list[str]) -> str:
        from_deck = [turn for turn in legal if turn.endswith("*")]
        return self.random.choice(from_deck or legal)


async def sit(url: str, cookie: str, made: dict[str, Any], seed: int, pause: float = 0.0) -> Player:
    socket = await connect(
        url.replace("http", "ws") + "/api/socket",
        additional_headers={"Cookie": cookie}, compression=None, ping_interval=None,
    )  # fmt: skip
    await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
    return Player(socket, made["seat"], seed, pause)


async def wish(url: str, path: str, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
        answer = await client.post(path, json=body)
        answer.raise_for_status()
        return answer.json(), "; ".join(f"{c.name}={c.value}" for c in client.cookies.jar)


async def pair(url: str, seed: int, pause: float = 0.0) -> list[Player]:
    """Two players at a table of their own."""
    rules = "room rounds=99"
    made, ada = await wish(url, "/api/tables", {"name": "Ada", "rules": rules})
    joined, grace = await wish(url, "/api/invites/" + made["invite"][3:], {"name": "Grace"})
    return [
        await sit(url, ada, made, 2 * seed, pause),
        await sit(url, grace, joined, 2 * seed + 1, pause),
    ]


async def stop(playing: list[asyncio.Task[None]]) -> None:
    """End the players; what one of them stumbled over is raised."""
    for task in playing:
        task.cancel()
    for result in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


# ---- matches ------------------------------------------------------------------------------------


async def measure_matches(matches: int, seconds: float, pause: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rate, waits, share = await run_matches(Path(folder), matches, seconds, pause)
        store = await run_store(Path(folder) / "alone", matches, seconds / 4)
        echo, echo_cpu = await run_echo(Path(folder), matches, seconds / 4)
    p50, p99 = (1000 * percentile(waits, each) for each in (0.5, 0.99))
    print(
        f"{matches} matches: {rate:.0f} turns/s, acknowledged in {p50:.0f} ms (p50), {p99:.0f} ms (p99)"
    )
    turn_cpu = share / rate
    print(
        f"a turn takes {1e6 * turn_cpu:.0f} us of the room's processor, as much as "
        f"{turn_cpu / echo_cpu:.1f} echoes of a bare socket ({1e6 * echo_cpu:.0f} us each)"
    )
    print(
        f"the store alone, {matches} writers: {store:.0f} appends/s; turns/appends {rate / store:.2f}"
    )
    print(f"a socket alone, {matches} clients: {echo:.0f} echoes/s; turns/echoes {rate / echo:.2f}")


async def run_matches(
    folder: Path, matches: int, seconds: float, pause: float
) -> tuple[float, list[float], float]:
    async with server("room", folder) as room:
        players = [p for n in range(matches) for p in await pair(room.url, n, pause)]
        playing = [asyncio.create_task(player.play()) for player in players]
        await asyncio.sleep(2.0)  # to warm up
        for player in players:
            player.waits.clear()
        begin, cpu = time.perf_counter(), room.cpu()
        turns = sum(player.turns for player in players)
        await asyncio.sleep(seconds)
        spent, used = time.perf_counter() - begin, room.cpu() - cpu
        done = sum(player.turns for player in players) - turns
        waits = [wait for player in players for wait in player.waits]
        await stop(playing)
        await asyncio.gather(*(player.socket.close() for player in players))
    return done / spent, waits, used / spent


async def run_store(folder: Path, writers: int, seconds: float) -> float:
    store = SqlStore.open(f"sqlite:///{folder / 'room.sqlite3'}")
    event = TurnPlayed(0, 7, parse_turn("+R5*G8"))
    for n in range(writers):
        await store.write(Changes(matches=(MatchInfo(f"m{n}", Rules(), None, 1),)))
    end, done = time.perf_counter() + seconds, 0

    async def write(n: int) -> None:
        nonlocal done
        seq = 0
        while time.perf_counter() < end:
            record = CommandRecord(f"command-{seq}", 0, "c" * 64, seq + 1)
            await store.write(Changes(appends=(Append(f"m{n}", seq, (event,), record),)))
            seq, done = seq + 1, done + 1

    await asyncio.gather(*(write(n) for n in range(writers)))
    await store.close()
    return done / seconds


async def run_echo(folder: Path, clients: int, seconds: float) -> tuple[float, float]:
    """Echoes a second, and the seconds of the server's processor that one takes."""
    async with server("echo", folder) as echo:
        url = echo.url.replace("http", "ws") + "/api/socket"
        sockets = [await connect(url, compression=None, ping_interval=None) for _ in range(clients)]
        cpu = echo.cpu()
        end, done = time.perf_counter() + seconds, 0
        text = json.dumps(
            {"type": "play", "cmd_id": "x" * 32, "round": 1, "ply": 7, "turn": "+R5*"}
        )

        async def ask(socket: ClientConnection) -> None:
            nonlocal done
            while time.perf_counter() < end:
                await socket.send(text)
                await socket.recv()
                done += 1

        await asyncio.gather(*map(ask, sockets))
        cpu = (echo.cpu() - cpu) / done
        await asyncio.gather(*(socket.close() for socket in sockets))
    return done / seconds, cpu


# ---- agents -------------------------------------------------------------------------------------


async def measure_agents(rounds: int) -> None:
    ratios = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            idle, busy = await run_agents(Path(folder))
        values = [1000 * percentile(waits, 0.99) for waits in (idle, busy)]
        middles = [1000 * percentile(waits, 0.5) for waits in (idle, busy)]
        ratios.append(values[1] / values[0])
        print(
            f"{len(idle)} and {len(busy)} acknowledgements: nobody thinks p50 {middles[0]:.1f} ms "
            f"p99 {values[0]:.1f} ms, {THINKING} agents think p50 {middles[1]:.1f} ms "
            f"p99 {values[1]:.1f} ms, ratio of p99 {ratios[-1]:.2f}", flush=True,
        )  # fmt: skip
    print(f"median ratio {statistics.median(ratios):.2f}")


async def run_agents(folder: Path) -> tuple[list[float], list[float]]:
    """Waits of people at two tables, with agents at four others held and let go in turns.

    In short turns, so that whatever else the machine does falls on both alike.
    """
    idle: list[float] = []
    busy: list[float] = []
    async with server("room", folder) as room:
        players = [p for n in range(2) for p in await pair(room.url, n, pause=0.01)]
        playing = [asyncio.create_task(player.play()) for player in players]
        for _ in range(THINKING):
            body = {"name": "Ada", "against": "burn", "seat": 0, "rules": "room first=1"}
            await wish(room.url, "/api/tables", body)
        thinkers = await thinking(room)
        for _ in range(40):
            for found, number in ((idle, signal.SIGSTOP), (busy, signal.SIGCONT)):
                for pid in thinkers:
                    os.kill(pid, number)
                found.extend(await watch(players))
        await stop(playing)
        for player in players:
            player.socket.transport.abort()
        for pid in thinkers:
            os.kill(pid, signal.SIGKILL)
    return idle, busy


async def thinking(room: Server) -> list[int]:
    """The room's thinking processes, once all are at work (Linux)."""
    for _ in range(600):
        found = children(room.process.pid)
        if len(found) == default_workers():
            await asyncio.sleep(5.0)  # they import what they need
            return found
        await asyncio.sleep(0.1)
    raise SystemExit("the agents did not start to think")


def children(parent: int) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent and b"spawn_main" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


async def watch(players: list[Player], seconds: float = 0.5) -> list[float]:
    await asyncio.sleep(0.1)
    for player in players:
        player.waits.clear()
    await asyncio.sleep(seconds)
    return [wait for player in players for wait in player.waits]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    matches = commands.add_parser("matches")
    matches.add_argument("--matches", type=int, default=200)
    matches.add_argument("--seconds", type=float, default=20.0)
    matches.add_argument("--pause", type=float, default=0.0)
    commands.add_parser("agents").add_argument("--rounds", type=int, default=5)
    serving = commands.add_parser("serve")
    for name in ("what", "port", "folder"):
        serving.add_argument(name)
    args = parser.parse_args()
    if args.command == "serve":
        SERVERS[args.what](int(args.port), args.folder)
        return
    work: Awaitable[None]
    if args.command == "matches":
        work = measure_matches(args.matches, args.seconds, args.pause)
    else:
        work = measure_agents(args.rounds)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
