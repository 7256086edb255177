"""A class pairs those who are there: who has gone is passed over, who comes back is brought together."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lostcities.protocol.messages import PROTOCOL_VERSION
from lostcities.service.attendance import GRACE
from lostcities.store.interfaces import Changes, ConflictError, MovedOn, StoreError
from lostcities.store.sql import SqlStore
from rooms import Chair, Person, RunningRoom, failure, running
from test_server_classes import a_class, host_of


class Hands:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.at = 1_000_000

    def __call__(self) -> int:
        return self.at

    def on(self, milliseconds: int) -> None:
        self.at += milliseconds


class Lesson:
    """A room with a class, its host, and pupils by name."""

    def __init__(self, stack: contextlib.AsyncExitStack, room: RunningRoom, clock: Hands) -> None:
        self.stack, self.room, self.clock = stack, room, clock
        self.host: Person = None  # type: ignore[assignment]
        self.code = ""

    async def pupil(self, name: str, cookies: Any = None) -> Person:
        person = await self.stack.enter_async_context(Person(self.room.url, name))
        if cookies is not None:
            person.http.cookies = cookies
        return person

    async def arrive(self, pupil: Person) -> str:
        """By the link: the table."""
        joined = await pupil.post(f"/api/classes/{self.code}", {"name": pupil.name})
        return str(joined["match"])

    async def sit(self, pupil: Person, match: str) -> Chair:
        self.clock.on(1)
        chair = await self.stack.enter_async_context(pupil.sit(match))
        await chair.until("ready")
        return chair

    async def leaves(self, chair: Chair, match: str) -> None:
        """A page is closed, and the room knows it."""
        await chair.socket.close()
        table = await self.room.room.table(match)
        assert table is not None
        async with asyncio.timeout(10):
            while any(table.present):  # noqa: ASYNC110 - the room has no word for it
                await asyncio.sleep(0.005)

    async def waits_and_goes(self, name: str) -> tuple[Person, str]:
        """Somebody who waited and has been gone for longer than the grace."""
        pupil = await self.pupil(name)
        match = await self.arrive(pupil)
        await self.leaves(await self.sit(pupil, match), match)
        self.clock.on(GRACE + 1)
        return pupil, match

    async def one_gone_and_one_waiting(self) -> tuple[Person, str, Person, str, Chair]:
        """Ada, who is gone, and her table; Bob, his, and where he sits at it."""
        ada, hers = await self.waits_and_goes("Ada")
        bob = await self.pupil("Bob")
        his = await self.arrive(bob)
        return ada, hers, bob, his, await self.sit(bob, his)

    async def state(self) -> dict[str, Any]:
        (group,) = (await self.host.get("/api/host"))["classes"]
        found: dict[str, Any] = group
        return found

    async def order(self, do: str) -> None:
        await self.host.post(f"/api/host/classes/{self.code}", {"do": do})


@contextlib.asynccontextmanager
async def lesson(
    database: Path, *, code: str = "", store: Any = None, **wish: Any
) -> AsyncIterator[Lesson]:
    clock = Hands()
    options = {} if store is None else {"store": store}
    async with contextlib.AsyncExitStack() as stack:
        opened = running(database, host_code="code", monotonic=clock, **options)
        found = Lesson(stack, await stack.enter_async_context(opened), clock)
        found.host = await host_of(found.room, stack)
        found.code = code or await a_class(found.host, **wish)
        yield found


async def moved(chair: Chair) -> str:
    """The table where this seat sits now instead."""
    while chair.table["moved_to"] is None:
        await chair.receive()
    return str(chair.table["moved_to"]).removeprefix("/t/")


async def begins(chair: Chair) -> None:
    while chair.table["phase"] != "playing":
        await chair.receive()


def names(chair: Chair) -> list[str]:
    return sorted(each["name"] for each in chair.table["seats"])


async def test_who_has_gone_is_passed_over(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        _, hers = await room.waits_and_goes("Ada")
        assert (await room.state())["waiting"] == [{"name": "Ada", "present": False}]
        bob, eve = await room.pupil("Bob"), await room.pupil("Eve")
        his = await room.arrive(bob)
        assert his != hers
        assert (await room.state())["waiting"][1] == {"name": "Bob", "present": True}
        assert await room.arrive(eve) == his


@pytest.mark.parametrize(("gone", "pairs"), [(GRACE, True), (GRACE + 1, False)])
async def test_a_reload_is_not_leaving(tmp_path: Path, gone: int, pairs: bool) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada = await room.pupil("Ada")
        match = await room.arrive(ada)
        await room.leaves(await room.sit(ada, match), match)
        room.clock.on(gone)
        assert (await room.state())["waiting"] == [{"name": "Ada", "present": pairs}]
        assert (await room.arrive(await room.pupil("Bob")) == match) == pairs


async def test_who_sat_down_and_never_opened_the_table_is_passed_over(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        match = await room.arrive(await room.pupil("Ada"))
        room.clock.on(GRACE + 1)
        assert await room.arrive(await room.pupil("Bob")) != match


async def test_an_open_page_comes_before_one_that_flickers(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada = await room.pupil("Ada")
        hers = await room.arrive(ada)
        chair = await room.sit(ada, hers)
        # Two wait side by side only while the host lets one of their tables rest.
        await room.host.post(f"/api/host/tables/{hers}", {"do": "pause"})
        bob = await room.pupil("Bob")
        his = await room.arrive(bob)
        assert his != hers, "at a table that rests by itself nobody is seated"
        await room.sit(bob, his)
        await room.leaves(chair, hers)
        await room.host.post(f"/api/host/tables/{hers}", {"do": "go_on"})
        assert await room.arrive(await room.pupil("Eve")) == his


async def test_who_comes_back_is_brought_to_who_waits(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada, hers, bob, his, at_his = await room.one_gone_and_one_waiting()
        back = await room.sit(ada, hers)
        assert await moved(back) == his
        assert (back.table["phase"], back.table["termination"][:5]) == ("over", "left ")
        again = await room.sit(ada, his)
        for chair in (again, at_his):
            await begins(chair)
            assert names(chair) == ["Ada", "Bob"]
            assert chair.table["moved_to"] is None
        group = await room.state()
        assert (group["tables"], group["waiting"]) == (1, [])
        # Also later, and for another page of hers, the old address leads to the new one.
        assert await moved(await room.sit(ada, hers)) == his
        assert (await ada.get(f"/api/classes/{room.code}"))["match"] == his
        # What they were told holds nothing that opens anything, and nobody else's hand.
        told = "".join(at_his.frames + back.frames + again.frames)
        for cookie in (*ada.http.cookies.jar, *bob.http.cookies.jar):
            assert str(cookie.value) not in told
        assert room.code not in told
        assert '"invite":"' not in told
        assert again.view is not None
        assert at_his.view is not None
        assert '"legal"' not in "".join(back.frames), "the old table never had a card"
        assert again.view["hand"] != at_his.view["hand"]
        assert [each["exposed"] for each in (again.view, at_his.view)] == [[], []]


async def test_the_old_table_says_to_nobody_else_where_its_seat_went(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada, hers = await room.waits_and_goes("Ada")
        bob = await room.pupil("Bob")
        await room.sit(bob, await room.arrive(bob))
        await moved(await room.sit(ada, hers))
        async with bob.socket() as socket:
            hello = {"type": "hello", "match": hers, "protocol": PROTOCOL_VERSION}
            await socket.send(json.dumps(hello))
            assert (await failure(socket))["reason"] == "not_allowed"
        table = await room.room.room.table(hers)
        assert table is not None
        assert table.snapshot(None).table.moved_to is None
        assert table.snapshot(None).table.group is None


async def test_who_comes_back_by_the_link_is_brought_to_who_waits(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada, hers = await room.waits_and_goes("Ada")
        bob = await room.pupil("Bob")
        his = await room.arrive(bob)
        await room.sit(bob, his)
        assert await room.arrive(ada) == his
        assert await moved(await room.sit(ada, hers)) == his


async def test_who_comes_back_alone_waits_where_they_did(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada, hers = await room.waits_and_goes("Ada")
        _, his = await room.waits_and_goes("Bob")
        assert hers != his
        await room.sit(ada, hers)
        assert (await room.state())["waiting"] == [
            {"name": "Ada", "present": True}, {"name": "Bob", "present": False},
        ]  # fmt: skip
        assert await room.arrive(await room.pupil("Eve")) == hers


async def test_those_who_come_back_after_a_restart_are_brought_together(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    async with lesson(database) as room:
        pupils = [await room.waits_and_goes(name) for name in ("Ada", "Bob", "Eve")]
        kept = [(person.name, person.http.cookies, match) for person, match in pupils]
        code = room.code
    async with lesson(database, code=code) as room:
        waiting = (await room.state())["waiting"]
        assert [each["present"] for each in waiting] == 3 * [False], "nobody is back yet"
        chairs = []
        for name, cookies, match in kept[:2]:
            person = await room.pupil(name, cookies)
            chairs.append(await room.sit(person, match))
        assert await moved(chairs[1]) == kept[0][2]
        await begins(chairs[0])
        (left,) = (await room.state())["waiting"]
        assert left == {"name": "Eve", "present": False}


async def test_a_look_brings_together_whom_an_event_was_missed_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        classes = room.room.room.house.classes
        monkeypatch.setattr(classes, "adopt", lambda _: None)
        ada = await room.pupil("Ada")
        hers = await room.arrive(ada)
        room.clock.on(GRACE + 1)
        bob = await room.pupil("Bob")
        his = await room.arrive(bob)
        chairs = [await room.sit(ada, hers), await room.sit(bob, his)]
        assert [chair.table["phase"] for chair in chairs] == ["waiting", "waiting"]
        await room.room.room.tidy()
        await begins(chairs[1])
        assert await moved(chairs[0]) == his, "she was not seen to wait before the look"


# ---- two tables, one transaction ----------------------------------------------------------------


class Fails:
    """A store that fails, or falls silent after it has written, whenever somebody is moved on."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self.how = ""
        self.tried = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def write(self, changes: Changes) -> None:
        moves = any(isinstance(e, MovedOn) for each in changes.appends for e in each.events)
        if moves:
            assert len(changes.appends) == 2, "both tables, in one transaction"
            assert len(changes.seats) == 1
            self.tried.set()
        if moves and self.how == "before":
            raise StoreError("the disk is full")
        if moves and self.how == "once":
            self.how = ""
            raise ConflictError("another writer was first")
        await self._store.write(changes)
        if moves and self.how == "after":
            await asyncio.Event().wait()  # the process ends here


async def test_what_cannot_be_saved_leaves_both_waiting(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    store = Fails(SqlStore.open(f"sqlite:///{database}"))
    async with lesson(database, store=store) as room:
        ada, hers, _bob, his, at_his = await room.one_gone_and_one_waiting()
        store.how = "before"
        back = await room.sit(ada, hers)
        await asyncio.wait_for(store.tried.wait(), 10)
        with pytest.raises(StoreError):
            await room.room.room.tidy()
        assert len((await room.state())["waiting"]) == 2
        store.how = ""
        await room.room.room.tidy()
        assert await moved(back) == his
        await begins(at_his)


async def test_another_writer_was_first_and_both_tables_are_read_anew(tmp_path: Path) -> None:
    database = tmp_path / "room.sqlite3"
    store = Fails(SqlStore.open(f"sqlite:///{database}"))
    async with lesson(database, store=store) as room:
        ada, hers, _bob, his, at_his = await room.one_gone_and_one_waiting()
        store.how = "once"
        assert await moved(await room.sit(ada, hers)) == his
        await begins(at_his)
        assert store.how == ""
        table = await room.room.room.table(his)
        assert table is not None
        kept = await store.load(his)
        assert [each.event for each in table.entries] == list(kept.events)


async def test_a_room_that_dies_while_two_are_brought_together_has_done_all_of_it(
    tmp_path: Path,
) -> None:
    database = tmp_path / "room.sqlite3"
    store = Fails(SqlStore.open(f"sqlite:///{database}"))
    async with lesson(database, store=store) as room:
        ada, hers, bob, his, at_his = await room.one_gone_and_one_waiting()
        store.how = "after"
        back = await room.sit(ada, hers)
        await asyncio.wait_for(store.tried.wait(), 10)
        assert at_his.table["phase"] == back.table["phase"] == "waiting", "told only afterwards"
        kept, code = (ada.http.cookies, bob.http.cookies), room.code
    async with lesson(database, code=code) as room:
        ada, bob = await room.pupil("Ada", kept[0]), await room.pupil("Bob", kept[1])
        assert await moved(await room.sit(ada, hers)) == his
        for person in (ada, bob):
            chair = await room.sit(person, his)
            assert (chair.table["phase"], names(chair)) == ("playing", ["Ada", "Bob"])
        assert (await room.state())["waiting"] == []


# ---- the odd one out ----------------------------------------------------------------------------


async def test_a_program_comes_to_who_is_there_and_to_nobody_else(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3", wait=60) as room:
        ada, hers = await room.waits_and_goes("Ada")
        room.clock.on(120_000)
        await room.room.room.tidy()
        await room.order("seat_odd")
        assert (await room.state())["waiting"] == [{"name": "Ada", "present": False}]
        chair = await room.sit(ada, hers)
        assert chair.table["group"] == {"label": "4b", "agent": "First", "after": 60, "open": True}
        # Having come back, she waits anew: somebody may come meanwhile.
        for milliseconds, phase in ((59_999, "waiting"), (1, "playing")):
            room.clock.on(milliseconds)
            await room.room.room.tidy()
            while chair.table["phase"] != phase:
                await chair.receive()
        assert {each["kind"] for each in chair.table["seats"]} == {"person", "agent"}
        assert chair.table["group"] is None


async def test_the_host_seats_the_odd_one_at_once(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3", wait=0) as room:
        ada = await room.pupil("Ada")
        chair = await room.sit(ada, await room.arrive(ada))
        assert chair.table["group"] == {"label": "4b", "agent": None, "after": None, "open": True}
        await room.order("seat_odd")
        await begins(chair)


async def test_who_waits_is_told_when_the_class_has_ended(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3", wait=30) as room:
        ada = await room.pupil("Ada")
        match = await room.arrive(ada)
        chair = await room.sit(ada, match)
        await room.order("end")
        await chair.until("snapshot")
        assert chair.table["group"]["open"] is False
        assert (await room.sit(ada, match)).table["group"]["open"] is False
        room.clock.on(60_000)
        await room.room.room.tidy()
        assert chair.table["phase"] == "waiting"


# ---- a class that rests, and people who are alike -----------------------------------------------


async def test_a_class_that_rests_pairs_its_arrivals_and_begins_nothing(tmp_path: Path) -> None:
    """The third arrival was refused: the first two were taken for one who waits."""
    async with lesson(tmp_path / "room.sqlite3", wait=30) as room:
        await room.order("pause")
        ada, hers = await room.waits_and_goes("Ada")
        bob = await room.pupil("Bob")
        his = await room.arrive(bob)
        chairs = [await room.sit(bob, his)]
        assert await moved(await room.sit(ada, hers)) == his
        chairs.append(await room.sit(ada, his))
        eve = await room.pupil("Eve")
        chairs.append(await room.sit(eve, await room.arrive(eve)))
        room.clock.on(60_000)
        await room.room.room.tidy()
        for chair in chairs:
            while chair is chairs[0] and names(chair) != ["Ada", "Bob"]:
                await chair.receive()
            assert (chair.table["paused"], chair.table["phase"]) == (True, "waiting")
            assert chair.view is None
        assert [each["name"] for each in (await room.state())["waiting"]] == ["Eve"]
        await room.order("go_on")
        for chair in chairs[:2]:
            await begins(chair)
            assert chair.table["paused"] is False


async def test_pupils_of_one_name_keep_their_names_when_they_are_brought_together(
    tmp_path: Path,
) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        one, hers = await room.waits_and_goes("Ada")
        two = await room.pupil("Ada")
        his = await room.arrive(two)
        chair = await room.sit(two, his)
        await room.sit(one, hers)
        await begins(chair)
        assert names(chair) == ["Ada", "Ada 2"]
        three = await room.pupil("Ada")
        third = await room.sit(three, await room.arrive(three))
        assert "Ada 3" in names(third)


async def test_one_device_that_arrives_twice_does_not_play_itself(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada = await room.pupil("Ada")
        await room.arrive(ada)
        matches = await asyncio.gather(*(room.arrive(ada) for _ in range(3)))
        assert len(set(matches)) == 1
        tabs = [await room.sit(ada, matches[0]) for _ in range(2)]
        assert [chair.table["phase"] for chair in tabs] == ["waiting", "waiting"]
        assert len((await room.state())["waiting"]) == 1
        # One of the tabs closes: she is still there.
        await tabs[0].socket.close()
        room.clock.on(GRACE + 1)
        assert await room.arrive(await room.pupil("Bob")) == matches[0]
        await begins(tabs[1])


async def test_two_who_come_back_at_once_share_one_table(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        pupils = [await room.waits_and_goes(name) for name in ("Ada", "Bob", "Eve", "Joe")]
        chairs = await asyncio.gather(*(room.sit(*each) for each in pupils))
        ends: set[str] = set()
        for chair, (_, match) in zip(chairs, pupils, strict=True):
            while chair.table["phase"] == "waiting":
                await chair.receive()
            ends.add(await moved(chair) if chair.table["phase"] == "over" else match)
        assert len(ends) == 2
        group = await room.state()
        assert (group["tables"], group["waiting"]) == (2, [])


async def test_two_who_arrive_at_once_share_one_table_and_leave_the_absent_alone(
    tmp_path: Path,
) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        _, hers = await room.waits_and_goes("Ada")
        pupils = [await room.pupil(name) for name in ("Bob", "Bob", "Bob", "Bob")]
        matches = await asyncio.gather(*(room.arrive(each) for each in pupils))
        assert hers not in matches
        assert sorted(matches.count(each) for each in set(matches)) == [2, 2]


async def test_nobody_is_seated_with_who_was_banned_a_moment_ago(tmp_path: Path) -> None:
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada = await room.pupil("Ada")
        hers = await room.arrive(ada)
        await room.sit(ada, hers)
        table = await room.room.room.table(hers)
        assert table is not None
        who = next(each for each in table.occupants if each is not None)
        await room.host.post("/api/host/people", {"do": "ban", "person": who.player})
        assert await room.arrive(await room.pupil("Bob")) != hers


async def test_a_rematch_is_not_of_the_class(tmp_path: Path) -> None:
    """Else the next arrival would take the seat that is kept for the other."""
    async with lesson(tmp_path / "room.sqlite3") as room:
        ada, bob = await room.pupil("Ada"), await room.pupil("Bob")
        match = await room.arrive(ada)
        await room.arrive(bob)
        chair = await room.sit(ada, match)
        await chair.command("resign")
        again = await ada.post(f"/api/tables/{match}/again")
        await room.sit(ada, again["match"])
        assert await room.arrive(await room.pupil("Eve")) != again["match"]
