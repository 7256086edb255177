"""Sockets: who is let in, and what ends one without harming another."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from lostcities.server.settings import Limits
from rooms import Person, RunningRoom, failure, running, running_beside


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    """One room for all tests here that only talk to it."""
    with running_beside(tmp_path_factory.mktemp("room")) as room:
        yield room


# ---- sockets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("nonsense", "bad_message"),
        (b"\xff\xfe", "bad_message"),
        ("[]", "bad_message"),
        ("{}", "bad_message"),
        ('{"type":"hello"}', "bad_message"),
        ('{"type":"hello","match":5}', "bad_message"),
        ('{"type":"hello","match":"x","extra":1}', "bad_message"),
        ('{"type":"ping"}', "bad_message"),
        ('{"type":"snapshot"}', "bad_message"),
        ('{"type":"hello","match":"no such table"}', "no_table"),
        ('{"type":"hello","match":"MATCH","protocol":99}', "protocol"),
        ('{"type":"hello","match":"MATCH"}', "not_allowed"),
    ],
)
async def test_a_strangers_first_message(
    room: RunningRoom, message: str | bytes, reason: str
) -> None:
    async with Person(room.url) as ada, Person(room.url) as eve:
        made = await ada.create(against="first")
        if isinstance(message, str):
            message = message.replace("MATCH", made["match"])
        async with eve.socket() as socket:
            await socket.send(message)
            assert (await failure(socket))["reason"] == reason


@pytest.mark.parametrize(
    "message",
    [
        "nonsense",
        '{"a":' + 3900 * "[",  # nested too deeply to be read at all
        '{"type":"hello","match":"MATCH"}',
        '{"type":"play","cmd_id":"short","round":1,"ply":0,"turn":"+R5*"}',
        '{"type":"play","cmd_id":"long enough","round":1,"ply":0,"turn":"+R5*+R5*+R5*+R5*+R5*"}',
        '{"type":"play","cmd_id":"long enough","round":"1","ply":0,"turn":"+R5*"}',
        '{"type":"resign"}',
        '{"type":"resign","cmd_id":"long enough","seat":1}',
    ],
)
async def test_a_bad_message_ends_the_socket_and_nothing_else(
    room: RunningRoom, message: str
) -> None:
    async with Person(room.url) as ada:
        match = (await ada.create(against="first"))["match"]
        async with ada.sit(match) as tab, ada.sit(match) as other:
            await tab.until("ready")
            await other.until("ready")
            await tab.socket.send(message.replace("MATCH", match))
            assert (await failure(tab.socket))["reason"] == "bad_message"
            await other.send(type="ping", n=7)
            assert (await other.until("pong"))["n"] == 7


async def test_a_bad_cookie_is_nobody(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        match = (await ada.create(against="first"))["match"]
        for cookie in (
            "lostcities=",
            "lostcities=wrong",
            "lostcities=" + "x" * 3000,
            "a=b;;;=",
            "",
        ):
            async with ada.socket(headers={"Cookie": cookie}) as socket:
                await socket.send(json.dumps({"type": "hello", "match": match}))
                assert (await failure(socket))["reason"] == "not_allowed"
            answer = await ada.http.get(f"/api/tables/{match}/record", headers={"cookie": cookie})
            assert answer.status_code == 404


async def test_a_mebibyte_of_frame_ends_its_socket_alone(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        match = (await ada.create(against="first"))["match"]
        async with ada.sit(match) as tab, ada.sit(match) as other:
            await tab.until("ready")
            await other.until("ready")
            await tab.socket.send("x" * (1 << 20))
            with pytest.raises(ConnectionClosed) as caught:
                await tab.until("pong")
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1009
            await other.send(type="ping", n=1)
            await other.until("pong")


async def test_a_flood_of_messages_ends_its_socket_alone(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "room.sqlite3", limits=Limits()) as room,
        Person(room.url) as ada,
    ):
        match = (await ada.create(against="first"))["match"]
        async with ada.sit(match) as tab, ada.sit(match) as other:
            await other.until("ready")
            with contextlib.suppress(ConnectionClosed):
                for n in range(1000):
                    await tab.send(type="ping", n=n)
                    await asyncio.sleep(0.001)
            assert (await failure(tab.socket))["reason"] == "too_fast"
            await other.send(type="ping", n=1)
            await other.until("pong")


async def test_a_silent_socket_is_let_go(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "room.sqlite3", limits=Limits(hello=0.05)) as room,
        Person(room.url) as ada,
        ada.socket() as socket,
    ):
        assert (await failure(socket))["text"] == "no hello came"


async def test_sockets_of_one_address_are_counted(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "room.sqlite3", limits=Limits(sockets=2)) as room,
        Person(room.url) as ada,
    ):
        async with ada.socket(), ada.socket():
            with pytest.raises(InvalidStatus):
                async with ada.socket():
                    pass
        await asyncio.sleep(0.05)
        async with ada.socket():
            pass


@pytest.mark.slow
async def test_a_reader_that_stops_reading_holds_nobody_up(room: RunningRoom) -> None:
    async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(seat=0, rules="room first=1")
        await grace.accept(made["invite"])
        async with grace.sit(made["match"]) as chair:
            await chair.until("ready")
            async with ada.socket(max_queue=1) as deaf:
                await deaf.send(json.dumps({"type": "hello", "match": made["match"]}))
                while (await chair.until("presence"))["present"] != [True, True]:
                    pass

                async def shout() -> None:
                    for n in range(200_000):
                        await deaf.send(json.dumps({"type": "ping", "n": 10**15 + n}))

                shouting = asyncio.create_task(shout())
                async with asyncio.timeout(30):
                    assert (await chair.until("presence"))["present"] == [False, True]
                assert chair.view is not None
                assert (await chair.play(chair.view["legal"][0]))["type"] == "ack"
                shouting.cancel()
                await asyncio.gather(shouting, return_exceptions=True)
                deaf.transport.abort()


async def test_the_room_says_that_it_closes(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        match = (await ada.create(against="first"))["match"]
        socket = await ada.socket()
        await socket.send(json.dumps({"type": "hello", "match": match}))
        await socket.recv()
    assert (await failure(socket))["reason"] == "shutdown"
