"""Killing a real room around the moment at which a time is out: each turn has one outcome.

The room's seconds are a tenth as long here. Players think for about as long as they may, so that
turns race their time; the room kills itself when it commits what a time that was out has done, just
before or just after, and whoever's turn was on its way then is sent again to the next one.
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from history import History, Player, faults
from lostcities.core.events import TimedOut, TurnPlayed
from lostcities.store.interfaces import LogEvent, Overdue, StoredMatch
from rooms import Person
from test_faults import Process, kept_by

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not of that system"),
]

When = Literal["before", "after", "hasty", "never"]
SHORT = """
from lostcities.core import pace
from lostcities.service import timing

pace.SECOND = 100
timing.RETURN = 1000
"""
DEATH = """
import asyncio, os, signal
from pathlib import Path
from lostcities.core.events import TimedOut
from lostcities.store import sql
from lostcities.store.interfaces import Overdue

honest = sql.SqlStore.write

def die(append):
    with Path({noted!r}).open("a") as file:
        file.write(f"{when} {{append.match}} {{append.expected_seq}}\\n")
    os.kill(os.getpid(), signal.SIGKILL)

async def write(self, changes):
    due = [each for each in changes.appends
           if any(isinstance(event, (Overdue, TimedOut)) for event in each.events)]
    if due and {when!r} == "before":
        die(due[0])
    if due and {when!r} == "hasty":  # says that it is written, and dies before it is
        asyncio.get_running_loop().call_later(0.3, die, due[0])
        return
    await honest(self, changes)
    if due and {when!r} == "after":
        die(due[0])

sql.SqlStore.write = write
"""
LATE = frozenset({"shutdown", "stale", "not_your_turn", "match_over"})
PACES = ["turn=5 timeout=safe"] * 3 + ["turn=5 timeout=forfeit"] * 6


class Dawdler(Player):
    """Thinks for about as long as a turn may take, now and then too long."""

    def _thinks(self) -> float:
        return self.rng.choice((0.05, 0.1, 0.2, 0.45, 0.5, 0.55, 0.9))


class Mortal(Process):
    """A room that ends itself by the first time that is out."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.noted = folder / "deaths.txt"

    def dies(self, when: When) -> None:
        self.before = SHORT
        if when != "never":
            self.before += DEATH.format(noted=str(self.noted), when=when)

    async def ends_itself(self) -> None:
        assert self.running is not None
        assert await asyncio.to_thread(self.running.wait, 60) == -9, "nobody's time was out"

    def deaths(self) -> Iterator[tuple[str, str, int]]:
        for line in self.noted.read_text().splitlines():
            when, match, seq = line.split()
            yield when, match, int(seq)


async def seated(room: Process, paces: list[str], history: History) -> list[Player]:
    players: list[Player] = []
    for number, pace in enumerate(paces):
        async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
            made = await ada.create(rules="room rounds=99", seat=0, pace=pace)
            await grace.accept(made["invite"])
            for seat, person in enumerate((ada, grace)):
                rng = random.Random(2 * number + seat)
                players.append(Dawdler(room.url, person.cookie, made["match"], seat, history, rng))
    return players


async def play_on(folder: Path, ends: list[When], least: int) -> tuple[Mortal, History]:
    """Play while the room dies in these ways one after another, and until enough was acknowledged."""
    history, stop = History(lawful=LATE), asyncio.Event()
    room = Mortal(folder)
    room.dies("never")
    await room.start()
    players = await seated(room, PACES, history)
    await room.end()
    room.dies(ends[0])
    await room.start()
    playing = [asyncio.create_task(player.run(stop)) for player in players]
    for following in (*ends[1:], "never"):
        await room.ends_itself()
        room.dies(following)
        await room.start()
    least = max(least, history.acked + 10)  # everybody is back by then
    deadline = time.monotonic() + 60
    while history.acked < least and time.monotonic() < deadline:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.02)
    stop.set()
    await asyncio.gather(*playing)
    await room.end()
    return room, history


def outcome(kept: StoredMatch, seq: int) -> LogEvent:
    """What became of the turn after ``seq``."""
    return next(e for e in kept.events[seq:] if isinstance(e, TurnPlayed | Overdue | TimedOut))


async def test_a_room_killed_around_a_time_that_is_out(tmp_path: Path) -> None:
    room, history = await play_on(tmp_path, ["before", "after"] * 3, least=60)
    stored = await kept_by(room, history)
    assert faults(history, stored) == []
    assert history.acked >= 60, "too little was acknowledged for this to mean anything"

    deaths = list(room.deaths())
    assert [when for when, _, _ in deaths] == ["before", "after"] * 3
    for when, match, seq in deaths:
        came = outcome(stored[match], seq)
        assert when == "before" or isinstance(came, Overdue | TimedOut), "what was on disk stays"
    check_the_checker(history, stored)


def holds(kept: StoredMatch, kind: type) -> bool:
    return any(isinstance(event, kind) for event in kept.events)


def shown(history: History, kept: StoredMatch) -> bool:
    """Whether somebody was shown how the match stands."""
    return any((kept.info.match, seat, len(kept.events)) in history.views for seat in (0, 1))


def check_the_checker(history: History, stored: dict[str, StoredMatch]) -> None:
    """Each way in which a time and a turn could both have won is noticed."""
    safe = next(kept for kept in stored.values() if holds(kept, Overdue))
    at = next(index for index, event in enumerate(safe.events) if isinstance(event, Overdue))
    lost = next(kept for kept in stored.values() if holds(kept, TimedOut) and shown(history, kept))
    end = len(lost.events)
    assert isinstance(lost.events[-1], TimedOut), "nothing came after a match was lost"
    damage = {
        "both the safe turn and another": (safe, (*safe.events[: at + 2], *safe.events[at + 1 :])),
        "a safe turn that nobody noted": (safe, (*safe.events[:at], *safe.events[at + 1 :])),
        "a note without its turn": (safe, (*safe.events[: at + 1], *safe.events[at + 2 :])),
        "a match lost twice": (lost, (*lost.events, lost.events[-1])),
        "a match lost no longer": (lost, lost.events[: end - 1]),
    }
    for what, (kept, events) in damage.items():
        assert faults(history, {kept.info.match: replace(kept, events=events)}), what


async def test_a_room_that_tells_of_a_time_before_it_is_written_is_caught(tmp_path: Path) -> None:
    room, history = await play_on(tmp_path, ["hasty"], least=20)
    found = faults(history, await kept_by(room, history))
    assert any("shown" in fault for fault in found), found
