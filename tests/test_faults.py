"""Killing a real room under load: nothing acknowledged is lost, nothing is doubled."""

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from history import History, Player, faults
from lostcities.store.interfaces import CommandRecord, StoredMatch
from lostcities.store.sql import SqlStore
from rooms import Person

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not of that system"),
]

HASTY = """
import asyncio
from lostcities.store import sql

honest = sql.SqlStore.write

async def write(self, changes):
    asyncio.get_running_loop().call_later(
        0.2, lambda: asyncio.ensure_future(honest(self, changes)))

sql.SqlStore.write = write
"""
"""A room that acknowledges before it has written: the control that must be caught."""


class Process:
    """A room in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, hasty: bool = False) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.before = HASTY if hasty else ""
        self.running: subprocess.Popen[bytes] | None = None

    async def start(self, largest_file: int | None = None) -> None:
        """Start it; ``largest_file`` bytes may each of its files have, as on a disk that fills."""
        main = f"{self.before}\nfrom lostcities.cli.main import main\nraise SystemExit(main())"
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--data-dir", str(self.folder)]
        self.running = subprocess.Popen(  # noqa: ASYNC220 - does not wait
            [sys.executable, "-c", main, "serve", *options],
            stdout=subprocess.DEVNULL,
            stderr=None if largest_file is None else subprocess.PIPE,
            preexec_fn=None if largest_file is None else lambda: _limit(largest_file),  # noqa: PLW1509
        )
        deadline = time.monotonic() + 60
        async with httpx2.AsyncClient(base_url=self.url) as client:
            while time.monotonic() < deadline:
                assert self.running.poll() is None, "the room did not start"
                with contextlib.suppress(httpx2.TransportError):
                    if (await client.get("/api/health")).is_success:
                        return
                await asyncio.sleep(0.05)
        raise AssertionError("the room did not answer within a minute")

    async def end(self, number: int = signal.SIGKILL) -> int:
        assert self.running is not None
        self.running.send_signal(number)
        return await asyncio.to_thread(self.running.wait, 60)

    @property
    def database(self) -> str:
        return f"sqlite:///{self.folder / 'room.sqlite3'}"


def _limit(largest_file: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))


@contextlib.asynccontextmanager
async def process(folder: Path, hasty: bool = False) -> AsyncIterator[Process]:
    room = Process(folder, hasty)
    await room.start()
    try:
        yield room
    finally:
        if room.running is not None and room.running.poll() is None:
            await room.end()


async def seated(room: Process, matches: int, history: History) -> list[Player]:
    """Two players at each of so many tables."""
    players = []
    for number in range(matches):
        async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
            made = await ada.create(rules="room rounds=99", seat=0, terms={"takebacks": True})
            await grace.accept(made["invite"])
            for seat, person in enumerate((ada, grace)):
                rng = random.Random(2 * number + seat)
                players.append(Player(room.url, person.cookie, made["match"], seat, history, rng))
    return players


async def play_through(room: Process, kills: int, matches: int, rng: random.Random) -> History:
    """Play at several tables while the room is killed again and again."""
    history, stop = History(), asyncio.Event()
    players = await seated(room, matches, history)
    playing = [asyncio.create_task(player.run(stop)) for player in players]
    for _ in range(kills):
        before = history.acked
        deadline = time.monotonic() + 30
        while history.acked < before + 20 and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert history.acked >= before + 20, "the players do not get on"
        await asyncio.sleep(rng.random() * 0.3)
        await room.end()
        await room.start()
    await asyncio.sleep(0.5)
    stop.set()
    await asyncio.gather(*playing)
    assert await room.end(signal.SIGTERM) == 0
    return history


async def kept_by(room: Process, history: History) -> dict[str, StoredMatch]:
    store = SqlStore.open(room.database)
    try:
        found = {}
        for match in {each.match for each in history.sent}:
            stored = await store.load(match)
            assert stored is not None
            found[match] = stored
        return found
    finally:
        await store.close()


async def survive(folder: Path, kills: int, matches: int) -> tuple[History, dict[str, StoredMatch]]:
    async with process(folder) as room:
        history = await play_through(room, kills, matches, random.Random(kills))
    stored = await kept_by(room, history)
    assert faults(history, stored) == []
    assert history.acked >= 20 * kills, "too little was acknowledged for this to mean anything"
    assert history.connections >= matches * 2 * kills
    return history, stored


async def test_a_room_is_killed_twice(tmp_path: Path) -> None:
    history, stored = await survive(tmp_path, kills=2, matches=3)
    check_the_checker(history, stored)


@pytest.mark.timeout(1200)
async def test_a_room_is_killed_twenty_times(tmp_path: Path) -> None:
    await survive(tmp_path, kills=20, matches=8)


def without(commands: dict[str, CommandRecord], cmd_id: str) -> dict[str, CommandRecord]:
    return {key: value for key, value in commands.items() if key != cmd_id}


def check_the_checker(history: History, stored: dict[str, StoredMatch]) -> None:
    """Each kind of damage to an honest history is noticed."""
    sent = next(each for each in reversed(history.sent) if each.acked is not None)
    kept = stored[sent.match]
    assert sent.acked is not None
    damage = {
        "the last turn lost": replace(kept, events=kept.events[: sent.acked - 1]),
        "an event doubled": replace(kept, events=(*kept.events, kept.events[-1])),
        "the command forgotten": replace(kept, commands=without(kept.commands, sent.cmd_id)),
        "an event left out": replace(kept, events=(*kept.events[:9], *kept.events[10:])),
    }
    for what, damaged in damage.items():
        assert faults(history, {sent.match: damaged}), what
    lied = deepcopy(history)
    next(s for s in lied.sent if s.cmd_id == sent.cmd_id).acked = sent.acked + 1
    assert faults(lied, stored), "acknowledged at another seq"
    lied = deepcopy(history)
    view = next(view for view in lied.views.values() if view is not None)
    view["deck"] += 1
    assert faults(lied, stored), "another view shown"


async def test_a_room_that_acknowledges_too_early_is_caught(tmp_path: Path) -> None:
    async with process(tmp_path, hasty=True) as room:
        history, stop = History(), asyncio.Event()
        players = await seated_slowly(room, history)
        playing = [asyncio.create_task(player.run(stop)) for player in players]
        while history.acked < 30:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.01)
        await room.end()
        stop.set()
        await asyncio.gather(*playing)
    assert any(
        "is not in the log" in fault for fault in faults(history, await kept_by(room, history))
    )


async def seated_slowly(room: Process, history: History) -> list[Player]:
    """As ``seated``, but the hasty room needs a moment until it knows what it has promised."""
    async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(rules="room rounds=99", seat=0, terms={"takebacks": True})
        await asyncio.sleep(1.0)
        await grace.accept(made["invite"])
        await asyncio.sleep(1.0)
        return [
            Player(room.url, person.cookie, made["match"], seat, history, random.Random(seat))
            for seat, person in enumerate((ada, grace))
        ]


async def test_a_full_disk_stops_the_room_and_loses_nothing(tmp_path: Path) -> None:
    async with process(tmp_path) as room:
        await room.end(signal.SIGTERM)
        await room.start(largest_file=500_000)
        history, stop = History(), asyncio.Event()
        players = await seated(room, 2, history)
        playing = [asyncio.create_task(player.run(stop)) for player in players]
        assert room.running is not None
        assert await asyncio.to_thread(room.running.wait, 60) == 1
        assert room.running.stderr is not None
        with room.running.stderr as pipe:
            said = pipe.read().decode().splitlines()
        assert len(said) == 1, said
        assert said[0].startswith("lostcities: stopping, the outcome of a commit is unknown")
        full = history.acked
        await room.start()
        while history.acked < full + 20:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.01)
        stop.set()
        await asyncio.gather(*playing)
        await room.end(signal.SIGTERM)
    assert full > 20
    assert faults(history, await kept_by(room, history)) == []
