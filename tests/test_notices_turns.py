"""Somebody is told that it is their turn: by push and by mail, once, and only if they look elsewhere."""

import asyncio
import contextlib
import json
import random
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.rules import Rules
from lostcities.server.settings import Limits
from lostcities.service.notices.channels import Channels
from lostcities.service.notices.push import PushSettings
from lostcities.store.interfaces import Changes, StoreError
from mail_server import MailServer, mail_server
from push_service import PushService, push_service, signature_of
from rooms import Chair, CountingIds, FixedDecks, Person, RunningRoom, running
from worlds import random_script

BASE = "https://cards.example.org"
AT_ONCE = Channels(base_url=BASE, push_after=0.0, mail_after=0.0)
CODE = f"{BASE}/notices/confirm/"


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as opened:
        yield opened


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with mail_server() as opened:
        yield opened


def by_push(service: PushService, ways: Channels = AT_ONCE) -> Channels:
    push = PushSettings("mailto:host@example.org", anywhere=True, trust=service.trust)
    return replace(ways, push=push)


def by_mail(server: MailServer, ways: Channels = AT_ONCE) -> Channels:
    return replace(ways, mail=server.settings)


@dataclass
class Two:
    """Ada in seat 0 and Grace in seat 1, who opens the first round; both at the table."""

    ada: Person
    grace: Person
    match: str
    chairs: tuple[Chair, Chair]

    async def turn(self, seat: int) -> dict[str, Any]:
        """The first legal turn of a seat, accepted."""
        chair, other = self.chairs[seat], self.chairs[1 - seat]
        assert chair.view is not None
        answer = await chair.play(chair.view["legal"][0])
        assert answer["type"] == "ack", answer
        await chair.reach(answer["seq"])
        await other.reach(answer["seq"])
        return answer


@contextlib.asynccontextmanager
async def two(room: RunningRoom, pace: str = "days=3") -> AsyncIterator[Two]:
    async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(seat=0, rules="room first=1", pace=pace)
        await grace.accept(made["invite"])
        async with ada.sit(made["match"]) as mine, grace.sit(made["match"]) as theirs:
            for chair in (mine, theirs):
                await chair.until("ready")
            yield Two(ada, grace, made["match"], (mine, theirs))


async def quiet(seconds: float = 0.4) -> None:
    """Long enough for what is due at once to have come."""
    await asyncio.sleep(seconds)


async def letters(service: PushService, number: int) -> list[dict[str, Any]]:
    found = await asyncio.to_thread(service.wait, number)
    return [service.read(each) for each in found]


async def subscribe(person: Person, service: PushService, **more: str) -> dict[str, Any]:
    said = {**service.subscription(person.name), **more}
    told: dict[str, Any] = await person.post("/api/notices/push", said)
    return told


async def confirm(person: Person, mail: MailServer, address: str, language: str = "en") -> None:
    count = len(mail.mails)
    await person.post("/api/notices/mail", {"address": address, "language": language})
    asked = (await asyncio.to_thread(mail.wait, count + 1))[count]
    code = str(asked.get_content()).split(CODE)[1].split()[0]
    await person.post("/api/notices/mail/confirm", {"code": code})


# ---- push ---------------------------------------------------------------------------------------


async def test_who_is_away_is_told_of_their_turn_and_of_no_card(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        info = await subscribe(table.ada, service, language="de")
        assert (info["push"], info["here"], info["browsers"]) == ("on", True, 1)
        await table.chairs[0].send(type="look", looking=False)
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


async def test_a_turn_is_told_once_whatever_happens_at_the_table(
    tmp_path: Path, service: PushService
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.chairs[0].send(type="look", looking=False)
        await table.turn(1)
        await letters(service, 1)
        assert (await table.chairs[1].command("offer_draw"))["type"] == "ack"
        await quiet()
        assert len(service.letters) == 1


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
        chair = table.chairs[0]
        if looks == "hidden":
            await chair.send(type="look", looking=False)
        elif looks == "closed":
            await chair.socket.close()
        await quiet(0.1)
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
        await table.turn(1)
        await quiet()
        assert service.letters == []


async def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, service: PushService) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.chairs[0].send(type="look", looking=False)
        service.statuses = [410]
        await table.turn(1)
        await letters(service, 1)
        await quiet()
        info = await table.ada.get("/api/notices")
        assert (info["here"], info["browsers"]) == (False, 0)


async def test_who_has_moved_meanwhile_is_not_told(tmp_path: Path, service: PushService) -> None:
    later = replace(by_push(service), push_after=0.5)
    async with running(tmp_path / "room.sqlite3", channels=later) as room, two(room) as table:
        await subscribe(table.ada, service)
        await table.chairs[0].send(type="look", looking=False)
        await table.turn(1)
        await table.turn(0)
        await quiet(0.9)
        assert service.letters == []


async def test_nothing_is_told_of_a_turn_that_was_not_kept(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_push(service)) as room,
        two(room) as table,
    ):
        await subscribe(table.ada, service)
        await table.chairs[0].send(type="look", looking=False)
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
    channels = replace(by_push(service), push_after=0.2)
    async with (
        running(tmp_path / "room.sqlite3", channels=channels, host_code="host") as room,
        two(room) as table,
        Person(room.url) as host,
    ):
        await host.post("/api/host", {"code": "host"})
        await subscribe(table.ada, service)
        await table.chairs[0].send(type="look", looking=False)

        async def order(what: str) -> None:
            await host.post(f"/api/host/tables/{table.match}", {"do": what})

        await table.turn(1)
        await order("pause")
        await quiet(0.5)
        assert service.letters == [], "nobody is to move while the table rests"
        await order("go_on")
        await letters(service, 1)
        await quiet()
        await order("pause")
        await order("go_on")
        await quiet(0.6)
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


# ---- mail ---------------------------------------------------------------------------------------


async def test_one_mail_a_turn(tmp_path: Path, mail: MailServer) -> None:
    async with (
        running(tmp_path / "room.sqlite3", channels=by_mail(mail)) as room,
        two(room) as table,
    ):
        await confirm(table.ada, mail, "ada@example.org")
        await table.chairs[0].send(type="look", looking=False)
        await table.turn(1)
        (_, told) = await asyncio.to_thread(mail.wait, 2)
        assert (await table.chairs[1].command("offer_draw"))["type"] == "ack"
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
        await table.chairs[0].send(type="look", looking=False)
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
        await table.chairs[0].send(type="look", looking=False)
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
        await table.chairs[0].send(type="look", looking=False)
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


# ---- hidden cards -------------------------------------------------------------------------------


async def told_in(
    decks: list[Any], script: Any, service: PushService, mail: MailServer
) -> list[str]:
    """Everything that Ada is told away from the table while a script is played."""
    service.letters.clear()
    mail.mails.clear()
    channels = by_push(service, by_mail(mail))
    fixed = FixedDecks(decks, script.start)
    told = []
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(temporary_database())
        async with (
            running(path, channels=channels, decks=fixed, ids=CountingIds()) as room,
            Person(room.url, "Ada") as ada,
            Person(room.url, "Grace") as grace,
        ):
            made = await ada.create(seat=0, rules=str(script.rules), pace="days=3")
            await grace.accept(made["invite"])
            await subscribe(ada, service)
            await confirm(ada, mail, "ada@example.org")
            await ada.post("/api/notices/when", {"when": "always"})
            count = 0
            async with ada.sit(made["match"]) as mine, grace.sit(made["match"]) as theirs:
                for chair in (mine, theirs):
                    await chair.until("ready")
                for number, step in enumerate(script.steps):
                    chair = (mine, theirs)[step.seat]
                    answer = await _do(chair, step, f"command-{number:06d}")
                    for each in (mine, theirs):
                        await each.reach(answer["seq"])
                    if mine.view is not None and mine.view["to_move"] == 0:
                        count += 1
                        await asyncio.to_thread(service.wait, count)
                        await asyncio.to_thread(mail.wait, count + 1)
            told += [json.dumps(service.read(each)) for each in service.letters]
            told += [f"{m['Subject']}\n{_without_codes(str(m.get_content()))}" for m in mail.mails]
            told += [str(len(each.body)) for each in service.letters]
    return told


@contextlib.contextmanager
def temporary_database() -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "room.sqlite3")


def _without_codes(text: str) -> str:
    """What is by chance, or of the moment, goes."""
    return re.sub(r"(You have until|/notices/(stop|confirm)/).*", r"\1", text)


async def _do(chair: Chair, step: Any, name: str) -> dict[str, Any]:
    if step.turn is None:
        return await chair.command("continue", name, round=step.round)
    return await chair.command("play", name, round=step.round, ply=step.ply, turn=str(step.turn))


async def test_two_worlds_that_differ_in_hidden_cards_are_told_the_same(
    service: PushService, mail: MailServer
) -> None:
    rng = random.Random(11)
    script = random_script(Rules.parse("room first=1"), rng, 14)
    first = await told_in(script.decks, script, service, mail)
    second = await told_in(script.other_decks(0, rng), script, service, mail)
    assert script.decks != script.other_decks(0, rng)
    assert len(first) > 10
    assert first == second
