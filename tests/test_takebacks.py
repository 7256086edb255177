"""A turn is taken back only where nothing hidden was seen; then it is as if it had not been played."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from lostcities import testing
from lostcities.core.events import (
    RoundDealt,
    TakebackAsked,
    TakebackDeclined,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import (
    MatchState,
    decide_answer_back,
    decide_ask_back,
    decide_offer,
    decide_turn,
    evolve,
    fold,
    new_match,
    takeback_open,
)
from lostcities.core.pace import Pace
from lostcities.core.position import parse_position
from lostcities.core.record import record_of, replay
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.refusal import Reason, Refusal
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn, parse_turn
from lostcities.protocol.http import NewTable
from lostcities.protocol.messages import AnswerBack, AskBack, OfferDraw, Play
from lostcities.protocol.terms import Terms
from lostcities.service.replays import rounds_of_log
from lostcities.service.table import Decision, Table
from lostcities.service.wishes import WishError
from lostcities.store.interfaces import Append, Changes, TablePaused
from rooms import FixedDecks
from test_table import Place, Tab, log_of, mover, settled
from test_timing import Timed, left

# ---- the rules ----------------------------------------------------------------------------------

SMALL = Rules(colours=2, hand=3, rounds=1, first=0)


def match_at(position: str, rules: Rules = SMALL) -> MatchState:
    state = parse_position(position, rules)
    return MatchState(rules, round=state, number=1, start=state.to_move)


def played(state: MatchState, *tokens: str) -> MatchState:
    for token in tokens:
        assert state.round is not None
        turn = parse_turn(token)
        event = decide_turn(state, state.round.to_move, turn, state.round.ply)
        assert isinstance(event, TurnPlayed), event
        state = evolve(state, event)
    return state


def granted(state: MatchState, decided: Any) -> MatchState:
    assert not isinstance(decided, Refusal), decided
    return evolve(state, decided)


def refused(decided: Any) -> Reason:
    assert isinstance(decided, Refusal)
    return decided.reason


HAND = "0 | Y5 Y6 B3 | B7 B8 Y9 | - | - | Y2 B2 | Y3 B4 Y7 B9 Y4 B5"


def test_a_turn_that_took_from_a_pile_can_be_taken_back() -> None:
    before = match_at(HAND)
    after = played(before, "+Y5<B")
    assert takeback_open(after) == 0
    asked = granted(after, decide_ask_back(after, 0))
    assert asked.asked == 0
    back = granted(asked, decide_answer_back(asked, 1, True))
    assert back.round == before.round
    assert (back.taken_back, back.asked, takeback_open(back)) == (1, None, None)
    again = played(back, "-Y6<B")
    assert again.round == played(before, "-Y6<B").round


def test_a_draw_from_the_deck_has_been_seen() -> None:
    state = played(match_at(HAND), "+Y5*")
    assert takeback_open(state) is None
    for seat in (0, 1):
        assert refused(decide_ask_back(state, seat)) is Reason.NOTHING_TO_TAKE_BACK


@pytest.mark.parametrize("answer", ["+B7<Y", "-B7*"])
def test_an_answered_turn_stays(answer: str) -> None:
    """The answer has laid a card that was hidden."""
    state = played(match_at(HAND), "+Y5<B", answer)
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK


def test_only_who_played_may_ask_and_only_the_other_may_allow() -> None:
    state = played(match_at(HAND), "+Y5<B")
    assert refused(decide_ask_back(state, 1)) is Reason.NOTHING_TO_TAKE_BACK
    assert refused(decide_answer_back(state, 1, True)) is Reason.NO_OFFER
    state = granted(state, decide_ask_back(state, 0))
    assert refused(decide_ask_back(state, 0)) is Reason.ALREADY_SAID
    assert refused(decide_answer_back(state, 0, True)) is Reason.NO_OFFER


@pytest.mark.parametrize("seat", [0, 1])
def test_once_refused_or_given_up_it_is_not_asked_again(seat: int) -> None:
    state = played(match_at(HAND), "+Y5<B")
    state = granted(state, decide_ask_back(state, 0))
    state = granted(state, decide_answer_back(state, seat, False))
    assert state.round == played(match_at(HAND), "+Y5<B").round
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK


def test_the_wish_lapses_with_whatever_happens() -> None:
    state = played(match_at(HAND), "+Y5<B")
    state = granted(state, decide_ask_back(state, 0))
    turned = played(state, "-B7*")
    assert (turned.asked, takeback_open(turned)) == (None, None)
    offered = granted(state, decide_offer(state, 0))
    assert offered.asked is None
    assert refused(decide_answer_back(offered, 1, True)) is Reason.NO_OFFER
    assert takeback_open(offered) == 0, "it may be asked again"


def test_a_round_that_ended_shows_both_hands_so_its_last_turn_stays() -> None:
    rules = Rules(colours=2, hand=3, rounds=2, first=0, stall=1)
    state = played(match_at(HAND, rules), "+Y5<B")
    assert takeback_open(state) is None
    assert refused(decide_ask_back(state, 0)) is Reason.ROUND_OVER


def test_the_count_of_turns_from_piles_goes_back_too() -> None:
    rules = Rules(colours=2, hand=3, rounds=2, first=0, stall=3)
    state = played(match_at(HAND, rules), "+Y5<B", "-B7<Y")
    state = granted(state, decide_ask_back(state, 1))
    state = granted(state, decide_answer_back(state, 0, True))
    assert state.round is not None
    assert not played(state, "-B8<Y").round.over  # type: ignore[union-attr]


def test_a_log_in_which_the_turn_taken_back_is_another_is_refused() -> None:
    state = played(match_at(HAND), "+Y5<B")
    with pytest.raises(ValueError, match="cannot follow"):
        evolve(state, TurnTakenBack(0, 0))
    state = granted(state, decide_ask_back(state, 0))
    for event in (TurnTakenBack(1, 0), TurnTakenBack(0, 1), TakebackAsked(0)):
        with pytest.raises(ValueError, match="cannot follow"):
            evolve(state, event)
    with pytest.raises(ValueError, match="cannot follow"):
        evolve(match_at(HAND), TakebackDeclined(0))


@pytest.mark.parametrize("seed", range(40))
def test_what_was_taken_back_leaves_no_trace_in_the_match(seed: int) -> None:
    """The log without the turns that do not count gives the same match."""
    rules = Rules(colours=3, hand=4, top=6, rounds=2)
    log = list(testing.random_log(rules, seed, takebacks=True))
    straight: list[Any] = []
    for event in log:
        if isinstance(event, TurnTakenBack):
            straight.pop()
        elif not isinstance(event, TakebackAsked | TakebackDeclined):
            straight.append(event)
    one, two = fold(log), fold(straight)
    assert (one.round, one.results, one.winner) == (two.round, two.results, two.winner)
    assert record_of(straight, rules, whole=True).result == one.totals


# ---- records and replays ------------------------------------------------------------------------


def regretted(rules: Rules) -> list[Any]:
    """A log in which at least two turns of a round were taken back."""
    for seed in range(200):
        log = list(testing.random_log(rules, seed, takebacks=True))
        if sum(isinstance(event, TurnTakenBack) for event in log) >= 2:
            return log
    raise AssertionError("no such log")


def test_a_record_is_of_the_play_that_counted_and_names_the_rest() -> None:
    rules = Rules(colours=3, hand=3, top=5, rounds=1)
    log = regretted(rules)
    record = record_of(log, rules, whole=True)
    replay(record)
    turns, back = [], []
    for event in log:
        if isinstance(event, TurnPlayed):
            turns.append(event.turn)
        elif isinstance(event, TurnTakenBack):
            back.append(f"{event.ply + 1} {turns.pop()}")
    assert list(record.rounds[0].turns) == turns
    assert dict(record.rounds[0].tags)["TakenBack"] == ", ".join(back)
    text = format_record(record)
    assert parse_record(text) == record
    assert "*" not in dict(record.rounds[0].tags)["TakenBack"], "no face from the deck"


def test_a_replay_shows_the_play_that_counted_and_counts_the_rest() -> None:
    rules = Rules(colours=3, hand=3, top=5, rounds=1)
    log = regretted(rules)
    match, (told,) = rounds_of_log(log, rules, None)
    assert told.taken_back == match.taken_back >= 2
    assert [state.ply for state in told.states] == list(range(len(told.states)))
    for before, after in zip(told.states, told.states[1:], strict=False):
        assert after.last_turn is not None
        assert before.play(after.last_turn) == after


# ---- the clock ----------------------------------------------------------------------------------


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


async def test_a_friendly_match_says_so_and_counts_in_no_results(place: Timed) -> None:
    assert Terms(takebacks=True).friendly
    assert Terms(aids=True).friendly
    assert not Terms().friendly
    table, tabs = await sit(place, takebacks=True)
    await settled(table)
    assert tabs[0].drain()[0]["table"]["terms"]["takebacks"] is True


def test_the_first_state_of_a_match_has_nothing_to_take_back() -> None:
    state = new_match(SMALL)
    assert takeback_open(state) is None
    deck = tuple(FixedDecks([SMALL.all_cards()]).deck(SMALL, 1))
    state = evolve(state, RoundDealt(1, 0, deck))
    assert refused(decide_ask_back(state, 0)) is Reason.NOTHING_TO_TAKE_BACK
