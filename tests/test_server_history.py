"""Looking back over HTTP: lists, results, replays, records."""

import csv
import io
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.record import replay
from lostcities.core.record_text import format_record, parse_record
from lostcities.service.wishes import WishError
from rooms import Chair, Person, RunningRoom, running
from spoiled import with_a_wrong_turn

SMALL = "colours=2 hand=3 rounds=2 first=0"
"""Rules of a match that is over within a second."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[RunningRoom]:
    async with running(tmp_path / "room.sqlite3") as opened:
        yield opened


async def two_people(room: RunningRoom, rules: str = SMALL) -> tuple[Person, Person, str]:
    ada, grace = Person(room.url), Person(room.url, "Grace")
    made = await ada.create(rules=rules, seat=0)
    await grace.accept(made["invite"])
    return ada, grace, made["match"]


Chairs = tuple[Chair, Chair]


async def take_turn(chairs: Chairs) -> bool:
    """The seat to move plays its first legal turn, and both are told; false when none is."""
    view = chairs[0].view
    if view is None or view["to_move"] is None:
        return False
    mover = chairs[view["to_move"]]
    assert mover.view is not None
    await level(chairs, await mover.play(mover.view["legal"][0]))
    return True


async def level(chairs: Chairs, answer: dict[str, Any]) -> None:
    assert answer["type"] == "ack", answer
    for chair in chairs:
        await chair.reach(answer["seq"])


async def play_turns(chairs: Chairs, number: int) -> None:
    for chair in chairs:
        await chair.until("ready")
    for _ in range(number):
        assert await take_turn(chairs)


async def play_round(chairs: Chairs) -> None:
    while await take_turn(chairs):
        pass


async def go_on(chairs: Chairs, number: int) -> None:
    await chairs[0].command("continue", round=number)
    await level(chairs, await chairs[1].command("continue", round=number))


async def play_match(ada: Person, grace: Person, match: str, rounds: int = 2) -> None:
    async with ada.sit(match) as one, grace.sit(match) as two:
        await play_turns((one, two), 0)
        await play_round((one, two))
        for number in range(1, rounds):
            await go_on((one, two), number)
            await play_round((one, two))


async def test_a_stranger_has_played_nothing(room: RunningRoom) -> None:
    async with Person(room.url) as stranger:
        assert await stranger.get("/api/games") == {"games": [], "next": None}
        assert (await stranger.get("/api/games/results"))["opponents"] == []
        assert (await stranger.http.get("/api/games.csv")).text.count("\n") == 1


async def test_a_finished_match_is_listed_for_both_and_counted(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        await play_match(ada, grace, match)
        (mine,) = (await ada.get("/api/games"))["games"]
        (theirs,) = (await grace.get("/api/games"))["games"]
        assert mine["opponent"] == {"kind": "person", "key": "Grace", "name": "Grace"}
        assert {mine["result"], theirs["result"]} in ({"won", "lost"}, {"drawn"})
        assert mine["totals"] == theirs["totals"]
        assert len(mine["scores"]) == 2
        results = await ada.get("/api/games/results")
        (line,) = results["opponents"]
        assert line["rounds"] == 2
        assert line["own"] == pytest.approx(mine["totals"][0] / 2)
        assert [(each["round"], each["own"]) for each in results["points"]] == [
            (number, score[0]) for number, score in enumerate(mine["scores"], 1)
        ]
        assert (await ada.get("/api/games?result=unfinished"))["games"] == []
        found = await ada.get("/api/games?opponent=person:Grace&rules=" + mine["rules"])
        assert len(found["games"]) == 1


@pytest.mark.parametrize("terms", [{"aids": True}, {"takebacks": True}, {}])
async def test_list_replay_and_results_say_whether_a_match_was_practice(
    room: RunningRoom, terms: dict[str, bool]
) -> None:
    """A replay of a match with learner aids used to say nothing of it."""
    async with Person(room.url) as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(rules=SMALL, seat=0, terms=terms)
        await grace.accept(made["invite"])
        await play_match(ada, grace, made["match"])
        friendly = bool(terms)
        assert (await ada.get("/api/games"))["games"][0]["practice"] is friendly
        assert (await ada.get(f"/api/replays/{made['match']}"))["practice"] is friendly
        lines = list(csv.DictReader(io.StringIO((await ada.http.get("/api/games.csv")).text)))
        assert {line["practice"] for line in lines} == {"yes" if friendly else "no"}
        results = await ada.get("/api/games/results")
        assert (results["opponents"] == []) is friendly
        assert (results["points"] == []) is friendly


async def test_a_replay_is_of_the_turns_that_counted(room: RunningRoom) -> None:
    async with Person(room.url) as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(rules=SMALL, seat=0, terms={"takebacks": True})
        await grace.accept(made["invite"])
        match = made["match"]
        async with ada.sit(match) as one, grace.sit(match) as two:
            chairs = (one, two)
            await play_turns(chairs, 0)
            assert one.view is not None
            discard = next(t for t in one.view["legal"] if t[0] == "-" and t.endswith("*"))
            await level(chairs, await one.play(discard))
            assert two.view is not None
            await level(chairs, await two.play(next(t for t in two.view["legal"] if "<" in t)))
            where: dict[str, Any] = {"round": 1, "ply": 2, "back": 0}
            await level(chairs, await two.command("ask_back", **where))
            await level(chairs, await one.command("answer_back", accept=True, **where))
            assert two.view is not None
            turn = next(t for t in two.view["legal"] if t.endswith("*"))
            await level(chairs, await two.play(turn, back=1))
            await level(chairs, await one.command("resign"))
        outline = await ada.get(f"/api/replays/{match}")
        assert [(r["turns"], r["taken_back"]) for r in outline["rounds"]] == [(2, 1)]
        told = await ada.get(f"/api/replays/{match}/1")
        assert [frame["ply"] for frame in told["frames"]] == [0, 1, 2]
        text = (await ada.http.get(f"/api/tables/{match}/record")).text
        look = await ada.post("/api/records/look", {"text": text})
        assert look["outline"]["rounds"][0]["taken_back"] == 1


async def test_what_cannot_be_asked_for_is_named(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        for query, reason in (
            ("result=maybe", "bad_result"), ("opponent=Grace", "bad_opponent"),
            ("before=x", "bad_page"), ("limit=0", "bad_limit"), ("limit=101", "bad_limit"),
            ("limit=many", "bad_limit"),
        ):  # fmt: skip
            answer = await ada.get(f"/api/games?{query}", 400)
            assert answer["error"]["reason"] == reason


async def test_pages_lead_from_one_to_the_next(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        made = [(await ada.create(against="first", rules=SMALL))["match"] for _ in range(5)]
        seen: list[str] = []
        after = ""
        while True:
            page = await ada.get(f"/api/games?limit=2&before={after}")
            seen += [game["match"] for game in page["games"]]
            if page["next"] is None:
                break
            after = page["next"]
        assert sorted(seen) == sorted(made)


# ---- replays: hidden cards never leave the server before ----------------------------------------


def faces(frame: dict[str, Any]) -> list[Any]:
    return frame["hands"]  # type: ignore[no-any-return]


async def test_while_a_round_goes_on_a_replay_shows_ones_own_hand_only(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        async with ada.sit(match) as one, grace.sit(match) as two:
            await play_turns((one, two), 3)
        for person, seat in ((ada, 0), (grace, 1)):
            outline = await person.get(f"/api/replays/{match}")
            assert (outline["seat"], outline["over"]) == (seat, False)
            assert (
                outline["rounds"][0] | {"turns": 3, "score": None, "whole": False}
                == (outline["rounds"][0])
            )
            told = await person.get(f"/api/replays/{match}/1")
            assert len(told["frames"]) == 4
            for frame in told["frames"]:
                assert faces(frame)[1 - seat] is None
                assert len(faces(frame)[seat]) == 3
                turn = frame["turn"] or ""
                if frame["mover"] == 1 - seat:
                    assert turn[-1] == "*" or "<" in turn, "the face drawn is not named"


async def test_a_finished_round_shows_all_while_the_next_does_not(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        async with ada.sit(match) as one, grace.sit(match) as two:
            await play_turns((one, two), 0)
            await play_round((one, two))
            await go_on((one, two), 1)
        done, going = (await ada.get(f"/api/replays/{match}"))["rounds"]
        assert (done["whole"], going["whole"]) == (True, False)
        first = await ada.get(f"/api/replays/{match}/1")
        assert all(None not in faces(frame) for frame in first["frames"])
        assert first["frames"][-1]["to_move"] is None
        assert first["frames"][-1]["scores"] == done["score"]
        second = await ada.get(f"/api/replays/{match}/2")
        assert [faces(frame)[1] for frame in second["frames"]] == [None]
        assert second["totals"] == done["score"]


async def test_worlds_that_differ_in_hidden_cards_replay_alike(tmp_path: Path) -> None:
    """What a seat cannot see may change: every byte of its replay stays."""
    from lostcities.core.cards import parse_cards
    from rooms import CountingIds, FixedDecks

    told = []
    for deck in (
        "YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 YX YX",
        "YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 YX Y9 Y10 YX",
        "YX YX Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y2 YX",
    ):
        folder = tmp_path / deck.replace(" ", "")
        folder.mkdir()
        decks = FixedDecks([parse_cards(deck)])
        rules = "colours=1 hand=2 rounds=1 first=0"
        async with running(folder / "room.sqlite3", decks=decks, ids=CountingIds()) as room:
            ada, grace, match = await two_people(room, rules)
            async with ada, grace:
                async with ada.sit(match) as one, grace.sit(match) as two:
                    await one.until("ready")
                    await two.until("ready")
                    assert (await one.play("-YX*"))["type"] == "ack"
                answers = [
                    (await ada.http.get(path)).content
                    for path in (f"/api/replays/{match}", f"/api/replays/{match}/1")
                ]
                told.append(answers)
    assert told[0] == told[1], "the order of the deck"
    assert told[0] == told[2], "the other's hand"


async def test_a_replay_is_not_for_strangers(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace, Person(room.url, "Eve") as eve:
        await eve.create(against="first", rules=SMALL)
        for path in (f"/api/replays/{match}", f"/api/replays/{match}/1", "/api/replays/nothing"):
            assert (await eve.get(path, 404))["error"]["reason"] == "no_replay"
        assert (await ada.get(f"/api/replays/{match}/2", 404))["error"]["reason"] == "no_round"


async def test_a_match_is_shared_once_it_is_over(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room, "colours=2 hand=3 rounds=1 first=0")
    async with ada, grace, Person(room.url, "Eve") as eve:
        refused = await ada.post(f"/api/tables/{match}/share", status=409)
        assert refused["error"]["reason"] == "not_over"
        assert (await eve.post(f"/api/tables/{match}/share", status=404))["error"]
        await play_match(ada, grace, match, rounds=1)
        shared = await ada.post(f"/api/tables/{match}/share")
        assert shared["url"] == f"/replay/{shared['code']}"
        assert (await ada.get(f"/api/replays/{match}"))["share"] == shared["code"]
        assert (await grace.get(f"/api/replays/{match}"))["share"] is None
        outline = await eve.get(f"/api/replays/{shared['code']}")
        assert (outline["seat"], outline["names"]) == (None, ["Ada", "Grace"])
        assert outline["match"] is None, "the table stays private"
        told = await eve.get(f"/api/replays/{shared['code']}/1")
        assert all(None not in faces(frame) for frame in told["frames"])
        await ada.post(f"/api/tables/{match}/unshare")
        await eve.get(f"/api/replays/{shared['code']}", 404)


# ---- records ------------------------------------------------------------------------------------


async def test_everything_is_taken_along_and_brought_back(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        await play_match(ada, grace, match)
        going = await ada.create(against="first", rules=SMALL)
        lines = list(csv.DictReader(io.StringIO((await ada.http.get("/api/games.csv")).text)))
        assert [(line["match"], line["round"]) for line in lines] == [
            (going["match"], ""), (match, "1"), (match, "2"),
        ]  # fmt: skip
        answer = await ada.http.get("/api/games.zip")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as folder:
            assert "lostcities/games.csv" in folder.namelist()
            (name,) = [each for each in folder.namelist() if match in each]
            text = folder.read(name).decode()
        record = parse_record(text)
        assert record.result is not None
        assert record.rounds[0].deck is not None, "the match is over: whole"
        kept = await grace.post("/api/records", {"text": text}, 201)
        assert kept["names"] == ["Ada", "Grace"]
        assert (await grace.post("/api/records", {"text": text}, 201))["id"] == kept["id"]
        assert [each["id"] for each in (await grace.get("/api/records"))["records"]] == [kept["id"]]
        assert (await grace.http.get(f"/api/records/{kept['id']}")).text == text
        told = await grace.get(f"/api/replays/{kept['id']}/1")
        assert None not in faces(told["frames"][0])
        assert (await ada.get(f"/api/replays/{kept['id']}", 404))["error"], "not the other's"
        await grace.post(f"/api/records/{kept['id']}/drop")
        assert (await grace.get("/api/records"))["records"] == []


async def test_a_record_of_one_seat_shows_that_seat(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        async with ada.sit(match) as one, grace.sit(match) as two:
            await play_turns((one, two), 2)
        text = (await ada.http.get(f"/api/tables/{match}/record")).text
        look = await grace.post("/api/records/look", {"text": text})
        frames = look["round"]["frames"]
        assert len(frames) == 3
        assert [faces(frame)[0] is not None for frame in frames] == [True] * 3
        assert [faces(frame)[1] for frame in frames] == [None] * 3
        assert look["outline"]["rounds"][0]["whole"] is False


async def test_what_is_wrong_with_a_record_is_named_and_nothing_kept(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        await play_match(ada, grace, match)
        text = (await ada.http.get(f"/api/tables/{match}/record")).text
        wrong_turn, place_of_turn = with_a_wrong_turn(text, 3)
        for wrong, place in (
            (wrong_turn, f"{place_of_turn}: "),
            (text.replace('[Score "', '[Score "9', 1), "round 1"),
            ("nonsense", "line 1"),
            ('{"rounds": [', "line 1"),
        ):
            for path in ("/api/records/look", "/api/records"):
                answer = await ada.post(path, {"text": wrong}, 400)
                assert answer["error"]["reason"] == "bad_record"
                assert place in answer["error"]["text"]
        assert (await ada.get("/api/records"))["records"] == []
        too_long = await ada.post("/api/records", {"text": "x" * 300_000}, 400)
        assert too_long["error"]["reason"] == "bad_body"


async def test_names_that_a_spreadsheet_would_compute_are_taken_along_as_text(
    room: RunningRoom,
) -> None:
    async with Person(room.url, "=1+1") as ada:
        await ada.create(against="first", rules=SMALL)
        (line,) = csv.DictReader(io.StringIO((await ada.http.get("/api/games.csv")).text))
        assert line["name"] == "'=1+1"


async def test_the_pages_of_looking_back_are_served(tmp_path: Path) -> None:
    from rooms import built_page

    async with (
        running(tmp_path / "room.sqlite3", page=built_page(tmp_path)) as room,
        Person(room.url) as ada,
    ):
        for path in ("/games", "/games/results", "/replay", "/replay/abc", "/account", "/practice"):
            answer = await ada.http.get(path)
            assert (answer.status_code, "Room" in answer.text) == (200, True), path


def test_a_record_read_is_the_record_written() -> None:
    from lostcities.service.history import read

    text = (
        '[Rules "colours=1 hand=1 cost=20 bonus=20 bonus_at=8 rounds=1 first=0 next=alternate"]\n'
    )
    with pytest.raises(WishError, match="Termination"):
        read(text)
    found = read(text + '[Termination "unfinished"]\n')
    assert format_record(replay(found.record).record) == format_record(found.record)
