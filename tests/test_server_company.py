"""Company over real sockets: watchers, the lobby, chat, the door, the host's desk."""

# ruff: noqa: SIM117 - a room, then who is in it, reads better than one long line

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from lostcities.protocol import company as wire
from lostcities.server.settings import Limits
from lostcities.service import lobby
from lostcities.service.timekeeper import monotonic_ms
from lostcities.store.interfaces import SentAway
from rooms import Chair, Person, RunningRoom, failure, running

OPEN = {"listed": True, "watch": True}


async def sees(chair: Chair, kind: str) -> dict[str, Any]:
    """The next event of a kind that a chair is told of."""
    while True:
        update = await chair.until("update")
        for event in update["events"]:
            if event["kind"] == kind:
                found: dict[str, Any] = event
                return found


async def says(chair: Chair, **line: Any) -> dict[str, Any]:
    """Say something, and what comes back."""
    await chair.send(type="say", **line)
    while True:
        message = await chair.receive()
        if message["type"] in ("chat", "chat_refused"):
            return message


# ---- watching -----------------------------------------------------------------------------------


async def test_a_private_table_is_not_watched(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Eve") as eve:
            made = await ada.create(against="first")
            async with eve.socket() as socket:
                await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
                assert (await failure(socket))["reason"] == "not_allowed"
            await eve.get(f"/api/tables/{made['match']}/record", 404)


async def test_who_watches_a_waiting_table_is_not_told_its_invitation(tmp_path: Path) -> None:
    """With it a watcher of a private table could have taken the friend's seat."""
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Eve") as eve:
            made = await ada.create(terms={"watch": True})
            async with ada.sit(made["match"]) as mine, eve.sit(made["match"]) as hers:
                await mine.until("ready")
                await hers.until("ready")
                assert mine.table["invite"] == made["invite"]
                assert hers.table["phase"] == "waiting"
                assert hers.table["invite"] is None
            await eve.post(f"/api/tables/{made['match']}/join", {"name": "Eve"}, status=404)


async def test_watchers_see_no_hand_until_the_round_is_over(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Eve") as eve:
            rules = "room colours=3 hand=3 rounds=1"
            made = await ada.create(against="first", rules=rules, seat=0, terms={"watch": True})
            async with ada.sit(made["match"]) as mine, eve.sit(made["match"]) as hers:
                told = await hers.until("presence")
                assert (told["present"], told["watching"]) == ([True, True], 1)
                await mine.until("ready")
                while mine.table["phase"] == "playing":
                    if mine.view and mine.view["to_move"] == 0:
                        turns = [t for t in mine.view["legal"] if t.endswith("*")]
                        await mine.reach((await mine.play(turns[0]))["seq"])
                    else:
                        await mine.until("update")
                    assert hers.view is not None
                    assert hers.view["hand"] is None
                    playing = hers.table["phase"] == "playing"
                    assert (hers.view["hands"] is None) == playing
                    assert hers.view["legal"] == []
                await hers.reach(mine.seq)
                assert (hers.view or {})["hands"][0] == (mine.view or {})["hand"]
                assert (mine.view or {})["hands"] is None
            record = await eve.http.get(f"/api/tables/{made['match']}/record")
            assert "[Deck" in record.text, "whole, since the match is over"


async def test_a_watcher_can_do_nothing(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Eve") as eve:
            made = await ada.create(against="first", terms={"watch": True})
            async with eve.sit(made["match"]) as hers:
                await hers.until("ready")
                for kind in ("resign", "offer_draw"):
                    assert (await hers.command(kind))["reason"] == "watching"
                assert (await says(hers, text="play the red five"))["reason"] == "watching"
            for path in ("leave", "again", "device", "forget-chat"):
                await eve.post(f"/api/tables/{made['match']}/{path}", status=404)


# ---- the lobby ----------------------------------------------------------------------------------


async def test_open_tables_stand_in_the_lobby_and_private_ones_never(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            await ada.create()
            await ada.create(against="first", terms={"watch": True})
            made = await ada.create(rules="long rounds=1", terms=OPEN)
            (shown,) = (await bob.get("/api/lobby"))["tables"]
            assert shown["match"] == made["match"]
            assert "colours=6" in shown["rules"] or "long" in shown["rules"]
            assert (shown["free"], shown["here"], shown["mine"]) == (True, False, False)
            assert "Ada" in shown["names"]
            joined = await bob.post(f"/api/tables/{made['match']}/join", {"name": "Bob"})
            assert joined["match"] == made["match"]
            async with Person(room.url, "Eve") as eve:
                late = f"/api/tables/{made['match']}/join"
                answer = await eve.post(late, {"name": "Eve"}, status=409)
                assert answer["error"]["reason"] == "seat_taken"
            (shown,) = (await bob.get("/api/lobby"))["tables"]
            assert (shown["free"], shown["mine"], shown["phase"]) == (False, True, "playing")


async def test_a_private_table_cannot_be_joined_by_its_address(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Eve") as eve:
            made = await ada.create()
            for match in (made["match"], "nowhere"):
                answer = await eve.post(f"/api/tables/{match}/join", {"name": "Eve"}, status=404)
                assert answer["error"]["reason"] == "no_table"


async def test_the_lobby_survives_a_restart_and_forgets_what_is_over(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database) as room, Person(room.url) as ada:
        await ada.create(terms=OPEN)
    async with running(database) as room, Person(room.url, "Bob") as bob:
        (shown,) = (await bob.get("/api/lobby"))["tables"]
        await bob.post(f"/api/tables/{shown['match']}/join", {"name": "Bob"})
        async with bob.sit(shown["match"]) as chair:
            await chair.until("ready")
            await chair.command("resign")
        assert (await bob.get("/api/lobby"))["tables"] == []


async def test_an_old_table_with_nobody_at_it_is_listed_again_when_somebody_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "FORGOTTEN", -1)
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            waits = await ada.create(terms=OPEN)
            plays = await ada.create(terms=OPEN)
            async with Person(room.url, "Eve") as eve:
                await eve.post(f"/api/tables/{plays['match']}/join", {"name": "Eve"})
            slow = await ada.create(terms=OPEN, pace="days=3")

            async def listed(person: Person) -> set[str]:
                return {each["match"] for each in (await person.get("/api/lobby"))["tables"]}

            assert await listed(bob) == {slow["match"]}
            assert len(await listed(ada)) == 3, "one finds one's own"
            for made in (waits, plays):
                async with ada.sit(made["match"]) as chair:
                    await chair.until("ready")
                    assert await listed(bob) == {slow["match"], made["match"]}


@pytest.mark.parametrize(
    "wish",
    [
        {"against": "first", "terms": {"listed": True}},
        {"terms": {"one_device": True}},
        {"terms": {"one_device": True, "listed": True}, "second": "Bob"},
        {"second": "Bob"},
    ],
)
async def test_terms_that_contradict_each_other_are_refused(
    tmp_path: Path, wish: dict[str, Any]
) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        answer = await ada.post("/api/tables", {"name": "Ada", **wish}, status=400)
        assert answer["error"]["reason"] == "bad_terms"


async def test_counts_and_aids_are_told_to_all_and_change_no_view(tmp_path: Path) -> None:
    terms = {"count_deck": False, "count_known": False, "aids": True}
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            made = await ada.create(seat=0, rules="room first=0", terms=terms)
            told = (await bob.get("/api" + made["invite"].replace("/i/", "/invites/")))["terms"]
            assert all(told[key] for key in ("count_lays", "count_gone", "chat"))
            assert {key: told[key] for key in terms} == terms
            await bob.accept(made["invite"])
            async with ada.sit(made["match"]) as mine, bob.sit(made["match"]) as his:
                await mine.until("ready")
                await his.until("ready")
                assert mine.table is not None
                assert his.table is not None
                assert mine.table["terms"] == his.table["terms"] == told
                assert mine.view is not None
                assert mine.view["deck"] == 44
                assert mine.view["known"] == []


# ---- chat ---------------------------------------------------------------------------------------


async def test_chat_reaches_the_other_and_makes_no_turn_stale(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            made = await ada.create(seat=0, rules="room first=0")
            await bob.accept(made["invite"])
            match = made["match"]
            async with ada.sit(match) as mine, bob.sit(match) as his:
                await mine.until("ready")
                await his.until("ready")
                seq = mine.seq
                (line,) = (await says(his, text="  hello\tAda <b>&\u202e "))["lines"]
                assert (line["kind"], line["body"]) == ("text", "hello Ada <b>&")
                assert (line["seat"], line["name"]) == (1, "Bob")
                assert mine.view is not None
                assert (await mine.play(mine.view["legal"][0]))["type"] == "ack"
                (line,) = (await says(mine, phrase="good_move"))["lines"]
                assert (line["kind"], line["body"]) == ("phrase", "good_move")
                assert mine.seq == seq + 1, "chat has no seq"
            async with bob.sit(match) as his:
                chat = await his.until("chat")
                assert chat["whole"]
                assert [each["number"] for each in chat["lines"]] == [1, 2]
            text = (await bob.http.get(f"/api/tables/{match}/record")).text
            assert "hello" not in text, "chat is in no record"
            await bob.post(f"/api/tables/{match}/forget-chat")
            async with bob.sit(match) as his:
                await his.until("presence")
                assert not any('"type":"chat"' in frame for frame in his.frames)


async def test_chat_is_kept_over_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database) as room, Person(room.url) as ada:
        made = await ada.create(against="first")
        cookies = ada.http.cookies
        async with ada.sit(made["match"]) as mine:
            await mine.until("ready")
            await says(mine, text="wait for me")
    async with running(database) as room, Person(room.url) as ada:
        ada.http.cookies = cookies
        async with ada.sit(made["match"]) as mine:
            (line,) = (await mine.until("chat"))["lines"]
            assert line["body"] == "wait for me"
            (line,) = (await says(mine, text="here again"))["lines"]
            assert line["number"] == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"text": "x" * 201}, "too_long"),
        ({"text": " \u200b\n "}, "empty"),
        ({}, "empty"),
        ({"phrase": "rude"}, "bad_phrase"),
    ],
)
async def test_what_chat_does_not_take(tmp_path: Path, line: dict[str, Any], reason: str) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        made = await ada.create(against="first")
        async with ada.sit(made["match"]) as mine:
            await mine.until("ready")
            assert (await says(mine, **line))["reason"] == reason


async def test_chat_has_a_rate_for_a_seat_over_all_its_tabs(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        made = await ada.create(against="first")
        async with ada.sit(made["match"]) as one, ada.sit(made["match"]) as two:
            for chair in (one, two):
                await chair.until("ready")
            for number in range(8):
                chair = (one, two)[number % 2]
                await chair.send(type="say", text=f"line {number}")
            for chair in (one, two):
                for _ in range(8):
                    await chair.until("chat")
            assert (await says(one, text="one more"))["reason"] == "too_fast"
            assert (await one.command("resign"))["type"] == "ack", "and the socket lives"


async def test_a_table_without_chat(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        made = await ada.create(against="first", terms={"chat": False})
        async with ada.sit(made["match"]) as mine:
            await mine.until("ready")
            assert mine.table["terms"]["chat"] is False
            assert (await says(mine, phrase="hello"))["reason"] == "chat_off"


# ---- one device ---------------------------------------------------------------------------------


async def test_two_on_one_device_see_one_hand_at_a_time(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        made = await ada.create(
            seat=0, rules="room first=0", terms={"one_device": True}, second="Bob"
        )
        match = made["match"]
        (listed,) = (await ada.get("/api/tables"))["tables"]
        assert (sorted(listed["names"]), listed["your_turn"]) == (["Ada", "Bob"], True)
        async with ada.socket() as line:
            first = Chair(line)
            await first.send(type="hello", match=match, seat=0)
            await first.until("ready")
            assert first.view is not None
            assert (first.view["seat"], first.view["to_move"]) == (0, 0)
            await first.play(first.view["legal"][0])
            hand = first.view["hand"]
        async with ada.socket() as line:
            second = Chair(line)
            await second.send(type="hello", match=match, seat=1)
            await second.until("presence")
            assert second.view is not None
            assert (second.view["seat"], second.view["to_move"]) == (1, 1)
            assert second.view["hand"] != hand
            assert (await second.play(second.view["legal"][0]))["type"] == "ack"


# ---- the door -----------------------------------------------------------------------------------


async def test_a_room_with_a_password(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database) as room:
        await room.room.house.door.lock("open sesame")
        async with Person(room.url) as ada:
            assert (await ada.get("/api/room"))["locked"] is True
            for path in ("/api/tables", "/api/lobby", "/api/invites/x", "/api/games"):
                assert (await ada.get(path, 401))["error"]["reason"] == "locked"
            await ada.post("/api/tables", {"name": "Ada"}, status=401)
            async with ada.socket() as socket:
                await socket.send(json.dumps({"type": "hello", "match": "m"}))
                assert (await failure(socket))["reason"] == "locked"
            answer = await ada.post("/api/enter", {"password": "sesame"}, status=403)
            assert answer["error"]["reason"] == "wrong_password"
            await ada.post("/api/enter", {"password": "open sesame"})
            assert (await ada.get("/api/room"))["locked"] is False
            await ada.create(against="first")
            cookies = ada.http.cookies
    async with running(database) as room, Person(room.url) as ada:
        ada.http.cookies = cookies
        await room.room.house.door.lock("open sesame")
        await ada.get("/api/tables")
        await room.room.house.door.lock("another one")
        await ada.get("/api/tables", 401)
        await room.room.house.door.lock(None)
        await ada.get("/api/tables")


async def test_passwords_are_tried_slowly(tmp_path: Path) -> None:
    limits = Limits(codes=2, codes_a_second=0.001)
    async with running(tmp_path / "room.sqlite3", limits=limits) as room, Person(room.url) as eve:
        await room.room.house.door.lock("open sesame")
        for _ in range(2):
            await eve.post("/api/enter", {"password": "guess"}, status=403)
        await eve.post("/api/enter", {"password": "open sesame"}, status=429)


# ---- the host -----------------------------------------------------------------------------------


async def test_only_the_host_is_shown_the_desk(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3", host_code="a code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            await host.post("/api/host", {"code": "another"}, status=403)
            await host.post("/api/host", {"code": " a code\n"})
            assert (await host.get("/api/room"))["host"] is True
            made = await ada.create(against="first")
            await ada.get("/api/host", 403)
            await ada.post("/api/host/people", {"do": "ban", "person": "x"}, status=403)
            await ada.post(f"/api/host/tables/{made['match']}", {"do": "close"}, status=403)
            await ada.post("/api/host/classes", {"label": "x"}, status=403)
            desk = await host.get("/api/host")
            (table,) = desk["tables"]
            assert set(table["names"]) == {"Ada", "First"}
            assert [each["name"] for each in table["people"]] == ["Ada"]
            async with ada.sit(made["match"]) as mine:
                await mine.until("ready")
                assert mine.view is not None
                assert not set(mine.view["hand"]) & set(json.dumps(desk).split('"'))


async def test_a_room_without_a_code_has_no_host(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as eve:
        for code in ("", "None"):
            await eve.post("/api/host", {"code": code}, status=403)


async def test_the_host_pauses_and_closes_a_table(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database, host_code="code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(against="first", seat=0, rules="room first=0")
            at = f"/api/host/tables/{made['match']}"
            async with ada.sit(made["match"]) as mine:
                await mine.until("ready")
                turn = (mine.view or {})["legal"][0]
                await host.post(at, {"do": "pause"})
                await sees(mine, "paused")
                assert mine.table["paused"] is True
                assert (mine.view or {})["legal"] == []
                assert (await mine.play(turn))["reason"] == "paused"
                await host.post(at, {"do": "say", "text": "back in five minutes"})
                (line,) = (await mine.until("chat"))["lines"]
                assert (line["kind"], line["body"]) == ("host", "back in five minutes")
                await host.post(at, {"do": "go_on"})
                await sees(mine, "went_on")
                assert (await mine.play(turn))["type"] == "ack"
                await host.post(at, {"do": "close"})
                await sees(mine, "closed")
                assert (mine.table["phase"], mine.table["termination"]) == ("over", "closed")
                assert mine.table["winner"] is None
                assert (await mine.command("resign"))["reason"] == "match_over"
            record = (await ada.http.get(f"/api/tables/{made['match']}/record")).text
            assert "unfinished" in record


async def handle(host: Person, seat: int) -> str:
    """Whom the host's orders about a seat of the first table name."""
    people = (await host.get("/api/host"))["tables"][0]["people"]
    return str(next(each["person"] for each in people if each["seat"] == seat))


async def test_a_muted_person_is_not_heard(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3", host_code="code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(against="first")
            async with ada.sit(made["match"]) as mine:
                await mine.until("ready")
                (person,) = (await host.get("/api/host"))["tables"][0]["people"]
                order = {"person": person["person"]}
                await host.post("/api/host/people", {"do": "mute", **order})
                assert (await says(mine, text="anybody?"))["reason"] == "muted"
            async with ada.sit(made["match"]) as mine:
                await mine.until("ready")
                assert (await says(mine, text="and now?"))["reason"] == "muted", "at a new socket"
                await host.post("/api/host/people", {"do": "unmute", **order})
                assert (await says(mine, text="heard"))["type"] == "chat"


async def test_a_kicked_person_loses_the_seat(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3", host_code="code") as room:
        async with (
            Person(room.url) as host, Person(room.url, "Ada") as ada, Person(room.url) as bob
        ):  # fmt: skip
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(seat=0)
            await bob.accept(made["invite"])
            async with ada.sit(made["match"]) as mine, bob.sit(made["match"]) as his:
                await mine.until("ready")
                await his.until("ready")
                order = {"do": "kick", "person": await handle(host, 0), "match": made["match"]}
                await host.post("/api/host/people", order)
                assert (await failure(mine.socket))["reason"] == "kicked"
                assert (await sees(his, "sent_away"))["seat"] == 0
                assert (his.table["winner"], his.table["termination"]) == (1, "sent_away 0")
            async with ada.socket() as socket:
                await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
                assert (await failure(socket))["reason"] == "kicked"


async def test_who_is_banned_and_missed_has_not_stayed_away(tmp_path: Path) -> None:
    """The other hears of it, and it is what ended the match when that is ended for the absence."""
    later = [0]
    options: dict[str, Any] = {"host_code": "code", "monotonic": lambda: monotonic_ms() + later[0]}
    async with running(tmp_path / "room.sqlite3", **options) as room:
        async with (
            Person(room.url) as host, Person(room.url, "Ada") as ada, Person(room.url) as bob
        ):  # fmt: skip
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(seat=0, rules="room first=0", pace="absent=60")
            await bob.accept(made["invite"])
            async with ada.sit(made["match"]) as mine, bob.sit(made["match"]) as his:
                await mine.until("ready")
                await his.until("ready")
                await host.post("/api/host/people", {"do": "ban", "person": await handle(host, 0)})
                assert (await sees(his, "sent_away"))["seat"] == 0
                assert his.table["phase"] != "over", "the match goes on for now"
                # The room may see the line end a moment later than the ban.
                while (await his.command("end_absent"))["type"] != "ack":
                    await asyncio.sleep(0.1)
                    later[0] += 61_000
                await sees(his, "abandoned")
                assert (his.table["winner"], his.table["termination"]) == (1, "sent_away 0")


async def put_away(room: RunningRoom, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has been at a table for so long that it is only in the store."""
    with monkeypatch.context() as patch:
        patch.setattr("lostcities.service.room.IDLE_SECONDS", -1.0)
        async with asyncio.timeout(10):
            while any(table.match == match for table in room.room.tables):
                await room.room.tidy()
                await asyncio.sleep(0.005)


@pytest.mark.parametrize("restart", [False, True])
async def test_a_ban_holds_at_a_table_that_was_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restart: bool
) -> None:
    """Whoever came back to it waited for somebody who cannot come, and was told of staying away."""
    database = tmp_path / "room.sqlite3"
    async with contextlib.AsyncExitStack() as stack:
        room = await stack.enter_async_context(running(database, host_code="code"))
        host, ada, bob = [
            await stack.enter_async_context(Person(room.url, name)) for name in ("H", "Ada", "Bob")
        ]
        await host.post("/api/host", {"code": "code"})
        made = await ada.create(seat=0, rules="room first=0")
        await bob.accept(made["invite"])
        await put_away(room, made["match"], monkeypatch)
        elsewhere = await ada.create(against="first", seat=0)
        async with ada.sit(elsewhere["match"]) as mine:
            await mine.until("ready")
            await host.post("/api/host/people", {"do": "ban", "person": await handle(host, 0)})
            assert (await failure(mine.socket))["reason"] == "banned"
        if restart:
            kept = [person.http.cookies for person in (ada, bob)]
            await stack.aclose()
            room = await stack.enter_async_context(running(database, host_code="code"))
            ada, bob = [
                await stack.enter_async_context(Person(room.url, n)) for n in ("Ada", "Bob")
            ]
            ada.http.cookies, bob.http.cookies = kept
        async with ada.socket() as socket:
            await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
            assert (await failure(socket))["reason"] == "banned"
        for _ in range(2):
            async with bob.sit(made["match"]) as his:
                await his.until("ready")
                assert his.table["sent_away"] == 0
        table = await room.room.table(made["match"])
        assert table is not None
        assert [type(each.event) for each in table.entries].count(SentAway) == 1, "told once"


async def test_who_is_banned_on_the_way_in_does_not_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The door is asked first, and a table has to be taken out of the store after that."""
    async with running(tmp_path / "room.sqlite3", host_code="code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(against="first", seat=0)
            person = await handle(host, 0)
            house, admit = room.room.house, room.room.house.admit

            async def slowly(player: str | None, address: str | None) -> None:
                await admit(player, address)
                await house.desk.order_person(wire.PersonOrder("ban", person))

            async with ada.socket() as socket:
                with monkeypatch.context() as patch:
                    patch.setattr(house, "admit", slowly)
                    await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
                    assert (await failure(socket))["reason"] == "banned"


@pytest.mark.parametrize("address", [False, True])
async def test_a_banned_person_is_shut_out(tmp_path: Path, address: bool) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database, host_code="code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(against="first")
            async with ada.sit(made["match"]) as mine:
                await mine.until("ready")
                (person,) = (await host.get("/api/host"))["tables"][0]["people"]
                order = {"do": "ban", "person": person["person"], "address": address}
                await host.post("/api/host/people", order)
                assert (await failure(mine.socket))["reason"] == "banned"
            for path in ("/api/tables", "/api/room"):
                assert (await ada.get(path, 403))["error"]["reason"] == "banned"
            async with Person(room.url, "another browser") as other:
                await other.get("/api/tables", 403 if address else 200)
            cookies = ada.http.cookies
    async with running(database, host_code="code") as room:
        async with Person(room.url) as host, Person(room.url, "Ada") as ada:
            ada.http.cookies = cookies
            await ada.get("/api/tables", 403)
            await host.post("/api/host", {"code": "code"}, status=403 if address else None)
            if address:
                return
            (ban,) = (await host.get("/api/host"))["bans"]
            assert ban["name"] == "Ada"
            await host.post("/api/host/people", {"do": "unban", "person": ban["value"]})
            await ada.get("/api/tables")


@pytest.mark.parametrize("do", ["kick", "mute", "ban"])
async def test_an_order_about_a_watcher_leaves_the_players_at_its_address_alone(
    tmp_path: Path, do: str
) -> None:
    """Regression: a watcher without a session is known by its address, and so were all who share it."""
    async with running(tmp_path / "room.sqlite3", host_code="code") as room:
        async with (
            Person(room.url) as host,
            Person(room.url, "Ada") as ada,
            Person(room.url) as eve,
        ):
            await host.post("/api/host", {"code": "code"})
            made = await ada.create(against="first", terms={"watch": True})
            async with ada.sit(made["match"]) as mine, eve.socket() as watching:
                await mine.until("ready")
                await watching.send(json.dumps({"type": "hello", "match": made["match"]}))
                await watching.recv()
                people = (await host.get("/api/host"))["tables"][0]["people"]
                watcher = next(each for each in people if each["seat"] is None)
                assert watcher["person"] == watcher["address"]
                order = {"do": do, "person": watcher["person"], "match": made["match"]}
                status = 400 if do == "ban" else None
                answer = await host.post("/api/host/people", order, status=status)
                if do == "kick":
                    assert (await failure(watching))["reason"] == "kicked"
                if do == "ban":
                    assert answer["error"]["reason"] == "address_only"
                assert (await says(mine, text="still here"))["type"] == "chat"
            await ada.get("/api/tables")


# ---- playing again ------------------------------------------------------------------------------


async def _ended(ada: Person, bob: Person) -> str:
    """A match of two that Bob has resigned."""
    made = await ada.create(seat=0)
    await bob.accept(made["invite"])
    async with bob.sit(made["match"]) as seat:
        await seat.until("ready")
        assert (await seat.command("resign"))["type"] == "ack"
    return str(made["match"])


async def test_a_wish_to_play_again_ends_with_its_table(tmp_path: Path) -> None:
    """The offer stood at the other's table, and led to one that was closed."""
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            match = await _ended(ada, bob)
            async with bob.sit(match) as chair:
                await chair.until("ready")
                after = await ada.post(f"/api/tables/{match}/again")
                assert (await sees(chair, "again"))["seat"] == 0
                assert chair.table["again_by"] == 0
                await ada.post(f"/api/tables/{after['match']}/leave")
                assert (await sees(chair, "again_withdrawn"))["seat"] == 0
                assert (chair.table["again"], chair.table["again_by"]) == (None, None)
                anew = await bob.post(f"/api/tables/{match}/again")
                assert anew["match"] != after["match"]
                assert (await sees(chair, "again"))["seat"] == 1
                await ada.post(f"/api/tables/{match}/again")
                await bob.post(f"/api/tables/{anew['match']}/leave")
                assert chair.table["again_by"] == 1, "once both are there, it is no longer a wish"


@pytest.mark.parametrize("how", ["close", "kick"])
async def test_the_host_who_ends_a_table_to_play_again_at_ends_the_wish(
    tmp_path: Path, how: str
) -> None:
    """Both at the old table see it at once, and not only when it is next loaded."""
    async with running(tmp_path / "room.sqlite3", host_code="code") as room:
        async with (
            Person(room.url) as host, Person(room.url) as ada, Person(room.url, "Bob") as bob
        ):  # fmt: skip
            await host.post("/api/host", {"code": "code"})
            match = await _ended(ada, bob)
            async with ada.sit(match) as hers, bob.sit(match) as his:
                await hers.until("ready")
                await his.until("ready")
                after = (await ada.post(f"/api/tables/{match}/again"))["match"]
                for chair in (hers, his):
                    await sees(chair, "again")
                if how == "close":
                    await host.post(f"/api/host/tables/{after}", {"do": "close"})
                else:
                    tables = (await host.get("/api/host"))["tables"]
                    (ada_there,) = next(t["people"] for t in tables if t["match"] == after)
                    order = {"do": "kick", "person": ada_there["person"], "match": after}
                    await host.post("/api/host/people", order)
                for chair in (hers, his):
                    await sees(chair, "again_withdrawn")
                    assert chair.table["again"] is None


async def test_a_match_without_cards_has_no_record(tmp_path: Path) -> None:
    """What came was a record without a round, so that a file was kept in which nothing stood."""
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            table = await ada.create(seat=0)
            path = f"/api/tables/{table['match']}/record"
            assert (await ada.get(path, 409))["error"]["reason"] == "not_dealt"
            assert (await bob.get(path, 404))["error"]["reason"] == "no_table"
            assert (await bob.get("/api/tables/nowhere/record", 404))["error"][
                "reason"
            ] == "no_table"
            await bob.post(f"/api/invites/{table['invite'].removeprefix('/i/')}", {"name": "Bob"})
            assert '[Round "1"]' in (await ada.http.get(path)).text
            other = await ada.create(seat=0)
            await ada.post(f"/api/tables/{other['match']}/leave")
            refused = await ada.get(f"/api/tables/{other['match']}/record", 409)
            assert refused["error"]["reason"] == "never_began"


async def test_a_table_closed_before_its_match_is_not_said_to_go_on(tmp_path: Path) -> None:
    """To play again was refused there because "the match is not over yet"."""
    async with running(tmp_path / "room.sqlite3") as room:
        async with Person(room.url) as ada:
            match = (await ada.create(seat=0))["match"]
            refused = await ada.post(f"/api/tables/{match}/again", status=409)
            assert refused["error"]["reason"] == "not_over"
            await ada.post(f"/api/tables/{match}/leave")
            refused = await ada.post(f"/api/tables/{match}/again", status=409)
            assert refused["error"]["reason"] == "never_began"


async def test_a_wish_to_play_again_that_ended_unseen_is_not_told_later(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database) as room:
        async with Person(room.url) as ada, Person(room.url, "Bob") as bob:
            match = await _ended(ada, bob)
            after = await ada.post(f"/api/tables/{match}/again")
            room.room._tables.pop(match)  # as if nobody had been there for a while
            await ada.post(f"/api/tables/{after['match']}/leave")
            async with bob.sit(match) as chair:
                await chair.until("ready")
                assert chair.table["again"] is None
