"""The room over HTTP: invites, wishes, limits, the page, and in which words it refuses."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from lostcities.server.limits import Bucket, Buckets
from lostcities.server.settings import Limits, Settings, lan_address, read_public_url
from rooms import Person, RunningRoom, built_page, failure, running, running_beside

EXPECTED_HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    """One room for all tests here that only talk to it."""
    folder = tmp_path_factory.mktemp("room")
    with running_beside(folder, page=built_page(folder)) as room:
        yield room


# ---- invites -------------------------------------------------------------------------------------


async def test_a_crawler_that_opens_the_link_twice_takes_nothing(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "room.sqlite3", page=built_page(tmp_path)) as room,
        Person(room.url, "Ada") as ada,
        Person(room.url, "Grace") as grace,
    ):
        made = await ada.create()
        code = made["invite"][3:]
        before = await room.store.load(made["match"])
        async with httpx2.AsyncClient(base_url=room.url) as crawler:
            for _ in range(2):
                for path in (made["invite"], f"/api/invites/{code}"):
                    for method in ("GET", "HEAD"):
                        answer = await crawler.request(method, path)
                        assert answer.status_code == 200
                        assert "set-cookie" not in answer.headers
        assert await room.store.load(made["match"]) == before
        info = await grace.get(f"/api/invites/{code}")
        told = {key: info[key] for key in ("rules", "pace", "terms")}
        assert info == {"host": "Ada", **told, "open": True, "match": None}
        joined = await grace.accept(made["invite"])
        assert joined["match"] == made["match"]
        after = await room.store.load(made["match"])
        assert after is not None
        assert [who.name for who in after.occupants if who.seat == joined["seat"]] == ["Grace"]
        assert (await ada.get(f"/api/invites/{code}"))["match"] == made["match"]
        assert not (await ada.get(f"/api/invites/{code}"))["open"]


async def test_an_invite_is_good_for_one(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as grace, Person(room.url) as eve:
        made = await ada.create()
        joined = await grace.accept(made["invite"])
        refused = await eve.post(f"/api/invites/{made['invite'][3:]}", {"name": "Eve"}, 409)
        assert refused["error"]["reason"] == "seat_taken"
        assert eve.cookie == "", "whoever did not sit down gets no session"
        assert await grace.accept(made["invite"]) == joined


async def test_the_qr_code_is_for_the_seat_that_waits(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as grace:
        made = await ada.create()
        path = f"/api/tables/{made['match']}/qr.svg"
        image = await ada.http.get(path)
        assert image.headers["content-type"] == "image/svg+xml"
        assert image.text.startswith("<svg")
        assert "style" not in image.text
        await grace.get(path, 404)
        await grace.accept(made["invite"])
        await ada.get(path, 404)


async def test_only_a_waiting_seat_is_told_the_invite(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as grace:
        made = await ada.create()
        async with ada.sit(made["match"]) as chair:
            await chair.until("ready")
            assert chair.table["invite"] == made["invite"]
            assert chair.view is None
            await grace.accept(made["invite"])
            await chair.until("update")
            assert chair.table["invite"] is None
            assert chair.view is not None


# ---- bodies, limits, words -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "bad_body"),
        (b"{", 400, "bad_body"),
        (b"{}", 400, "bad_body"),
        (b'{"name":""}', 400, "bad_body"),
        (b'{"name":"   "}', 400, "bad_name"),
        (b'{"name":"\\u200b\\u0007"}', 400, "bad_name"),
        (b'{"name":"' + b"x" * 41 + b'"}', 400, "bad_body"),
        (b'{"name":"Ada","admin":true}', 400, "bad_body"),
        (b'{"name":"Ada","seat":2}', 400, "bad_seat"),
        (b'{"name":"Ada","against":"nobody"}', 400, "no_agent"),
        (b'{"name":"Ada","against":"cmd:rm"}', 400, "no_agent"),
        (b'{"name":"Ada","rules":"colours=99"}', 400, "bad_rules"),
        (b'{"name":"Ada","rules":"hand=12 colours=1"}', 400, "bad_rules"),
        (b'{"name":"' + b"x" * 9000 + b'"}', 413, "too_large"),
    ],
)
async def test_a_bad_wish_is_refused_in_words(
    room: RunningRoom, body: bytes, status: int, reason: str
) -> None:
    async with Person(room.url) as ada:
        headers = {"content-type": "application/json"}
        answer = await ada.http.post("/api/tables", content=body, headers=headers)
        assert answer.status_code == status
        error = answer.json()["error"]
        assert error["reason"] == reason
        assert error["text"]
        assert "set-cookie" not in answer.headers


async def test_names_are_cleaned(room: RunningRoom) -> None:
    async with Person(room.url, "  Ada\u202e\n Lovelace  ") as ada:
        made = await ada.create(against="first")
        tables = (await ada.get("/api/tables"))["tables"]
        assert tables[0]["names"][made["seat"]] == "Ada Lovelace"


async def test_too_many_wishes_are_refused(tmp_path: Path) -> None:
    limits = Limits(posts=3, posts_a_second=0, codes=2, codes_a_second=0)
    async with (
        running(tmp_path / "room.sqlite3", limits=limits) as room,
        Person(room.url) as ada,
    ):
        await ada.post("/api/device", {"code": "WRONG"}, 404)
        await ada.create()
        await ada.create()
        refused = await ada.post("/api/tables", {"name": "Ada"}, 429)
        assert refused["error"]["reason"] == "too_fast"


async def test_device_codes_cannot_be_guessed_at_speed(tmp_path: Path) -> None:
    limits = Limits(codes=3, codes_a_second=0)
    async with (
        running(tmp_path / "room.sqlite3", limits=limits) as room,
        Person(room.url) as eve,
    ):
        for n in range(3):
            await eve.post("/api/device", {"code": f"GUESS{n}"}, 404)
        await eve.post("/api/device", {"code": "GUESS4"}, 429)


async def test_a_seat_moves_to_another_browser(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone:
        match = (await ada.create(against="first"))["match"]
        async with ada.sit(match) as chair:
            await chair.until("ready")
            code = await ada.post(f"/api/tables/{match}/device")
            assert re.fullmatch(r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", code["code"])
            joined = await phone.post("/api/device", {"code": code["code"].lower()})
            assert joined["match"] == match
            assert (await failure(chair.socket))["reason"] == "moved"
        async with phone.sit(match) as chair:
            await chair.until("ready")
        await ada.post(f"/api/tables/{match}/device", status=404)


def test_a_bucket_refills() -> None:
    bucket = Bucket(2, 1000.0)
    assert bucket.take()
    bucket._left = 0.0
    bucket._last -= 0.002
    assert bucket.take()
    assert not Bucket(0, 0.0).take()


def test_old_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Buckets, "KEPT", 2)
    buckets = Buckets(1, 0.0)
    assert [buckets.take(a) for a in "aba"] == [True, True, False]
    assert buckets.take("c")
    assert buckets.take("b"), "b was the oldest and starts anew"
    assert not buckets.take("c")


# ---- the page and the rest -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/", "/t/x", "/i/x", "/assets/index-B2f9.js", "/icon.svg", "/nothing", "/api/room",
     "/api/nothing", "/api/tables/x/record", "/api/invites/x"],
)  # fmt: skip
async def test_every_answer_carries_the_headers(room: RunningRoom, path: str) -> None:
    async with httpx2.AsyncClient(base_url=room.url) as client:
        answer = await client.get(path)
        for name, value in EXPECTED_HEADERS.items():
            assert value in answer.headers[name]
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
        if path.startswith("/api"):
            assert answer.headers["cache-control"] == "no-store"


async def test_the_page_is_the_same_at_every_address(room: RunningRoom) -> None:
    async with httpx2.AsyncClient(base_url=room.url) as client:
        index = await client.get("/")
        assert index.headers["cache-control"] == "no-cache"
        for path in ("/t/whatever", "/i/whatever", "/device"):
            assert (await client.get(path)).content == index.content
        asset = await client.get("/assets/index-B2f9.js")
        assert "immutable" in asset.headers["cache-control"]
        assert (await client.get("/icon.svg")).headers["cache-control"] == "no-cache"
        for path in (
            "/secret.txt",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/%2e%2e/%2e%2e/secret.txt",
        ):
            answer = await client.get(path)
            assert answer.status_code == 404
            assert "secret beside" not in answer.text


async def test_a_packed_file_goes_to_whoever_can_unpack_it(tmp_path: Path) -> None:
    page = built_page(tmp_path)
    script = page / "assets" / "index-B2f9.js"
    script.write_text("export const nothing = 0;" * 100)
    script.with_name(f"{script.name}.gz").write_bytes(gzip.compress(script.read_bytes()))
    async with (
        running(tmp_path / "room.sqlite3", page=page) as room,
        httpx2.AsyncClient(base_url=room.url) as client,
    ):
        address = f"/assets/{script.name}"
        plain = await client.get(address, headers={"accept-encoding": "identity"})
        packed = await client.get(address, headers={"accept-encoding": "gzip, br"})
        assert plain.content == packed.content == script.read_bytes()
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(script.read_bytes()) // 5
        for answer in (plain, packed):
            assert "javascript" in answer.headers["content-type"]
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["vary"] == "accept-encoding"
        none = await client.get("/assets/none.js", headers={"accept-encoding": "gzip"})
        assert none.status_code == 404


async def test_without_a_built_page_the_room_says_so(tmp_path: Path) -> None:
    async with (
        running(tmp_path / "room.sqlite3", page=tmp_path / "none") as room,
        httpx2.AsyncClient(base_url=room.url) as client,
    ):
        answer = await client.get("/t/x")
        assert answer.status_code == 503
        assert "make page" in answer.text
        assert (await client.get("/api/room")).is_success


async def test_health(tmp_path: Path) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        assert await ada.get("/api/health") == {"ok": True, "tables": 0}
        await ada.create()
        assert await ada.get("/api/health") == {"ok": True, "tables": 1}


@pytest.mark.parametrize(
    ("settings", "reach", "base"),
    [
        (Settings("127.0.0.1", 8420), "machine", "http://127.0.0.1:8420"),
        (Settings("localhost", 8420), "machine", "http://localhost:8420"),
        (Settings("::1", 8420), "machine", "http://[::1]:8420"),
        (Settings("192.168.1.5", 80), "network", "http://192.168.1.5:80"),
        (Settings("127.0.0.1", 1, "https://cards.example.org"), "public", "https://cards.example.org"),
    ],
)  # fmt: skip
def test_how_far_links_reach(settings: Settings, reach: str, base: str) -> None:
    assert (settings.reach, settings.base_url) == (reach, base)


@pytest.mark.parametrize("address", ["192.168.1.5", None])
def test_links_of_a_room_on_every_address(
    monkeypatch: pytest.MonkeyPatch, address: str | None
) -> None:
    monkeypatch.setattr("lostcities.server.settings.lan_address", lambda: address)
    settings = Settings("0.0.0.0", 8420)
    assert settings.own_url == "http://127.0.0.1:8420"
    assert settings.base_url == f"http://{address or '127.0.0.1'}:8420"
    assert settings.reach == ("network" if address else "machine")


def test_the_address_on_the_network_is_none_of_this_machine_alone() -> None:
    found = lan_address()
    assert found is None or not found.startswith("127.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://cards.example.org", "https://cards.example.org"),
        ("https://Cards.example.org/", "https://cards.example.org"),
        ("http://den.local:8420", "http://den.local:8420"),
    ],
)
def test_a_public_url_is_read(text: str, expected: str) -> None:
    assert read_public_url(text) == expected
    assert urlsplit(expected).hostname


@pytest.mark.parametrize(
    "text",
    [
        "cards.example.org",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://x?q",
        "https://a@x",
        "",
    ],
)
def test_a_public_url_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="'"):
        read_public_url(text)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "the body is not readable as JSON: input data was truncated"),
        (b"{}", "the body lacks the field 'name'"),
        (b'{"name":1}', "name: expected 'str', got 'int'"),
        (b'{"name":"Ada","admin":true}', "the body contains unknown field 'admin'"),
    ],
)
async def test_what_is_wrong_with_a_body_is_one_sentence(
    tmp_path: Path, body: bytes, said: str
) -> None:
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        headers = {"content-type": "application/json"}
        answer = await ada.http.post("/api/tables", content=body, headers=headers)
        assert answer.json()["error"]["text"].lower() == said.lower()


async def test_a_person_at_an_address_where_nothing_is_gets_the_page(tmp_path: Path) -> None:
    page = built_page(tmp_path)
    async with running(tmp_path / "room.sqlite3", page=page) as room, Person(room.url) as ada:
        kind = await ada.http.get("/no/such/place", headers={"accept": "text/html,*/*;q=0.8"})
        assert (kind.status_code, "<title>Room" in kind.text) == (404, True)


async def test_every_address_of_the_page_is_one_with_a_stroke_behind_it_too(
    tmp_path: Path,
) -> None:
    """The page was shown there, but the answer said that nothing was."""
    page = built_page(tmp_path)
    known = ("/t/m", "/i/c", "/c/c", "/host", "/games", "/notices", "/notices/confirm/c", "/rules")
    async with running(tmp_path / "room.sqlite3", page=page) as room, Person(room.url) as ada:
        for path in (*known, *(f"{each}/" for each in known)):
            answer = await ada.http.get(path, headers={"accept": "text/html"})
            assert (path, answer.status_code) == (path, 200)
        for path in ("/t", "/i/", "/rules/a/b", "/notices/other/c"):
            answer = await ada.http.get(path, headers={"accept": "text/html"})
            assert (path, answer.status_code) == (path, 404)


async def test_a_program_at_an_address_where_nothing_is_gets_an_error_as_elsewhere(
    tmp_path: Path,
) -> None:
    """It used to be the bare words "Not Found"."""
    page = built_page(tmp_path)
    async with running(tmp_path / "room.sqlite3", page=page) as room, Person(room.url) as ada:
        for path in ("/nowhere", "/no/such.js", "/assets/none.js", "/api/nowhere"):
            for accept in ("*/*", "application/json", ""):
                answer = await ada.http.get(path, headers={"accept": accept})
                assert answer.status_code == 404
                assert answer.headers["content-type"] == "application/json"
                assert answer.json()["error"]["reason"] == "no_route"
        for method, path in (("DELETE", "/"), ("POST", "/nowhere"), ("PUT", "/api/tables")):
            answer = await ada.http.request(method, path)
            assert (answer.status_code, answer.json()["error"]["reason"]) == (405, "no_method")
