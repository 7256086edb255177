"""A class link: arrivals are seated in pairs, the odd one with a program, and the host can pause."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from rooms import Chair, Person, running

PUPILS = 25
RULES = "room colours=3 hand=3 rounds=1"


async def host_of(room: Any, stack: contextlib.AsyncExitStack) -> Person:
    host = await stack.enter_async_context(Person(room.url, "Host"))
    await host.post("/api/host", {"code": "code"})
    return host


async def a_class(host: Person, **wish: Any) -> str:
    wish = {"label": "4b", "rules": RULES, "agent": "first", "wait": 0, **wish}
    made = await host.post("/api/host/classes", wish)
    return str(made["code"])


async def play_to_the_end(chair: Chair) -> int:
    """Play whenever it is this seat's turn, mostly from the deck; answers how many turns."""
    turns = 0
    while chair.table["phase"] != "over":
        view = chair.view
        if view is None or not view["legal"]:
            await chair.until("update")
            continue
        turn = next(each for each in view["legal"] if each.endswith("*"))
        answer = await chair.play(turn)
        if answer["type"] == "ack":
            turns += 1
            await chair.reach(answer["seq"])
    return turns


async def test_twenty_five_pupils_play_in_pairs(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(tmp_path / "room.sqlite3", host_code="code"))
        host = await host_of(room, stack)
        code = await a_class(host)
        pupils = [
            await stack.enter_async_context(Person(room.url, f"Pupil {n % 20}"))
            for n in range(PUPILS)
        ]
        seats = await asyncio.gather(
            *(each.post(f"/api/classes/{code}", {"name": each.name}) for each in pupils)
        )
        by_table: dict[str, list[int]] = {}
        for seat in seats:
            by_table.setdefault(seat["match"], []).append(seat["seat"])
        assert len(by_table) == 13
        assert sorted(len(each) for each in by_table.values()) == [1] + [2] * 12
        assert all(sorted(each) == [0, 1] for each in by_table.values() if len(each) == 2)

        (group,) = (await host.get("/api/host"))["classes"]
        assert (group["tables"], group["waiting"] is not None) == (13, True)
        await host.post(f"/api/host/classes/{code}", {"do": "pause"})
        await host.post(f"/api/host/classes/{code}", {"do": "go_on"})
        await host.post(f"/api/host/classes/{code}", {"do": "seat_odd"})

        chairs = [
            await stack.enter_async_context(pupil.sit(seat["match"]))
            for pupil, seat in zip(pupils, seats, strict=True)
        ]
        for chair in chairs:
            await chair.until("ready")
            assert chair.table["terms"]["chat"] is False
        names = [each["name"] for chair in chairs for each in chair.table["seats"]]
        assert len(set(names)) == PUPILS + 1, "every nickname is told apart, and one program"
        turns = await asyncio.gather(*(play_to_the_end(chair) for chair in chairs))
        assert min(turns) > 5
        assert (await host.get("/api/host"))["tables"] == []

        # Whoever comes again is seated again.
        again = await pupils[0].post(f"/api/classes/{code}", {"name": "Pupil 0"})
        assert again["match"] not in by_table


async def test_a_class_that_rests_takes_no_turn(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(tmp_path / "room.sqlite3", host_code="code"))
        host = await host_of(room, stack)
        code = await a_class(host)
        await host.post(f"/api/host/classes/{code}", {"do": "pause"})
        chairs = []
        for name in ("Ada", "Bob"):
            pupil = await stack.enter_async_context(Person(room.url, name))
            seat = await pupil.post(f"/api/classes/{code}", {"name": name})
            chairs.append(await stack.enter_async_context(pupil.sit(seat["match"])))
        for chair in chairs:
            await chair.until("ready")
            assert chair.table["paused"] is True
            assert chair.view is None, "nothing is dealt while the class rests"
        await host.post(f"/api/host/classes/{code}", {"do": "go_on"})
        for chair in chairs:
            while chair.table["phase"] != "playing":
                await chair.until("update")


async def test_the_odd_one_gets_a_program_after_a_while(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(tmp_path / "room.sqlite3", host_code="code"))
        host = await host_of(room, stack)
        code = await a_class(host, wait=1)
        ada = await stack.enter_async_context(Person(room.url))
        seat = await ada.post(f"/api/classes/{code}", {"name": "Ada"})
        chair = await stack.enter_async_context(ada.sit(seat["match"]))
        await chair.until("ready")
        while chair.table["phase"] != "playing":
            await chair.until("update")
        assert {each["kind"] for each in chair.table["seats"]} == {"person", "agent"}


async def test_a_class_link_outlives_the_room_and_ends_when_told(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(database, host_code="code"))
        host = await host_of(room, stack)
        code = await a_class(host, agent=None)
        ada = await stack.enter_async_context(Person(room.url))
        seat = await ada.post(f"/api/classes/{code}", {"name": "Ada"})
        cookies = ada.http.cookies
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(database, host_code="code"))
        host = await host_of(room, stack)
        ada = await stack.enter_async_context(Person(room.url))
        ada.http.cookies = cookies
        info = await ada.get(f"/api/classes/{code}")
        assert (info["label"], info["match"]) == ("4b", seat["match"])
        await (await stack.enter_async_context(ada.sit(seat["match"]))).until("ready")
        bob = await stack.enter_async_context(Person(room.url, "Ada"))
        joined = await bob.post(f"/api/classes/{code}", {"name": "Ada"})
        assert joined["match"] == seat["match"]
        await host.post(f"/api/host/classes/{code}", {"do": "end"})
        answer = await bob.get(f"/api/classes/{code}", 404)
        assert answer["error"]["reason"] == "no_class"
