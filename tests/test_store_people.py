"""Accounts and being forgotten, on SQLite and PostgreSQL alike."""

import asyncio
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from lostcities.core.events import MatchStarted
from lostcities.core.rules import Rules
from lostcities.store import schema
from lostcities.store.archive import KeptRecord, PaperSheet, WantedSheets
from lostcities.store.engine import make_engine, parse_url
from lostcities.store.interfaces import (
    Append,
    Ban,
    Changes,
    ChatLine,
    DeviceGrant,
    LogEvent,
    MatchInfo,
    NewSession,
    Occupant,
    Reservation,
    SeatTaken,
    SitDown,
)
from lostcities.store.notices import Proposal, PushTarget
from lostcities.store.people import NOBODY, Account, Held
from lostcities.store.sql import SqlStore
from lostcities.store.sql_people import PERSONAL
from stores import opened

RULES = Rules()
NEVER = 1 << 60


def session(player: str) -> NewSession:
    return NewSession(player, f"hash of {player}'s token", 1)


def account(player: str, name: str) -> Account:
    return Account(player, name.casefold(), name, "$argon2id$secret", False, 5)


def shared_match(name: str, *people: tuple[str, str]) -> Changes:
    who = [Occupant(seat, "person", n, p) for seat, (n, p) in enumerate(people)]
    sat = tuple(SeatTaken(each.seat, "person", each.name) for each in who)
    events: tuple[LogEvent, ...] = (*sat, MatchStarted(RULES)) if len(people) == 2 else sat
    return Changes(
        matches=(MatchInfo(name, RULES, f"invite-{name}", 5),),
        seats=tuple(SitDown(name, each) for each in who),
        appends=(Append(name, 0, events),),
    )


async def test_a_name_and_a_player_have_one_account(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(session("ada"), session("eve"))))
        people = store.people
        assert await people.open_account(account("ada", "Ada"))
        assert not await people.open_account(account("eve", "ADA")), "the name is taken"
        assert not await people.open_account(account("ada", "Ada again"))
        assert await people.account("ada") == account("ada", "Ada")
        assert await people.account_of("eve") is None
        await people.set_passphrase("ada", "$other", True, 9)
        assert await people.account_of("ada") == Account("ada", "ada", "Ada", "$other", True, 9)


async def test_sessions_end_one_by_one_or_all_but_one(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(session("ada"),)))
        for token in ("phone", "tablet"):
            await store.people.open_session(token, "ada", 5)
        assert await store.player("phone") == "ada"
        await store.people.end_session("phone")
        assert await store.player("phone") is None
        ended = await store.people.end_sessions("ada", "tablet")
        assert ended == ("hash of ada's token",)
        assert await store.people.sessions("ada") == ("tablet",)


async def test_a_guest_s_things_are_claimed(database: str) -> None:
    async with opened(database) as store:
        for player in ("ada", "guest", "eve"):
            await store.write(Changes(sessions=(session(player),)))
        await store.write(shared_match("one", ("Guest", "guest"), ("Eve", "eve")))
        await store.write(shared_match("both", ("Guest", "guest"), ("Ada", "ada")))
        await store.archive.keep_record("ada", KeptRecord("r1", 5, "same"), "same")
        await store.archive.keep_record("guest", KeptRecord("r2", 5, "same"), "same")
        await store.archive.keep_record("guest", KeptRecord("r3", 6, "other"), "other")
        for who, name, link in (
            ("ada", "s1", "hers"),
            ("guest", "s1", "his"),
            ("guest", "s2", "x"),
        ):
            await store.archive.keep_sheet(who, PaperSheet(name, 5, 5, str(RULES), link))
        moved = await store.people.claim("guest", "ada")
        assert moved == (Held("one", 0),)
        assert set(await store.people.seats("ada")) == {Held("one", 0), Held("both", 1)}
        assert [each.record for each in await store.archive.kept_records("ada", None, 9)] == [
            "r3", "r1",
        ]  # fmt: skip
        sheets = await store.archive.kept_sheets("ada", WantedSheets())
        assert [(each.sheet, each.link) for each in sheets] == [("s2", "x"), ("s1", "hers")]
        assert await store.player("hash of guest's token") is None


# ---- being forgotten ----------------------------------------------------------------------------

SECRET = "Augusta-Ada-Byron"
"""A name that nothing else in a database contains."""


async def live_a_life(store: SqlStore) -> None:
    """A person who has left a trace in every table of the room."""
    await store.write(Changes(sessions=(session("ada"), session("eve"))))
    await store.people.open_account(account("ada", SECRET))
    await store.write(shared_match("m", (SECRET, "ada"), ("Eve", "eve")))
    reserved = MatchInfo("next", RULES, None, 6, Reservation(1, "ada", SECRET))
    await store.write(Changes(matches=(reserved,)))
    await store.grant(DeviceGrant("code", "m", 0, "ada", NEVER))
    await store.say("m", ChatLine(1, 5, 0, SECRET, "text", f"{SECRET} says hello"))
    await store.say("m", ChatLine(2, 6, 1, "Eve", "text", "hello"))
    await store.enter("ada", 5)
    await store.ban(Ban("player", "ada", SECRET, 5))
    await store.archive.share("m", "ada", "shared")
    await store.archive.keep_record("ada", KeptRecord("r", 5, f'[Seat0 "{SECRET}"]'), "digest")
    await store.archive.keep_sheet("ada", PaperSheet("sheet1", 5, 5, str(RULES), SECRET))
    await store.people.open_session("another", "ada", 5)
    push = PushTarget(f"https://push.example.org/{SECRET}", SECRET, SECRET, "en")
    await store.notices.subscribe("another", push, 5)
    mail = f"{SECRET}@example.org"
    await store.notices.propose("ada", Proposal(mail, "en", "hash of a code", NEVER), 5)
    await store.notices.confirm("hash of a code", 5, f"stop {SECRET}")
    await store.notices.propose("ada", Proposal(mail, "en", "hash of another", NEVER), 5)
    await keep_lesson(store, "ada")


async def keep_lesson(store: SqlStore, player: str) -> None:
    await store.people._write(
        lambda c: (
            c.execute(
                schema.lessons.insert().values(code="l", player=player, created=5, body="{}")
            ).rowcount
        )
    )


def everything(database: str) -> list[tuple[str, Any]]:
    engine = make_engine(parse_url(database), writer=False)
    with engine.connect() as connection:
        return [
            (table.name, value)
            for table in schema.metadata.sorted_tables
            for row in connection.execute(select(table))
            for value in row
        ]


async def test_nothing_personal_stays_of_who_is_forgotten(database: str) -> None:
    async with opened(database) as store:
        await live_a_life(store)
        before = everything(database)
        for trace in ("ada", SECRET):
            assert any(trace == value for _, value in before), "the test must find what is there"
        await store.people.forget("ada")
        left = [
            (table, value)
            for table, value in everything(database)
            if isinstance(value, str) and (value == "ada" or SECRET in value)
        ]
        assert left == []
        stored = await store.load("m")
        assert stored is not None
        assert [(who.seat, who.name, who.player) for who in stored.occupants] == [
            (0, NOBODY, None), (1, "Eve", "eve"),
        ]  # fmt: skip
        assert stored.events[0] == SeatTaken(0, "person", NOBODY)
        assert [line.body for line in await store.said("m", 9)] == ["hello"], "hers went, not Eve's"
        assert await store.player("hash of eve's token") == "eve"


async def test_forgetting_leaves_nothing_in_the_gaps_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite3"
    async with opened(f"sqlite:///{path}") as store:
        await live_a_life(store)
    assert SECRET.encode() in await asyncio.to_thread(path.read_bytes)
    async with opened(f"sqlite:///{path}") as store:
        await store.people.forget("ada")
    for left in await asyncio.to_thread(lambda: list(tmp_path.iterdir())):
        assert SECRET.encode() not in await asyncio.to_thread(left.read_bytes), left.name


def test_every_table_of_players_is_thought_of() -> None:
    """A new table with a player in it must say what becomes of it."""
    kept = {"players", "seats", "lessons"}  # emptied, made nobody's
    named = {table.name for table in PERSONAL} | kept
    of_players = {
        table.name
        for table in schema.metadata.sorted_tables
        if any(key.column.table.name == "players" for key in table.foreign_keys)
    } | {"players"}
    assert of_players <= named, of_players - named


async def test_the_writer_overwrites_what_it_deletes(tmp_path: Path) -> None:
    engine = make_engine(parse_url(f"sqlite:///{tmp_path / 'room.sqlite3'}"), writer=True)
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA secure_delete")).scalar() == 1
