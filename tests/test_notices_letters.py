"""Somebody is told by mail that it is their turn: once a turn, and never unasked."""

import asyncio
from pathlib import Path

import pytest

from lostcities.server.settings import Limits
from mail_server import MailServer
from noticing import (
    BASE,
    by_mail,
    confirm,
    quiet,
    two,
)
from rooms import Person, running

pytestmark = pytest.mark.slow


async def test_one_mail_a_turn(tmp_path: Path, mail: MailServer) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room) as table,
    ):
        await confirm(table.ada, mail, "ada@example.org")
        await table.look_away()
        await table.turn(1)
        (_, told) = await asyncio.to_thread(mail.wait, 2)
        for _ in range(2):  # at the table something happens, and the turn is the same
            assert (await table.chairs[0].command("offer_draw"))["type"] == "ack"
            await table.chairs[0].command("answer_draw", accept=False)
        await quiet()
        assert len(mail.mails) == 2
        assert mail.recipients[1] == ["ada@example.org"]
        assert told["Subject"] == "Your turn: Grace"
        text = str(told.get_content())
        assert f"{BASE}/t/{table.match}" in text
        assert "You have until" in text
        stop = str(told["List-Unsubscribe"]).strip("<>").removeprefix(BASE)
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"{BASE}/notices/stop/{stop.rpartition('/')[2]}" in text
        await table.turn(0)
        await table.turn(1)
        await asyncio.to_thread(mail.wait, 3)
        # A mail program posts a form of its own, without a cookie or an origin.
        async with Person(room.url) as program:
            del program.http.headers["origin"]
            answer = await program.http.post(stop, data={"List-Unsubscribe": "One-Click"})
            assert answer.status_code == 200
        assert (await table.ada.get("/api/notices"))["address"] is None
        await table.turn(0)
        await table.turn(1)
        await quiet()
        assert len(mail.mails) == 3


async def test_nothing_goes_to_an_address_that_was_not_confirmed(
    tmp_path: Path, mail: MailServer
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room) as table,
    ):
        wish = {"address": " ada@example.org ", "language": "de-AT"}
        info = await table.ada.post("/api/notices/mail", wish)
        assert (info["address"], info["pending"]) == (None, "ada@example.org")
        (asked,) = await asyncio.to_thread(mail.wait, 1)
        assert asked["Subject"] == "Sollen Nachrichten an diese Adresse gehen?"
        assert asked["List-Unsubscribe"] is None
        assert "Ada" not in asked.as_string(), "a stranger's words are not sent about"
        await table.look_away()
        await table.turn(1)
        await quiet()
        assert len(mail.mails) == 1
        await table.ada.post("/api/notices/mail/confirm", {"code": "guessed"}, status=404)


async def test_no_mail_while_the_table_is_looked_at_unless_wanted(
    tmp_path: Path, mail: MailServer
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room) as table,
    ):
        await confirm(table.ada, mail, "ada@example.org", "de")
        await table.turn(1)
        await quiet()
        assert len(mail.mails) == 1
        await table.ada.post("/api/notices/when", {"when": "always"})
        await table.turn(0)
        await table.turn(1)
        told = (await asyncio.to_thread(mail.wait, 2))[1]
        assert told["Subject"] == "Du bist am Zug: Grace"


async def test_no_mail_where_turns_take_seconds(tmp_path: Path, mail: MailServer) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room, "turn=600") as table,
    ):
        await confirm(table.ada, mail, "ada@example.org")
        await table.look_away()
        await table.turn(1)
        await quiet()
        assert len(mail.mails) == 1


async def test_a_mail_server_that_is_busy_is_asked_again(tmp_path: Path, mail: MailServer) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room) as table,
    ):
        await confirm(table.ada, mail, "ada@example.org")
        room.room.notices.teller.post._pause = lambda _tries, _asked: 0.3
        await table.look_away()
        mail.refusal = "451 busy"
        await table.turn(1)
        await quiet(0.2)
        assert len(mail.mails) == 1
        mail.refusal = None
        await asyncio.to_thread(mail.wait, 2)


async def test_nobody_s_letter_box_is_filled_with_links(tmp_path: Path, mail: MailServer) -> None:
    limits = Limits(codes=5)
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail), limits=limits) as room,
        Person(room.url, "Ada") as ada,
        Person(room.url, "Eve") as eve,
    ):
        for person, wish, status in (
            (ada, "ada@example.org", 200),
            (eve, "Ada@Example.org", 200),
            (eve, "ADA@example.org", 200),
            (ada, "ada@example.org", 429),
            (eve, "eve@example.org", 200),
            (eve, "another@example.org", 429),
        ):
            answer = await person.http.post("/api/notices/mail", json={"address": wish})
            assert (wish, answer.status_code) == (wish, status)
        await ada.post("/api/notices/mail", {"address": "ada"}, status=429)
    assert len(mail.mails) == 4


async def test_the_mail_server_s_refusal_is_told(tmp_path: Path, mail: MailServer) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        Person(room.url) as ada,
    ):
        wish = {"address": "ada@example.org"}
        for answer, reason in (("550 nobody", "mail_refused"), ("450 later", "mail_failed")):
            mail.no_address = answer
            refused = await ada.post("/api/notices/mail", wish, status=502)
            assert refused["error"]["reason"] == reason
            assert (await ada.get("/api/notices"))["pending"] is None, "no link has gone there"
