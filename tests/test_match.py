"""A match: who starts, going on, ending, offers, logs; what is refused changes nothing."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from lostcities import testing
from lostcities.core.cards import Card, Colour, parse_cards
from lostcities.core.events import (
    Abandoned,
    ContinueDeclined,
    ContinueSaid,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    MatchStarted,
    Resigned,
    RoundDealt,
    TakebackAsked,
    TakebackDeclined,
    TimedOut,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import (
    MatchState,
    Phase,
    RoundResult,
    Termination,
    decide_abandon,
    decide_answer,
    decide_answer_back,
    decide_ask_back,
    decide_continue,
    decide_deal,
    decide_offer,
    decide_resign,
    decide_time,
    decide_turn,
    evolve,
    fold,
    leader,
    new_match,
    next_starter,
    seats_to_act,
)
from lostcities.core.position import parse_position
from lostcities.core.refusal import IllegalTurnError, Reason, Refusal
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat
from lostcities.core.turn import Turn, parse_turn

# A deck of eight cards in two colours: hands of two, four cards to draw.
SMALL = "colours=2 hand=2 wagers=1 top=4 bonus_at=3"
DECK = "YX BX Y2 B2 Y3 B3 Y4 B4"


def small(more: str = "") -> Rules:
    return Rules.parse(f"{SMALL} {more}")


def deck(text: str = DECK) -> tuple[Card, ...]:
    return parse_cards(text)


def ok(decided: Event | Refusal) -> Event:
    assert not isinstance(decided, Refusal), decided
    return decided


def reason(decided: Event | Refusal) -> Reason:
    assert isinstance(decided, Refusal), decided
    assert decided.text == str(decided)
    return decided.reason


def deal(state: MatchState, coin: Seat = 0, cards: str = DECK) -> MatchState:
    return evolve(state, ok(decide_deal(state, deck(cards), coin)))


def turn(state: MatchState, token: str) -> MatchState:
    assert state.round is not None
    event = ok(decide_turn(state, state.round.to_move, parse_turn(token), state.round.ply))
    return evolve(state, event)


def go_on(state: MatchState) -> MatchState:
    for seat in (0, 1):
        state = evolve(state, ok(decide_continue(state, seat, True)))
    return state


def play_out(state: MatchState) -> MatchState:
    """To the end of the round: each discards the first card and draws from the deck."""
    while state.phase is Phase.PLAYING:
        assert state.round is not None
        state = turn(state, f"-{state.round.hands[state.round.to_move][0]}*")
    return state


def with_results(rules: Rules, *rounds: tuple[Seat, int, int]) -> MatchState:
    """A match after rounds of (starter, points of seat 0, points of seat 1)."""
    results = tuple(RoundResult(start, BySeat(a, b), None, 44) for start, a, b in rounds)
    return replace(new_match(rules), results=results, number=len(rounds))


# ---- who starts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("coin", [0, 1])
@pytest.mark.parametrize(("first", "start"), [("random", None), ("0", 0), ("1", 1)])
def test_who_starts_the_first_round(first: str, start: Seat | None, coin: Seat) -> None:
    state = new_match(small(f"first={first}"))
    assert next_starter(state) == start
    dealt = deal(state, coin)
    assert dealt.round is not None
    assert dealt.start == dealt.round.to_move == (coin if start is None else start)


@pytest.mark.parametrize(
    ("following", "rounds", "start"),
    [
        ("alternate", [(0, 60, 10)], 1),
        ("alternate", [(1, 60, 10)], 0),
        ("alternate", [(0, 60, 10), (1, 10, 40)], 0),
        ("leader", [(0, 60, 10)], 0),
        ("leader", [(0, 10, 60)], 1),
        ("leader", [(0, 60, 10), (0, 10, 40)], 0),
        ("winner", [(0, 60, 10), (0, 10, 40)], 1),
        ("winner", [(1, 60, 10)], 0),
        ("winner", [(0, -40, -60)], 0),
        ("leader", [(0, 30, 30)], 1),
        ("leader", [(1, 30, 30)], 0),
        ("winner", [(0, 30, 30)], 1),
        ("winner", [(1, 30, 30)], 0),
        ("leader", [(0, 60, 10), (0, -10, 40)], 1),
        ("leader", [(0, 10, 60), (1, 60, 10)], 0),
        ("winner", [(0, 60, 10), (0, 5, 5)], 1),
        ("winner", [(0, 10, 60), (1, 5, 5)], 0),
    ],
)
def test_who_starts_the_next_round(
    following: str, rounds: list[tuple[Seat, int, int]], start: Seat
) -> None:
    """A tie alternates from the last starter; leader goes by totals, winner by the last round."""
    state = with_results(Rules.parse(f"next={following}"), *rounds)
    assert next_starter(state) == start


def test_the_leader_of_points() -> None:
    assert leader(BySeat(1, 0)) == 0
    assert leader(BySeat(-5, -4)) == 1
    assert leader(BySeat(7, 7)) is None


def test_the_coin_counts_for_the_first_round_only() -> None:
    state = go_on(play_out(deal(new_match(small()), coin=1)))
    for coin in (0, 1):
        event = decide_deal(state, deck(), coin)
        assert isinstance(event, RoundDealt)
        assert (event.number, event.start) == (2, 0)


# ---- the course of a match ----------------------------------------------------------------------


def test_a_match_of_two_rounds_step_by_step() -> None:
    rules = small("rounds=2 first=0")
    state = new_match(rules)
    assert (state.phase, state.number, seats_to_act(state)) == (Phase.DEALING, 0, ())
    state = deal(state)
    assert (state.phase, state.number, seats_to_act(state)) == (Phase.PLAYING, 1, (0,))
    state = turn(state, "+YX*")
    assert seats_to_act(state) == (1,)
    state = play_out(state)
    assert (state.phase, seats_to_act(state)) == (Phase.BETWEEN, (0, 1))
    assert state.results == (RoundResult(0, BySeat(-40, 0), None, 4),)
    assert (state.totals, state.earlier_totals) == (BySeat(-40, 0), BySeat(0, 0))
    state = evolve(state, ok(decide_continue(state, 1, True)))
    assert (state.phase, seats_to_act(state)) == (Phase.BETWEEN, (0,))
    state = evolve(state, ok(decide_continue(state, 0, True)))
    assert (state.phase, seats_to_act(state)) == (Phase.DEALING, ())
    state = deal(state)
    assert (state.number, state.start, state.willing) == (2, 1, BySeat(False, False))
    assert state.earlier_totals == BySeat(-40, 0)
    state = play_out(turn(state, "+B2*"))
    assert (state.phase, seats_to_act(state)) == (Phase.OVER, ())
    assert state.totals == BySeat(-40, -18)
    assert state.earlier_totals == BySeat(-40, 0)
    assert state.termination is None
    assert state.winner == 1


def test_the_last_round_needs_no_continue() -> None:
    state = play_out(deal(new_match(small("rounds=1"))))
    assert state.phase is Phase.OVER
    assert reason(decide_continue(state, 0, True)) is Reason.MATCH_OVER
    assert reason(decide_deal(state, deck(), 0)) is Reason.NOT_BETWEEN_ROUNDS


def test_an_open_match_goes_on_until_one_declines() -> None:
    state = new_match(small("rounds=open"))
    for number in range(1, 5):
        state = play_out(deal(state))
        assert (state.phase, state.number) == (Phase.BETWEEN, number)
        state = go_on(state)
    state = play_out(turn(deal(state), "+YX*"))
    state = evolve(state, ok(decide_continue(state, 0, True)))
    state = evolve(state, ok(decide_continue(state, 1, False)))
    assert (state.phase, str(state.termination)) == (Phase.OVER, "declined")
    assert state.winner == 1


def test_declining_ends_any_match_and_the_totals_decide() -> None:
    state = play_out(turn(deal(new_match(small())), "+YX*"))
    event = ok(decide_continue(state, 0, False))
    assert event == ContinueDeclined(0)
    state = evolve(state, event)
    assert (state.phase, state.termination) == (Phase.OVER, Termination("declined"))
    assert state.winner == 1


def test_one_may_think_better_of_going_on() -> None:
    state = play_out(deal(new_match(small())))
    state = evolve(state, ok(decide_continue(state, 0, True)))
    assert reason(decide_continue(state, 0, True)) is Reason.ALREADY_SAID
    assert ok(decide_continue(state, 0, False)) == ContinueDeclined(0)
    assert ok(decide_continue(state, 1, True)) == ContinueSaid(1)


def test_negative_rounds_are_plainly_summed() -> None:
    state = with_results(Rules(), (0, -40, 0), (1, 10, 0), (0, -5, 0))
    assert state.totals == BySeat(-35, 0)
    assert (state.phase, state.winner) == (Phase.OVER, 1)


# ---- how it ends --------------------------------------------------------------------------------

LEAVING = [
    (decide_resign, Resigned, "resigned"),
    (decide_abandon, Abandoned, "abandoned"),
    (decide_time, TimedOut, "time"),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("decide", "event", "kind"), LEAVING)
def test_a_seat_that_leaves_loses_whatever_the_totals(
    decide: Callable[[MatchState, Seat], Event | Refusal],
    event: Callable[[Seat], Event],
    kind: str,
    seat: Seat,
) -> None:
    ahead = play_out(turn(deal(new_match(small())), "+YX*"))  # seat 1 leads by 40
    for state in (new_match(small()), deal(new_match(small())), ahead, go_on(ahead)):
        decided = ok(decide(state, seat))
        assert decided == event(seat)
        over = evolve(state, decided)
        assert over.phase is Phase.OVER
        assert str(over.termination) == f"{kind} {seat}"
        assert over.winner == 1 - seat
        assert over.totals == state.totals
        assert seats_to_act(over) == ()


def test_an_agreed_end_is_a_draw_whatever_the_totals() -> None:
    state = play_out(turn(deal(new_match(small())), "+YX*"))
    assert state.totals == BySeat(-40, 0)
    state = evolve(state, ok(decide_offer(state, 0)))
    state = evolve(state, ok(decide_answer(state, 1, True)))
    assert (state.phase, str(state.termination), state.winner) == (Phase.OVER, "agreed", None)
    assert state.offer is None


def test_nobody_has_won_a_match_that_is_not_over() -> None:
    ahead = play_out(turn(deal(new_match(small())), "+YX*"))
    for state in (new_match(small()), deal(new_match(small())), ahead, go_on(ahead)):
        assert state.winner is None


@pytest.mark.parametrize(("points", "winner"), [((60, 10), 0), ((10, 60), 1), ((-3, -3), None)])
def test_the_winner_has_more_points_whoever_moved_last(
    points: tuple[int, int], winner: Seat | None
) -> None:
    for last_mover in (0, 1):
        state = with_results(Rules(rounds=1), (1 - last_mover, *points))
        assert state.winner == winner


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("ahead", [0, 1])
def test_the_winner_is_not_named_from_the_last_movers_side(mover: Seat, ahead: Seat) -> None:
    rows = ["R9 R10 G9 G10", "Y2"]
    text = f"{mover} | B2 | B3 | {rows[ahead]} | {rows[1 - ahead]} | - | W4"
    start = new_match(Rules(rounds=1))
    state = replace(start, round=parse_position(text, start.rules), number=1)
    state = turn(state, "-B2*" if mover == 0 else "-B3*")
    assert (state.phase, state.winner) == (Phase.OVER, ahead)


def test_level_totals_of_different_rows_are_a_draw() -> None:
    text = "0 | B2 | B3 | R9 R10 | G2 G3 G4 G10 | - | W4"
    start = new_match(Rules(rounds=1))
    state = replace(start, round=parse_position(text, start.rules), number=1)
    state = turn(state, "-B2*")
    assert state.results[0].score == BySeat(-1, -1)
    assert (state.phase, state.winner) == (Phase.OVER, None)
    level = with_results(Rules(rounds=2), (0, 30, 10), (1, -10, 10))
    assert (level.phase, level.winner) == (Phase.OVER, None)


# ---- offers -------------------------------------------------------------------------------------


def test_an_offer_stands_until_it_is_answered() -> None:
    state = deal(new_match(small()))
    event = ok(decide_offer(state, 1))
    assert event == DrawOffered(1)
    state = evolve(state, event)
    assert state.offer == 1
    state = turn(state, "-YX*")
    assert state.offer == 1
    assert reason(decide_offer(state, 1)) is Reason.ALREADY_SAID
    assert reason(decide_answer(state, 1, True)) is Reason.NO_OFFER
    declined = ok(decide_answer(state, 0, False))
    assert declined == DrawDeclined(0)
    assert evolve(state, declined).offer is None


def test_an_offer_may_be_taken_back() -> None:
    state = evolve(new_match(small()), DrawOffered(0))
    assert ok(decide_answer(state, 0, False)) == DrawDeclined(0)


def test_two_offers_that_meet_are_an_agreement() -> None:
    state = evolve(deal(new_match(small())), DrawOffered(0))
    assert ok(decide_offer(state, 1)) == DrawAgreed(1)


@pytest.mark.parametrize("accept", [True, False])
def test_without_an_offer_there_is_no_answer(accept: bool) -> None:
    assert reason(decide_answer(new_match(small()), 0, accept)) is Reason.NO_OFFER


# ---- refusals -----------------------------------------------------------------------------------


def test_turns_are_refused_with_the_reason() -> None:
    before = new_match(small())
    state = deal(before)

    def why(token: str, seat: Seat = 0, ply: int = 0, at: MatchState = state) -> Reason:
        copy = replace(at)
        found = reason(decide_turn(at, seat, parse_turn(token), ply))
        assert at == copy
        return found

    assert why("+YX*", at=before) is Reason.NOT_DEALT
    assert why("+YX*", ply=1) is Reason.STALE
    assert why("+BX*", seat=1, ply=7) is Reason.STALE
    assert why("+BX*", seat=1) is Reason.NOT_YOUR_TURN
    assert why("+YX*Y3") is Reason.FACE_NAMED
    assert why("+YX*B2") is Reason.FACE_NAMED
    assert why("+BX*") is Reason.NOT_HELD
    assert why("-B4*") is Reason.NOT_HELD
    assert why("+GX*") is Reason.NO_SUCH_COLOUR
    assert why("+Y9*") is Reason.NO_SUCH_COLOUR
    assert why("+YX<G") is Reason.NO_SUCH_COLOUR
    assert why("+YX<Y") is Reason.PILE_EMPTY
    assert why("-YX<Y") is Reason.OWN_DISCARD
    played = turn(turn(state, "+Y2*"), "-BX*")
    assert why("-YX*", ply=0, at=played) is Reason.STALE
    assert why("-YX*", ply=1, at=played) is Reason.STALE
    assert why("+YX*", ply=2, at=played) is Reason.WAGER_AFTER_NUMBER
    between = play_out(state)
    assert why("+YX*", ply=4, at=between) is Reason.ROUND_OVER
    assert why("+YX*", ply=4, at=go_on(between)) is Reason.NOT_DEALT
    over = evolve(state, Resigned(0))
    assert why("+YX*", at=over) is Reason.MATCH_OVER


def test_refusals_are_said_in_words() -> None:
    new = new_match(small())
    state = deal(new)
    between = play_out(state)
    offered = evolve(state, DrawOffered(0))
    over = evolve(state, Resigned(0))
    any_turn = parse_turn("+YX*")
    said = {
        decide_deal(state, deck(), 0): "no round is waiting to be dealt",
        decide_turn(new, 0, any_turn, 0): "the round has not been dealt yet",
        decide_turn(state, 0, any_turn, 3): "meant for ply 3, but 0 turns have been played",
        decide_turn(state, 1, any_turn, 0): "it is the other seat's turn",
        decide_turn(
            state, 0, parse_turn("+YX*Y3"), 0
        ): "a turn is submitted without the face drawn",
        decide_turn(between, 0, any_turn, 4): "the round is over",
        decide_turn(over, 0, any_turn, 0): "the match is over",
        decide_continue(state, 0, True): "the round is not over",
        decide_continue(over, 0, True): "the match is over",
        decide_continue(evolve(between, ContinueSaid(0)), 0, True): "already said to continue",
        decide_offer(offered, 0): "your offer already stands",
        decide_offer(over, 0): "the match is over",
        decide_answer(state, 0, True): "there is no offer to answer",
        decide_answer(over, 0, True): "the match is over",
        decide_resign(over, 0): "the match is over",
    }
    for answer, text in said.items():
        assert isinstance(answer, Refusal)
        assert str(answer) == text
    for refused in (decide_offer(over, 0), decide_answer(over, 0, True), decide_resign(over, 1)):
        assert reason(refused) is Reason.MATCH_OVER


def test_a_lower_number_is_refused() -> None:
    state = deal(new_match(small()), cards="Y3 BX Y2 B2 YX B3 Y4 B4")
    state = turn(turn(state, "+Y3*"), "-BX*")
    decided = decide_turn(state, 0, parse_turn("+Y2*"), 2)
    assert reason(decided) is Reason.NOT_ASCENDING


def test_the_answer_does_not_tell_the_top_card() -> None:
    """A right and a wrong guess of the face to be drawn are refused alike."""
    state = deal(new_match(small()))
    guesses = {decide_turn(state, 0, parse_turn(f"+YX*{card}"), 0) for card in DECK.split()}
    assert len(guesses) == 1


def test_a_decided_turn_names_the_face_drawn() -> None:
    state = deal(new_match(small()))
    event = decide_turn(state, 0, parse_turn("+YX*"), 0)
    assert event == TurnPlayed(0, 0, parse_turn("+YX*Y3"))
    state = turn(turn(state, "-YX*"), "-BX*")
    taken = decide_turn(state, 0, parse_turn("+Y2<B"), 2)
    assert taken == TurnPlayed(0, 2, Turn(parse_turn("+Y2<B").lay, Colour.BLUE))


def wishes(state: MatchState, seat: Seat) -> list[Event | Refusal]:
    return [
        decide_deal(state, state.rules.all_cards(), seat),
        *(decide_continue(state, seat, yes) for yes in (True, False)),
        *(decide_answer(state, seat, yes) for yes in (True, False)),
        *(decide_answer_back(state, seat, yes) for yes in (True, False)),
        decide_ask_back(state, seat),
        decide_offer(state, seat),
        decide_resign(state, seat),
        decide_abandon(state, seat),
        decide_time(state, seat),
        decide_turn(state, seat, parse_turn("+YX*"), 0),
    ]


def test_nothing_can_be_wished_for_once_a_match_is_over() -> None:
    for seed in range(20):
        state = fold(testing.random_log(small("rounds=2"), seed, fickle=True))
        for seat in (0, 1):
            assert all(isinstance(answer, Refusal) for answer in wishes(state, seat))


def test_going_on_is_refused_in_mid_round() -> None:
    for state in (new_match(small()), deal(new_match(small()))):
        for yes in (True, False):
            assert reason(decide_continue(state, 0, yes)) is Reason.NOT_BETWEEN_ROUNDS
    assert reason(decide_deal(deal(new_match(small())), deck(), 0)) is Reason.NOT_BETWEEN_ROUNDS


def test_dealing_waits_for_both() -> None:
    state = play_out(deal(new_match(small())))
    assert reason(decide_deal(state, deck(), 0)) is Reason.NOT_BETWEEN_ROUNDS
    state = evolve(state, ContinueSaid(1))
    assert reason(decide_deal(state, deck(), 0)) is Reason.NOT_BETWEEN_ROUNDS
    assert isinstance(decide_deal(evolve(state, ContinueSaid(0)), deck(), 0), RoundDealt)


# ---- logs ---------------------------------------------------------------------------------------


def test_a_log_begins_with_its_start() -> None:
    with pytest.raises(ValueError, match="an empty log"):
        fold([])
    with pytest.raises(ValueError, match="begins with MatchStarted"):
        fold([Resigned(0)])
    started = MatchStarted(small())
    assert fold([started]) == new_match(small()) == evolve(new_match(Rules()), started)


def test_a_second_start_in_a_log_is_refused() -> None:
    log = list(testing.random_log(small(), 1))
    with pytest.raises(ValueError, match="only once"):
        fold([*log[:4], MatchStarted(small()), *log[4:]])


def test_a_log_with_a_gap_or_a_doubled_turn_is_refused() -> None:
    log = list(testing.random_log(small("rounds=2"), 3))
    for index, event in enumerate(log):
        if isinstance(event, TurnPlayed | RoundDealt):
            with pytest.raises((ValueError, IllegalTurnError)):
                fold([*log[:index], event, *log[index:]])
            if index + 1 < len(log):
                with pytest.raises((ValueError, IllegalTurnError)):
                    fold(log[:index] + log[index + 1 :])


EVENTS: list[Event] = [
    *(kind(seat) for seat in (0, 1) for kind in (
        ContinueSaid, ContinueDeclined, DrawOffered, DrawDeclined, DrawAgreed, Resigned, Abandoned,
        TimedOut, TakebackAsked, TakebackDeclined,
    )),
    *(TurnTakenBack(seat, ply) for seat in (0, 1) for ply in range(4)),
]  # fmt: skip


def decided(state: MatchState, seat: Seat) -> set[object]:
    """Everything that this seat could bring about now, but for turns and deals."""
    answers = [
        *(decide_continue(state, seat, yes) for yes in (True, False)),
        *(decide_answer(state, seat, yes) for yes in (True, False)),
        *(decide_answer_back(state, seat, yes) for yes in (True, False)),
        decide_ask_back(state, seat),
        *(each(state, seat) for each in (decide_offer, decide_resign, decide_abandon, decide_time)),
    ]
    return {answer for answer in answers if not isinstance(answer, Refusal)}


def test_only_what_could_be_decided_can_follow_in_a_log() -> None:
    for seed in range(12):
        rules = small("rounds=3")
        state = new_match(rules)
        for event in testing.random_log(rules, seed, fickle=True, takebacks=True):
            state = evolve(state, event)
            possible = decided(state, 0) | decided(state, 1)
            for other_event in EVENTS:
                if other_event in possible:
                    evolve(state, other_event)
                else:
                    with pytest.raises(ValueError, match="cannot follow here"):
                        evolve(state, other_event)


def test_a_round_started_by_the_wrong_seat_is_refused() -> None:
    state = new_match(small("first=1"))
    assert evolve(state, RoundDealt(1, 1, deck())).start == 1
    with pytest.raises(ValueError, match="the other's to start"):
        evolve(state, RoundDealt(1, 0, deck()))


def test_a_round_out_of_turn_is_refused_with_the_reason() -> None:
    new = new_match(small())
    with pytest.raises(ValueError, match="round 2 is dealt, but round 0 is dealing"):
        evolve(new, RoundDealt(2, 0, deck()))
    with pytest.raises(ValueError, match="round 2 is dealt, but round 1 is playing"):
        evolve(deal(new), RoundDealt(2, 1, deck()))


def test_a_wrong_deck_does_not_get_into_a_log() -> None:
    with pytest.raises(ValueError, match="does not hold the cards"):
        decide_deal(new_match(small()), deck("YX BX Y2 B2 Y3 B3 Y4 Y4"), 0)


def test_a_turn_after_the_end_is_refused() -> None:
    state = evolve(deal(new_match(small())), Resigned(1))
    with pytest.raises(ValueError, match="cannot follow here: the match is over"):
        evolve(state, TurnPlayed(0, 0, parse_turn("+YX*")))


def test_a_turn_before_the_deal_is_refused() -> None:
    with pytest.raises(ValueError, match="before the first deal"):
        evolve(new_match(small()), TurnPlayed(0, 0, parse_turn("+YX*")))


def test_a_turn_of_the_wrong_seat_or_face_is_refused() -> None:
    state = deal(new_match(small()))
    with pytest.raises(ValueError, match="seat 1 at ply 0"):
        evolve(state, TurnPlayed(1, 0, parse_turn("+YX*")))
    with pytest.raises(IllegalTurnError) as caught:
        evolve(state, TurnPlayed(0, 0, parse_turn("+YX*B4")))
    assert caught.value.refusal.reason is Reason.FACE_WRONG


def test_a_deck_that_is_not_these_rules_is_refused() -> None:
    state = new_match(small())
    for cards in (DECK + " Y4", "YX BX Y2 B2 Y3 B3 Y4", "YX BX Y2 B2 Y3 B3 Y4 Y4"):
        with pytest.raises(ValueError, match="does not hold the cards"):
            evolve(state, RoundDealt(1, 0, deck(cards)))


def test_a_stalled_round_is_kept_as_such() -> None:
    rules = small("rounds=2 stall=2")
    state = turn(turn(deal(new_match(rules)), "-YX*"), "-BX<Y")
    state = turn(state, "+Y2<B")
    assert (state.phase, state.results) == (
        Phase.BETWEEN,
        (RoundResult(0, BySeat(-18, 0), "stall", 3),),
    )


def test_a_match_at_random_folds_to_the_state_that_it_reached() -> None:
    rng = random.Random(0)
    for seed in range(10):
        log = list(testing.random_log(small("rounds=3 next=leader"), seed, fickle=True))
        cut = rng.randrange(1, len(log) + 1)
        state = fold(log[:cut])
        for event in log[cut:]:
            state = evolve(state, event)
        assert state == fold(log)


def test_turns_are_the_deck_and_what_was_taken() -> None:
    """44 turns and one for each card taken from a pile; 56 in the long game."""
    for colours, base in ((5, 44), (6, 56)):
        for seed in range(5):
            states = list(testing.random_round(Rules(colours=colours), seed))
            taken = sum(
                state.last_turn is not None and state.last_turn.draw is not None for state in states
            )
            assert states[-1].ply == len(states) - 1 == base + taken
            last = 1 - states[-1].to_move
            first = states[0].to_move
            assert (last == first) == (states[-1].ply % 2 == 1)
