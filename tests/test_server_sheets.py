"""Score sheets of real tables in a person's history, over HTTP."""

import csv
import io
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck_file import find_deck
from lostcities.table.sheet_link import PaperMatch, read_link, write_link
from rooms import Person, RunningRoom, running
from test_server_account import WORDS, cheapen, sign_in, sign_up

WORKED = BySeat(
    parse_cards("Y5 Y8 Y10 WX GX G3 G5 G7 RX RX R2 R3 R5 R7 R8 R10"),
    parse_cards("BX BX BX B2 B3 B4 B7 B10"),
)
MATCH = PaperMatch(
    BySeat("Ada", "=Grace"), Rules.parse("blog"), "blog", find_deck("five"), 0,
    (WORKED, BySeat((), parse_cards("R10"))), finished=True,
)  # fmt: skip


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[RunningRoom]:
    async with running(tmp_path / "room.sqlite3") as opened:
        cheapen(opened)
        yield opened


def wish(match: PaperMatch = MATCH, name: str = "sheet1", played: int = 1000) -> dict[str, Any]:
    return {"id": name, "link": write_link(match), "played": played}


async def listed(person: Person, query: str = "") -> list[str]:
    return [each["id"] for each in (await person.get(f"/api/sheets{query}"))["sheets"]]


async def test_a_sheet_is_kept_for_who_is_signed_in(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url) as phone, Person(room.url) as eve:
        refused = await ada.post("/api/sheets", wish(), 403)
        assert refused["error"]["reason"] == "no_account"
        await sign_up(ada)
        kept = await ada.post("/api/sheets", wish(), 201)
        assert kept["names"] == ["Ada", "=Grace"]
        assert kept["rounds"][0]["score"] == [18, 44]
        assert kept["rounds"][0]["cards"][1] == "BX BX BX B2 B3 B4 B7 B10"
        assert (kept["totals"], kept["finished"]) == ([18, 34], True)
        assert kept["deck"] == "The game, five colours"
        assert kept["rules"] == str(Rules.parse("blog"))
        assert read_link(kept["link"]) == MATCH
        await sign_in(phone)
        assert (await phone.get("/api/sheets"))["sheets"] == [kept]
        assert await listed(eve) == []
        await eve.post("/api/sheets/sheet1/drop", status=404)
        await phone.post("/api/sheets/sheet1/drop")
        assert await listed(ada) == []
        assert (await ada.post("/api/sheets/sheet1/drop", status=404))["error"]["reason"] == (
            "no_sheet"
        )


async def test_a_sheet_that_is_written_on_is_kept_in_its_place(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        await sign_up(ada)
        first = await ada.post("/api/sheets", wish(), 201)
        more = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y10"), ())))
        second = await ada.post("/api/sheets", wish(more, played=2000), 201)
        assert (second["id"], second["totals"]) == (first["id"], [8, 34])
        same = await ada.post("/api/sheets", wish(more, name="another", played=3000), 201)
        assert same["id"] == "sheet1", "the same sheet from another device"
        assert len((await ada.get("/api/sheets"))["sheets"]) == 1


async def test_a_sheet_that_waited_overwrites_none_that_was_written_on_later(
    room: RunningRoom,
) -> None:
    more = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y10"), ())))
    async with Person(room.url) as ada:
        await sign_up(ada)
        newer = await ada.post("/api/sheets", wish(more, played=2000), 201)
        refused = await ada.post("/api/sheets", wish(played=1000), 409)
        assert refused["error"]["reason"] == "newer_sheet"
        assert (await ada.get("/api/sheets"))["sheets"] == [newer]
        again = await ada.post("/api/sheets", wish(more, played=1000), 201)
        assert again["id"] == newer["id"], "the same sheet, only told of late, is in the history"
        assert (await ada.get("/api/sheets"))["sheets"][0]["played"] == 2000


async def test_a_slow_clock_keeps_nobody_from_replacing_what_they_have_seen(
    room: RunningRoom,
) -> None:
    """A device whose clock was far behind was refused again and again, whatever its owner said."""
    more = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y10"), ())))
    most = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y9"), ())))
    async with Person(room.url) as ada:
        await sign_up(ada)
        await ada.post("/api/sheets", wish(more, played=900_000), 201)
        await ada.post("/api/sheets", wish(played=1000), 409)
        await ada.post("/api/sheets", wish(played=1000) | {"knows": write_link(most)}, 409)
        said = await ada.post("/api/sheets", wish(played=1000) | {"over": True}, 201)
        assert said["totals"] == [18, 34]
        (there,) = (await ada.get("/api/sheets"))["sheets"]
        assert (there["link"], there["played"]) == (write_link(MATCH), 900_000)
        seen = wish(most, played=1001) | {"knows": there["link"]}
        await ada.post("/api/sheets", seen, 201)
        (there,) = (await ada.get("/api/sheets"))["sheets"]
        assert there["link"] == write_link(most), "it had seen what it replaces"
        refused = await ada.post("/api/sheets", wish(more, played=1002) | {"knows": "#1.x"}, 409)
        assert refused["error"]["reason"] == "newer_sheet"


async def test_a_sheet_written_on_elsewhere_is_not_overwritten_unseen(room: RunningRoom) -> None:
    """A device that wrote later replaced what it had never seen, without a question."""
    more = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y10"), ())))
    most = replace(MATCH, rounds=(*MATCH.rounds, BySeat(parse_cards("Y9"), ())))
    async with Person(room.url) as ada:
        await sign_up(ada)
        first = await ada.post("/api/sheets", wish(played=1000) | {"knows": ""}, 201)
        seen = {"knows": first["link"]}
        there = await ada.post("/api/sheets", wish(more, played=2000) | seen, 201)
        for knows in ("", first["link"]):
            late = wish(most, played=3000) | {"knows": knows}
            refused = await ada.post("/api/sheets", late, 409)
            assert refused["error"]["reason"] == "newer_sheet"
        assert (await ada.get("/api/sheets"))["sheets"] == [there]
        await ada.post("/api/sheets", wish(more, played=3000) | seen, 201)
        asked = wish(most, played=3001) | seen | {"over": True}
        await ada.post("/api/sheets", asked, 201)
        old_page = wish(more, played=4000)
        assert (await ada.post("/api/sheets", old_page, 201))["link"] == there["link"]


async def test_sheets_are_listed_by_pages_and_rules(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        await sign_up(ada)
        for number in range(5):
            match = replace(MATCH, names=BySeat("Ada", str(number)))
            await ada.post("/api/sheets", wish(match, f"sheet{number}", 1000 + number), 201)
        page = await ada.get("/api/sheets?limit=2")
        assert [each["id"] for each in page["sheets"]] == ["sheet4", "sheet3"]
        rest = await ada.get(f"/api/sheets?before={page['next']}")
        assert [each["id"] for each in rest["sheets"]] == ["sheet2", "sheet1", "sheet0"]
        assert rest["next"] is None
        assert len(await listed(ada, f"?rules={Rules.parse('blog')}")) == 5
        assert await listed(ada, f"?rules={Rules()}") == []
        for query in ("before=x", "limit=0"):
            await ada.get(f"/api/sheets?{query}", 400)


async def test_what_is_no_sheet_or_cannot_be_is_refused(room: RunningRoom) -> None:
    broken = replace(MATCH, rounds=(WORKED, BySeat(parse_cards("R5"), parse_cards("R5"))))
    async with Person(room.url) as ada:
        await sign_up(ada)
        for link, said in (
            ("nonsense", "link: it holds no sheet"),
            (write_link(MATCH)[:-1], "link: it is damaged or cut short"),
            (write_link(broken), "round 2: R5 lies on both sides"),
        ):
            refused = await ada.post("/api/sheets", wish() | {"link": link}, 400)
            assert (refused["error"]["reason"], refused["error"]["text"]) == ("bad_sheet", said)
            assert refused["error"]["said"]["code"] == "place.inside"
        for wrong in ({"id": "no id"}, {"played": -1}, {"link": "x" * 65_537}):
            refused = await ada.post("/api/sheets", wish() | wrong, 400)
            assert refused["error"]["reason"] == "bad_body"
        assert await listed(ada) == []


async def test_sheets_are_taken_along_and_go_with_their_person(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        await sign_up(ada)
        await ada.post("/api/sheets", wish(), 201)
        answer = await ada.http.get("/api/games.zip")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as folder:
            lines = list(csv.DictReader(io.StringIO(folder.read("lostcities/sheets.csv").decode())))
            (name,) = [each for each in folder.namelist() if each.endswith("sheet1.json")]
            told = json.loads(folder.read(name))
        assert [(line["round"], line["score0"], line["cards1"]) for line in lines] == [
            ("1", "18", "BX BX BX B2 B3 B4 B7 B10"), ("2", "0", "R10"),
        ]  # fmt: skip
        assert lines[0]["name1"] == "'=Grace", "no spreadsheet computes a name"
        assert read_link(told["link"]) == MATCH
        await ada.post("/api/account/forget", {"passphrase": WORDS})
        assert await listed(ada) == []
        other = Person(room.url)
        async with other:
            await sign_up(other)
            assert await listed(other) == []
