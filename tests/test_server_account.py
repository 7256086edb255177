"""Accounts over HTTP: passphrases, signing in on other devices, limits, being forgotten."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from lostcities.service.passphrase import Passphrases
from lostcities.service.wishes import WishError
from rooms import GENEROUS, Person, RunningRoom, failure, running

WORDS = "four plain words here"
SMALL = "colours=2 hand=3 rounds=1 first=0"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[RunningRoom]:
    async with running(tmp_path / "room.sqlite3") as opened:
        cheapen(opened)
        yield opened


def cheapen(opened: RunningRoom) -> None:
    """Tests need not wait for what makes guessing dear."""
    opened.room.accounts._passphrases = Passphrases(memory_kib=64, passes=1)


async def sign_up(person: Person, name: str = "Ada") -> None:
    info = await person.post("/api/account", {"name": name, "passphrase": WORDS})
    assert info["name"] == name


async def sign_in(person: Person, name: str = "Ada", **more: object) -> dict[str, object]:
    body = {"name": name, "passphrase": WORDS, **more}
    answer: dict[str, object] = await person.post("/api/account/sign-in", body)
    return answer


async def matches(person: Person) -> list[str]:
    return [game["match"] for game in (await person.get("/api/games"))["games"]]


async def test_a_guest_s_past_games_are_claimed_by_a_passphrase(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone:
        assert (await ada.get("/api/account"))["known"] is False
        made = await ada.create(against="first", rules=SMALL)
        before = ada.cookie
        await sign_up(ada)
        assert ada.cookie != before, "a fresh token"
        assert await matches(ada) == [made["match"]]
        theirs = await phone.create(against="first", rules=SMALL)
        info = await sign_in(phone, "  ada ")
        assert (info["name"], info["browsers"], info["games"]) == ("Ada", 2, 2)
        assert set(await matches(phone)) == {made["match"], theirs["match"]}
        assert set(await matches(ada)) == {made["match"], theirs["match"]}
        async with phone.sit(theirs["match"]) as chair:
            await chair.until("ready")
            assert chair.view is not None
            assert (await chair.play(chair.view["legal"][0]))["type"] == "ack"


async def test_what_a_guest_played_may_stay_behind(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone:
        await sign_up(ada)
        await phone.create(against="first", rules=SMALL)
        await sign_in(phone, bring=False)
        assert await matches(phone) == []


async def test_a_wrong_passphrase_tells_nothing(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as eve:
        await sign_up(ada)
        told = [
            await eve.post("/api/account/sign-in", {"name": name, "passphrase": "wrong one"}, 403)
            for name in ("Ada", "Nobody")
        ]
        assert told[0] == told[1]
        assert (await eve.get("/api/account"))["name"] is None


async def test_an_empty_passphrase_is_not_called_a_wrong_one(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as eve:
        await sign_up(ada)
        new = "four plain words here"
        for person, path, body in (
            (eve, "sign-in", {"name": "Ada", "passphrase": ""}),
            (ada, "passphrase", {"old": "", "new": new}),
            (ada, "forget", {"passphrase": ""}),
        ):
            answer = await person.post(f"/api/account/{path}", body, 400)
            assert answer["error"]["reason"] == "no_passphrase", path
        assert (await ada.get("/api/account"))["name"] is not None


async def test_names_and_passphrases_are_checked(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as eve:
        for passphrase, reason in (("short", "short_passphrase"), ("aaaaaaaaa", "plain_passphrase"),
                                   ("ada lovelace", "plain_passphrase")):  # fmt: skip
            body = {"name": "Ada Lovelace", "passphrase": passphrase}
            assert (await ada.post("/api/account", body, 400))["error"]["reason"] == reason
        await sign_up(ada)
        body = {"name": "\uff21\uff24\uff21", "passphrase": WORDS}
        taken = await eve.post("/api/account", body, 409)
        assert taken["error"]["reason"] == "name_taken"
        again = await ada.post("/api/account", {"name": "Ada2", "passphrase": WORDS}, 409)
        assert again["error"]["reason"] == "has_account"


async def test_signing_out_closes_sockets_and_the_cookie_opens_nothing(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        await sign_up(ada)
        made = await ada.create(against="first", rules=SMALL)
        old = ada.cookie
        async with ada.socket() as socket:
            await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
            await ada.post("/api/account/sign-out")
            assert (await failure(socket))["reason"] == "signed_out"
        assert ada.cookie == ""
        answer = await ada.http.get("/api/games", headers={"cookie": old})
        assert answer.json()["games"] == [], "the token is revoked, not only forgotten here"


async def test_another_passphrase_signs_every_other_browser_out(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone:
        await sign_up(ada)
        await sign_in(phone)
        wrong = {"old": "not this one", "new": "another four words"}
        await ada.post("/api/account/passphrase", wrong, 403)
        assert (await phone.get("/api/account"))["name"] == "Ada"
        info = await ada.post(
            "/api/account/passphrase", {"old": WORDS, "new": "another four words"}
        )
        assert info["browsers"] == 1
        assert (await phone.get("/api/account"))["name"] is None
        assert (await ada.get("/api/account"))["name"] == "Ada"
        await sign_in_fails(phone)


async def sign_in_fails(person: Person) -> None:
    await person.post("/api/account/sign-in", {"name": "Ada", "passphrase": WORDS}, 403)


async def test_the_other_browsers_are_signed_out_alone(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone, Person(room.url) as guest:
        await sign_up(ada)
        await sign_in(phone)
        assert (await phone.post("/api/account/sign-out-others"))["browsers"] == 1
        assert (await ada.get("/api/account"))["name"] is None
        await guest.post("/api/account/sign-out-others", status=403)


async def test_the_host_resets_a_passphrase(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone:
        await sign_up(ada)
        assert await room.room.accounts.reset("nobody") is None
        fresh = await room.room.accounts.reset("ADA")
        assert fresh is not None
        assert (await ada.get("/api/account"))["name"] is None, "signed out everywhere"
        await sign_in_fails(phone)
        info = await phone.post("/api/account/sign-in", {"name": "Ada", "passphrase": fresh})
        assert info["must_change"] is True
        changed = await phone.post("/api/account/passphrase", {"old": fresh, "new": WORDS})
        assert changed["must_change"] is False


async def test_a_reset_passphrase_opens_nothing_but_its_own_change(room: RunningRoom) -> None:
    """The host has seen it: until it is changed, what is the person's stays shut, by the room."""
    async with Person(room.url) as ada, Person(room.url) as phone, Person(room.url) as other:
        await sign_up(ada)
        made = await ada.create(against="first", rules=SMALL)
        fresh = await room.room.accounts.reset("Ada")
        body = {"name": "Ada", "passphrase": fresh}
        for browser in (phone, other):
            assert (await browser.post("/api/account/sign-in", body))["must_change"] is True
        tries = [
            ("POST", "/api/account", {"name": "Eve", "passphrase": WORDS}),
            ("POST", "/api/account/sign-out-others", {}),
            ("POST", "/api/account/forget", {"passphrase": fresh}),
            ("POST", f"/api/tables/{made['match']}/share", {}),
            ("POST", "/api/records", {"text": ""}),
            *(("GET", path, None) for path in (
                "/api/games", "/api/games/results", "/api/games.csv", "/api/games.zip",
                "/api/records", f"/api/replays/{made['match']}",
            )),
        ]  # fmt: skip
        for method, path, sent in tries:
            answer = await phone.http.request(method, path, json=sent)
            assert answer.status_code == 403, path
            assert answer.json()["error"]["reason"] == "must_change", path
        assert (await phone.get("/api/account"))["must_change"] is True
        assert (await other.post("/api/account/sign-out")) == {}
        await phone.post("/api/account/passphrase", {"old": fresh, "new": WORDS})
        assert await matches(phone) == [made["match"]]


async def test_guessing_is_slowed_by_address_and_by_name(tmp_path: Path) -> None:
    few = replace(GENEROUS, codes=3, codes_a_second=0.001)
    async with running(tmp_path / "room.sqlite3", limits=few) as room, Person(room.url) as eve:
        cheapen(room)
        body = {"name": "Ada", "passphrase": "wrong one"}
        statuses = [
            (await eve.http.post("/api/account/sign-in", json=body)).status_code for _ in range(5)
        ]
        assert statuses == [403, 403, 403, 429, 429]


async def test_who_waits_too_long_for_a_passphrase_is_sent_away() -> None:
    passphrases = Passphrases(memory_kib=64, passes=1)
    results = await asyncio.gather(
        *(passphrases.hash("a passphrase") for _ in range(20)), return_exceptions=True
    )
    passphrases.close()
    assert sum(isinstance(each, WishError) for each in results) == 4
    assert all("$argon2id$" in each for each in results if isinstance(each, str))


async def test_a_person_is_forgotten_and_the_other_keeps_the_match(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url, "Grace") as grace:
        await sign_up(ada)
        made = await ada.create(rules=SMALL, seat=0)
        await grace.accept(made["invite"])
        waiting = await ada.create(rules=SMALL)
        await ada.post("/api/account/forget", {"passphrase": "wrong one"}, 403)
        await ada.post("/api/account/forget", {"passphrase": WORDS})
        assert ada.cookie == ""
        await sign_in_fails(ada)
        (game,) = (await grace.get("/api/games"))["games"]
        assert (game["result"], game["termination"]) == ("won", "abandoned 0")
        assert game["opponent"]["name"] == "–"
        async with grace.sit(made["match"]) as chair:
            await chair.until("ready")
            assert chair.table["seats"][0]["name"] == "–"
        stored = await room.store.load(waiting["match"])
        assert "Ada" not in str(stored)


async def test_a_guest_is_forgotten_without_a_passphrase(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        await ada.create(against="first", rules=SMALL)
        await ada.post("/api/account/forget", {})
        assert (await ada.get("/api/account"))["known"] is False
