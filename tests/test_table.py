"""A table: what it tells, when, and what it keeps, whoever races whom."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from lostcities.core.events import DrawDeclined, DrawOffered, TurnPlayed
from lostcities.core.match import fold
from lostcities.core.turn import Turn, parse_turn
from lostcities.core.views import View, view_for
from lostcities.protocol.http import NewTable
from lostcities.protocol.messages import (
    AnswerDraw,
    Continue,
    Hello,
    OfferDraw,
    Play,
    Resign,
)
from lostcities.service.audience import TABLE_EVENTS
from lostcities.service.decide import Command
from lostcities.service.room import Room
from lostcities.service.subscriber import QUEUE, Subscriber
from lostcities.service.table import Table
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import Append, Changes, ConflictError, LogEvent, StoreError
from memory_store import MemoryStore
from rooms import FirstLegal

PATIENCE = 10.0


class Tab:
    """A socket of a seat, without a network."""

    def __init__(self, table: Table, seat: int, last_seq: int = 0, run: str | None = None) -> None:
        self.table = table
        self.seat = seat
        self.socket = Subscriber(seat)
        table.join(self.socket, Hello(table.match, last_seq, run=run))
        self.messages: list[dict[str, Any]] = []
        self.commands = 0

    def drain(self) -> list[dict[str, Any]]:
        """What has been queued since the last time."""
        new = []
        while not self.socket._frames.empty():
            frame = self.socket._frames.get_nowait()
            if frame is not None:
                new.append(json.loads(frame))
        self.messages += new
        return new

    async def answer(self, cmd_id: str) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.messages:
                    if message.get("cmd_id") == cmd_id:
                        return message
                await asyncio.sleep(0.001)
                self.drain()

    async def command(self, command: Command) -> dict[str, Any]:
        self.table.submit(self.socket, command)
        return await self.answer(command.cmd_id)

    def play(self, **where: int) -> Play:
        """A command for the first legal turn now; ``round`` and ``ply`` may be told otherwise."""
        self.commands += 1
        match = self.table.state.match
        assert match is not None
        assert match.round is not None
        turn = match.round.legal_turns()[0]
        place = {"round": match.number, "ply": match.round.ply, **where}
        return Play(
            f"turn-{self.seat}-{id(self)}-{self.commands}",
            place["round"],
            place["ply"],
            str(turn.public),
        )


class Place:
    """A room with a table of two people (or one and an agent)."""

    def __init__(self, store: MemoryStore, agents: FirstLegal, clock: list[int]) -> None:
        self.store = store
        self.agents = agents
        self.clock = clock
        self.room = Room(store, agents, clock=lambda: clock[0])
        self.players: list[Visitor] = []

    async def friends(self, rules: str = "room") -> Table:
        ada, grace = await self.room.visitor(None), await self.room.visitor(None)
        self.players = [ada, grace]
        made = await self.room.create(ada, NewTable("Ada", rules, "friend", 0))
        assert made.invite is not None
        await self.room.accept(made.invite[3:], grace, "Grace")
        return await self.table(made.match)

    async def against_agent(self, rules: str = "room first=0", seat: int = 0) -> Table:
        ada = await self.room.visitor(None)
        self.players = [ada]
        made = await self.room.create(ada, NewTable("Ada", rules, "first", seat))
        return await self.table(made.match)

    async def table(self, match: str) -> Table:
        table = await self.room.table(match)
        assert table is not None
        return table

    async def restarted(self, match: str) -> Table:
        """The table in a new room on the same store, as after a crash."""
        await self.room.close()
        self.room = Room(self.store, self.agents, clock=lambda: self.clock[0])
        return await self.table(match)


@pytest.fixture
async def place(anyio_backend: str) -> AsyncIterator[Place]:
    place = Place(MemoryStore(), FirstLegal(), [1_000_000])
    yield place
    place.store.gate.set()
    await place.room.close()


def log_of(place: Place, table: Table) -> tuple[LogEvent, ...]:
    return place.store.matches[table.match].events


def mover(table: Table) -> int:
    assert table.state.match is not None
    assert table.state.match.round is not None
    return table.state.match.round.to_move


async def settled(table: Table) -> None:
    """Until nothing is going on at the table (agents included)."""
    async with asyncio.timeout(PATIENCE):
        await asyncio.sleep(0.002)
        while table.busy:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.002)


# ---- commit before anything is told -------------------------------------------------------------


async def test_snapshots_show_only_what_is_committed(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    before = table.snapshot(0)
    place.store.gate.clear()
    place.store.waiting.clear()
    play = tab.play()
    table.submit(tab.socket, play)
    async with asyncio.timeout(PATIENCE):
        await place.store.waiting.wait()
    await asyncio.sleep(0.01)

    assert table.snapshot(0) == before, "a turn that is not on disk was shown"
    late = Tab(table, tab.seat)
    assert [m["type"] for m in late.drain()] == ["snapshot", "ready", "presence"]
    assert late.messages[0]["seq"] == before.seq
    assert not [m for m in tab.drain() if m["type"] in ("ack", "update")]

    place.store.gate.set()
    assert (await tab.answer(play.cmd_id))["type"] == "ack"
    assert table.snapshot(0).seq == before.seq + 1
    assert [m["type"] for m in late.drain()] == ["update"]


async def test_the_answer_comes_before_the_push_and_both_after_the_commit(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    tab.drain()
    answer = await tab.command(tab.play())
    tab.drain()
    kinds = [message["type"] for message in tab.messages[3:]]
    assert kinds == ["ack", "update"]
    assert answer["seq"] == len(log_of(place, table)) == tab.messages[-1]["seq"]


async def test_what_cannot_be_saved_is_refused_and_can_be_sent_again(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    before = table.state
    play = tab.play()
    place.store.failures.append(StoreError("the disk is full"))
    refused = await tab.command(play)
    assert refused["reason"] == "not_saved"
    assert "the disk is full" in refused["text"]
    assert table.state is before
    tab.messages.clear()
    assert (await tab.command(play))["type"] == "ack"


# ---- retries ------------------------------------------------------------------------------------


async def test_a_retry_is_answered_and_not_applied_again(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    first = await tab.command(play)
    length = len(log_of(place, table))
    for _ in range(3):
        tab.messages.clear()
        assert await tab.command(play) == first
    assert len(log_of(place, table)) == length


async def test_a_retry_while_the_first_is_being_written(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    place.store.gate.clear()
    for _ in range(3):
        table.submit(tab.socket, play)
    place.store.gate.set()
    await settled(table)
    await tab.answer(play.cmd_id)
    await asyncio.sleep(0.01)
    tab.drain()
    acks = [m for m in tab.messages if m["type"] == "ack"]
    assert len(acks) == 3
    assert len({ack["seq"] for ack in acks}) == 1
    assert sum(isinstance(e, TurnPlayed) for e in log_of(place, table)) == 1


async def test_a_retry_after_a_restart_is_answered_from_the_log(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    first = await tab.command(play)
    again = Tab(await place.restarted(table.match), tab.seat)
    assert await again.command(play) == first
    assert sum(isinstance(e, TurnPlayed) for e in log_of(place, table)) == 1


async def test_one_id_for_two_contents_is_refused(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    await tab.command(play)
    tab.messages.clear()
    refused = await tab.command(Resign(play.cmd_id))
    assert (refused["type"], refused["reason"]) == ("refused", "cmd_reused")
    assert not table.state.over


async def test_one_id_from_two_seats_is_refused(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    offer = OfferDraw("an-offer-1")
    assert (await tabs[0].command(offer))["type"] == "ack"
    refused = await tabs[1].command(offer)
    assert refused["reason"] == "cmd_reused"


async def test_a_refused_command_may_be_sent_again_when_it_fits(place: Place) -> None:
    table = await place.friends()
    first, second = Tab(table, mover(table)), Tab(table, 1 - mover(table))
    offer = AnswerDraw("an-answer-1", accept=True)
    assert (await second.command(offer))["reason"] == "no_offer"
    await first.command(OfferDraw("an-offer-1"))
    second.messages.clear()
    assert (await second.command(offer))["type"] == "ack"


# ---- stale and racing ---------------------------------------------------------------------------


@pytest.mark.parametrize("where", [{"ply": 5}, {"round": 2}, {"round": 0}])
async def test_a_stale_turn_is_refused_with_the_present_view(
    place: Place, where: dict[str, int]
) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    length = len(log_of(place, table))
    refused = await tab.command(tab.play(**where))
    assert refused["reason"] == "stale"
    assert refused["seq"] == length == len(log_of(place, table))
    assert refused["view"]["seat"] == tab.seat
    assert refused["view"]["hand"]
    assert refused["table"]["phase"] == "playing"


async def test_two_tabs_that_race_make_one_turn(place: Place) -> None:
    table = await place.friends()
    seat = mover(table)
    tabs = [Tab(table, seat), Tab(table, seat)]
    commands = [tab.play() for tab in tabs]
    answers = await asyncio.gather(*map(Tab.command, tabs, commands))
    assert sorted(a["type"] for a in answers) == ["ack", "refused"]
    assert next(a for a in answers if a["type"] == "refused")["reason"] == "stale"
    assert sum(isinstance(e, TurnPlayed) for e in log_of(place, table)) == 1
    for tab in tabs:
        tab.drain()
        assert tab.messages[-1]["seq"] == table.state.seq, "both tabs see the same"


async def test_both_seats_race(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    commands = [tab.play() for tab in tabs]
    answers = await asyncio.gather(*map(Tab.command, tabs, commands))
    winner = mover(table)
    assert answers[1 - winner]["type"] == "ack"
    assert answers[winner]["reason"] in ("stale", "not_your_turn")


async def test_another_writer_was_first_with_the_same_turn(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    match = table.state.match
    assert match is not None
    assert match.round is not None
    turn = parse_turn(play.turn)
    drawn = match.round.deck[0] if turn.draw is None else None
    overtaking = TurnPlayed(tab.seat, 0, Turn(turn.lay, turn.draw, drawn))
    seq = table.state.seq
    await place.store.write(Changes(appends=(Append(table.match, seq, (overtaking,)),)))
    refused = await tab.command(play)
    assert refused["reason"] == "stale"
    assert refused["view"]["ply"] == 1, "the refusal shows what the other writer did"
    tab.drain()
    assert any(m["type"] == "update" and m["seq"] == seq + 1 for m in tab.messages)


async def test_another_writer_was_first_with_something_harmless(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    play = tab.play()
    seq = table.state.seq
    offer = DrawOffered(1 - tab.seat)
    await place.store.write(Changes(appends=(Append(table.match, seq, (offer,)),)))
    answer = await tab.command(play)
    assert (answer["type"], answer["seq"]) == ("ack", seq + 2)
    assert table.state.match is not None
    assert table.state.match.offer == 1 - tab.seat


async def test_conflicts_without_end_are_refused_in_the_end(place: Place) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    place.store.failures = [ConflictError("again") for _ in range(100)]
    assert (await tab.command(tab.play()))["reason"] == "not_saved"


# ---- a match as it goes -------------------------------------------------------------------------


async def test_the_log_folds_to_the_live_state(place: Place) -> None:
    table = await place.friends("room rounds=2")
    tabs = [Tab(table, 0), Tab(table, 1)]
    await play_on(table, tabs)
    events = [e for e in log_of(place, table) if not isinstance(e, TABLE_EVENTS)]
    assert fold(events) == table.state.match
    assert table.state.phase == "over"
    again = await place.restarted(table.match)
    assert again.state == table.state


async def play_on(table: Table, tabs: list[Tab], turns: int = 1000) -> None:
    """Play with the first legal turns until the end of the match, or so many turns."""
    for _ in range(turns):
        if table.state.over:
            return
        if table.state.phase == "between":
            for tab in tabs:
                name = f"continue-{tab.seat}-{table.state.number}"
                await tab.command(Continue(name, table.state.number))
                tab.drain()
            continue
        tab = tabs[mover(table)]
        answer = await tab.command(tab.play())
        assert answer["type"] == "ack", answer
        for each in tabs:
            each.drain()


async def test_declining_ends_an_open_match(place: Place) -> None:
    table = await place.friends("travel")
    tabs = [Tab(table, 0), Tab(table, 1)]
    while table.state.phase == "playing":
        await play_on(table, tabs, 1)
    refused = await tabs[0].command(Continue("continue-early", 7))
    assert refused["reason"] == "stale"
    assert (await tabs[0].command(Continue("continue-1", 1)))["type"] == "ack"
    tabs[1].drain()
    assert tabs[1].messages[-1]["table"]["seats"][0]["continued"]
    assert not tabs[1].messages[-1]["table"]["seats"][1]["continued"]
    assert (await tabs[1].command(Continue("continue-2", 1, go=False)))["type"] == "ack"
    tabs[0].drain()
    info = tabs[0].messages[-1]["table"]
    assert (info["phase"], info["termination"]) == ("over", "declined")


async def test_resigning_names_the_winner(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    await tabs[1].command(Resign("resign-1"))
    tabs[0].drain()
    info = tabs[0].messages[-1]["table"]
    assert (info["phase"], info["termination"], info["winner"]) == ("over", "resigned 1", 0)
    assert (await tabs[0].command(Resign("resign-2")))["reason"] == "match_over"


async def test_a_draw_by_agreement(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    await tabs[0].command(OfferDraw("offer-01"))
    tabs[1].drain()
    assert tabs[1].messages[-1]["table"]["offer"] == 0
    await tabs[1].command(AnswerDraw("answer-01", accept=False))
    assert table.state.match is not None
    assert table.state.match.offer is None
    await tabs[0].command(OfferDraw("offer-02"))
    await tabs[1].command(AnswerDraw("answer-02", accept=True))
    assert table.state.phase == "over"
    tabs[0].drain()
    assert tabs[0].messages[-1]["table"]["termination"] == "agreed"


async def test_an_offer_that_its_maker_takes_back_is_not_told_as_declined(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    for who, kind in ((0, "draw_withdrawn"), (1, "draw_declined")):
        await tabs[0].command(OfferDraw(f"offer-0{who}"))
        await tabs[who].command(AnswerDraw(f"answer-0{who}", accept=False))
        for tab in tabs:
            tab.drain()
            update = [each for each in tab.messages if each["type"] == "update"][-1]
            told = update["events"][-1]
            assert (told["kind"], told["seat"]) == (kind, who)


async def test_a_rematch_that_its_maker_has_left_can_be_asked_for_anew(place: Place) -> None:
    """The other was told that the seat was taken, and could never ask again."""
    table = await place.friends()
    ada, grace = place.players[0].player, place.players[1].player
    tab = Tab(table, 1)
    await tab.command(Resign("resign-1"))
    gone = await place.room.again(table.match, ada)
    await place.room.leave(gone.match, ada)
    after = await place.room.again(table.match, grace)
    assert after.match != gone.match
    assert tab.drain()[-1]["table"]["again_by"] == 1
    sat = await place.room.again(table.match, ada)
    assert (sat.match, sat.seat) == (after.match, 1 - after.seat)
    woken = await place.restarted(table.match)
    assert (woken.state.again, woken.state.again_by) == (after.match, 1)


# ---- agents -------------------------------------------------------------------------------------


async def test_an_agent_plays_and_goes_on_by_itself(place: Place) -> None:
    table = await place.against_agent("room rounds=2 first=1")
    tab = Tab(table, 0)
    while not table.state.over:
        await settled(table)
        if table.state.phase == "between":
            await tab.command(Continue("continue-1", 1))
        elif table.waits_for(0):
            await tab.command(tab.play())
        tab.drain()
    assert place.agents.asked > 20


async def test_a_program_declines_the_draw_it_is_offered(place: Place) -> None:
    table = await place.against_agent()
    tab = Tab(table, 0)
    assert (await tab.command(OfferDraw("an-offer-1")))["type"] == "ack"
    assert table.state.match is not None
    assert table.state.match.offer is None
    assert isinstance(table.core_events()[-1], DrawDeclined)


@pytest.mark.parametrize("kind", ["raises", "illegal"])
async def test_an_agent_that_fails_plays_a_plain_turn(
    place: Place, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(view: View) -> Turn:
        if kind == "raises":
            raise RuntimeError("out of ideas")
        return parse_turn("+R5<P")

    place.agents.answer = answer
    table = await place.against_agent("room first=1")
    await settled(table)
    assert mover(table) == 0
    turns = [e for e in log_of(place, table) if isinstance(e, TurnPlayed)]
    assert turns[0].turn.lay.discard
    assert turns[0].turn.draw is None
    assert "agent first" in caplog.text


async def test_an_agent_interrupted_by_a_crash_is_asked_again(place: Place) -> None:
    never = asyncio.Event()

    async def hang(name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        await never.wait()
        return view.legal[0]

    choose = place.agents.choose
    place.agents.choose = hang  # type: ignore[method-assign]
    table = await place.against_agent("room first=1")
    await asyncio.sleep(0.01)
    assert mover(table) == 1
    place.agents.choose = choose  # type: ignore[method-assign]
    again = await place.restarted(table.match)
    await settled(again)
    assert mover(again) == 0


async def test_an_agent_sees_its_view_and_nothing_else(place: Place) -> None:
    seen: list[View] = []

    def answer(view: View) -> Turn:
        seen.append(view)
        return view.legal[0]

    place.agents.answer = answer
    table = await place.against_agent("room first=1")
    before = table.state.match
    await settled(table)
    assert before is not None
    assert seen == [view_for(before, 1)]


# ---- coming and going ---------------------------------------------------------------------------


async def test_a_socket_gets_the_tail_or_a_snapshot(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    start = table.state.seq
    await play_on(table, tabs, 6)

    tail = Tab(table, 0, last_seq=start).drain()
    assert [m["type"] for m in tail] == ["update", "ready", "presence"]
    assert (tail[0]["from_seq"], tail[0]["seq"]) == (start, start + 6)
    assert [e["seq"] for e in tail[0]["events"]] == list(range(start + 1, start + 7))

    for last_seq in (0, start + 7, 10_000, -1):
        kinds = [m["type"] for m in Tab(table, 0, last_seq).drain()]
        assert kinds == ["snapshot", "ready", "presence"], last_seq
    assert [m["type"] for m in Tab(table, 0, start + 6).drain()] == ["ready", "presence"]

    await play_on(table, tabs, 120)
    assert Tab(table, 0, last_seq=start).drain()[0]["type"] == "snapshot", "too far behind"


async def test_a_snapshot_tells_the_turns_of_the_round(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    await play_on(table, tabs, 9)
    log = Tab(table, 1).drain()[0]["log"]
    assert [event["ply"] for event in log] == list(range(9))
    for event in log:
        if "*" in event["turn"]:
            assert bool(event["turn"].partition("*")[2]) == (event["seat"] == 1)


async def test_presence_follows_the_sockets(place: Place) -> None:
    table = await place.friends()
    ada = Tab(table, 0)
    ada.drain()
    grace, second = Tab(table, 1), Tab(table, 1)
    assert presence(ada.drain()) == [[True, True]]
    assert presence(grace.drain()[-1:]) == [[True, True]]
    table.leave(second.socket)
    assert ada.drain() == []
    table.leave(grace.socket)
    assert presence(ada.drain()) == [[True, False]]


def presence(messages: list[dict[str, Any]]) -> list[list[bool]]:
    assert {message["type"] for message in messages} == {"presence"}
    return [message["present"] for message in messages]


async def test_a_slow_reader_is_cut_off_and_nobody_waits_for_it(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, 0), Tab(table, 1)]
    slow = Tab(table, 0)
    await play_on(table, tabs, QUEUE + 5)
    assert slow.socket.ended == "too_slow"
    assert slow.socket.cut.is_set()
    assert tabs[0].socket.ended is None
    assert table.state.match is not None


async def test_too_many_tabs_are_refused(place: Place) -> None:
    table = await place.friends()
    tabs = [Tab(table, n % 2) for n in range(33)]
    assert tabs[-1].drain()[-1]["type"] == "failed"
    assert all(tab.socket.ended is None for tab in tabs[:32])


async def test_a_moved_seat_ends_its_old_sockets(place: Place) -> None:
    table = await place.friends()
    ada, phone = Tab(table, 0), await place.room.visitor(None)
    grace = Tab(table, 1)
    code = await place.room.device_code(table.match, place.players[0].player)
    joined = await place.room.use_device_code(code.code.lower().replace("-", " "), phone)
    assert (joined.match, joined.seat) == (table.match, 0)
    assert ada.drain()[-1]["reason"] == "moved"
    assert grace.socket.ended is None
    assert table.seat_of(phone.player) == 0
    assert table.seat_of(place.players[0].player) is None
    with pytest.raises(WishError, match="used or too old"):
        await place.room.use_device_code(code.code, await place.room.visitor(None))


async def test_a_device_code_ages(place: Place) -> None:
    table = await place.friends()
    code = await place.room.device_code(table.match, place.players[0].player)
    place.clock[0] += 1000 * code.seconds
    with pytest.raises(WishError, match="too old"):
        await place.room.use_device_code(code.code, await place.room.visitor(None))


# ---- joining, leaving, playing again ------------------------------------------------------------


async def test_a_seat_is_taken_once(place: Place) -> None:
    host = await place.room.visitor(None)
    made = await place.room.create(host, NewTable("Ada"))
    assert made.invite is not None
    code = made.invite[3:]
    guests = [await place.room.visitor(None) for _ in range(4)]
    results = await asyncio.gather(
        *(place.room.accept(code, guest, "Grace") for guest in guests), return_exceptions=True
    )
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert sum(isinstance(r, WishError) and r.reason == "seat_taken" for r in results) == 3
    winner = next(n for n, r in enumerate(results) if not isinstance(r, BaseException))
    assert await place.room.accept(code, guests[winner], "Grace") == results[winner]


async def test_the_host_does_not_take_the_other_seat_too(place: Place) -> None:
    host = await place.room.visitor(None)
    made = await place.room.create(host, NewTable("Ada", seat=1))
    assert made.invite is not None
    assert (await place.room.accept(made.invite[3:], host, "Ada")).seat == 1
    assert (await place.table(made.match)).state.phase == "waiting"


async def test_leaving_closes_a_table_that_never_began(place: Place) -> None:
    host = await place.room.visitor(None)
    made = await place.room.create(host, NewTable("Ada"))
    assert made.invite is not None
    await place.room.leave(made.match, host.player)
    assert not (await place.room.invite(made.invite[3:], None)).open
    with pytest.raises(WishError, match="closed"):
        await place.room.accept(made.invite[3:], await place.room.visitor(None), "Grace")
    assert (await place.room.my_tables(host.player)).tables == []


async def test_leaving_a_match_loses_nothing(place: Place) -> None:
    table = await place.friends()
    length = len(log_of(place, table))
    await place.room.leave(table.match, place.players[0].player)
    assert len(log_of(place, table)) == length
    assert table.state.phase == "playing"


async def test_playing_again_brings_the_same_two_together(place: Place) -> None:
    table = await place.friends("room rounds=1")
    tabs = [Tab(table, 0), Tab(table, 1)]
    with pytest.raises(WishError, match="not over"):
        await place.room.again(table.match, place.players[1].player)
    await tabs[0].command(Resign("resign-1"))
    tabs[0].drain()
    first = await place.room.again(table.match, place.players[1].player)
    assert tabs[0].drain()[-1]["table"]["again"] == first.match
    after = await place.table(first.match)
    assert after.state.phase == "waiting"
    assert (first.seat, first.invite) == (0, None), "seats change sides"
    assert await place.room.again(table.match, place.players[1].player) == first
    assert [await offered(place, table, seat) for seat in (0, 1)] == ["again", None]
    second = await place.room.again(table.match, place.players[0].player)
    assert (second.match, second.seat) == (first.match, 1)
    assert await offered(place, table, 0) is None, "it was taken up"
    assert after.state.phase == "playing"
    assert [w.name for w in after.state.taken if w] == ["Grace", "Ada"]
    assert table.state.match is not None
    assert after.state.match is not None
    assert after.state.match.start == table.state.match.start, "the other person starts"
    assert replace(after.state.rules, first="random") == table.state.rules
    assert after.info.terms == table.info.terms
    assert after.info.pace == table.info.pace


async def offered(place: Place, table: Table, seat: int) -> str | None:
    """What is offered to a seat at a table, as its list of tables says."""
    mine = (await place.room.my_tables(place.players[seat].player)).tables
    (line,) = [each for each in mine if each.match == table.match]
    return line.offer


async def test_both_ask_to_play_again_at_once(place: Place) -> None:
    table = await place.friends()
    await Tab(table, 0).command(Resign("resign-1"))
    made = await asyncio.gather(
        *(place.room.again(table.match, visitor.player) for visitor in place.players)
    )
    assert made[0].match == made[1].match
    assert (await place.table(made[0].match)).state.phase == "playing"


async def test_playing_again_against_an_agent_begins_at_once(place: Place) -> None:
    table = await place.against_agent()
    await Tab(table, 0).command(Resign("resign-1"))
    made = await place.room.again(table.match, place.players[0].player)
    assert (await place.table(made.match)).state.phase == "playing"


async def test_a_strangers_wishes_are_not_granted(place: Place) -> None:
    table = await place.friends()
    for player in ("stranger", None):
        for wish in (
            place.room.leave(table.match, player),
            place.room.again(table.match, player),
            place.room.device_code(table.match, player),
            place.room.record(table.match, player, "2026.01.01"),
            place.room.invite_path(table.match, player),
            place.room.leave("no such table", player),
        ):
            with pytest.raises(WishError) as caught:
                await wish
            assert caught.value.reason == "no_table"


async def test_idle_tables_are_put_away_and_come_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await place.friends()
    tab = Tab(table, 0)
    monkeypatch.setattr("lostcities.service.room.IDLE_SECONDS", -1.0)
    await place.room.tidy()
    assert place.room.live == 1, "somebody is here"
    table.leave(tab.socket)
    await settled(table)
    await place.room.tidy()
    assert place.room.live == 0
    assert (await place.table(table.match)).state == table.state


async def test_nobody_waits_for_a_table_that_was_stopped(place: Place) -> None:
    """A wish that had not come to its turn was waited for for ever, with whatever lock was held."""
    table = await place.friends()
    begun, other = asyncio.Event(), asyncio.Event()

    async def long() -> None:
        begun.set()
        await other.wait()

    wishes = [asyncio.create_task(table.do(long)) for _ in range(2)]
    await asyncio.wait_for(begun.wait(), PATIENCE)
    await table.stop()
    late = asyncio.create_task(table.do(long))
    async with asyncio.timeout(PATIENCE):
        ends = await asyncio.gather(*wishes, late, return_exceptions=True)
    assert [type(each) for each in ends] == 3 * [StoreError]


async def test_a_defect_in_a_step_does_not_end_the_table(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await place.friends()
    tab = Tab(table, mover(table))
    with monkeypatch.context() as patch:
        patch.setattr(table, "_decide_command", lambda *_: 1 / 0)
        table.submit(tab.socket, tab.play())
        await settled(table)
        await asyncio.sleep(0.01)
    assert "a step failed" in caplog.text
    assert (await tab.command(tab.play()))["type"] == "ack"


# ---- records ------------------------------------------------------------------------------------


async def test_a_record_is_whole_only_when_the_match_is_over(place: Place) -> None:
    from lostcities.core.record import replay
    from lostcities.core.record_text import parse_record

    table = await place.friends("room rounds=1")
    tabs = [Tab(table, 0), Tab(table, 1)]
    await play_on(table, tabs, 7)
    for seat, visitor in enumerate(place.players):
        text = await place.room.record(table.match, visitor.player, "2026.11.30")
        assert "[Deck" not in text
        assert f"[Hand{seat} " in text
        assert f"[Hand{1 - seat} " not in text
        replay(parse_record(text))
    await play_on(table, tabs)
    for visitor in place.players:
        text = await place.room.record(table.match, visitor.player, "2026.11.30")
        assert "[Deck" in text
        assert replay(parse_record(text)).match.totals == table.state.match.totals  # type: ignore[union-attr]


async def test_a_page_that_comes_from_another_run_of_the_room_takes_the_whole_snapshot(
    place: Place,
) -> None:
    """After a restored backup the numbers that it has seen may belong to other events."""
    table = await place.friends()
    tab = Tab(table, mover(table))
    await tab.command(tab.play())
    run = run_of(tab)
    for said, kind in ((run, "ready"), (None, "ready"), ("another", "snapshot")):
        late = Tab(table, 0, table.state.seq, said)
        assert late.drain()[0]["type"] == kind, said
    woken = await place.restarted(table.match)
    seen = woken.state.seq
    assert Tab(woken, 0, seen, run).drain()[0]["type"] == "snapshot"
    assert Tab(woken, 0, seen, run_of(Tab(woken, 0))).drain()[0]["type"] == "ready"


def run_of(tab: Tab) -> str:
    """What the room calls its present opening."""
    tab.drain()
    return next(str(each["run"]) for each in tab.messages if each["type"] == "ready")
