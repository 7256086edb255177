"""Somebody is told by push that it is their turn: once, and only if they look elsewhere."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lostcities.service.notices.channels import Channels
from lostcities.service.notices.push import PushSettings
from lostcities.store.interfaces import Changes, StoreError
from noticing import (
    by_push,
    letters,
    quiet,
    subscribe,
    two,
    until,
)
from push_service import PushService, signature_of
from rooms import Person, running

pytestmark = pytest.mark.slow


async def test_who_is_away_is_told_of_their_turn_and_of_no_card(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        info = await subscribe(table.ada, service, language="de")
        assert (info["push"], info["here"], info["browsers"]) == ("on", True, 1)
        await table.look_away()
        await table.turn(1)
        assert await letters(service, 1) == [
            {
                "title": "Du bist am Zug", "body": "Am Tisch mit Grace",
                "url": f"/t/{table.match}", "tag": f"turn-{table.match}",
            }
        ]  # fmt: skip
        claims, key = signature_of(service.letters[0].headers["authorization"])
        assert (claims["aud"], key) == (service.url, info["key"])
        assert service.letters[0].headers["ttl"] == str(3 * 24 * 3600)
        assert table.match not in str(service.letters[0].headers), "the service learns no table"


async def test_the_first_turn_is_told_when_somebody_sits_down(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        Person(room.url, "Ada") as ada,
        Person(room.url, "Grace") as grace,
    ):
        for person in (ada, grace):
            await subscribe(person, service)
        made = await ada.create(seat=0, rules="room first=0", pace="days=3")
        await quiet()
        assert service.letters == [], "nobody is to move yet"
        await grace.accept(made["invite"])
        await letters(service, 1)
        await quiet()
        assert [each.path for each in service.letters] == ["/push/Ada"], "and Grace is not"


async def test_a_turn_is_told_once_whatever_happens_at_the_table(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.look_away()
        await table.turn(1)
        await letters(service, 1)
        assert (await table.chairs[1].command("offer_draw"))["type"] == "ack"
        said = await letters(service, 2)
        await quiet()
        assert [each["tag"] for each in said] == [f"{k}-{table.match}" for k in ("turn", "draw")]
        assert len(service.letters) == 2


@pytest.mark.parametrize(
    ("when", "looks", "told"),
    [
        ("unseen", "looking", False),
        ("unseen", "hidden", True),
        ("unseen", "closed", True),
        ("away", "looking", False),
        ("away", "hidden", False),
        ("away", "closed", True),
        ("always", "looking", True),
    ],
)
async def test_a_tab_that_is_open_somewhere_is_a_matter_of_choice(
    tmp_path: Path, service: PushService, when: str, looks: str, told: bool
) -> None:
    """No message came because a tab was open somewhere: a choice of each player's now."""
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        assert (await table.ada.post("/api/notices/when", {"when": when}))["when"] == when
        if looks == "hidden":
            await table.look_away()
        elif looks == "closed":
            await table.close()
        view = table.chairs[1].view
        assert view is not None
        await table.chairs[1].play(view["legal"][0])
        if told:
            await letters(service, 1)
        await quiet()
        assert len(service.letters) == int(told)


async def test_one_hidden_tab_is_not_enough_where_another_is_looked_at(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
        table.ada.sit(table.match) as another,
    ):
        await another.until("ready")
        await subscribe(table.ada, service)
        await another.send(type="look", looking=False)
        await until(lambda: [each.looking for each in table.pages()].count(False) == 1)
        await table.turn(1)
        await quiet()
        assert service.letters == []


async def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, service: PushService) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.look_away()
        service.statuses = [410]
        await table.turn(1)
        await letters(service, 1)
        await quiet()
        info = await table.ada.get("/api/notices")
        assert (info["here"], info["browsers"]) == (False, 0)


async def test_who_has_moved_meanwhile_is_not_told(tmp_path: Path, service: PushService) -> None:
    later = replace(by_push(service), push_after=2.5)
    async with running(tmp_path / "room.sqlite3", channels=later) as room, two(room) as table:
        await subscribe(table.ada, service)
        await table.look_away()
        await table.turn(1)
        await table.turn(0)
        await quiet(3)
        assert service.letters == []


async def test_nothing_is_told_of_a_turn_that_was_not_kept(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.look_away()
        write = room.store.write

        async def full(changes: Changes) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(room.store, "write", full)
        view = table.chairs[1].view
        assert view is not None
        answer = await table.chairs[1].play(view["legal"][0])
        assert answer["reason"] == "not_saved"
        await quiet()
        assert service.letters == []
        monkeypatch.setattr(room.store, "write", write)
        await table.turn(1)
        await letters(service, 1)


async def test_no_turn_waits_for_a_push_service(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = asyncio.Event()

    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        for person in (table.ada, table.grace):
            await subscribe(person, service)
        for chair in table.chairs:
            await chair.send(type="look", looking=False)

        async def hang(*_: Any) -> None:
            await hanging.wait()

        monkeypatch.setattr(room.room.notices._push, "send", hang)
        for number in range(12):
            await table.turn(1 - number % 2)
        assert table.chairs[0].view is not None
        assert table.chairs[0].view["ply"] == 12
        hanging.set()


async def test_a_turn_of_days_is_told_after_a_restart(tmp_path: Path, service: PushService) -> None:
    database = tmp_path / "room.sqlite3"
    never = replace(by_push(service), push_after=3600.0)
    async with running(database, channels=never) as room, two(room) as table:
        await subscribe(table.ada, service)
        await table.turn(1)
    async with running(database, channels=by_push(service)) as room:
        await room.room.notices.begin()
        (said,) = await letters(service, 1)
        assert said["url"] == f"/t/{table.match}"
        await quiet()
    async with running(database, channels=by_push(service)) as room:
        await room.room.notices.begin()
        await quiet()
        assert len(service.letters) == 1, "it was told"


async def test_a_pause_makes_no_second_notice_of_a_turn(
    tmp_path: Path, service: PushService
) -> None:
    channels = replace(by_push(service), push_after=2.0)
    async with (
        running(tmp_path / "room.sqlite3", channels=channels, host_code="host") as room,
        two(room) as table,
        Person(room.url) as host,
    ):
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await table.look_away()

        async def order(what: str) -> None:
            await host.post(f"/api/host/tables/{table.match}", {"do": what})

        await table.turn(1)
        await order("pause")
        await quiet(2.5)
        assert service.letters == [], "nobody is to move while the table rests"
        await order("go_on")
        await letters(service, 1)
        await quiet()
        await order("pause")
        await order("go_on")
        await quiet(2.5)
        assert len(service.letters) == 1


async def test_programs_and_shared_devices_are_nobody_s_notice(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        Person(room.url) as ada,
    ):
        made = await ada.create(against="first", seat=0, rules="room first=1")
        await subscribe(ada, service)
        shared = {"one_device": True}
        await ada.create(against="friend", second="Grace", terms=shared)
        async with ada.sit(made["match"]) as chair:
            await chair.until("ready")
        await quiet()
        assert service.letters == []


async def test_a_notice_can_be_tried(tmp_path: Path, service: PushService) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        Person(room.url) as ada,
    ):
        await ada.post("/api/notices/test", status=409)
        await subscribe(ada, service)
        tried = await ada.post("/api/notices/test")
        assert tried == {"sent": True, "status": 201, "here": True}
        (said,) = await letters(service, 1)
        assert said["title"] == "A test notice"
        service.statuses = [503]
        tried = await ada.post("/api/notices/test")
        assert tried == {"sent": False, "status": 503, "here": True}
        service.statuses = [404]
        tried = await ada.post("/api/notices/test")
        assert tried == {"sent": False, "status": 404, "here": False}
        assert (await ada.get("/api/notices"))["here"] is False
        await subscribe(ada, service)
        assert (await ada.post("/api/notices/push/drop"))["here"] is False


async def test_what_cannot_be_pushed_to_is_refused(tmp_path: Path, service: PushService) -> None:
    strict = Channels(push=PushSettings("mailto:host@example.org"))
    said = service.subscription("Ada")
    async with (
        running(tmp_path / "strict.sqlite3", channels=strict) as room,
        running(tmp_path / "silent.sqlite3") as silent,
        Person(room.url) as ada,
        Person(silent.url) as eve,
    ):
        for wrong in (
            {"endpoint": "https://10.0.0.7/x"},
            {"endpoint": "https://router.local:8443/x"},
            {"endpoint": "http://push.example.org/x"},
            {"endpoint": "https://push.example.org/x", "key": "A" * 87},
            {"endpoint": "https://push.example.org/x", "secret": "A" * 21},
        ):
            refused = await ada.post("/api/notices/push", {**said, **wrong}, status=400)
            assert refused["error"]["reason"] == "bad_subscription", wrong
        too_long = {**said, "endpoint": f"https://push.example.org/{'x' * 1000}"}
        await ada.post("/api/notices/push", too_long, status=400)
        info = await ada.get("/api/notices")
        assert (info["push"], info["here"], info["browsers"]) == ("on", False, 0)
        taken = {**said, "endpoint": "https://push.example.org/x"}
        assert (await ada.post("/api/notices/push", taken))["here"] is True
        refused = await eve.post("/api/notices/push", taken, status=409)
        assert refused["error"]["reason"] == "no_push"
        refused = await eve.post("/api/notices/mail", {"address": "e@example.org"}, status=409)
        assert refused["error"]["reason"] == "no_mail"
        info = await eve.get("/api/notices")
        assert (info["push"], info["key"], info["mail"]) == ("off", None, False)


async def test_who_signs_out_takes_no_notices(tmp_path: Path, service: PushService) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        secret = {"name": "Ada", "passphrase": "a long word and another"}
        await table.ada.post("/api/account", secret)
        await subscribe(table.ada, service)
        await table.ada.post("/api/account/sign-out")
        view = table.chairs[1].view
        assert view is not None
        await table.chairs[1].play(view["legal"][0])
        await quiet()
        assert service.letters == []
