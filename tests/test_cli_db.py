"""Copying the room's database while the room goes on."""

import asyncio
import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from lostcities.cli.db import backup
from rooms import Person, running
from running import run_here

pytestmark = pytest.mark.filterwarnings("error")


async def test_a_copy_made_in_the_middle_goes_on_with_the_match(tmp_path: Path) -> None:
    database, copy = tmp_path / "room.sqlite3", tmp_path / "copy.sqlite3"
    async with running(database) as room, Person(room.url) as ada, Person(room.url) as bob:
        made = await ada.create(seat=0, rules="room first=0")
        await bob.accept(made["invite"])
        match = made["match"]
        async with ada.sit(match) as mine, bob.sit(match) as his:
            await mine.until("ready")
            await his.until("ready")
            await his.reach((await mine.play((mine.view or {})["legal"][0]))["seq"])
            ran = await asyncio.to_thread(
                run_here, "db", "backup", str(copy), "--data-dir", str(tmp_path)
            )
            assert (ran.status, ran.err) == (0, "")
            assert str(copy) in ran.out
            await mine.reach((await his.play((his.view or {})["legal"][0]))["seq"])
            left_at = mine.seq
        jars = ada.http.cookies, bob.http.cookies
    async with running(copy) as room, Person(room.url) as ada, Person(room.url) as bob:
        ada.http.cookies, bob.http.cookies = jars
        async with ada.sit(match) as mine, bob.sit(match) as his:
            await mine.until("ready")
            await his.until("ready")
            assert mine.seq == left_at - 1, "as it stood when the copy was made"
            await mine.reach((await his.play((his.view or {})["legal"][0]))["seq"])
            ack = await mine.play((mine.view or {})["legal"][0])
            assert ack["type"] == "ack"


def test_a_copy_is_of_one_instant_under_writes(tmp_path: Path) -> None:
    source = tmp_path / "room.sqlite3"
    with contextlib.closing(sqlite3.connect(source, isolation_level=None)) as writing:
        writing.execute("PRAGMA journal_mode=WAL")
        writing.execute("CREATE TABLE pairs (a INTEGER, b INTEGER)")
        for n in range(200):
            writing.execute("INSERT INTO pairs VALUES (?, ?)", (n, -n))
        writing.execute("BEGIN IMMEDIATE")
        writing.execute("INSERT INTO pairs VALUES (1000, 0)")
        backup(source, tmp_path / "copy.sqlite3")  # while a transaction is open
        writing.execute("COMMIT")
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert copy.execute("SELECT count(*), sum(a + b) FROM pairs").fetchone() == (200, 0)
    assert {each.suffix for each in tmp_path.iterdir()} == {".sqlite3"}, "nothing is left behind"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--database", "postgresql://ada:secret@db/room"], "pg_dump"),
        (["--database", "mysql://db/room"], "not supported"),
        (["--data-dir", "nowhere"], "there is no database"),
    ],
)
def test_what_is_not_copied(tmp_path: Path, options: list[str], said: str) -> None:
    ran = run_here("db", "backup", str(tmp_path / "copy"), *options)
    assert ran.status == 1
    assert said in ran.err
    assert "secret" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "room.sqlite3")) as made:
        made.execute("CREATE TABLE t (a)")
    taken = tmp_path / "copy"
    taken.write_text("mine")
    ran = run_here("db", "backup", str(taken), "--data-dir", str(tmp_path))
    assert ran.status == 1
    assert "exists already" in ran.err
    assert taken.read_text() == "mine"
    shutil.rmtree(tmp_path)
