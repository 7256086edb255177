"""Records: byte for byte, as JSON, replayed, seen from a seat, and every error."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from data_files import DATA
from lostcities import testing
from lostcities.core.cards import parse_cards
from lostcities.core.errors import LostCitiesError, RecordError
from lostcities.core.events import (
    ContinueDeclined,
    ContinueSaid,
    DrawAgreed,
    DrawOffered,
    Event,
    MatchStarted,
    Resigned,
    RoundDealt,
    TimedOut,
    TurnPlayed,
)
from lostcities.core.match import Phase, Termination, evolve, fold, new_match
from lostcities.core.position import format_position
from lostcities.core.record import Record, RoundRecord, first_state, record_of, replay
from lostcities.core.record_json import record_from_dict, record_to_dict
from lostcities.core.record_text import format_record, parse_record, read_record
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.core.turn import parse_turn

FILES = sorted((DATA / "records").glob("*.lcr"))
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]
M000, M001 = TEXTS[0], TEXTS[1]

# Eight cards in two colours, hands of two: a round of four turns.
RULES = Rules.parse("colours=2 hand=2 wagers=1 top=4 rounds=2 first=0")
SHORT = f"""\
[Event "Kitchen table"]
[Date "2026.11.29"]
[Seat0 "Ada"]
[Seat1 "Grace"]
[Rules "{RULES}"]
[Result "-58 -18"]

[Round "1"]
[Start "0"]
[Deck "YX BX Y2 B2 Y3 B3 Y4 B4"]
1. +YX*Y3 -BX*B3
2. +Y2*Y4 +B2*B4
[Score "-36 -18"]

[Round "2"]
[Start "1"]
[Deck "Y2 B2 YX BX Y4 B4 Y3 B3"]
1. -BX*Y4 -YX<B
2. -Y4*B4 -Y2*Y3
3. -B2*B3
[Score "0 0"]
"""
SHORT = SHORT.replace('"-58 -18"', '"-36 -18"')
OPEN = SHORT[: SHORT.index('\n[Round "2"]')].replace(
    '[Result "-36 -18"]\n', '[Result "-36 -18"]\n[Termination "unfinished"]\n'
)


def error(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    return caught.value


def same_both_ways(text: str) -> Record:
    """Text to record and back, and through JSON, with nothing lost."""
    record = parse_record(text)
    assert format_record(record) == text
    values = json.loads(json.dumps(record_to_dict(record)))
    assert record_from_dict(values) == record
    assert format_record(record_from_dict(values)) == text
    return record


@pytest.mark.parametrize("text", TEXTS, ids=[path.name for path in FILES])
def test_files_are_reproduced_byte_for_byte(text: str) -> None:
    record = same_both_ways(text)
    played = replay(record)
    assert played.record == record
    assert played.match.phase is Phase.OVER
    assert len(played.rounds) == len(record.rounds)
    for each, states in zip(record.rounds, played.rounds, strict=True):
        assert len(states.states) == len(each.turns) + 1
        assert states.states[-1].score == each.score


def test_the_folder_is_whole() -> None:
    assert [path.name for path in FILES] == ["m000.lcr", "m001.lcr", "m002.lcr", "m003.lcr"]


@pytest.mark.parametrize(
    "text",
    [
        SHORT,
        OPEN,
        OPEN.replace("unfinished", "declined"),
        *(
            SHORT.replace('"-36 -18"]\n', f'"-36 -18"]\n[Termination "{end}"]\n', 1)
            .replace('3. -B2*B3\n[Score "0 0"]\n', "")
            for end in (
                "unfinished", "resigned 0", "resigned 1", "agreed", "abandoned 0", "abandoned 1",
                "time 0", "time 1",
            )
        ),
    ],
)  # fmt: skip
def test_canonical_text_is_reproduced(text: str) -> None:
    same_both_ways(text)


def test_what_a_record_says() -> None:
    record = parse_record(SHORT)
    assert (record.event, record.date) == ("Kitchen table", "2026.11.29")
    assert record.seats == BySeat("Ada", "Grace")
    assert (record.rules, record.result, record.termination) == (RULES, BySeat(-36, -18), None)
    first = record.rounds[0]
    assert (first.number, first.start, first.score) == (1, 0, BySeat(-36, -18))
    assert first.deck == parse_cards("YX BX Y2 B2 Y3 B3 Y4 B4")
    assert [str(turn) for turn in first.turns] == ["+YX*Y3", "-BX*B3", "+Y2*Y4", "+B2*B4"]


def test_as_json() -> None:
    values = record_to_dict(parse_record(SHORT))
    assert list(values) == [
        "event", "date", "seats", "rules", "result", "termination", "tags", "rounds",
    ]  # fmt: skip
    assert values["rules"] == RULES.to_dict()
    assert (values["result"], values["termination"], values["tags"]) == ([-36, -18], None, {})
    assert values["rounds"][0] == {
        "round": 1,
        "start": 0,
        "deck": ["YX", "BX", "Y2", "B2", "Y3", "B3", "Y4", "B4"],
        "hands": [None, None],
        "turns": ["+YX*Y3", "-BX*B3", "+Y2*Y4", "+B2*B4"],
        "score": [-36, -18],
        "termination": None,
        "tags": {},
    }
    assert record_to_dict(parse_record(OPEN))["termination"] == "unfinished"


def test_other_readable_text_is_normalised() -> None:
    loose = SHORT.replace("\n", "\r\n").replace("1. +YX*Y3 -BX*B3", "+yx*\t 1. -bx*b3 ")
    loose = loose.replace('[Start "0"]', "").replace('[Score "-36 -18"]', "")
    loose = loose.replace('[Event "Kitchen table"]\r\n[Date', '[Event "Kitchen table"] [Date')
    loose = "\ufeff" + loose.replace('[Result "-36 -18"]', '[Result "-36   -18"]')
    assert format_record(parse_record(loose)) == SHORT
    rules = SHORT.replace(f'"{RULES}"', '"room first=0 rounds=2 top=4 wagers=1 hand=2 colours=2"')
    assert format_record(parse_record(rules)) == SHORT


def test_the_start_may_follow_from_the_rules() -> None:
    without = read_record(SHORT.replace('[Start "1"]\n', ""))
    assert without.rounds[1].start is None
    assert replay(without).record.rounds[1].start == 1


def test_unknown_tags_are_kept_in_their_places() -> None:
    text = SHORT.replace('"-36 -18"]\n\n', '"-36 -18"]\n[Place "Oslo"]\n[Annotator "me"]\n\n', 1)
    text = text.replace('Y4 B4"]\n1.', 'Y4 B4"]\n[Weather "rain"]\n1.', 1)
    record = same_both_ways(text)
    assert record.tags == (("Place", "Oslo"), ("Annotator", "me"))
    assert record.rounds[0].tags == (("Weather", "rain"),)


def test_names_are_escaped() -> None:
    name = 'Ada "the \\ slash" Löve]'
    text = SHORT.replace('"Ada"', '"Ada \\"the \\\\ slash\\" Löve]"')
    assert same_both_ways(text).seats[0] == name
    record = replace(parse_record(SHORT), seats=BySeat(name, ""))
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize("bad", ["a\nb", "a\rb", "a\x00", "\x7f", "\ud800"])
def test_what_a_line_cannot_hold_is_refused(bad: str) -> None:
    record = replace(parse_record(SHORT), event=bad)
    with pytest.raises(RecordError, match="not text"):
        format_record(record)
    values = record_to_dict(parse_record(SHORT)) | {"event": bad}
    with pytest.raises(RecordError, match="event"):
        record_from_dict(values)


def test_equal_turns_in_a_row_all_stay() -> None:
    """The same token may recur; a log is a list, and the last draw is part of it."""
    rules = Rules.parse("colours=2 hand=2 rounds=1 first=0")
    log = [event for seed in range(30) for event in testing.random_log(rules, seed)]
    turns = [str(event.turn) for event in log if isinstance(event, TurnPlayed)]
    assert len(turns) > len(set(turns))
    record = record_of(testing.random_log(rules, 3), rules, whole=True)
    states = list(replay(record).rounds[0].states)
    assert record.rounds[0].turns[-1].drawn is not None
    assert len(record.rounds[0].turns) == states[-1].ply
    assert same_both_ways(format_record(record)) == record


def test_the_loop_of_equal_turns_survives() -> None:
    rules = Rules(rounds=1, first=0)
    deck = parse_cards("G5 Y6 W2 B2 R4 W7 R5 B7 G9 B8 G8 Y8 G7 Y7 R7 R8")
    rest = list(rules.all_cards())
    for card in deck:
        rest.remove(card)
    loop = ["-G5*", "-Y6<G", "-R4<Y", "-G5<R", "-Y6<G", "-R4<Y", "-G5<R", "-Y6<G", "-R4<Y"]
    record = Record(
        rules,
        (RoundRecord(1, 0, (*deck, *rest), turns=tuple(map(parse_turn, loop))),),
        termination=Termination("unfinished"),
    )
    filled = replay(record).record
    assert [str(turn) for turn in filled.rounds[0].turns][1:] == loop[1:]
    assert same_both_ways(format_record(filled)) == filled


def test_replay_shows_every_state() -> None:
    played = replay(parse_record(SHORT))
    texts = [format_position(state) for state in played.rounds[0].states]
    assert texts[0] == "0 | YX Y2 | BX B2 | - | - | - | Y3 B3 Y4 B4"
    assert texts[1] == "1 | Y2 Y3 | BX B2 | YX | - | - | B3 Y4 B4"
    assert texts[4] == "0 | Y3 Y4 | B3 B4 | YX Y2 | B2 | BX | -"
    assert [each.totals for each in played.rounds] == [BySeat(0, 0), BySeat(-36, -18)]


# ---- stalled rounds -----------------------------------------------------------------------------

STALLED = """\
[Rules "colours=2 hand=2 cost=20 bonus=20 bonus_at=8 rounds=1 first=0 next=alternate stall=2 wagers=1 top=4"]
[Result "0 0"]

[Round "1"]
[Start "0"]
[Deck "YX BX Y2 B2 Y3 B3 Y4 B4"]
1. -YX*Y3 -BX<Y
2. -Y3<B
[Score "0 0"]
[Termination "stall"]
"""


def test_a_stalled_round_says_so() -> None:
    record = same_both_ways(STALLED)
    assert record.rounds[0].termination == "stall"
    assert replay(record).match.results[0].termination == "stall"
    assert format_record(parse_record(STALLED.replace('[Termination "stall"]\n', ""))) == STALLED
    wrong = SHORT.replace('[Score "0 0"]\n', '[Score "0 0"]\n[Termination "stall"]\n')
    assert (error(wrong).place, "not how" in error(wrong).reason) == ("round 2, ply 5", True)


# ---- seen from one seat -------------------------------------------------------------------------

FROM_0 = OPEN.replace('[Deck "YX BX Y2 B2 Y3 B3 Y4 B4"]', '[Hand0 "YX Y2"]').replace(
    "-BX*B3", "-BX*"
).replace("+B2*B4", "+B2*")  # fmt: skip
FROM_1 = OPEN.replace('[Deck "YX BX Y2 B2 Y3 B3 Y4 B4"]', '[Hand1 "BX B2"]').replace(
    "+YX*Y3", "+YX*"
).replace("+Y2*Y4", "+Y2*")  # fmt: skip
OUTSIDE = FROM_0.replace('[Hand0 "YX Y2"]\n', "").replace("+YX*Y3", "+YX*").replace("*Y4", "*")


@pytest.mark.parametrize("text", [FROM_0, FROM_1, OUTSIDE])
def test_a_record_seen_from_a_seat(text: str) -> None:
    same_both_ways(text)


@pytest.mark.parametrize(("seat", "text"), [(0, FROM_0), (1, FROM_1), (None, OUTSIDE)])
def test_a_record_made_for_a_seat(seat: int | None, text: str) -> None:
    played = parse_record(OPEN)
    log: list[Event] = [MatchStarted(RULES), RoundDealt(1, 0, played.rounds[0].deck or ())]
    log += [TurnPlayed(ply % 2, ply, turn) for ply, turn in enumerate(played.rounds[0].turns)]
    names: BySeat[str | None] = BySeat("Ada", "Grace")
    made = record_of(
        log, RULES, whole=False, seat=seat, names=names, event="Kitchen table", date="2026.11.29"
    )
    assert format_record(made) == text


def test_a_record_made_from_a_log_knows_how_it_ended() -> None:
    log: list[Event] = list(testing.random_log(RULES, 1))
    dealt = next(i for i, event in enumerate(log) if isinstance(event, RoundDealt))
    over = next(i for i, event in enumerate(log) if isinstance(event, ContinueSaid))
    ends: list[tuple[list[Event], str | None]] = [
        (log, None),
        (log[: dealt + 1], "unfinished"),
        (log[:over], "unfinished"),
        ([*log[: dealt + 2], Resigned(1)], "resigned 1"),
        ([*log[:over], TimedOut(0)], "time 0"),
        ([*log[:over], ContinueDeclined(0)], "declined"),
        ([*log[: over + 1], DrawOffered(1), DrawAgreed(0)], "agreed"),
    ]
    for events, end in ends:
        for whole, seat in ((True, None), (False, 0), (False, 1), (False, None)):
            record = record_of(events, RULES, whole=whole, seat=seat)
            assert (None if record.termination is None else str(record.termination)) == end
            assert same_both_ways(format_record(record)) == record


@given(
    testing.logs(testing.common_rules() | testing.common_rules("open") | testing.rules(rounds=2))
)
@settings(max_examples=60)
def test_a_record_of_any_log_reads_back(log: tuple[Event, ...]) -> None:
    rules = fold(log).rules
    state = new_match(rules)
    for event in log:
        state = evolve(state, event)
    for whole, seat in ((True, None), (False, 0), (False, 1), (False, None)):
        record = record_of(log, rules, whole=whole, seat=seat)
        assert same_both_ways(format_record(record)) == record
        match = replay(record).match
        assert match.results == state.results
        assert match.termination == state.termination
        assert match.winner == state.winner


# ---- errors -------------------------------------------------------------------------------------

ERRORS = [
    ("", "line 1", "no record here"),
    ("hello", "line 1", "'hello' stands before the first [Round]"),
    ("[Event Kitchen]", "line 1", "is not a tag"),
    ('[Event "Kitchen]', "line 1", "is not a tag"),
    ('[Event "a\\b"]', "line 1", "is not a tag"),
    ('[Event "a"] x', "line 1", "'x' is not a tag"),
    ('[Event "a"]\n[Event "b"]', "line 2", "[Event] stands twice"),
    (SHORT.replace('[Date "2026.11.29"]', "1. +YX*"), "line 2", "before the first [Round]"),
    (SHORT.replace("hand=2", "hand=9"), "Rules: hand", "need 19 cards"),
    (SHORT.replace('"-36 -18"]\n\n', '"-36"]\n\n', 1), "Result", "is not two numbers"),
    (SHORT.replace('"-36 -18"]\n\n', '"0 0"]\n\n', 1), "Result", "says 0 0, the finished rounds give -36 -18"),
    (SHORT.replace('[Round "2"]', '[Round "3"]'), "round 3", "out of order, round 2 is due"),
    (SHORT.replace('[Round "2"]', '[Round "two"]'), "line 15", "'two' is not a number from 1"),
    (SHORT.replace('[Round "1"]', '[Round "0"]'), "line 8", "'0' is not a number from 1"),
    (SHORT.replace('[Start "1"]', '[Start "0"]'), "round 2", "[Start] is 0, but seat 1 starts by next=alternate"),
    (SHORT.replace('[Start "0"]', '[Start "1"]'), "round 1", "[Start] is 1, but seat 0 starts by first=0"),
    (SHORT.replace('[Start "0"]', '[Start "2"]'), "round 1", "[Start] '2' is not 0 or 1"),
    (SHORT.replace("first=0", "first=random").replace('[Start "0"]\n', ""), "round 1", "[Start] is missing"),
    (SHORT.replace("Y4 B4", "Y4 Y4", 1), "round 1: Deck", "Y4 appears too often"),
    (SHORT.replace("Y4 B4", "Y4", 1), "round 1: Deck", "7 cards, expected 8"),
    (SHORT.replace("Y4 B4", "Y4 P4", 1), "round 1: Deck", "P4 is not in the deck of these rules"),
    (SHORT.replace("Y4 B4", "Y4 Z4", 1), "round 1: Deck: 'Z4'", "not a card"),
    (SHORT.replace('[Start "0"]', '[Start "0"]\n[Hand0 "YX Y2"]'), "round 1", "has both [Deck] and a hand"),
    (SHORT.replace("+YX*Y3", "+YX"), "round 1, ply 1: '+YX'", "a turn ends with its draw"),
    (SHORT.replace("-BX*B3", "-B3*B3"), "round 1, ply 2", "-B3*B3: seat 1 does not hold B3"),
    (SHORT.replace("-BX*B3", "-BX*B4"), "round 1, ply 2", "the card drawn is B3, not B4"),
    (SHORT.replace("-BX*B3", "-BX<Y"), "round 1, ply 2", "the Y pile is empty"),
    (SHORT.replace("-YX<B", "-YX<Y"), "round 2, ply 2", "the Y pile is closed this turn"),
    (SHORT.replace("3. -B2*B3", "3. -B2*B3 -BX*"), "round 2, ply 6", "the round is over"),
    (SHORT.replace('[Score "0 0"]', '[Score "0 1"]'), "round 2, ply 5", "[Score] says 0 1, the rows give 0 0"),
    (SHORT.replace('[Score "0 0"]', '[Score "none"]'), "round 2", "is not two numbers, seat 0 first"),
    (SHORT.replace("3. -B2*B3\n", ""), "round 2, ply 4", "[Score] stands under a round that is not finished"),
    (SHORT.replace('3. -B2*B3\n[Score "0 0"]\n', ""), "Termination", "missing, though the match did not reach its end"),
    (SHORT.replace('3. -B2*B3\n[Score "0 0"]', '[Termination "stall"]'), "round 2, ply 4", "[Termination] stands under"),
    (SHORT.replace('2. +Y2*Y4 +B2*B4\n[Score "-36 -18"]\n', ""), "round 1", "not finished, but another round follows"),
    (SHORT.replace("rounds=2", "rounds=1"), "round 2", "the match has only 1 rounds"),
    (SHORT.replace('18"]\n\n', '18"]\n[Termination "resigned 0"]\n\n', 1), "Termination", "resigned 0, though the match reached its end"),
    (OPEN.replace("unfinished", "bored"), "Termination", "'bored' is not a way in which a match ends"),
    (OPEN.replace("unfinished", "resigned"), "Termination", "'resigned' is not a way"),
    (OPEN.replace("unfinished", "resigned 2"), "Termination", "'resigned 2' is not a way"),
    (OPEN.replace("unfinished", "agreed 0"), "Termination", "'agreed 0' is not a way"),
    (OPEN.replace('[Termination "unfinished"]\n', ""), "Termination", "missing"),
    (
        OPEN.replace("unfinished", "declined").replace('2. +Y2*Y4 +B2*B4\n[Score "-36 -18"]\n', "").replace('"-36 -18"', '"0 0"'),
        "Termination", "declined, though no round has just finished",
    ),
    (FROM_0.replace("YX Y2", "YX"), "round 1: Hand0", "1 cards, expected 2"),
    (FROM_0.replace("YX Y2", "YX YX"), "round 1: Hand0", "YX appears too often"),
    (FROM_0.replace('[Hand0 "YX Y2"]', '[Hand0 "YX Y2"]\n[Hand1 "Y2 B2"]'), "round 1: hands", "Y2 appears too often"),
    (FROM_0.replace("+YX*Y3", "+YX*Y2"), "round 1, ply 1", "every Y2 is elsewhere"),
    (FROM_0.replace("-BX*", "-Y3*"), "round 1, ply 2", "seat 1 does not hold Y3"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "reason"), ERRORS)
def test_an_error_names_round_ply_and_reason(text: str, place: str, reason: str) -> None:
    found = error(text)
    assert (found.place, reason in found.reason) == (place, True), found


JSON_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"event": 5}, "event"),
    ({"seats": ["Ada"]}, "seats"),
    ({"seats": ["Ada", 5]}, "seat 1"),
    ({"rules": []}, "rules"),
    ({"rules": {"hand": 0}}, "rules: hand"),
    ({"result": [1]}, "result"),
    ({"result": [1, True]}, "result"),
    ({"termination": "bored"}, "Termination"),
    ({"tags": []}, "tags"),
    ({"tags": {"a b": "c"}}, "tags"),
    ({"tags": {"a": 1}}, "tags: a"),
    ({"tags": {"a": None}}, "tags"),
    ({"tags": {"Event": "x"}}, "tags"),
    ({"tags": {"Round": "1"}}, "tags"),
    ({"rounds": {}}, "rounds"),
    ({"rounds": [5]}, "round 1"),
]
ROUND_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"round": "1"}, "round 1: round"),
    ({"round": 2}, "round 2"),
    ({"start": True}, "round 1"),
    ({"start": 2}, "round 1"),
    ({"deck": "YX"}, "round 1: deck"),
    ({"deck": ["YX", 5]}, "round 1: deck: '5'"),
    ({"hands": [None]}, "round 1: hands"),
    ({"hands": [["YX", "Y2"], None]}, "round 1"),
    ({"turns": "+YX*"}, "round 1: turns"),
    ({"turns": ["+YX*", 5]}, "round 1, ply 2: '5'"),
    ({"score": [0]}, "round 1: score"),
    ({"termination": 5}, "round 1: termination"),
    ({"tags": {"Deck": ""}}, "round 1: tags"),
]


@pytest.mark.parametrize(("change", "place"), JSON_ERRORS)
def test_an_error_in_json_names_the_key(change: dict[str, Any], place: str) -> None:
    with pytest.raises(RecordError) as caught:
        record_from_dict(record_to_dict(parse_record(SHORT)) | change)
    assert caught.value.place == place


@pytest.mark.parametrize(("change", "place"), ROUND_ERRORS)
def test_an_error_in_a_round_of_json_names_the_key(change: dict[str, Any], place: str) -> None:
    values = record_to_dict(parse_record(SHORT))
    values["rounds"][0] |= change
    with pytest.raises(RecordError) as caught:
        record_from_dict(values)
    assert caught.value.place == place


@pytest.mark.parametrize("values", [None, [], "record"])
def test_a_record_is_an_object(values: Any) -> None:
    with pytest.raises(RecordError, match="is not an object"):
        record_from_dict(values)


def test_json_may_leave_out_what_follows() -> None:
    values = record_to_dict(parse_record(SHORT))
    for each in values["rounds"]:
        for key in ("start", "score", "round", "hands", "termination", "tags"):
            del each[key]
    for key in ("result", "termination", "tags"):
        del values[key]
    assert record_from_dict(values) == parse_record(SHORT)
    bare = record_from_dict({"rounds": [], "termination": "unfinished"})
    assert bare == Record(result=BySeat(0, 0), termination=Termination("unfinished"))


def test_a_round_without_deck_or_hands_is_hidden() -> None:
    state = first_state(Rules(), RoundRecord(1, 1))
    assert format_position(state) == "1 | ?8 | ?8 | - | - | - | ?44"
    known = first_state(Rules(), RoundRecord(1, 0, hands=BySeat(None, Rules().all_cards()[:8])))
    assert format_position(known) == "0 | ?8 | YX YX YX Y2 Y3 Y4 Y5 Y6 | - | - | - | ?44"


def test_errors_of_records_are_the_projects_own() -> None:
    assert issubclass(RecordError, LostCitiesError)
    assert str(error("hello")).startswith("line 1: ")
