"""Who is let in: sessions, cookies and origins."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import InvalidStatus

from lostcities.server.app import build_app
from lostcities.server.security import origin_allowed
from lostcities.server.settings import Settings
from lostcities.service.room import Room
from memory_store import MemoryStore
from rooms import FirstLegal, Person, RunningRoom, running, running_beside


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    """One room for all tests here that only talk to it."""
    with running_beside(tmp_path_factory.mktemp("room")) as room:
        yield room


# ---- sessions ------------------------------------------------------------------------------------


async def test_reading_makes_no_session(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        for path in ("/", "/api/room", "/api/tables", "/api/health", "/t/x", "/i/x"):
            assert "set-cookie" not in (await ada.http.get(path)).headers
        assert (await ada.get("/api/tables")) == {"tables": []}


async def test_a_seat_survives_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with running(database) as room, Person(room.url) as ada:
        made = await ada.create(against="first", seat=0, rules="room first=0")
        async with ada.sit(made["match"]) as chair:
            await chair.until("ready")
            assert chair.view is not None
            await chair.play(chair.view["legal"][0])
            await chair.reach(chair.seq + 2)
            seq, view = chair.seq, chair.view
        cookie = ada.cookie
    async with running(database) as room, Person(room.url) as ada:
        ada.http.headers["cookie"] = cookie
        tables = (await ada.get("/api/tables"))["tables"]
        assert [table["match"] for table in tables] == [made["match"]]
        assert tables[0]["your_turn"]
        async with ada.socket(headers={"Cookie": cookie}) as socket:
            await socket.send(json.dumps({"type": "hello", "match": made["match"]}))
            snapshot = json.loads(await socket.recv())
        assert (snapshot["seq"], snapshot["view"]) == (seq, view)


CREATE = {"name": "Ada"}


@pytest.mark.parametrize(
    ("base", "origin", "public", "secure"),
    [
        ("http://192.168.1.5:8420", None, None, False),
        ("https://192.168.1.5:8420", None, None, True),
        (
            "http://cards.example.org",
            "https://cards.example.org",
            "https://cards.example.org",
            True,
        ),
        ("http://192.168.1.5:8420", None, "https://cards.example.org", False),
        ("http://cards.example.org", None, "http://cards.example.org", False),
    ],
)
async def test_cookies_are_secure_exactly_under_https(
    base: str, origin: str | None, public: str | None, secure: bool
) -> None:
    room = Room(MemoryStore(), FirstLegal(), clock=lambda: 1)
    transport = httpx2.ASGITransport(build_app(room, Settings(public_url=public)))
    async with httpx2.AsyncClient(transport=transport, base_url=base) as client:
        info = (await client.get("/api/room")).json()
        assert info["secure"] is secure
        made = await client.post("/api/tables", json=CREATE, headers={"origin": origin or base})
        check_cookie(made.headers["set-cookie"], secure)
        cookie = made.headers["set-cookie"].partition(";")[0]
        mine = await client.get("/api/tables", headers={"cookie": cookie})
        assert len(mine.json()["tables"]) == 1, "the cookie works"
    await room.close()


def check_cookie(header: str, secure: bool) -> None:
    parts = {part.strip().lower() for part in header.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= parts
    assert ("secure" in parts) is secure
    assert header.startswith("__Host-lostcities=" if secure else "lostcities=")
    assert not any(part.startswith("domain") for part in parts)
    token = header.partition(";")[0].partition("=")[2]
    assert len(token) >= 43, "256 bits"


@pytest.mark.parametrize(
    ("proxies", "secure"), [(("127.0.0.1",), True), (("10.0.0.1",), False), ((), False)]
)
async def test_a_proxy_is_believed_only_when_trusted(
    tmp_path: Path, proxies: tuple[str, ...], secure: bool
) -> None:
    async with running(tmp_path / "room.sqlite3", proxies=proxies) as room:
        forwarded = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
        async with httpx2.AsyncClient(base_url=room.url, headers=forwarded) as client:
            assert (await client.get("/api/room")).json()["secure"] is secure
            made = await client.post("/api/tables", json=CREATE)
            check_cookie(made.headers["set-cookie"], secure)


async def test_a_table_is_played_behind_a_proxy_that_ends_https(tmp_path: Path) -> None:
    public = "https://cards.example.org"
    async with running(tmp_path / "room.sqlite3", public_url=public) as room:
        proxied = {"host": "cards.example.org", "x-forwarded-proto": "https", "origin": public}
        async with httpx2.AsyncClient(base_url=room.url, headers=proxied) as client:
            made = await client.post("/api/tables", json={**CREATE, "against": "first"})
            check_cookie(made.headers["set-cookie"], secure=True)
            assert (await client.get("/api/room")).json()["base_url"] == public
        cookie = made.headers["set-cookie"].partition(";")[0]
        async with Person(room.url) as ada:
            headers = {"Cookie": cookie, "X-Forwarded-Proto": "https"}
            async with ada.socket(headers=headers, origin=public) as socket:
                await socket.send(json.dumps({"type": "hello", "match": made.json()["match"]}))
                assert json.loads(await socket.recv())["type"] == "snapshot"


async def test_the_tokens_are_not_kept_in_the_database(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        await ada.create()
        token = ada.cookie.partition("=")[2]
        assert token
    assert token.encode() not in everything_in(tmp_path)
    assert b"Ada" in everything_in(tmp_path)


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("room.sqlite3*")))


# ---- origins -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "origin", "public", "allowed"),
    [
        ("127.0.0.1:8420", "http://127.0.0.1:8420", None, True),
        ("[::1]:8420", "http://[::1]:8420", None, True),
        ("localhost:8420", "http://localhost:8420", None, True),
        ("192.168.1.5:8420", "http://192.168.1.5:8420", None, True),
        ("den:8420", "http://den:8420", None, True),
        ("den.local:8420", "http://den.local:8420", None, True),
        ("den.local:8420", "HTTP://DEN.local:8420", None, True),
        ("127.0.0.1:8420", None, None, True),
        ("cards.example.org", "https://cards.example.org", "https://cards.example.org", True),
        ("127.0.0.1:8420", "https://cards.example.org", "https://cards.example.org", True),
        ("192.168.1.5:8420", "http://192.168.1.5:8420", "https://cards.example.org", True),
        ("127.0.0.1:8420", "http://127.0.0.1:9999", None, False),
        ("127.0.0.1:8420", "http://evil.example", None, False),
        ("127.0.0.1:8420", "null", None, False),
        ("127.0.0.1:8420", "", None, False),
        ("127.0.0.1:8420", "file://", None, False),
        ("evil.example:8420", "http://evil.example:8420", None, False),
        ("cards.example.org", "http://cards.example.org", "https://cards.example.org", False),
        ("x", "https://cards.example.org.evil.example", "https://cards.example.org", False),
    ],
)
def test_whose_requests_are_let_in(
    host: str, origin: str | None, public: str | None, allowed: bool
) -> None:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    scope = {"type": "http", "headers": headers, "scheme": "http", "path": "/"}
    assert origin_allowed(HTTPConnection(scope), Settings(public_url=public)) is allowed


async def test_a_foreign_page_can_change_nothing(room: RunningRoom) -> None:
    foreign = "http://evil.example"
    async with Person(room.url) as ada:
        made = await ada.create(against="first")
        ada.http.headers["origin"] = foreign
        match = made["match"]
        for path in (
            "/api/tables", "/api/invites/x", "/api/device",
            *(f"/api/tables/{match}/{what}" for what in ("leave", "again", "device")),
        ):  # fmt: skip
            refused = await ada.post(path, {"name": "Eve"}, 403)
            assert refused["error"]["reason"] == "foreign_origin"
        with pytest.raises(InvalidStatus) as caught:
            async with ada.socket(origin=foreign):
                pass
        assert caught.value.response.status_code == 403


async def test_a_form_of_another_page_is_not_json(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            headers = {"content-type": kind}
            answer = await ada.http.post("/api/tables", content='{"name":"A"}', headers=headers)
            assert answer.status_code == 415
