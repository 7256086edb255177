"""At a table a turn is taken back: who races whom, what the clocks show, and what is told."""

from collections.abc import AsyncIterator, Callable

import pytest

from lostcities.core.events import TurnPlayed, TurnTakenBack
from lostcities.core.match import decide_turn, fold
from lostcities.core.pace import Pace
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from lostcities.protocol.http import NewTable
from lostcities.protocol.messages import AnswerBack, AskBack, OfferDraw, Play
from lostcities.protocol.terms import Terms
from lostcities.service.replays import rounds_of_log
from lostcities.service.table import Decision, Table
from lostcities.service.wishes import WishError
from lostcities.store.interfaces import Append, Changes, TablePaused
from test_table import Place, Tab, log_of, mover
from test_takebacks import regretted
from test_timing import Timed, left


def test_a_clock_keeps_the_time_used_and_loses_the_increment() -> None:
    pace = Pace.parse("clock=300+5")
    assert pace.turn_back(pace.after_turn(100_000, 30_000)) == 70_000
    assert pace.turn_back(pace.after_turn(20_000, 18_000)) == 7_000, "no more than there was"
    pace = Pace.parse("clock=300+60")
    assert pace.turn_back(pace.after_turn(20_000, 18_000)) == 10_000, "time for another turn"


# ---- at a table ---------------------------------------------------------------------------------


@pytest.fixture
async def place(anyio_backend: str) -> AsyncIterator[Timed]:
    place = Timed()
    yield place
    place.store.gate.set()
    await place.room.close()


async def sit(place: Place, pace: str = "", **terms: bool) -> tuple[Table, list[Tab]]:
    ada, grace = await place.room.visitor(None), await place.room.visitor(None)
    place.players = [ada, grace]
    wish = NewTable("Ada", "room first=0", seat=0, terms=Terms(**terms), pace=pace)
    made = await place.room.create(ada, wish)
    assert made.invite is not None
    await place.room.accept(made.invite[3:], grace, "Grace")
    table = await place.table(made.match)
    return table, [Tab(table, 0), Tab(table, 1)]


def where(table: Table) -> dict[str, int]:
    match = table.state.match
    assert match is not None
    assert match.round is not None
    return {"round": match.number, "ply": match.round.ply, "back": match.taken_back}


def some(tab: Tab, fits: Callable[[Turn], bool]) -> Play:
    match = tab.table.state.match
    assert match is not None
    assert match.round is not None
    turn = next(filter(fits, match.round.legal_turns()))
    tab.commands += 1
    return Play(f"some-{tab.seat}-{id(tab)}-{tab.commands}", turn=str(turn), **where(tab.table))


def from_pile(tab: Tab) -> Play:
    """A turn that takes from a pile."""
    return some(tab, lambda turn: turn.draw is not None)


def from_deck(tab: Tab) -> Play:
    """A discard, drawn from the deck."""
    return some(tab, lambda turn: turn.lay.discard and turn.draw is None)


async def regret(table: Table, tabs: list[Tab]) -> tuple[Tab, Tab]:
    """A turn from the deck, then one from a pile; answers who regrets it, and the other."""
    first, second = tabs[mover(table)], tabs[1 - mover(table)]
    assert (await first.command(from_deck(first)))["type"] == "ack"
    assert (await second.command(from_pile(second)))["type"] == "ack"
    return second, first


async def test_ask_and_allow(place: Timed) -> None:
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    before = (table.state.match.round, log_of(place, table))  # type: ignore[union-attr]
    assert (await mine.command(AskBack("ask-back-1", **where(table))))["type"] == "ack"
    told = theirs.drain()[-1]["table"]
    assert (told["back_open"], told["back_asked"], told["back"]) == (mine.seat, mine.seat, 0)
    answer = AnswerBack("answer-back-1", **where(table), accept=True)
    assert (await theirs.command(answer))["type"] == "ack"
    update = mine.drain()[-1]
    assert update["events"][-1]["kind"] == "taken_back"
    assert (update["view"]["ply"], update["view"]["to_move"]) == (1, mine.seat)
    assert (update["table"]["back"], update["table"]["back_open"]) == (1, None)
    log = log_of(place, table)
    assert log[: len(before[1])] == before[1], "the log is only ever added to"
    again = await theirs.command(answer)
    assert again["type"] == "ack", "sent again, it is answered"
    assert log_of(place, table) == log
    # A page that comes to it now hears of the turns that count alone.
    late = Tab(table, theirs.seat)
    snapshot = next(m for m in late.drain() if m["type"] == "snapshot")
    assert [each["ply"] for each in snapshot["log"]] == [0]
    assert (await mine.command(from_pile(mine)))["type"] == "ack"
    woken = await place.restarted(table.match)
    assert woken.state.match == table.state.match


async def test_a_turn_made_before_the_taking_back_is_stale_after_it(place: Timed) -> None:
    """The regression that a ply which comes twice invites: a late answer to a turn that is gone."""
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    late = theirs.play()
    assert late.back == 0
    await mine.command(AskBack("ask-back-1", **where(table)))
    await theirs.command(AnswerBack("answer-back-1", **where(table), accept=True))
    await mine.command(from_pile(mine))
    assert where(table)["ply"] == late.ply
    assert (await theirs.command(late))["reason"] == "stale"
    for command in (
        AskBack("ask-back-2", late.round, late.ply, 0),
        AnswerBack("answer-back-2", late.round, late.ply, 0, True),
    ):
        assert (await mine.command(command))["reason"] == "stale"


@pytest.mark.parametrize("turn_first", [True, False])
async def test_allowing_races_with_a_turn_and_one_wins(place: Timed, turn_first: bool) -> None:
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    await mine.command(AskBack("ask-back-1", **where(table)))
    other_tab = Tab(table, theirs.seat)
    turn, allow = theirs.play(), AnswerBack("answer-back-1", **where(table), accept=True)
    place.store.gate.clear()
    pair = [(theirs, turn), (other_tab, allow)]
    for tab, command in pair if turn_first else reversed(pair):
        table.submit(tab.socket, command)  # type: ignore[arg-type]
    place.store.gate.set()
    answers = [await theirs.answer(turn.cmd_id), await other_tab.answer(allow.cmd_id)]
    kinds = [answer["type"] for answer in answers]
    assert kinds == (["ack", "refused"] if turn_first else ["refused", "ack"])
    kept = [type(event) for event in log_of(place, table)[-2:]]
    assert (TurnTakenBack in kept) is not turn_first
    fold(table.core_events())


async def test_another_writer_was_first_with_the_answer(place: Timed) -> None:
    """A turn of the other process lapses the wish that this one was about to allow."""
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    await mine.command(AskBack("ask-back-1", **where(table)))
    match = table.state.match
    assert match is not None
    event = decide_turn(match, theirs.seat, match.round.legal_turns()[0], 2)  # type: ignore[union-attr]
    assert isinstance(event, TurnPlayed)
    allow = AnswerBack("answer-back-1", **where(table), accept=True)
    await place.store.write(Changes(appends=(Append(table.match, table.state.seq, (event,)),)))
    assert (await theirs.command(allow))["reason"] == "stale"
    assert log_of(place, table)[-1] == event


async def test_where_the_terms_do_not_say_so_turns_stay(place: Timed) -> None:
    table, tabs = await sit(place)
    mine, theirs = await regret(table, tabs)
    assert table.snapshot(mine.seat).table.back_open is None
    assert (await mine.command(AskBack("ask-back-1", **where(table))))["reason"] == "no_takebacks"
    answer = AnswerBack("answer-back-1", **where(table), accept=True)
    assert (await theirs.command(answer))["reason"] == "no_takebacks"


async def test_a_table_with_a_program_cannot_be_set_up_with_takebacks(place: Timed) -> None:
    ada = await place.room.visitor(None)
    wish = NewTable("Ada", "room", "first", terms=Terms(takebacks=True))
    with pytest.raises(WishError, match="program") as caught:
        await place.room.create(ada, wish)
    assert (caught.value.status, caught.value.reason) == (400, "bad_terms")


async def test_a_wish_that_is_given_up_is_not_told_as_declined(place: Timed) -> None:
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    await mine.command(AskBack("ask-back-1", **where(table)))
    await mine.command(AnswerBack("answer-back-1", **where(table), accept=False))
    for tab in (mine, theirs):
        tab.drain()
        update = [each for each in tab.messages if each["type"] == "update"][-1]
        told = update["events"][-1]
        assert (told["kind"], told["seat"]) == ("back_withdrawn", mine.seat)


async def test_a_wish_lapses_with_an_offer_of_a_draw(place: Timed) -> None:
    table, tabs = await sit(place, takebacks=True)
    mine, theirs = await regret(table, tabs)
    await mine.command(AskBack("ask-back-1", **where(table)))
    await mine.command(OfferDraw("a-draw-offer"))
    answer = AnswerBack("answer-back-1", **where(table), accept=True)
    assert (await theirs.command(answer))["reason"] == "no_offer"


async def test_while_the_host_pauses_the_table_nothing_is_taken_back(place: Timed) -> None:
    table, tabs = await sit(place, takebacks=True)
    mine, _ = await regret(table, tabs)

    async def pause() -> None:
        await table.commit(lambda: Decision((TablePaused(True),)))

    await table.do(pause)
    assert table.snapshot(mine.seat).table.back_open is None
    assert (await mine.command(AskBack("ask-back-1", **where(table))))["reason"] == "paused"


async def test_the_clocks_when_a_turn_is_taken_back(place: Timed) -> None:
    """The time of the turn stays used, its increment goes; the other's time is as it was."""
    table, tabs = await sit(place, "clock=300+5", takebacks=True)
    place.passes(20)
    first, second = tabs[0], tabs[1]
    assert (await first.command(from_deck(first)))["type"] == "ack"
    place.passes(40)
    assert (await second.command(from_pile(second)))["type"] == "ack"
    assert left(table) == [285_000, 265_000]
    place.passes(12)
    await second.command(AskBack("ask-back-1", **where(table)))
    assert left(table) == [273_000, 265_000], "who is asked has the time of the turn to decide"
    await first.command(AnswerBack("answer-back-1", **where(table), accept=True))
    assert left(table) == [285_000, 260_000]
    place.passes(10)
    assert left(table) == [285_000, 250_000]
    woken = await place.restarted(table.match)
    assert woken.state.banks == table.state.banks


async def test_a_time_that_runs_out_lapses_the_wish(place: Timed) -> None:
    table, tabs = await sit(place, "turn=60", takebacks=True)
    mine, theirs = await regret(table, tabs)
    await mine.command(AskBack("ask-back-1", **where(table)))
    place.passes(61)
    await place.look(table)
    assert table.state.over
    answer = AnswerBack("answer-back-1", **where(table), accept=True)
    assert (await theirs.command(answer))["type"] == "refused"


async def test_a_turn_taken_back_has_days_anew(place: Timed) -> None:
    table, tabs = await sit(place, "days=1", takebacks=True)
    mine, theirs = await regret(table, tabs)
    place.passes(3600 * 20)
    await mine.command(AskBack("ask-back-1", **where(table)))
    await theirs.command(AnswerBack("answer-back-1", **where(table), accept=True))
    assert left(table)[mine.seat] == 24 * 3600 * 1000
    assert place.store.matches[table.match].due == table.timing.due


def test_a_replay_shows_the_play_that_counted_and_counts_the_rest() -> None:
    rules = Rules(colours=3, hand=3, top=5, rounds=1)
    log = regretted(rules)
    match, (told,) = rounds_of_log(log, rules, None)
    assert told.taken_back == match.taken_back >= 2
    assert [state.ply for state in told.states] == list(range(len(told.states)))
    for before, after in zip(told.states, told.states[1:], strict=False):
        assert after.last_turn is not None
        assert before.play(after.last_turn) == after
