"""What a room keeps beside its matches, on SQLite, on PostgreSQL, and in the tests' own memory."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from lostcities.core.rules import Rules
from lostcities.protocol.terms import Terms, terms_from_text, terms_to_text
from lostcities.store import engine as engines
from lostcities.store.interfaces import (
    Ban,
    Changes,
    ChatLine,
    Class,
    Listing,
    MatchInfo,
    NewSession,
)
from lostcities.store.sql import SqlStore
from memory_store import MemoryStore

KINDS = ["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))]
RULES = Rules.parse("room")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "memory":
        return "memory"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'room.sqlite3'}"
    return str(request.getfixturevalue("postgres_url"))


@contextlib.asynccontextmanager
async def opened(kind: str) -> AsyncIterator[Any]:
    store = MemoryStore() if kind == "memory" else SqlStore.open(kind)
    try:
        yield store
    finally:
        await store.close()


def table(match: str, created: int, **terms: bool) -> Changes:
    info = MatchInfo(match, RULES, None, created, terms=Terms(**terms))
    listings = (Listing(match, "lobby", created),) if info.terms.listed else ()
    return Changes(matches=(info,), listings=listings)


def test_terms_are_written_short_and_read_by_older_and_newer_programs() -> None:
    assert terms_to_text(Terms()) == "{}"
    assert terms_to_text(Terms(chat=False, watch=True)) == '{"watch":true,"chat":false}'
    assert terms_from_text('{"chat":false,"to_come":true}') == Terms(chat=False)


async def test_a_list_holds_its_tables_newest_first(kind: str) -> None:
    async with opened(kind) as store:
        for created, match in enumerate(("a", "b", "c")):
            await store.write(table(match, created, listed=match != "b", watch=True))
        assert await store.listed("lobby", 9) == ("c", "a")
        assert await store.listed("lobby", 1) == ("c",)
        assert await store.listed("another", 9) == ()
        await store.unlist("c", "lobby")
        assert await store.listed("lobby", 9) == ("a",)
        stored = await store.load("a")
        assert stored.info.terms == Terms(listed=True, watch=True)


async def test_chat_is_kept_in_order_and_can_be_deleted(kind: str) -> None:
    lines = [
        ChatLine(n, 100 + n, 0 if n % 2 else None, "Ada", "text", f"<b>{n}") for n in (1, 2, 3)
    ]
    async with opened(kind) as store:
        for match in ("a", "b"):
            await store.write(table(match, 1))
        for line in lines:
            await store.say("a", line)
        assert await store.said("a", 9) == tuple(lines)
        assert await store.said("a", 2) == tuple(lines[1:])
        assert await store.said("b", 9) == ()
        await store.unsay("a")
        assert await store.said("a", 9) == ()


async def test_bans_are_kept_once_and_lifted(kind: str) -> None:
    async with opened(kind) as store:
        await store.ban(Ban("address", "192.0.2.7", "Mallory", 1))
        await store.ban(Ban("address", "192.0.2.7", "Mallet", 2))
        assert await store.bans() == (Ban("address", "192.0.2.7", "Mallet", 2),)
        await store.unban("address", "192.0.2.7")
        assert await store.bans() == ()


async def test_facts_and_entrances(kind: str) -> None:
    async with opened(kind) as store:
        await store.write(Changes(sessions=(NewSession("ada", "hash", 1),)))
        assert await store.fact("password") is None
        for value in ("one", "two"):
            await store.set_fact("password", value)
        assert await store.fact("password") == "two"
        await store.set_fact("password", None)
        assert await store.fact("password") is None
        for now in (1, 2):
            await store.enter("ada", now)
        assert await store.entered("ada")
        assert not await store.entered("grace")
        await store.forget_entrances()
        assert not await store.entered("ada")


async def test_classes(kind: str) -> None:
    group = Class("code", "4b", "room", "steady@1", 30, 7)
    async with opened(kind) as store:
        await store.put_class(group)
        paused = Class("code", "4b", "room", None, 30, 7, paused=True)
        await store.put_class(paused)
        assert await store.classes() == (paused,)
        await store.drop_class("code")
        assert await store.classes() == ()


@pytest.mark.parametrize("kind", KINDS[1:], indirect=True)
async def test_tables_made_before_there_were_terms_have_the_usual_ones(kind: str) -> None:
    from alembic import command
    from alembic.config import Config

    engine = engines.make_engine(engines.parse_url(kind), writer=True)
    config = Config()
    folder = Path(engines.__file__).with_name("migrations")
    config.set_main_option("script_location", str(folder))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    with engine.begin() as connection:
        connection.execute(
            text("INSERT INTO matches (match, rules, created) VALUES ('old', 'room', 5)")
        )
    engine.dispose()
    async with opened(kind) as store:
        stored = await store.load("old")
        assert stored.info == MatchInfo("old", RULES, None, 5)
