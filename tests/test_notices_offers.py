"""Somebody who looks elsewhere is told what the other offers: once by each way, and while it stands."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mail_server import MailServer
from noticing import BASE, Two, by_mail, by_push, confirm, letters, quiet, subscribe, two, until
from push_service import PushService
from rooms import Person, RunningRoom, running

pytestmark = pytest.mark.slow


def of(said: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [each for each in said if each["tag"].startswith(f"{kind}-")]


async def offer_draw(table: Two) -> None:
    assert (await table.chairs[1].command("offer_draw"))["type"] == "ack"


async def end(table: Two) -> None:
    """Grace gives up; the match is over for both."""
    answer = await table.chairs[1].command("resign")
    await table.chairs[0].reach(answer["seq"])


async def test_a_draw_offer_is_told_once_by_push_and_by_mail(
    tmp_path: Path, service: PushService, mail: MailServer
) -> None:
    ways = by_push(service, by_mail(mail))
    async with running(tmp_path / "room.sqlite3", channels=ways) as room, two(room) as table:
        await subscribe(table.ada, service, language="de")
        await confirm(table.ada, mail, "ada@example.org")
        await table.look_away()
        await offer_draw(table)
        assert await letters(service, 1) == [
            {
                "title": "Remis angeboten", "body": "Am Tisch mit Grace",
                "url": f"/t/{table.match}", "tag": f"draw-{table.match}",
            }
        ]  # fmt: skip
        (_, told) = await asyncio.to_thread(mail.wait, 2)
        assert told["Subject"] == "A draw is offered: Grace"
        text = str(told.get_content())
        said = ["Grace offers you a draw of the match:", "", f"{BASE}/t/{table.match}"]
        assert text.splitlines()[:3] == said
        assert "You have until" not in text

        await table.turn(1)
        await letters(service, 2)
        await asyncio.to_thread(mail.wait, 3)
        await quiet()
        both = await letters(service, 2)
        assert [len(of(both, kind)) for kind in ("draw", "turn")] == [1, 1]
        assert (len(service.letters), len(mail.mails)) == (2, 3), (
            "the turn and the offer, once each"
        )


async def test_an_offer_that_is_taken_back_in_time_is_not_told(
    tmp_path: Path, service: PushService
) -> None:
    later = replace(by_push(service), push_after=0.7)
    async with running(tmp_path / "room.sqlite3", channels=later) as room, two(room) as table:
        await subscribe(table.ada, service)
        await table.look_away()
        await offer_draw(table)
        await table.chairs[1].command("answer_draw", accept=False)
        await quiet(1)
        assert service.letters == []


async def test_who_looks_sees_the_offer_and_is_not_told(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        for person in (table.ada, table.grace):
            await subscribe(person, service)
        await offer_draw(table)
        await quiet()
        assert service.letters == []


async def test_a_wish_to_take_a_turn_back_is_told(tmp_path: Path, service: PushService) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room, takebacks=True) as table,
    ):
        await subscribe(table.ada, service)
        await table.turn(1, lambda turn: turn.startswith("-"))
        await table.turn(0, lambda turn: turn.startswith("-"))
        await table.look_away()
        await table.turn(1, lambda turn: "<" in turn)
        view = table.chairs[1].view
        assert view is not None
        where = {"round": view["round"], "ply": view["ply"], "back": 0}
        assert (await table.chairs[1].command("ask_back", **where))["type"] == "ack"
        said = await letters(service, 2)
        assert [(each["title"], each["body"]) for each in of(said, "back")] == [
            ("Take a turn back?", "At the table with Grace")
        ]


async def test_playing_again_is_told_to_whoever_has_left(
    tmp_path: Path, service: PushService, mail: MailServer
) -> None:
    ways = by_push(service, by_mail(mail))
    async with (
        running(tmp_path / "room.sqlite3", channels=ways) as room,
        two(room, pace="") as table,
    ):
        for person in (table.ada, table.grace):
            await subscribe(person, service)
        await confirm(table.ada, mail, "ada@example.org", "de")
        await end(table)
        await table.close()
        after = await table.grace.post(f"/api/tables/{table.match}/again")
        assert await letters(service, 1) == [
            {
                "title": "Play again?", "body": "Grace wants to play again",
                "url": f"/t/{table.match}", "tag": f"again-{table.match}",
            }
        ]  # fmt: skip
        (_, told) = await asyncio.to_thread(mail.wait, 2)
        assert told["Subject"] == "Noch eine Partie?: Grace"
        # Whoever follows the link sits down by the button there; then nothing is left to be told.
        joined = await table.ada.post(f"/api/tables/{table.match}/again")
        assert joined["match"] == after["match"]
        await quiet()
        assert [each.path for each in service.letters if "again" in str(service.read(each))] == [
            "/push/Ada"
        ]
        assert len([each for each in mail.mails if "noch einmal" in str(each.get_content())]) == 1


async def test_who_has_left_the_new_table_keeps_no_seat_to_tell_of(
    tmp_path: Path, service: PushService
) -> None:
    later = replace(by_push(service), push_after=0.7)
    async with running(tmp_path / "room.sqlite3", channels=later) as room, two(room) as table:
        await subscribe(table.ada, service)
        await end(table)
        await table.close()
        after = await table.grace.post(f"/api/tables/{table.match}/again")
        await table.grace.post(f"/api/tables/{after['match']}/leave")
        await quiet(1)
        assert service.letters == []


async def test_no_offer_is_told_a_second_time(tmp_path: Path, service: PushService) -> None:
    """Neither after a pause by the host, nor when the table is opened anew, nor the room."""
    database = tmp_path / "room.sqlite3"
    ways = by_push(service)
    async with (
        running(database, channels=ways, host_code="host") as room,
        two(room) as table,
        Person(room.url) as host,
    ):
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await table.close()
        await offer_draw(table)
        await letters(service, 1)
        for what in ("pause", "go_on"):
            await host.post(f"/api/host/tables/{table.match}", {"do": what})
        await forgotten(room, table)
        async with table.grace.sit(table.match) as chair:
            await chair.until("ready")
        await quiet()
    async with running(database, channels=ways) as room:
        await room.room.notices.begin()
        async with Person(room.url) as grace, grace.sit(table.match) as _:
            await quiet()
    assert len(of([service.read(each) for each in service.letters], "draw")) == 1


async def forgotten(room: RunningRoom, table: Two) -> None:
    """The table is put away, as one where nobody has been for a while."""
    await table.chairs[1].socket.close()
    (live,) = room.room.tables
    await until(lambda: live.idle)
    live.touched -= 10_000
    await room.room.tidy()
    assert room.room.tables == ()


# ---- who is shut out ------------------------------------------------------------------------------


async def test_whoever_is_banned_is_told_nothing_until_the_ban_is_lifted(
    tmp_path: Path, service: PushService, mail: MailServer
) -> None:
    ways = by_push(service, by_mail(mail))
    async with (
        running(tmp_path / "room.sqlite3", channels=ways, host_code="host") as room,
        two(room, pace="") as table,
        Person(room.url) as host,
    ):
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await confirm(table.ada, mail, "ada@example.org")
        await order(host, table, "Ada", "ban")
        view = table.chairs[1].view
        assert view is not None
        await table.chairs[1].play(view["legal"][0])
        await offer_draw(table)
        await quiet()
        assert (service.letters, len(mail.mails)) == ([], 1)

        (ban,) = (await host.get("/api/host"))["bans"]
        await host.post("/api/host/people", {"do": "unban", "person": ban["value"]})
        await table.chairs[1].command("answer_draw", accept=False)
        await offer_draw(table)
        assert [each["tag"] for each in await letters(service, 1)] == [f"draw-{table.match}"]
        await asyncio.to_thread(mail.wait, 2)


async def test_a_ban_reaches_what_waits_to_be_sent_again(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service), host_code="host") as room,
        two(room) as table,
        Person(room.url) as host,
    ):
        room.room.notices.teller.post._pause = lambda _tries, _asked: 0.5
        service.statuses = [503]
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await table.look_away()
        await table.turn(1)
        await letters(service, 1)
        await order(host, table, "Ada", "ban")
        await quiet(0.8)
        assert len(service.letters) == 1


async def test_whoever_is_sent_away_is_not_asked_to_play_again(
    tmp_path: Path, service: PushService, mail: MailServer
) -> None:
    ways = by_push(service, by_mail(mail))
    async with (
        running(tmp_path / "room.sqlite3", channels=ways, host_code="host") as room,
        two(room) as table,
        Person(room.url) as host,
    ):
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await confirm(table.ada, mail, "ada@example.org")
        await order(host, table, "Ada", "kick")
        await table.grace.post(f"/api/tables/{table.match}/again")
        await quiet()
        assert (service.letters, len(mail.mails)) == ([], 1)
        # Of another table she is told as before.
        other = await table.ada.create(seat=0, rules="room first=0", pace="days=3")
        await table.grace.accept(other["invite"])
        await letters(service, 1)
        await asyncio.to_thread(mail.wait, 2)


async def order(host: Person, table: Two, name: str, what: str) -> None:
    """What the host does about somebody at the table."""
    tables = (await host.get("/api/host"))["tables"]
    (here,) = [each for each in tables if each["match"] == table.match]
    (person,) = [each["person"] for each in here["people"] if each["name"] == name]
    wish = {"do": what, "person": person, "match": table.match}
    await host.post("/api/host/people", wish)
