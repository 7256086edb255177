"""Who takes notices and where mail goes, on SQLite and PostgreSQL alike."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from lostcities.core.pace import Pace
from lostcities.core.rules import Rules
from lostcities.store.interfaces import Changes, Deadline, MatchInfo, NewSession
from lostcities.store.notices import Proposal, PushTarget, Wishes
from lostcities.store.people import Account
from lostcities.store.sql import SqlStore
from stores import opened

PHONE, LAPTOP = "hash of the phone's token", "hash of the laptop's token"


def target(name: str, language: str = "en") -> PushTarget:
    return PushTarget(f"https://push.example.org/{name}", "key", "secret", language)


async def two_browsers(store: SqlStore) -> None:
    await store.write(Changes(sessions=(NewSession("ada", PHONE, 1),)))
    await store.people.open_session(LAPTOP, "ada", 2)


async def test_browsers_take_notices_each_in_one_place(database: str) -> None:
    async with opened(database) as store:
        await two_browsers(store)
        notices = store.notices
        assert await notices.target(PHONE) is None
        await notices.subscribe(PHONE, target("old"), 3)
        await notices.subscribe(PHONE, target("phone", "de"), 4)
        await notices.subscribe(LAPTOP, target("laptop"), 5)
        assert await notices.targets("ada", 9) == (target("laptop"), target("phone", "de"))
        assert await notices.targets("ada", 1) == (target("laptop"),)
        assert await notices.target(PHONE) == target("phone", "de")
        await notices.gone(target("laptop").endpoint)
        await notices.unsubscribe("hash of nobody's token")
        assert await notices.targets("ada", 9) == (target("phone", "de"),)
        await notices.unsubscribe(PHONE)
        assert await notices.targets("ada", 9) == ()


async def test_a_browser_that_changes_hands_takes_notices_of_one_person(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(NewSession("ada", PHONE, 1),)))
        await store.write(Changes(sessions=(NewSession("eve", "hash of eve's token", 1),)))
        await store.notices.subscribe(PHONE, target("same"), 3)
        await store.notices.subscribe("hash of eve's token", target("same"), 4)
        assert await store.notices.targets("ada", 9) == ()
        assert await store.notices.targets("eve", 9) == (target("same"),)


async def test_a_browser_that_is_signed_out_takes_none(database: str) -> None:
    async with opened(database) as store:
        await two_browsers(store)
        for session in (PHONE, LAPTOP):
            await store.notices.subscribe(session, target(session[8:13]), 3)
        await store.people.end_session(PHONE)
        assert len(await store.notices.targets("ada", 9)) == 1
        await store.people.end_sessions("ada")
        assert await store.notices.targets("ada", 9) == ()


async def test_an_address_is_used_once_it_is_confirmed(database: str) -> None:
    async with opened(database) as store:
        await two_browsers(store)
        notices = store.notices
        assert await notices.wishes("ada") == Wishes()
        await notices.set_when("ada", "always")
        await notices.propose("ada", Proposal("first@example.org", "de", "hash 1", 100), 1)
        await notices.propose("ada", Proposal("ada@example.org", "de", "hash 2", 100), 1)
        assert await notices.wishes("ada") == Wishes("always", "de", None, None, "ada@example.org")
        assert await notices.confirm("hash 1", 50, "stop") is None, "a later one took its place"
        assert await notices.confirm("hash 2", 100, "stop") is None, "too old"
        assert await notices.confirm("hash 2", 99, "stop") == "ada"
        assert await notices.confirm("hash 2", 99, "stop again") is None, "good once"
        assert await notices.wishes("ada") == Wishes("always", "de", "ada@example.org", "stop")
        await notices.propose("ada", Proposal("new@example.org", "en", "hash 3", 100), 1)
        kept = await notices.wishes("ada")
        assert (kept.address, kept.pending) == ("ada@example.org", "new@example.org")
        assert not await notices.stop("no such link")
        assert await notices.stop("stop")
        assert not await notices.stop("stop")
        assert await notices.wishes("ada") == Wishes("always", "en")
        assert await notices.confirm("hash 3", 99, "stop") is None, "stopped means stopped"


async def test_addresses_that_nobody_confirmed_are_forgotten(database: str) -> None:
    async with opened(database) as store:
        await two_browsers(store)
        await store.write(Changes(sessions=(NewSession("eve", "hash of eve's token", 1),)))
        await store.notices.propose("ada", Proposal("a@example.org", "en", "hash 1", 100), 1)
        await store.notices.propose("eve", Proposal("e@example.org", "en", "hash 2", 199), 99)
        assert (await store.notices.wishes("ada")).pending == "a@example.org"
        await store.notices.propose("eve", Proposal("e@example.org", "en", "hash 3", 200), 100)
        assert (await store.notices.wishes("ada")).pending is None
        assert (await store.notices.wishes("eve")).pending == "e@example.org"


async def test_wishes_come_along_to_an_account_that_has_none(database: str) -> None:
    async with opened(database) as store:
        for player in ("guest", "another", "ada"):
            await store.write(Changes(sessions=(NewSession(player, f"hash of {player}", 1),)))
        await store.people.open_account(Account("ada", "ada", "Ada", "$argon2id$", False, 5))
        await store.notices.set_when("guest", "away")
        await store.notices.subscribe("hash of guest", target("guest"), 1)
        await store.notices.set_when("another", "always")
        for guest in ("guest", "another"):
            await store.people.claim(guest, "ada")
        assert (await store.notices.wishes("ada")).when == "away"
        assert await store.notices.targets("guest", 9) == ()


async def test_turns_of_days_are_told_once(database: str) -> None:
    slow = MatchInfo("slow", Rules(), None, 1, pace=Pace.parse("days=3"))
    async with opened(database) as store:
        assert await store.notices.untold(9) == ()
        await store.write(Changes(matches=(slow,), deadlines=(Deadline("slow", 100),)))
        await store.notices.told("slow", 99)
        assert await store.notices.untold(9) == ("slow",), "that was another turn"
        await store.notices.told("slow", 100)
        assert await store.notices.untold(9) == ()
        await store.write(Changes(deadlines=(Deadline("slow", 200),)))
        assert await store.notices.untold(9) == ("slow",)
        await store.write(Changes(deadlines=(Deadline("slow", None),)))
        assert await store.notices.untold(9) == ()


def rights_in(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="files have other rights there")
async def test_the_database_is_for_the_room_s_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite3"
    async with opened(f"sqlite:///{path}") as store:
        await two_browsers(store)
        rights = await asyncio.to_thread(rights_in, tmp_path)
    rights.pop("room.sqlite3.lock")
    assert rights
    assert set(rights.values()) == {0o600}, rights
