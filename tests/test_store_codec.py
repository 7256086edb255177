"""Events as JSON in the log."""

import json
import random
from typing import get_args

import pytest

from lostcities.core import events as core
from lostcities.core.position import parse_position
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.shuffle import shuffled
from lostcities.core.turn import parse_turn
from lostcities.store.codec import CodecError, decode, encode
from lostcities.store.interfaces import (
    AgainAsked,
    AgainWithdrawn,
    HintTaken,
    LogEvent,
    MovedOn,
    Overdue,
    SeatTaken,
    SentAway,
    TableClosed,
    TablePaused,
    TimeUsed,
)

RULES = Rules.parse("long hand=5 rounds=open first=1 own_discard=yes stall=9 wagers=1 top=7")
DECK = shuffled(RULES.all_cards(), random.Random(1).randrange)

# One of every kind, and its text in the log. Logs are kept for good: a line here never changes.
WRITTEN: list[tuple[LogEvent, str]] = [
    (SeatTaken(0, "person", "Zoë"), '{"v":1,"kind":"joined","seat":0,"as":"person","name":"Zo\\u00eb"}'),
    (SeatTaken(1, "agent", "Steady"), '{"v":1,"kind":"joined","seat":1,"as":"agent","name":"Steady"}'),
    (TableClosed(1), '{"v":1,"kind":"closed","seat":1}'),
    (TableClosed(None), '{"v":1,"kind":"closed","seat":null}'),
    (MovedOn(0, "m2"), '{"v":1,"kind":"moved_on","seat":0,"match":"m2"}'),
    (SentAway(1), '{"v":1,"kind":"sent_away","seat":1}'),
    (TablePaused(True), '{"v":1,"kind":"paused","paused":true}'),
    (HintTaken(1), '{"v":1,"kind":"hint","seat":1}'),
    (AgainAsked(0, "m2"), '{"v":1,"kind":"again","seat":0,"match":"m2"}'),
    (AgainWithdrawn(0), '{"v":1,"kind":"again_withdrawn","seat":0}'),
    (
        core.MatchStarted(Rules()),
        ('{"v":1,"kind":"started","rules":{"colours":5,"hand":8,"cost":20,"bonus":20,"bonus_at":8,'
        '"rounds":3,"first":"random","next":"alternate","own_discard":false,"stall":0,"wagers":3,'
        '"top":10}}'),
    ),
    (
        core.RoundDealt(2, 1, DECK[:3]),
        '{"v":1,"kind":"dealt","round":2,"start":1,"deck":"' + " ".join(map(str, DECK[:3])) + '"}',
    ),
    (
        core.PositionSet(1, parse_position("0 | R5 | B3 | - | - | - | W4", Rules())),
        ('{"v":1,"kind":"position","round":1,"rules":{"colours":5,"hand":8,"cost":20,"bonus":20,'
        '"bonus_at":8,"rounds":3,"first":"random","next":"alternate","own_discard":false,"stall":0,'
        '"wagers":3,"top":10},"cards":"0 | R5 | B3 | - | - | - | W4"}'),
    ),
    (
        core.TurnPlayed(1, 7, parse_turn("+R5*G8")),
        '{"v":1,"kind":"turn","seat":1,"ply":7,"turn":"+R5*G8"}',
    ),
    (
        core.TurnPlayed(0, 8, parse_turn("-GX<B")),
        '{"v":1,"kind":"turn","seat":0,"ply":8,"turn":"-GX<B"}',
    ),
    (core.ContinueSaid(1), '{"v":1,"kind":"continued","seat":1}'),
    (core.ContinueDeclined(0), '{"v":1,"kind":"declined","seat":0}'),
    (core.DrawOffered(0), '{"v":1,"kind":"draw_offered","seat":0}'),
    (core.DrawDeclined(1), '{"v":1,"kind":"draw_declined","seat":1}'),
    (core.DrawAgreed(1), '{"v":1,"kind":"draw_agreed","seat":1}'),
    (core.TakebackAsked(1), '{"v":1,"kind":"back_asked","seat":1}'),
    (core.TakebackDeclined(0), '{"v":1,"kind":"back_declined","seat":0}'),
    (core.TurnTakenBack(1, 7), '{"v":1,"kind":"taken_back","seat":1,"ply":7}'),
    (core.Resigned(0), '{"v":1,"kind":"resigned","seat":0}'),
    (core.Abandoned(1), '{"v":1,"kind":"abandoned","seat":1}'),
    (core.TimedOut(0), '{"v":1,"kind":"timed_out","seat":0}'),
    (TimeUsed(1, 12_345), '{"v":1,"kind":"time_used","seat":1,"ms":12345}'),
    (Overdue(0), '{"v":1,"kind":"overdue","seat":0}'),
]  # fmt: skip


@pytest.mark.parametrize(("event", "text"), WRITTEN)
def test_an_event_keeps_its_text_for_good(event: LogEvent, text: str) -> None:
    assert encode(event) == text
    assert decode(text) == event


def test_every_kind_is_among_them() -> None:
    assert {type(event) for event, _ in WRITTEN} == set(get_args(LogEvent))


@pytest.mark.parametrize("rules", [*PRESETS.values(), RULES])
def test_every_rule_survives(rules: Rules) -> None:
    assert decode(encode(core.MatchStarted(rules))) == core.MatchStarted(rules)


@pytest.mark.parametrize(
    "text",
    [
        "", "nonsense", "[]", "{}", '{"v":1}', '{"v":1,"kind":"strange"}', '{"v":1,"kind":"turn"}',
        '{"v":1,"kind":"turn","seat":0,"ply":1,"turn":"?"}',
        '{"v":1,"kind":"dealt","round":1,"start":0,"deck":"R11"}',
        '{"v":1,"kind":"started","rules":{"colours":99}}',
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error_of_its_own(text: str) -> None:
    with pytest.raises(CodecError):
        decode(text)


def test_another_version_is_refused() -> None:
    text = json.dumps({"v": 2, "kind": "resigned", "seat": 0})
    with pytest.raises(CodecError, match="version 2"):
        decode(text)
