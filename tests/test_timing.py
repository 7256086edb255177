"""The time of a table: clocks, what happens when they are out, absence; whoever races whom."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from lostcities.core.events import Abandoned, ContinueDeclined, ContinueSaid, TimedOut, TurnPlayed
from lostcities.core.pace import DAY, safe_turn
from lostcities.core.record import replay
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.turn import Turn
from lostcities.core.views import View, view_for
from lostcities.protocol.http import NewTable
from lostcities.protocol.messages import Continue, EndAbsent
from lostcities.service.room import Room
from lostcities.service.table import Table
from lostcities.service.timekeeper import GRACE, Timekeeper
from lostcities.store.interfaces import Append, Changes, Overdue, StoreError, TimeUsed
from memory_store import MemoryStore
from rooms import FirstLegal
from test_table import Place, Tab, log_of, mover, settled


class Timed(Place):
    """A place whose clocks the test turns."""

    def __init__(self) -> None:
        self.mono = [5_000_000]
        super().__init__(MemoryStore(), FirstLegal(), [1_000_000_000_000])
        self.open()

    def open(self) -> None:
        self.room = Room(
            self.store, self.agents, clock=lambda: self.clock[0], monotonic=lambda: self.mono[0]
        )

    async def sit(self, pace: str, rules: str = "room") -> tuple[Table, list[Tab]]:
        ada, grace = await self.room.visitor(None), await self.room.visitor(None)
        self.players = [ada, grace]
        made = await self.room.create(ada, NewTable("Ada", rules, "friend", 0, pace=pace))
        assert made.invite is not None
        await self.room.accept(made.invite[3:], grace, "Grace")
        table = await self.table(made.match)
        return table, [Tab(table, 0), Tab(table, 1)]

    async def restarted(self, match: str) -> Table:
        await self.room.close()
        self.open()
        return await self.table(match)

    def passes(self, seconds: float, *, wall: bool = True) -> None:
        self.mono[0] += round(1000 * seconds)
        if wall:
            self.clock[0] += round(1000 * seconds)

    async def look(self, table: Table) -> None:
        """The alarm rings."""
        table.look_at_the_clock()
        await settled(table)


@pytest.fixture
async def place(anyio_backend: str) -> AsyncIterator[Timed]:
    place = Timed()
    yield place
    place.store.gate.set()
    await place.room.close()


def left(table: Table) -> list[int | None]:
    clock = table.timing.told(table.state)
    return [None, None] if clock is None else clock.left


def running(table: Table) -> list[bool]:
    clock = table.timing.told(table.state)
    return [False, False] if clock is None else clock.running


async def turn(tabs: list[Tab]) -> None:
    tab = tabs[mover(tabs[0].table)]
    answer = await tab.command(tab.play())
    assert answer["type"] == "ack", answer


# ---- clocks that run ----------------------------------------------------------------------------


async def test_without_a_clock_nothing_runs(place: Timed) -> None:
    table, tabs = await place.sit("")
    place.passes(10_000_000)
    await place.look(table)
    assert left(table) == [None, None]
    await turn(tabs)


async def test_only_the_time_of_the_seat_to_act_runs(place: Timed) -> None:
    table, tabs = await place.sit("clock=300+5")
    seat = mover(table)
    place.passes(20)
    mine = [300_000, 300_000]
    mine[seat] = 280_000
    assert left(table) == mine
    assert running(table) == [seat == 0, seat == 1]
    await turn(tabs)
    mine[seat] = 285_000
    assert left(table) == mine, "the increment comes with the turn"
    place.passes(30)
    mine[1 - seat] = 270_000
    assert left(table) == mine
    assert TimeUsed(seat, 20_000) in log_of(place, table)


async def test_every_message_tells_the_clocks(place: Timed) -> None:
    table, tabs = await place.sit("turn=60")
    seat = mover(table)
    place.passes(7)
    await turn(tabs)
    tabs[0].drain()
    update = tabs[0].messages[-1]
    assert update["type"] == "update"
    clock = update["table"]["clock"]
    assert clock["left"][1 - seat] == 60_000
    assert clock["left"][seat] is None
    assert clock["running"] == [seat == 1, seat == 0]
    assert update["table"]["pace"]["written"] == "turn=60 timeout=forfeit absent=180"
    place.passes(8)
    late = Tab(table, 0)
    assert late.drain()[0]["table"]["clock"]["left"][1 - seat] == 52_000


async def test_a_match_begins_when_both_are_there(place: Timed) -> None:
    ada, grace = await place.room.visitor(None), await place.room.visitor(None)
    made = await place.room.create(
        ada, NewTable("Ada", "room first=0", "friend", 0, pace="turn=60")
    )
    assert made.invite is not None
    await place.room.accept(made.invite[3:], grace, "Grace")
    table = await place.table(made.match)
    guest = Tab(table, 1)
    place.passes(3600)
    await place.look(table)
    assert not table.state.over
    assert left(table) == [60_000, None]
    assert running(table) == [False, False]
    Tab(table, 0)
    told = guest.drain()[-1]
    assert (told["type"], told["clock"]["running"]) == ("presence", [True, False])
    place.passes(61)
    await place.look(table)
    assert table.state.over


async def test_a_round_begins_with_full_clocks(place: Timed) -> None:
    table, tabs = await place.sit("clock=60+0", "room colours=1 hand=1")
    while table.state.number == 1:
        place.passes(1)
        if table.state.phase == "between":
            for tab in tabs:
                await tab.command(Continue(f"continue-{tab.seat}", 1))
        else:
            await turn(tabs)
    assert table.state.banks[0] == table.state.banks[1] == 60_000


# ---- a time is out ------------------------------------------------------------------------------


async def test_who_runs_out_of_time_has_lost(place: Timed) -> None:
    table, tabs = await place.sit("turn=60")
    seat = mover(table)
    place.passes(59.9)
    await place.look(table)
    assert not table.state.over
    place.passes(0.1)
    await place.look(table)
    assert log_of(place, table)[-1] == TimedOut(seat)
    told = tabs[0].drain()[-1]["table"]
    assert (told["termination"], told["winner"], told["clock"]) == (f"time {seat}", 1 - seat, None)


async def test_a_safe_turn_is_played_where_the_rules_say_so(place: Timed) -> None:
    table, tabs = await place.sit("turn=30 timeout=safe")
    seat = mover(table)
    assert table.state.match is not None
    safe = safe_turn(view_for(table.state.match, seat))
    place.passes(30)
    await place.look(table)
    overdue, played = log_of(place, table)[-2:]
    assert overdue == Overdue(seat)
    assert isinstance(played, TurnPlayed)
    assert played.turn.public == safe
    assert [e["kind"] for e in tabs[0].drain()[-1]["events"]] == ["overdue", "turn"]
    assert left(table)[1 - seat] == 30_000
    await turn(tabs)


async def test_a_clock_that_is_out_loses(place: Timed) -> None:
    table, tabs = await place.sit("clock=60+10")
    for used in (50, 50):
        place.passes(used)
        await turn(tabs)
    seat = mover(table)
    assert left(table)[seat] == 20_000
    place.passes(20)
    await place.look(table)
    assert log_of(place, table)[-1] == TimedOut(seat)


async def test_the_alarm_rings_by_itself(place: Timed) -> None:
    real = Room(place.store, place.agents, clock=lambda: place.clock[0])
    await place.room.close()
    place.room = real
    table, _ = await place.sit("turn=5")
    seat = mover(table)
    table.timing._since -= 4_900
    table._arm()
    await asyncio.sleep(0.3)
    await settled(table)
    assert log_of(place, table)[-1] == TimedOut(seat)


# ---- who was first ------------------------------------------------------------------------------


async def test_a_turn_in_time_beats_the_time_that_ends_while_it_is_written(place: Timed) -> None:
    table, tabs = await place.sit("turn=60")
    seat = mover(table)
    tab = tabs[seat]
    place.passes(59.9)
    place.store.gate.clear()
    play = tab.play()
    table.submit(tab.socket, play)
    place.passes(5)
    table.look_at_the_clock()
    place.store.gate.set()
    await settled(table)
    assert (await tab.answer(play.cmd_id))["type"] == "ack"
    assert isinstance(log_of(place, table)[-1], TurnPlayed)
    assert left(table)[1 - seat] == 60_000


async def test_a_time_that_was_out_beats_the_turn_that_comes_after_it(place: Timed) -> None:
    table, tabs = await place.sit("turn=60")
    tab = tabs[mover(table)]
    place.passes(60)
    place.store.gate.clear()
    table.look_at_the_clock()
    play = tab.play()
    table.submit(tab.socket, play)
    place.store.gate.set()
    assert (await tab.answer(play.cmd_id))["reason"] == "match_over"
    assert log_of(place, table)[-1] == TimedOut(tab.seat)
    assert sum(isinstance(e, TurnPlayed) for e in log_of(place, table)) == 0


async def test_a_safe_turn_and_a_late_turn_have_one_winner(place: Timed) -> None:
    table, tabs = await place.sit("turn=60 timeout=safe")
    tab = tabs[mover(table)]
    place.passes(60)
    table.look_at_the_clock()
    play = tab.play()
    table.submit(tab.socket, play)
    assert (await tab.answer(play.cmd_id))["reason"] == "stale"
    assert sum(isinstance(e, TurnPlayed) for e in log_of(place, table)) == 1


async def test_another_writer_was_first_with_a_turn(place: Timed) -> None:
    table, tabs = await place.sit("turn=60")
    seat = mover(table)
    assert table.state.match is not None
    assert table.state.match.round is not None
    legal = table.state.match.round.legal_turns()[0]
    drawn = table.state.match.round.deck[0]
    played = TurnPlayed(seat, 0, Turn(legal.lay, None, drawn))
    await place.store.write(Changes(appends=(Append(table.match, table.state.seq, (played,)),)))
    place.passes(60)
    await place.look(table)
    assert log_of(place, table)[-1] == played, "the time that was out belonged to that turn"
    assert not table.state.over
    assert left(table)[1 - seat] == 60_000
    assert tabs[0].drain()[-1]["view"]["ply"] == 1


async def test_what_could_not_be_saved_happens_when_it_can(place: Timed) -> None:
    table, _ = await place.sit("turn=60")
    place.passes(60)
    place.store.failures = [StoreError("the disk is full")]
    await place.look(table)
    assert not table.state.over
    assert table._alarm is not None, "it looks again by itself"
    await place.look(table)
    assert table.state.over


async def test_time_used_ends_when_the_turn_came_not_when_there_was_time_for_it(
    place: Timed,
) -> None:
    table, tabs = await place.sit("clock=60+0")
    seat = mover(table)
    place.passes(10)
    play = tabs[seat].play()
    table.submit(tabs[seat].socket, play)
    place.passes(40)
    await tabs[seat].answer(play.cmd_id)
    assert table.state.banks[seat] == 50_000


# ---- between rounds -----------------------------------------------------------------------------

SHORT = "room colours=1 hand=1"


async def play_round(place: Timed, table: Table, tabs: list[Tab]) -> None:
    while table.state.phase == "playing":
        await turn(tabs)


async def test_silence_between_rounds_means_going_on(place: Timed) -> None:
    table, tabs = await place.sit("turn=30", SHORT)
    await play_round(place, table, tabs)
    assert left(table) == [60_000, 60_000]
    place.passes(50)
    await tabs[0].command(Continue("continue-0", 1))
    assert left(table) == [None, 10_000], "one who goes on does not give the other more time"
    place.passes(10)
    await place.look(table)
    assert table.state.number == 2
    assert Overdue(1) in log_of(place, table)
    assert ContinueSaid(1) in log_of(place, table)


async def test_silence_in_an_open_match_ends_it(place: Timed) -> None:
    table, tabs = await place.sit("turn=30", f"{SHORT} rounds=open")
    await play_round(place, table, tabs)
    place.passes(60)
    await place.look(table)
    assert isinstance(log_of(place, table)[-1], ContinueDeclined)
    assert table.state.over


# ---- a room that was closed ---------------------------------------------------------------------


async def test_a_live_clock_stands_while_the_room_is_closed(place: Timed) -> None:
    table, tabs = await place.sit("clock=60+0")
    seat = mover(table)
    place.passes(10)
    await turn(tabs)
    place.passes(30)
    again = await place.restarted(table.match)
    place.passes(100_000)
    await place.look(again)
    assert not again.state.over
    assert left(again)[seat] == 50_000, "what the last turn left"
    assert left(again)[1 - seat] == 60_000, "the turn that was cut short begins anew"
    assert running(again) == [False, False]

    Tab(again, seat)
    place.passes(29)
    assert left(again)[1 - seat] == 61_000, "half a minute to come back"
    place.passes(6)
    assert left(again)[1 - seat] == 55_000
    Tab(again, 1 - seat)
    place.passes(1)
    assert left(again)[1 - seat] == 54_000


async def test_a_clock_runs_as_soon_as_the_seat_to_act_is_back(place: Timed) -> None:
    table, _ = await place.sit("turn=60")
    again = await place.restarted(table.match)
    seat = mover(again)
    place.passes(500)
    Tab(again, 1 - seat)
    place.passes(10)
    Tab(again, seat)
    place.passes(5)
    assert left(again)[seat] == 55_000


async def test_a_table_with_a_running_clock_is_not_put_away(
    place: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tabs = await place.sit("turn=60")
    for tab in tabs:
        table.leave(tab.socket)
    monkeypatch.setattr("lostcities.service.room.IDLE_SECONDS", -1.0)
    await settled(table)
    await place.room.tidy()
    assert place.room.live == 1
    place.passes(60)
    await place.look(table)
    await place.room.tidy()
    assert place.room.live == 0


# ---- days ---------------------------------------------------------------------------------------


async def test_days_go_on_while_the_room_is_closed(place: Timed) -> None:
    table, tabs = await place.sit("days=2")
    await turn(tabs)
    seat = mover(table)
    assert left(table)[seat] == 2 * DAY
    place.passes(DAY / 1000)
    again = await place.restarted(table.match)
    assert left(again)[seat] == DAY
    place.passes(DAY / 1000 + GRACE / 1000)
    await place.look(again)
    assert log_of(place, again)[-1] == TimedOut(seat)
    assert place.store.matches[table.match].due is None


async def test_nobody_loses_in_the_first_hour_after_the_room_opens(place: Timed) -> None:
    table, _ = await place.sit("days=2")
    await place.room.close()
    place.passes(40 * DAY / 1000)
    place.open()
    await place.room.wake_overdue()
    assert place.room.live == 0
    again = await place.table(table.match)
    place.passes(3599)
    await place.look(again)
    assert not again.state.over
    place.passes(1)
    await place.look(again)
    assert again.state.over


async def test_a_match_that_nobody_looks_at_ends_all_the_same(place: Timed) -> None:
    table, _ = await place.sit("days=2 timeout=safe", "room rounds=1")
    seat = mover(table)
    await place.room.close()
    place.open()
    place.passes(2 * DAY / 1000)
    assert place.room.live == 0
    await place.room.wake_overdue()
    woken = await place.table(table.match)
    await place.look(woken)
    assert isinstance(log_of(place, woken)[-1], TurnPlayed)
    assert mover(woken) == 1 - seat
    assert place.store.matches[table.match].due == place.clock[0] + 2 * DAY


@pytest.mark.parametrize("jump", [-400 * DAY, -3600_000, 3600_000, 400 * DAY])
async def test_a_calendar_that_jumps_costs_nobody_a_match_at_once(place: Timed, jump: int) -> None:
    table, _ = await place.sit("days=2")
    seat = mover(table)
    place.passes(GRACE / 1000)
    place.clock[0] += jump
    await place.look(table)
    assert not table.state.over
    shown = left(table)[seat]
    assert shown is not None
    assert 0 <= shown <= 2 * DAY
    place.passes(3599)
    await place.look(table)
    assert not table.state.over
    if jump == 400 * DAY:
        place.clock[0] -= jump  # somebody has set it right again
        place.passes(2)
        await place.look(table)
        assert not table.state.over
    place.passes(2 * DAY / 1000 + 2 * GRACE / 1000)
    await place.look(table)
    assert table.state.over, "and yet it ends"


def test_a_timekeeper_is_patient_after_opening_and_after_a_jump() -> None:
    wall, mono = [10**12], [0]
    keeper = Timekeeper(lambda: wall[0], lambda: mono[0])

    def passes(ms: int) -> None:
        wall[0] += ms
        mono[0] += ms

    assert keeper.patience == GRACE
    passes(GRACE)
    assert keeper.patience == 0
    wall[0] += 30_000
    assert keeper.patience == 0, "a clock that is set right by half a minute is no jump"
    wall[0] -= 120_000
    assert keeper.patience == GRACE
    passes(GRACE)
    assert keeper.patience == 0


# ---- programs -----------------------------------------------------------------------------------


async def test_waiting_for_a_processor_is_not_thinking(place: Timed) -> None:
    begin, answer = asyncio.Event(), asyncio.Event()

    async def choose(name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        await begin.wait()
        begun()
        await answer.wait()
        return view.legal[0]

    place.agents.choose = choose  # type: ignore[method-assign]
    ada = await place.room.visitor(None)
    made = await place.room.create(
        ada, NewTable("Ada", "room first=1", "first", 0, pace="clock=60+0")
    )
    table = await place.table(made.match)
    tab = Tab(table, 0)
    place.passes(1000)
    assert (left(table), running(table)) == ([60_000, 60_000], [False, False])
    begin.set()
    await asyncio.sleep(0.01)
    assert running(table) == [False, True]
    assert tab.drain()[-1]["clock"]["running"] == [False, True]
    place.passes(7)
    answer.set()
    await settled(table)
    assert left(table) == [60_000, 53_000], "what it thought counts"


async def test_a_program_is_never_lost_by_time(place: Timed) -> None:
    never = asyncio.Event()

    async def choose(name: str, view: View, begun: Callable[[], None] = lambda: None) -> Turn:
        begun()
        await never.wait()
        return view.legal[0]

    place.agents.choose = choose  # type: ignore[method-assign]
    ada = await place.room.visitor(None)
    made = await place.room.create(
        ada, NewTable("Ada", "room first=1", "first", 0, pace="clock=60+0")
    )
    table = await place.table(made.match)
    await asyncio.sleep(0.01)
    place.passes(60)
    table.look_at_the_clock()
    await asyncio.sleep(0.01)
    assert log_of(place, table)[-3:-1] == (TimeUsed(1, 60_000), Overdue(1))
    assert mover(table) == 0
    assert not table.state.over


# ---- who is away --------------------------------------------------------------------------------


async def test_the_other_is_told_and_may_end_the_match(place: Timed) -> None:
    table, tabs = await place.sit("")
    seat = mover(table)
    there = tabs[1 - seat]
    there.drain()
    place.passes(500)
    table.leave(tabs[seat].socket)
    told = there.drain()[-1]
    assert told["present"][seat] is False
    assert told["away"][seat] == 180_000
    place.passes(179)
    assert (await there.command(EndAbsent("end-early")))["reason"] == "not_absent"
    place.passes(1)
    assert (await there.command(EndAbsent("end-now")))["type"] == "ack"
    assert log_of(place, table)[-1] == Abandoned(seat)
    assert table.state.match is not None
    assert table.state.match.winner == 1 - seat


async def test_coming_back_in_time_ends_the_absence(place: Timed) -> None:
    table, tabs = await place.sit("")
    seat = mover(table)
    there = tabs[1 - seat]
    table.leave(tabs[seat].socket)
    place.passes(300)
    Tab(table, seat)
    assert there.drain()[-1]["away"] == [None, None]
    assert (await there.command(EndAbsent("end-now")))["reason"] == "not_absent"


async def test_one_tab_of_two_is_enough_to_be_there(place: Timed) -> None:
    table, tabs = await place.sit("")
    seat = mover(table)
    Tab(table, seat)
    table.leave(tabs[seat].socket)
    place.passes(1000)
    assert table.timing.away(table.state) == [None, None]


async def test_absence_counts_only_while_the_table_waits_for_that_seat(place: Timed) -> None:
    table, tabs = await place.sit("")
    seat = mover(table)
    table.leave(tabs[1 - seat].socket)
    place.passes(1000)
    assert table.timing.away(table.state) == [None, None], "one's own long thought is no absence"
    await turn(tabs)
    assert table.timing.away(table.state)[1 - seat] == 180_000
    place.passes(100)
    assert table.timing.away(table.state)[1 - seat] == 80_000


async def test_absence_between_rounds_counts_too(place: Timed) -> None:
    table, tabs = await place.sit("absent=60", f"{SHORT} rounds=2")
    await play_round(place, table, tabs)
    table.leave(tabs[0].socket)
    await tabs[1].command(Continue("continue-1", 1))
    place.passes(60)
    assert (await tabs[1].command(EndAbsent("end-now")))["type"] == "ack"
    assert log_of(place, table)[-1] == Abandoned(0)


@pytest.mark.parametrize("pace", ["absent=wait", "days=3"])
async def test_where_the_rules_wait_nobody_can_end_it(place: Timed, pace: str) -> None:
    table, tabs = await place.sit(pace)
    seat = mover(table)
    table.leave(tabs[seat].socket)
    place.passes(100_000)
    refused = await tabs[1 - seat].command(EndAbsent("end-now"))
    assert refused["reason"] == "not_absent"


# ---- what is told and kept ----------------------------------------------------------------------


async def test_the_time_rules_are_shown_before_one_joins(place: Timed) -> None:
    ada = await place.room.visitor(None)
    made = await place.room.create(ada, NewTable("Ada", pace="turn=60 timeout=safe"))
    assert made.invite is not None
    told = (await place.room.invite(made.invite[3:], None)).pace
    assert (told.kind, told.turn, told.timeout, told.absent) == ("turn", 60, "safe", 180)


async def test_the_list_of_tables_tells_the_time_left(place: Timed) -> None:
    table, _ = await place.sit("days=3")
    place.passes(3600)
    for seat, visitor in enumerate(place.players):
        (line,) = (await place.room.my_tables(visitor.player)).tables
        mine = seat == mover(table)
        assert (line.pace, line.your_turn) == ("days", mine)
        assert line.left == (3 * DAY - 3_600_000 if mine else None)


async def test_a_record_names_the_time_rules_and_the_turns_they_played(place: Timed) -> None:
    table, tabs = await place.sit("turn=30 timeout=safe")
    for _ in range(2):
        await turn(tabs)
        place.passes(30)
        await place.look(table)
    text = await place.room.record(table.match, place.players[0].player, "2026.11.30")
    assert '[TimeControl "turn=30 timeout=safe absent=180"]' in text
    assert '[SafeTurns "2 4"]' in text
    assert format_record(replay(parse_record(text)).record) == text


async def test_a_match_lost_by_time_says_so_in_its_record(place: Timed) -> None:
    table, _ = await place.sit("turn=30")
    seat = mover(table)
    place.passes(30)
    await place.look(table)
    text = await place.room.record(table.match, place.players[0].player, "2026.11.30")
    assert f'[Termination "time {seat}"]' in text
    replay(parse_record(text))
