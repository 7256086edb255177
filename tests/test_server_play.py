"""Whole matches over real sockets."""

import random
from pathlib import Path
from typing import Any

import pytest

from rooms import Chair, Person, running


async def play_out(chairs: dict[int, Chair], rng: random.Random) -> int:
    """Play a match between two chairs to its end with random legal turns; how many were played."""
    turns = 0
    answer: dict[str, Any] = {}
    while True:
        table = chairs[0].table
        if table["phase"] == "over":
            return turns
        if table["phase"] == "between":
            for chair in chairs.values():
                answer = await chair.command("continue", round=chair.view["round"])  # type: ignore[index]
                assert answer["type"] == "ack"
        else:
            assert chairs[0].view is not None
            mover = chairs[chairs[0].view["to_move"]]
            assert mover.view is not None
            answer = await mover.play(rng.choice(mover.view["legal"]))
            assert answer["type"] == "ack"
            turns += 1
        for chair in chairs.values():
            await chair.reach(answer["seq"])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_two_people_play_a_whole_match(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    database: Path | str = tmp_path / "room.sqlite3"
    if kind == "postgres":
        database = request.getfixturevalue("postgres_url")
    async with (
        running(database) as room,
        Person(room.url, "Ada") as ada,
        Person(room.url, "Grace") as grace,
    ):
        made = await ada.create(rules="room rounds=2", seat=1)
        joined = await grace.accept(made["invite"])
        assert (made["seat"], joined["seat"]) == (1, 0)
        async with ada.sit(made["match"]) as one, grace.sit(made["match"]) as zero:
            for chair in (zero, one):
                await chair.until("ready")
            turns = await play_out({0: zero, 1: one}, random.Random(1))
            assert turns > 80
            assert zero.table["totals"] == one.table["totals"]
            assert len(zero.table["rounds_done"]) == 2


async def test_a_person_plays_an_agent(tmp_path: Path) -> None:
    rng = random.Random(2)
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        made = await ada.create(against="first", seat=0)
        assert made["invite"] is None
        async with ada.sit(made["match"]) as chair:
            await chair.until("ready")
            while chair.table["phase"] != "over":
                if chair.table["phase"] == "between":
                    assert chair.view is not None
                    await chair.command("continue", round=chair.view["round"])
                    await chair.until("update")
                elif chair.view is not None and chair.view["to_move"] == 0:
                    await chair.play(rng.choice(chair.view["legal"]))
                    await chair.until("update")
                else:
                    await chair.until("update")
            assert len(chair.table["rounds_done"]) == 3
