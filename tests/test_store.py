"""The store, on SQLite and PostgreSQL alike."""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from lostcities.core.cards import parse_cards
from lostcities.core.events import MatchStarted, RoundDealt, TurnPlayed
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.store.engine import make_engine, parse_url
from lostcities.store.interfaces import (
    Append,
    Changes,
    CommandRecord,
    ConflictError,
    DeviceGrant,
    LogEvent,
    MatchInfo,
    NewSession,
    Occupant,
    Reservation,
    SeatTaken,
    SitDown,
    StoreError,
)
from lostcities.store.sql import SqlStore
from stores import opened

NEVER = 1 << 60
ADA = NewSession("ada", "hash of ada's token", 1)
GRACE = NewSession("grace", "hash of grace's token", 2)
RULES = Rules.parse("colours=6 hand=7 wagers=2 top=9 stall=40 first=1")


def taken(name: str) -> SeatTaken:
    return SeatTaken(0, "person", name)


def new_table(match: str = "m", *, rules: Rules = RULES) -> Changes:
    return Changes(
        (ADA,),
        (MatchInfo(match, rules, f"invite-{match}", 5),),
        (SitDown(match, Occupant(0, "person", "Ada", "ada")),),
        (Append(match, 0, (taken("Ada"),)),),
    )


def append(seq: int, *events: LogEvent, match: str = "m", command: str | None = None) -> Changes:
    record = CommandRecord(command, 0, "content", seq + len(events)) if command else None
    return Changes(appends=(Append(match, seq, events or (taken(f"after {seq}"),), record),))


async def test_what_was_written_is_read_back(database: str) -> None:
    deck = parse_cards("BX Y2 R10")
    events = (
        MatchStarted(RULES),
        RoundDealt(1, 1, deck),
        TurnPlayed(1, 0, parse_turn("+R10*Y2")),
    )
    async with opened(database) as store:
        await store.write(new_table())
        await store.write(append(1, *events, command="command-1"))
    async with opened(database) as store:
        stored = await store.load("m")
        assert stored is not None
        assert stored.info == MatchInfo("m", RULES, "invite-m", 5)
        assert stored.occupants == (Occupant(0, "person", "Ada", "ada"),)
        assert stored.events == (taken("Ada"), *events)
        assert stored.commands == {"command-1": CommandRecord("command-1", 0, "content", 4)}
        assert await store.load("another") is None
        assert await store.player(ADA.token_hash) == "ada"
        assert await store.player("another") is None
        assert await store.match_of_invite("invite-m") == "m"
        assert await store.match_of_invite("another") is None


async def test_a_reserved_seat_is_read_back(database: str) -> None:
    info = MatchInfo("m", RULES, None, 5, Reservation(1, "ada", "Ada"))
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA,), matches=(info,)))
        stored = await store.load("m")
        assert stored is not None
        assert stored.info == info


async def test_a_seq_is_taken_once_whoever_tries(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        tries = [store.write(append(1, taken(f"writer {n}"))) for n in range(8)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert sum(isinstance(result, ConflictError) for result in results) == 7
        stored = await store.load("m")
        assert stored is not None
        assert len(stored.events) == 2
        assert stored.events[1] == taken(f"writer {results.index(None)}")


async def test_a_conflict_in_a_batch_harms_nobody_else(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table("a"))
        await store.write(Changes(matches=(MatchInfo("b", RULES, None, 6),)))
        async with paused_writer(store):
            tries = [
                asyncio.ensure_future(store.write(append(1, match="a"))),
                asyncio.ensure_future(store.write(append(0, match="a"))),
                asyncio.ensure_future(store.write(append(0, match="b"))),
            ]
            await asyncio.sleep(0)
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert results[0] is None
        assert isinstance(results[1], ConflictError)
        assert results[2] is None


@contextlib.asynccontextmanager
async def paused_writer(store: SqlStore) -> AsyncIterator[None]:
    """The writer is busy while the block runs, so that what is submitted there waits together."""
    go, busy = threading.Event(), threading.Event()

    def block(_connection: Connection) -> None:
        busy.set()
        go.wait(10)

    blocked = asyncio.ensure_future(store._writer.call(block))
    await asyncio.to_thread(busy.wait, 10)
    try:
        yield
    finally:
        go.set()
    await blocked


async def test_what_waits_is_committed_together(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table("m0"))
        for n in range(1, 50):
            await store.write(Changes(matches=(MatchInfo(f"m{n}", RULES, None, 6),)))
        batches, jobs = store.batches
        async with paused_writer(store):
            tries = [
                asyncio.ensure_future(store.write(append(int(n == 0), match=f"m{n}")))
                for n in range(50)
            ]
            await asyncio.sleep(0.05)
        await asyncio.gather(*tries)
        after_batches, after_jobs = store.batches
        assert after_jobs - jobs == 51
        assert after_batches - batches <= 3


async def test_all_of_a_change_or_nothing(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        with pytest.raises(ConflictError):
            await store.write(
                Changes(
                    sessions=(GRACE,),
                    seats=(SitDown("m", Occupant(1, "person", "Grace", "grace")),),
                    appends=(Append("m", 0, (taken("Grace"),)),),
                )
            )
        assert await store.player(GRACE.token_hash) is None
        stored = await store.load("m")
        assert stored is not None
        assert len(stored.occupants) == 1


async def test_a_seat_is_taken_once(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        sit = SitDown("m", Occupant(0, "person", "Ada", "ada"))
        with pytest.raises(ConflictError):
            await store.write(Changes(seats=(sit,)))


async def test_a_command_id_is_taken_once_a_match(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table("m"))
        await store.write(Changes(matches=(MatchInfo("n", RULES, None, 6),)))
        await store.write(append(1, command="command-1"))
        with pytest.raises(ConflictError):
            await store.write(append(2, command="command-1"))
        await store.write(append(0, match="n", command="command-1"))


async def test_the_tables_of_a_player_come_newest_first(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA, GRACE)))
        for created in (3, 9, 6):
            await store.write(
                Changes(
                    matches=(MatchInfo(f"m{created}", RULES, None, created),),
                    seats=(SitDown(f"m{created}", Occupant(1, "person", "Ada", "ada")),),
                )
            )
        assert await store.matches_of("ada", 10) == ("m9", "m6", "m3")
        assert await store.matches_of("ada", 2) == ("m9", "m6")
        assert await store.matches_of("grace", 10) == ()


async def test_a_device_code_moves_a_seat_once(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        await store.write(Changes(sessions=(GRACE,)))
        await store.grant(DeviceGrant("code", "m", 0, "ada", 1000))
        assert await store.redeem("another code", "grace", 10) is None
        assert await store.redeem("code", "grace", 1001) is None, "too late"
        moved = await store.redeem("code", "grace", 999)
        assert moved is not None
        assert (moved.match, moved.seat) == ("m", 0)
        assert await store.redeem("code", "grace", 999) is None, "used"
        stored = await store.load("m")
        assert stored is not None
        assert stored.occupants[0].player == "grace"


async def test_a_newer_device_code_ends_the_older(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        await store.write(Changes(sessions=(GRACE,)))
        await store.grant(DeviceGrant("older", "m", 0, "ada", NEVER))
        await store.grant(DeviceGrant("newer", "m", 0, "ada", NEVER))
        assert await store.redeem("older", "grace", 10) is None
        assert await store.redeem("newer", "grace", 10) is not None


async def test_a_device_code_never_gives_one_player_both_seats(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        await store.write(
            Changes(
                sessions=(GRACE,), seats=(SitDown("m", Occupant(1, "person", "Grace", "grace")),)
            )
        )
        await store.grant(DeviceGrant("code", "m", 0, "ada", NEVER))
        assert await store.redeem("code", "grace", 10) is None


async def test_one_room_a_database(database: str) -> None:
    async with opened(database):
        with pytest.raises(StoreError, match="another room is using"):
            SqlStore.open(database)
    async with opened(database):
        pass


async def test_the_migrations_make_the_tables_of_the_schema(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from lostcities.store.schema import metadata

    async with opened(database):
        pass
    engine = make_engine(parse_url(database), writer=False)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


async def test_the_head_is_the_newest_migration() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from lostcities.store import engine

    config = Config()
    folder = Path(engine.__file__).with_name("migrations")
    config.set_main_option("script_location", str(folder))
    assert ScriptDirectory.from_config(config).get_heads() == [engine.HEAD]


async def test_migrating_down_leaves_nothing(database: str) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import inspect

    from lostcities.store import engine as engines

    async with opened(database):
        pass
    engine = make_engine(parse_url(database), writer=True)
    with engine.connect() as connection:
        config = Config()
        folder = Path(engines.__file__).with_name("migrations")
        config.set_main_option("script_location", str(folder))
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
    engine.dispose()


async def test_a_database_of_a_newer_version_is_refused(database: str) -> None:
    async with opened(database):
        pass
    engine = make_engine(parse_url(database), writer=True)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="another version of lostcities"):
        SqlStore.open(database)


async def test_an_unknown_commit_stops_the_process(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(BaseException):
        pass

    reasons: list[str] = []
    reached = threading.Event()

    def stop(reason: str) -> None:
        reasons.append(reason)
        reached.set()
        raise Stopped

    async with opened(database, stop) as store:
        await store.write(new_table())
        monkeypatch.setattr(threading, "excepthook", lambda _: None)

        def fails(_connection: Connection) -> None:
            raise OSError("the line went dead")

        monkeypatch.setattr(Connection, "_commit_impl", fails)
        waiting = asyncio.ensure_future(store.write(append(1)))
        await asyncio.to_thread(reached.wait, 5)
        await asyncio.to_thread(store._writer._thread.join, 5)
        assert not store._writer._thread.is_alive()
        await asyncio.sleep(0)
        assert not waiting.done(), "neither acknowledged nor refused"
        assert reasons == ["the outcome of a commit is unknown: the line went dead"]
        monkeypatch.undo()
        store._writer._disconnect()
        waiting.cancel()


async def test_a_line_that_went_dead_is_made_anew(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        await store.write(new_table())
        assert await store.load("m") is not None
        cut = text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        engine = make_engine(parse_url(postgres_url), writer=True)
        with engine.begin() as connection:
            assert len(connection.execute(cut).all()) >= 1
        engine.dispose()
        await store.write(append(1))
        stored = await store.load("m")
        assert stored is not None
        assert len(stored.events) == 2
        with pytest.raises(StoreError, match="another room is using"):
            SqlStore.open(postgres_url)


async def test_a_cancelled_caller_does_not_cancel_what_is_being_written(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        async with paused_writer(store):
            writing = asyncio.ensure_future(store.write(append(1)))
            await asyncio.sleep(0.01)
            writing.cancel()
        await store.write(append(2))
        stored = await store.load("m")
        assert stored is not None
        assert len(stored.events) == 3


async def test_closing_writes_what_waits(database: str) -> None:
    async with opened(database) as store:
        await store.write(new_table())
        writing = asyncio.ensure_future(store.write(append(1)))
        await asyncio.sleep(0)
    await writing
    async with opened(database) as store:
        stored = await store.load("m")
        assert stored is not None
        assert len(stored.events) == 2
    with pytest.raises(StoreError, match="closed"):
        await store.write(append(2))


def test_sqlite_keeps_what_it_has_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite3"
    store = SqlStore.open(f"sqlite:///{path}")
    try:
        connection = store._writer._connection
        assert connection is not None
        raw: Any = connection.connection.driver_connection
        with sqlite3.connect(path) as other:
            assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert raw.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
    finally:
        asyncio.run(store.close())


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "no database address"),
        ("mysql://localhost/x", "not supported"),
        ("sqlite://", "is a file"),
        ("sqlite:///:memory:", "is a file"),
        ("sqlite:///file:room.sqlite3?uri=true", "is a file"),
        ("postgresql://nobody@127.0.0.1:1/x", "cannot open"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_in_words(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        SqlStore.open(url)


def test_a_folder_in_the_way_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "room.sqlite3").mkdir()
    with pytest.raises(StoreError, match="cannot open"):
        SqlStore.open(f"sqlite:///{tmp_path / 'room.sqlite3'}")


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite3"
    path.write_text("a shopping list, long enough to be no header\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        SqlStore.open(f"sqlite:///{path}")


def test_a_password_is_not_shown() -> None:
    store = SqlStore("postgresql://ada:secret@db.example.org/room")
    assert store.where == "postgresql://ada:***@db.example.org/room"
