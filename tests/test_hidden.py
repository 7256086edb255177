"""Non-interference: what a seat cannot see changes nothing that it is shown or answered."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from lostcities import testing
from lostcities.core.cards import FACES, Card, sort_cards
from lostcities.core.events import Event, RoundDealt, TurnPlayed
from lostcities.core.match import (
    MatchState,
    decide_answer_back,
    decide_ask_back,
    decide_turn,
    evolve,
    new_match,
)
from lostcities.core.record import record_of
from lostcities.core.record_text import format_record
from lostcities.core.refusal import Refusal
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.turn import Lay, Turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_for

EYES: list[Seat | None] = [0, 1, None]


def other_world(state: RoundState, eyes: Seat | None, rng: random.Random) -> RoundState:
    """The same round with the cards that these eyes cannot see dealt anew among themselves."""
    hidden = [seat for seat in SEATS if seat != eyes]
    unseen = [*state.deck]
    for seat in hidden:
        unseen += (Counter(state.hands[seat]) - Counter(state.taken[seat])).elements()
    rng.shuffle(unseen)
    hands = state.hands
    for seat in hidden:
        size = len(state.hands[seat]) - len(state.taken[seat])
        cards, unseen = unseen[:size], unseen[size:]
        hands = hands.replace(seat, sort_cards((*state.taken[seat], *cards)))
    last = state.last_turn
    others_draw = eyes is None or state.to_move == eyes
    if last is not None and last.drawn is not None and others_draw:
        last = replace(last, drawn=rng.choice(FACES))
    return replace(state, hands=hands, deck=tuple(unseen), last_turn=last)


def assert_same(state: MatchState, twin: MatchState, eyes: Seat | None) -> None:
    shown, twins = view_for(state, eyes), view_for(twin, eyes)
    assert shown == twins
    assert shown.last_turn == twins.last_turn
    assert json.dumps(view_to_dict(shown)) == json.dumps(view_to_dict(twins))


def candidates(rules: Rules) -> list[Turn]:
    """Every turn that could be submitted, and some that name the face drawn."""
    cards: list[Card] = [card for card in FACES if rules.copies(card)]
    lays = [Lay(card, discard) for card in cards for discard in (False, True)]
    turns = [Turn(lay, draw) for lay in lays for draw in (None, *rules.all_colours())]
    return turns + [Turn(lays[0], None, card) for card in cards]


def answers(state: MatchState, seat: Seat) -> list[object]:
    """What a seat is told about each turn that it could submit, short of the face drawn."""
    assert state.round is not None
    told: list[object] = []
    for turn in candidates(state.rules):
        answer = decide_turn(state, seat, turn, state.round.ply)
        told.append(answer if isinstance(answer, Refusal) else answer.turn.public)
    return told


SMALL = Rules(colours=2, hand=3, top=6, rounds=2, next="leader")


@pytest.mark.parametrize("rules", [SMALL, replace(SMALL, stall=7, own_discard=True)])
def test_views_after_every_turn_of_small_matches(rules: Rules) -> None:
    rng = random.Random(5)
    for seed in range(60):
        state = new_match(rules)
        for event in testing.random_log(rules, seed, takebacks=True):
            state = evolve(state, event)
            if state.round is None:
                continue
            for eyes in EYES:
                twin = replace(state, round=other_world(state.round, eyes, rng))
                assert_same(state, twin, eyes)
                # The round before the last turn is as secret as the present one.
                if state.before is not None:
                    before = other_world(state.before, eyes, rng)
                    twin = replace(twin, before=before)
                    assert_same(state, twin, eyes)
                    for seat in SEATS:
                        assert decide_ask_back(state, seat) == decide_ask_back(twin, seat)
                        for yes in (True, False):
                            assert decide_answer_back(state, seat, yes) == decide_answer_back(
                                twin, seat, yes
                            )


@pytest.mark.parametrize("colours", [5, 6])
def test_views_after_every_turn_of_matches(colours: int) -> None:
    rules = Rules(colours=colours)
    rng = random.Random(6)
    for seed in range(3):
        state = new_match(rules)
        for event in testing.random_log(rules, seed):
            state = evolve(state, event)
            if state.round is not None:
                for eyes in EYES:
                    twin = replace(state, round=other_world(state.round, eyes, rng))
                    assert_same(state, twin, eyes)


@pytest.mark.slow
def test_views_after_every_turn_of_a_thousand_rounds() -> None:
    rules = Rules(rounds=1)
    rng = random.Random(7)
    for seed in range(1000):
        state = new_match(rules)
        for ply, event in enumerate(testing.random_log(rules, 10_000 + seed)):
            state = evolve(state, event)
            if state.round is not None:
                eyes = EYES[ply % 3]
                twin = replace(state, round=other_world(state.round, eyes, rng))
                assert view_for(state, eyes) == view_for(twin, eyes)


@settings(max_examples=30)
@given(testing.rounds())
def test_answers_to_every_turn(round_state: RoundState) -> None:
    """A refusal tells a seat nothing of the other hand, the deck or the card on top of it."""
    rng = random.Random(8)
    state = replace(new_match(round_state.rules), round=round_state, number=1)
    for seat in SEATS:
        twin = replace(state, round=other_world(round_state, seat, rng))
        assert answers(state, seat) == answers(twin, seat)


def test_no_hidden_face_is_written_in_a_view() -> None:
    """Every face in the text of a view lies open, is the seat's own, or is known to it."""
    for seed in range(4):
        for state in testing.random_round(Rules(), 100 + seed):
            for eyes in EYES:
                open_cards = [card for rows in state.expeditions for row in rows for card in row]
                open_cards += [card for pile in state.piles for card in pile]
                open_cards += [card for seat in SEATS for card in state.taken[seat]]
                if eyes is not None:
                    open_cards += state.hands[eyes]
                view = view_to_dict(view_for(replace(new_match(state.rules), round=state), eyes))
                last = state.last_turn
                if last is not None:
                    open_cards.append(last.lay.card)
                written = json.dumps({key: view[key] for key in view if key != "rules"})
                shown = {str(card) for card in FACES if f'{card}"' in written}
                shown |= {str(card) for card in FACES if f"{card}*" in written}
                assert shown <= {str(card) for card in open_cards}


def twin_logs(rules: Rules, seed: int) -> tuple[list[Event], list[Event]]:
    """A log, and one in which the deck's end that nobody saw lies in another order."""
    log = list(testing.random_log(rules, seed))
    cut = log[: len(log) // 2]
    twin = [
        replace(event, deck=event.deck[:-3] + tuple(reversed(event.deck[-3:])))
        if isinstance(event, RoundDealt)
        else event
        for event in cut
    ]
    return cut, twin


def test_records_seen_from_a_seat_hide_what_it_has_not_seen() -> None:
    rules = Rules(rounds=1)
    for seed in range(5):
        log, twin = twin_logs(rules, seed)
        for seat in EYES:
            texts = [
                format_record(record_of(each, rules, whole=False, seat=seat))
                for each in (log, twin)
            ]
            assert texts[0] == texts[1]
        draws = [
            event.seat
            for event in log
            if isinstance(event, TurnPlayed) and event.turn.drawn is not None
        ]
        for seat in SEATS:
            record = record_of(log, rules, whole=False, seat=seat)
            named = [turn for turn in record.rounds[0].turns if turn.drawn is not None]
            assert len(named) == draws.count(seat)
            assert record.rounds[0].deck is None
            assert record.rounds[0].hands[1 - seat] is None


def test_the_twin_of_a_world_is_another_world() -> None:
    """The test above compares worlds that do differ."""
    state = list(testing.random_round(Rules(), 1))[5]
    twin = other_world(state, 0, random.Random(1))
    assert twin.deck != state.deck
    assert twin.hands[1] != state.hands[1]
    assert twin.hands[0] == state.hands[0]
    assert Counter(twin.hands[1] + twin.deck) == Counter(state.hands[1] + state.deck)
    watched = other_world(state, None, random.Random(1))
    assert watched.hands != BySeat(*state.hands)
