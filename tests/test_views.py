"""What a seat may see: key by key, what is known of the other hand, spectators, ended matches."""

import json
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings

from data_files import position
from lostcities import testing
from lostcities.core.cards import format_cards, parse_cards
from lostcities.core.errors import HiddenCardsError, NotationError
from lostcities.core.events import Event, Resigned, RoundDealt
from lostcities.core.match import Phase, decide_deal, evolve, fold, new_match
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat
from lostcities.core.turn import parse_turn
from lostcities.core.view_json import view_from_dict, view_to_dict
from lostcities.core.views import View, view_for, view_of_round

KEYS = [
    "seat", "to_move", "round", "rounds", "ply", "hand", "expeditions", "piles", "deck",
    "hand_sizes", "known", "exposed", "scores", "totals", "last_turn", "legal", "rules",
]  # fmt: skip
SPECTATOR_KEYS = [key for key in KEYS if key not in ("hand", "exposed")]


def play(state: RoundState, *tokens: str) -> RoundState:
    for token in tokens:
        state = state.play(parse_turn(token))
    return state


def seen(state: RoundState, seat: Seat | None) -> dict[str, Any]:
    return view_to_dict(view_of_round(state, seat, 2, BySeat(61, 48)))


# Seat 0 has taken R7 and G6, seat 1 has taken B9; each has drawn what the other has not seen.
@cache
def story() -> RoundState:
    start = position("0 | YX R2 R4 B9 | B3 B4 G6 W8 | - | - | R7 | W2 W3 W4 W5 W6")
    return play(start, "-B9<R", "-G6<B", "+YX<G", "-B3*", "+R2*", "+W8*")


def test_every_key_of_a_seats_view() -> None:
    assert seen(story(), 0) == {
        "seat": 0,
        "to_move": 0,
        "round": 2,
        "rounds": 3,
        "ply": 6,
        "hand": ["W3", "G6", "R4", "R7"],
        "expeditions": [{"Y": ["YX"], "R": ["R2"]}, {"W": ["W8"]}],
        "piles": {"B": ["B3"]},
        "deck": 2,
        "hand_sizes": [4, 4],
        "known": ["B9"],
        "exposed": ["G6", "R7"],
        "scores": [-58, -12],
        "totals": [61, 48],
        "last_turn": "+W8*",
        "legal": [
            "+W3*", "+W3<B", "-W3*", "-W3<B", "+G6*", "+G6<B", "-G6*", "-G6<B",
            "+R4*", "+R4<B", "-R4*", "-R4<B", "+R7*", "+R7<B", "-R7*", "-R7<B",
        ],
        "rules": Rules().to_dict(),
    }  # fmt: skip
    assert list(seen(story(), 0))[:17] == KEYS


def test_the_other_seats_view_of_the_same() -> None:
    view = seen(story(), 1)
    assert (view["seat"], view["to_move"], view["legal"]) == (1, 0, [])
    assert view["hand"] == ["B4", "B9", "W2", "W4"]
    assert (view["known"], view["exposed"]) == (["G6", "R7"], ["B9"])
    assert view["last_turn"] == "+W8*W4"
    same = ["round", "rounds", "ply", "expeditions", "piles", "deck", "hand_sizes", "scores"]
    for key in [*same, "totals", "rules"]:
        assert view[key] == seen(story(), 0)[key], key


def test_a_spectators_view() -> None:
    view = seen(story(), None)
    assert list(view)[:15] == SPECTATOR_KEYS
    assert (view["seat"], view["to_move"], view["legal"]) == (None, 0, [])
    assert view["known"] == [["G6", "R7"], ["B9"]]
    assert view["last_turn"] == "+W8*"


def test_the_pile_run_is_told_under_a_stall_rule_only() -> None:
    text = "0 | G5 W2 | Y6 B2 | - | - | R4 | B3 B4"
    for rules, run in (("", None), ("stall=9", 2)):
        view = seen(play(position(text, rules), "-G5<R", "-Y6<G"), 0)
        assert view.get("run") == run


def test_the_face_drawn_is_shown_to_its_seat_alone() -> None:
    state = position("0 | R2 R4 | B3 B4 | - | - | - | W2 W3 W4")
    assert [seen(state, seat)["last_turn"] for seat in (0, 1, None)] == [None, None, None]
    state = play(state, "+R2*")
    assert [seen(state, seat)["last_turn"] for seat in (0, 1, None)] == ["+R2*W2", "+R2*", "+R2*"]
    state = play(state, "-B3*")
    assert [seen(state, seat)["last_turn"] for seat in (0, 1, None)] == ["-B3*", "-B3*W3", "-B3*"]
    taken = play(state, "+R4<B")
    assert [seen(taken, seat)["last_turn"] for seat in (0, 1, None)] == ["+R4<B"] * 3


def test_the_last_draw_of_a_round_stays_hidden_too() -> None:
    state = play(position("1 | R2 R4 | B3 B4 | - | - | - | W2"), "+B3*")
    assert [seen(state, seat)["last_turn"] for seat in (0, 1, None)] == ["+B3*", "+B3*W2", "+B3*"]
    for seat in (0, 1, None):
        view = seen(state, seat)
        assert (view["to_move"], view["legal"], view["deck"]) == (None, [], 0)
        assert view["scores"] == [0, -17]


# ---- what is known of a hand --------------------------------------------------------------------


def known(state: RoundState) -> tuple[str, str]:
    return format_cards(state.taken[0]), format_cards(state.taken[1])


def test_a_card_taken_is_known_until_it_is_laid() -> None:
    state = position("0 | G2 W2 | B3 Y4 | - | - | R3 R5 | W4 W5 W6 W7")
    state = play(state, "-G2<R")
    assert known(state) == ("R5", "-")
    state = play(state, "-B3<R")
    assert known(state) == ("R5", "R3")
    state = play(state, "-W2*")
    assert known(state) == ("R5", "R3")
    assert known(play(state, "+R3*")) == ("R5", "-")
    assert known(play(state, "-R3*", "+R5<R")) == ("R3", "-")


def test_laying_one_of_two_equal_wagers_removes_the_known_one() -> None:
    """The other seat cannot tell which of the two was laid."""
    state = position("0 | RX W2 | B3 Y4 | - | - | RX | W4 W5 W6 W7 W8")
    state = play(state, "-W2<R", "-B3*")
    assert format_cards(state.hands[0]) == "RX RX"
    assert known(state) == ("RX", "-")
    state = play(state, "+RX*")
    assert known(state) == ("-", "-")
    assert format_cards(state.hands[0]) == "W5 RX"


def test_two_equal_wagers_taken_are_known_twice() -> None:
    state = position("0 | B9 W2 | B3 Y4 | - | - | RX RX | W4 W5 W6 W7 W8")
    state = play(state, "-W2<R", "-B3*", "-B9<R", "-Y4*")
    assert known(state) == ("RX RX", "-")
    state = play(state, "+RX*")
    assert known(state) == ("RX", "-")
    view = view_of_round(state, 1)
    assert (format_cards(view.other_known), view.exposed) == ("RX", ())


def test_the_seats_of_known_cards() -> None:
    for seat in (0, 1):
        view = view_of_round(story(), seat)
        assert view.own_seat == seat
        assert view.exposed == story().taken[seat]
        assert view.other_known == story().taken[1 - seat]
    spectator = view_of_round(story(), None)
    assert spectator.known == story().taken
    for name in ("own_seat", "exposed", "other_known"):
        with pytest.raises(ValueError, match="a spectator has no seat"):
            getattr(spectator, name)


def test_own_discard_taken_back_is_known() -> None:
    state = position("0 | R5 W2 | B3 | - | - | - | W4 W5", "own_discard=yes")
    assert known(play(state, "-R5<R")) == ("R5", "-")


@given(testing.rounds())
def test_known_cards_are_in_the_hand(state: RoundState) -> None:
    for seat in (0, 1):
        for card in state.taken[seat]:
            assert state.taken[seat].count(card) <= state.hands[seat].count(card)


# ---- matches ------------------------------------------------------------------------------------


def test_a_match_before_its_deal_has_no_view() -> None:
    with pytest.raises(ValueError, match="no round has been dealt"):
        view_for(new_match(Rules()), 0)


def test_totals_are_of_earlier_rounds() -> None:
    rules = Rules.parse("colours=2 hand=3 top=5 rounds=3")
    state = new_match(rules)
    for event in testing.random_log(rules, 5):
        state = evolve(state, event)
        if state.round is None:
            continue
        view = view_for(state, 0)
        earlier = [result.score for result in state.results[: state.number - 1]]
        assert view.totals == BySeat(sum(s[0] for s in earlier), sum(s[1] for s in earlier))
        assert view.scores == state.round.score
        assert view.round == state.number
    assert len(state.results) == 3


def test_nobody_moves_once_a_match_has_ended_in_mid_round() -> None:
    rules = Rules()
    dealt = decide_deal(new_match(rules), rules.all_cards(), 0)
    assert isinstance(dealt, RoundDealt)
    state = evolve(new_match(rules), dealt)
    assert view_for(state, 0).legal
    state = evolve(state, Resigned(1))
    for seat in (0, 1, None):
        view = view_for(state, seat)
        assert (view.to_move, view.legal) == (None, ())


def test_the_number_of_rounds_may_be_open() -> None:
    assert (
        view_to_dict(view_of_round(deal(Rules(rounds="open"), Rules().all_cards(), 0), 0))["rounds"]
        == "open"
    )


def test_a_view_needs_its_own_hand_only() -> None:
    state = position("0 | ?2 | B3 Y4 | - | - | R3 | ?9")
    assert seen(state, 1)["hand_sizes"] == [2, 2]
    assert seen(state, None)["deck"] == 9
    for text in ("0 | ?2 | B3 Y4 | - | - | R3 | ?9", "1 | ?2 | B3 Y4 | - | - | R3 | ?9"):
        with pytest.raises(HiddenCardsError, match="hand of seat 0"):
            seen(position(text), 0)


def test_legal_turns_of_a_view_are_those_of_the_round() -> None:
    for state in testing.random_round(Rules(), 8):
        for seat in (0, 1):
            mine = state.to_move == seat and not state.over
            assert view_of_round(state, seat).legal == (state.legal_turns() if mine else ())


@given(testing.dealt_logs())
@settings(max_examples=40)
def test_a_view_of_a_match_is_of_its_present_round(log: tuple[Event, ...]) -> None:
    state = fold(log)
    assert state.round is not None
    for seat in (0, 1):
        view = view_for(state, seat)
        assert (view.hand, view.round) == (state.round.hands[seat], state.number)
        assert (view.to_move is None) == (state.phase is not Phase.PLAYING)


# ---- JSON, both directions ----------------------------------------------------------------------


@given(testing.views())
def test_a_view_reads_back(view: View) -> None:
    text = json.dumps(view_to_dict(view))
    assert view_from_dict(json.loads(text)) == view


@given(testing.views(testing.rules()))
def test_a_view_under_any_rules_reads_back(view: View) -> None:
    assert view_from_dict(json.loads(json.dumps(view_to_dict(view)))) == view


def test_views_of_matches_read_back() -> None:
    rules = Rules(colours=2, hand=3, top=5, rounds="open", stall=8)
    state = new_match(rules)
    for event in testing.random_log(rules, 11, fickle=True):
        state = evolve(state, event)
        if state.round is not None:
            for seat in (0, 1, None):
                view = view_for(state, seat)
                assert view_from_dict(view_to_dict(view)) == view
    assert state == fold(testing.random_log(rules, 11, fickle=True))


def test_a_reader_ignores_what_it_does_not_know() -> None:
    for seat in (0, 1, None):
        values = seen(story(), seat)
        more = values | {"mood": "calm", "rules": values["rules"] | {"jokers": 2}}
        assert view_from_dict(more) == view_from_dict(values)


def test_keys_that_may_be_missing() -> None:
    values = seen(story(), 0)
    del values["exposed"], values["last_turn"]
    view = view_from_dict(values)
    assert (view.exposed, view.last_turn) == ((), None)


def test_lower_case_and_any_order_are_read() -> None:
    values = seen(story(), 0) | {"hand": ["r7", "r4", "g6", "w3"], "known": ["b9"]}
    assert view_from_dict(values) == view_from_dict(seen(story(), 0))


@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("exposed", "last_turn")])
def test_a_missing_key_is_named(key: str) -> None:
    values = seen(story(), 0)
    del values[key]
    with pytest.raises(NotationError) as caught:
        view_from_dict(values)
    assert (caught.value.place, caught.value.reason) == (key, "missing")


SPOILT: list[tuple[dict[str, Any], str, str]] = [
    ({"seat": 2}, "seat", "2 is not 0, 1 or null"),
    ({"seat": True}, "seat", "True is not 0, 1 or null"),
    ({"seat": "0"}, "seat", "'0' is not 0, 1 or null"),
    ({"to_move": -1}, "to_move", "-1 is not 0, 1 or null"),
    ({"round": "1"}, "round", "'1' is not a whole number"),
    ({"round": 1.0}, "round", "1.0 is not a whole number"),
    ({"rounds": "closed"}, "rounds", "'closed' is not a whole number"),
    ({"ply": -1}, "ply", "-1 is negative"),
    ({"ply": True}, "ply", "True is not a whole number"),
    ({"deck": None}, "deck", "None is not a whole number"),
    ({"deck": 60}, "deck", "more cards in all"),
    ({"hand": "W2"}, "hand", "'W2' is not a list"),
    ({"hand": [2]}, "hand", "2 is not a card"),
    ({"hand": ["W1"]}, "hand: 'W1'", "not a card"),
    ({"hand": ["W3", "G6", "R4"]}, "hand_sizes", "4 at seat 0, but the hand has 3"),
    ({"hand": ["W3", "G6", "R4", "YX"], "exposed": ["R7"]}, "exposed", "not in the hand"),
    ({"hand": ["W3", "G6", "R4", "W8"]}, "expeditions of seat 1", "W8 appears too often"),
    ({"hand": ["W3", "G6", "R4", "P7"]}, "hand", "P7 is not in the deck of these rules"),
    ({"expeditions": [{}]}, "expeditions", "1 entries, expected one a seat"),
    ({"expeditions": [[], {}]}, "expeditions of seat 0", "[] is not an object of colours"),
    ({"expeditions": [{}, {"Z": []}]}, "expeditions of seat 1: 'Z'", "not a colour"),
    ({"expeditions": [{}, {"P": []}]}, "expeditions of seat 1", "these rules have no colour P"),
    ({"expeditions": [{}, {"R": ["B2"]}]}, "expeditions of seat 1: R", "B2 has another colour"),
    ({"expeditions": [{}, {"R": ["R3", "R2"]}]}, "expeditions of seat 1", "R2 may not follow R3"),
    ({"expeditions": [{}, {"R": ["R3", "RX"]}]}, "expeditions of seat 1", "RX may not follow R3"),
    ({"expeditions": [{}, {"Y": ["Y2"], "y": ["Y3"]}]}, "expeditions of seat 1", "given twice"),
    ({"piles": []}, "piles", "[] is not an object of colours"),
    ({"piles": {"B": "B3"}}, "piles: B", "'B3' is not a list"),
    ({"piles": {"B": ["B3", "B3"]}}, "piles", "B3 appears too often"),
    ({"piles": {"W": ["W8"]}}, "piles", "W8 appears too often"),
    ({"hand_sizes": [4]}, "hand_sizes", "1 entries"),
    ({"hand_sizes": [4, -4]}, "hand_sizes of seat 1", "-4 is negative"),
    ({"known": None}, "known", "None is not a list"),
    ({"known": ["W3"]}, "known", "W3 appears too often"),
    ({"known": ["Y3", "Y4", "Y5", "Y6", "Y7"]}, "known", "more cards than the other seat holds"),
    ({"scores": [0, "0"]}, "scores of seat 1", "'0' is not a whole number"),
    ({"totals": 0}, "totals", "0 is not a list"),
    ({"last_turn": "+R2"}, "last_turn: '+R2'", "a turn ends with its draw"),
    ({"last_turn": 5}, "last_turn", "5 is not a turn"),
    ({"legal": "+R2*"}, "legal", "'+R2*' is not a list"),
    ({"legal": [None]}, "legal", "None is not a turn"),
    ({"legal": ["+R9*"]}, "legal", "+R9*: R9 is not in the hand"),
    ({"rules": None}, "rules", "None is not an object"),
    ({"rules": {"colours": 7}}, "rules: colours", "7 is not a number from 1 to 6"),
]


@pytest.mark.parametrize(("change", "place", "reason"), SPOILT)
def test_a_view_that_cannot_be_is_refused(change: dict[str, Any], place: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        view_from_dict(seen(story(), 0) | change)
    assert (caught.value.place, reason in caught.value.reason) == (place, True), caught.value


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"known": ["B9"]}, "known"),
        ({"known": [["R7"], ["R7"]]}, "known of seat 1"),
        ({"known": [["P7"], []]}, "known of seat 0"),
        ({"known": [["W8"], []]}, "known of seat 0"),
    ],
)
def test_a_spectators_view_that_cannot_be_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(NotationError) as caught:
        view_from_dict(seen(story(), None) | change)
    assert caught.value.place == place


@pytest.mark.parametrize("values", [None, [], "view", 5])
def test_a_view_is_an_object(values: Any) -> None:
    with pytest.raises(NotationError, match="is not an object"):
        view_from_dict(values)


def test_a_view_has_no_field_for_what_is_hidden() -> None:
    """Views are built up from what is allowed: a new field must be thought about here."""
    assert {field.name for field in fields(View)} == {
        "seat", "to_move", "round", "rounds", "ply", "hand", "expeditions", "piles", "deck",
        "hand_sizes", "known", "scores", "totals", "last_turn", "legal", "rules", "pile_run",
    }  # fmt: skip
    assert isinstance(view_of_round(story(), 0).deck, int)


def test_rows_of_one_seat_are_not_the_others() -> None:
    state = deal(Rules(), Rules().all_cards(), 0)
    state = play(state, f"+{state.hands[0][0]}*")
    assert any(state.expeditions[0])
    assert not any(state.expeditions[1])
    assert replace(state, hands=state.hands) == state


def test_rows_are_read_in_the_order_played() -> None:
    values = seen(story(), 0) | {"expeditions": [{}, {"R": ["RX", "RX", "R2", "R9", "R10"]}]}
    assert view_from_dict(values).expeditions[1][4] == parse_cards("RX RX R2 R9 R10")
