"""Lessons and hints over HTTP."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.events import PositionSet
from lostcities.core.position import format_position, parse_position
from lostcities.core.record_text import parse_record
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round
from lostcities.service.agents import AgentCard
from lostcities.service.lessons import filled, read_lesson
from lostcities.service.thinking import advise
from lostcities.service.wishes import WishError
from lostcities.store.codec import decode, encode
from rooms import FirstLegal, Person, RunningRoom, running
from test_server_history import SMALL, play_match, play_turns, two_people

POSITION = "1 | YX Y5 B3 | B7 B8 Y9 | Y2 Y3 | W4 W6 | R3 | G2 G3 G4 G5 G6 G7"
HIDDEN = "0 | YX Y5 B3 | ?3 | Y2 Y3 | W4 W6 | R3 | ?9"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[RunningRoom]:
    async with running(tmp_path / "room.sqlite3") as opened:
        yield opened


async def lesson(person: Person, status: int = 201, **wish: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await person.post("/api/lessons", wish, status)
    return answer


async def start(person: Person, code: str) -> dict[str, Any]:
    answer: dict[str, Any] = await person.post(f"/api/lessons/{code}", {"name": person.name}, 201)
    return answer


async def test_a_lesson_from_a_position_is_played_against_a_program(room: RunningRoom) -> None:
    async with Person(room.url, "Teacher") as teacher, Person(room.url) as ada:
        made = await lesson(teacher, position=POSITION, against="first", text="Mind the\nblue row.")
        info = await ada.get(f"/api/lessons/{made['code']}")
        assert (info["seat"], info["title"], info["text"]) == (1, "First", "Mind the\nblue row.")
        assert info["view"]["hand"] == ["Y9", "B7", "B8"]
        assert "YX" not in json.dumps(info["view"]["hand"] + info["view"]["known"])
        begun = await start(ada, made["code"])
        assert begun["seat"] == 1
        async with ada.sit(begun["match"]) as chair:
            await chair.until("ready")
            assert chair.table["practice"] is True
            assert chair.table["lesson"] == "Mind the\nblue row."
            assert chair.view is not None
            assert (chair.view["to_move"], chair.view["deck"], chair.view["ply"]) == (1, 6, 0)
            assert chair.view["expeditions"][0] == {"Y": ["Y2", "Y3"]}
            answer = await chair.play("+B7*")
            assert answer["type"] == "ack"
            await chair.reach(answer["seq"] + 1)
            assert chair.view["ply"] == 2, "the program has answered"
        (game,) = (await ada.get("/api/games"))["games"]
        assert game["practice"] is True
        assert (await ada.get("/api/games/results"))["opponents"] == []
        refused = await ada.get(f"/api/tables/{begun['match']}/record", 409)
        assert refused["error"]["reason"] == "unrecordable"
        assert refused["error"]["said"]["facts"]["what"]["code"] == "record.from_position"
        told = await ada.get(f"/api/replays/{begun['match']}/1")
        assert len(told["frames"]) == 3
        assert all(frame["hands"][0] is None for frame in told["frames"])
        assert (await ada.http.get("/api/games.zip")).status_code == 200


async def test_everybody_who_follows_the_link_begins_alike(room: RunningRoom) -> None:
    async with Person(room.url, "Teacher") as teacher:
        made = await lesson(teacher, position=HIDDEN, against="first")
        stored = []
        for name in ("Ada", "Grace"):
            async with Person(room.url, name) as pupil:
                begun = await start(pupil, made["code"])
                match = await room.store.load(begun["match"])
                assert match is not None
                stored.append(next(e for e in match.events if isinstance(e, PositionSet)))
        assert stored[0] == stored[1], "what was hidden was drawn once"


async def test_two_people_practise_from_a_deck(room: RunningRoom) -> None:
    deck = "YX Y2 YX Y3 YX Y4 Y5 Y6 Y7 Y8 Y9 Y10"
    async with Person(room.url) as ada, Person(room.url, "Grace") as grace:
        made = await lesson(ada, deck=deck, rules="colours=1 hand=2", start=1, seat=0)
        begun = await start(ada, made["code"])
        await grace.accept(begun["invite"])
        async with ada.sit(begun["match"]) as one, grace.sit(begun["match"]) as two:
            await one.until("ready")
            await two.until("ready")
            assert one.view is not None
            assert two.view is not None
            assert (one.view["hand"], two.view["hand"]) == (["YX", "YX"], ["Y2", "Y3"])
            assert one.view["to_move"] == 1
            assert one.view["rules"]["rounds"] == 1


async def test_a_lesson_begins_within_a_record_or_an_own_match(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        await play_match(ada, grace, match)
        text = (await ada.http.get(f"/api/tables/{match}/record")).text
        turns = parse_record(text).rounds[1].turns
        frames = (await ada.get(f"/api/replays/{match}/2"))["frames"]
        sources: tuple[dict[str, Any], ...] = ({"record": text}, {"replay": match})
        for source in sources:
            made = await lesson(ada, **source, round=2, ply=3, against="first")
            info = await grace.get(f"/api/lessons/{made['code']}")
            assert info["view"]["ply"] == 3
            assert info["view"]["piles"] == frames[3]["piles"]
            begun = await start(grace, made["code"])
            async with grace.sit(begun["match"]) as chair:
                await chair.until("ready")
                assert chair.view is not None
                assert chair.view["ply"] >= 3
            record = (await grace.http.get(f"/api/tables/{begun['match']}/record")).text
            assert [str(t.public) for t in parse_record(record).rounds[0].turns[:3]] == [
                str(turn.public) for turn in turns[:3]
            ]


async def test_nobody_practises_from_a_round_that_goes_on(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        async with ada.sit(match) as one, grace.sit(match) as two:
            await play_turns((one, two), 3)
        refused = await lesson(ada, 409, replay=match, ply=1)
        assert refused["error"]["reason"] == "not_over"
        async with Person(room.url, "Eve") as eve:
            await eve.create(against="first", rules=SMALL)
            stranger = await lesson(eve, 404, replay=match, ply=1)
            assert stranger["error"]["reason"] == "no_replay"


async def test_what_is_wrong_with_a_lesson_is_named(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        for wish, place in (
            ({}, "one of a position, a deck and a record"),
            ({"position": POSITION, "deck": "YX"}, "one of"),
            ({"position": "0 | Y2"}, "7"),
            ({"position": POSITION.replace("Y2 Y3", "Y3 Y2")}, "rows of seat 0: Y2"),
            ({"position": POSITION.replace("G2 G3", "R3 G3")}, "R3"),
            ({"position": POSITION.rsplit("|", 1)[0] + "| -"}, "round is over"),
            ({"position": "0 | - | B7 | - | - | - | G2 G3"}, "seat 0 holds no card"),
            ({"position": POSITION + " | -R3"}, "lay"),
            ({"deck": "YX Y2"}, "deck"),
            ({"record": "nonsense"}, "line 1"),
        ):  # fmt: skip
            answer = await lesson(ada, 400, **wish)
            assert place in answer["error"]["text"], (wish, answer)
        assert (await lesson(ada, 400, position=POSITION, against="nobody"))["error"]["reason"] == (
            "no_agent"
        )
        assert (await ada.get("/api/lessons/nothing", 404))["error"]["reason"] == "no_lesson"


def test_hidden_cards_of_a_position_are_drawn_from_those_not_shown() -> None:
    rules = Rules()
    state = filled(parse_position(HIDDEN, rules))
    assert (len(state.hands[1]), len(state.deck)) == (3, 9)
    parse_position(format_position(state), rules)  # no face too often
    with pytest.raises(WishError, match="over"):
        filled(parse_position("0 | YX | ?20 | - | - | - | -", rules))


def test_an_opening_is_read_back_as_it_was_written() -> None:
    from lostcities.protocol.practice import NewLesson

    begun = read_lesson(NewLesson(position=POSITION), None)
    (event,) = begun.opening()
    assert decode(encode(event)) == event


# ---- hints --------------------------------------------------------------------------------------


async def test_a_hint_is_given_and_noted(room: RunningRoom) -> None:
    async with Person(room.url) as ada:
        made = await ada.create(against="first", rules=SMALL, seat=0)
        async with ada.sit(made["match"]) as chair:
            await chair.until("ready")
            hint = await ada.post(f"/api/tables/{made['match']}/hint")
            assert chair.view is not None
            assert hint["turn"] == chair.view["legal"][0]
            assert (hint["title"], hint["exact"], hint["candidates"][0]["value"]) == (
                "First", True, 3.5,
            )  # fmt: skip
            update = await chair.until("update")
            assert [event["kind"] for event in update["events"]] == ["hint"]
            assert (await chair.play(hint["turn"]))["type"] == "ack", "it makes no turn stale"


async def test_between_people_there_are_no_hints_but_in_practice(room: RunningRoom) -> None:
    ada, grace, match = await two_people(room)
    async with ada, grace:
        refused = await ada.post(f"/api/tables/{match}/hint", status=409)
        assert refused["error"]["reason"] == "no_hint"
        made = await lesson(ada, position=POSITION)
        begun = await start(ada, made["code"])
        waiting = await ada.post(f"/api/tables/{begun['match']}/hint", status=409)
        assert waiting["error"]["reason"] == "not_your_turn"
        await grace.accept(begun["invite"])
        assert (await ada.post(f"/api/tables/{begun['match']}/hint"))["turn"]
        not_yet = await grace.post(f"/api/tables/{begun['match']}/hint", status=409)
        assert not_yet["error"]["reason"] == "not_your_turn"
        async with Person(room.url) as eve:
            await eve.post(f"/api/tables/{begun['match']}/hint", status=404)


async def test_a_hint_sees_what_its_seat_sees(tmp_path: Path) -> None:
    """The adviser is handed the seat's view and nothing else."""
    seen: list[Any] = []

    class Spy(FirstLegal):
        async def advise(self, name: str, view: Any) -> Any:
            seen.append(view)
            return await super().advise(name, view)

        def cards(self) -> tuple[AgentCard, ...]:
            return (AgentCard("steady@1", "Steady", ""), AgentCard("first", "First", ""))

    async with running(tmp_path / "room.sqlite3", agents=Spy()) as room, Person(room.url) as ada:
        made = await lesson(ada, position=POSITION, against="first")
        begun = await start(ada, made["code"])
        hint = await ada.post(f"/api/tables/{begun['match']}/hint")
        assert hint["agent"] == "steady@1", "who weighs turns, where the opponent does not"
        rules = Rules.parse("rounds=1 first=1")
        state = parse_position(POSITION, rules)
        assert seen == [view_of_round(state, 1)]


def test_steady_tells_what_it_weighed() -> None:
    view = view_of_round(parse_position(POSITION), 1)
    told = advise("steady@1", view)
    assert not told.exact
    assert told.turn in view.legal
    assert told.candidates[0][0] == told.turn
    values = [value for _, value in told.candidates]
    assert values == sorted(values, reverse=True)
