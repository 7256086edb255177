"""Events as versioned JSON, both directions: ``{"v": 1, "kind": "turn", …}``.

The log is kept for good, so a kind once written is read for ever: a change of meaning gets a new
``v``, and the reader keeps the old ones. Decks stand here in full; this text never leaves the store.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, assert_never

from lostcities.core.cards import format_cards, parse_cards
from lostcities.core.events import (
    Abandoned,
    ContinueDeclined,
    ContinueSaid,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    MatchStarted,
    PositionSet,
    Resigned,
    RoundDealt,
    TakebackAsked,
    TakebackDeclined,
    TimedOut,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.position import format_position, parse_position
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.store.interfaces import (
    AgainAsked,
    AgainWithdrawn,
    HintTaken,
    LogEvent,
    MovedOn,
    Overdue,
    SeatTaken,
    SentAway,
    StoreError,
    TableClosed,
    TablePaused,
    TimeUsed,
)

VERSION = 1


class CodecError(StoreError):
    """An event in the database that this version cannot read."""


def encode(event: LogEvent) -> str:
    """The event as JSON text, ASCII."""
    kind, values = _values(event)
    return json.dumps({"v": VERSION, "kind": kind, **values}, separators=(",", ":"))


def _values(event: LogEvent) -> tuple[str, dict[str, Any]]:  # noqa: C901 - one arm a kind
    match event:
        case TurnPlayed(seat, ply, turn):
            return "turn", {"seat": seat, "ply": ply, "turn": str(turn)}
        case RoundDealt(number, start, deck):
            return "dealt", {"round": number, "start": start, "deck": format_cards(deck)}
        case PositionSet(number, begun):
            return "position", {
                "round": number, "rules": begun.rules.to_dict(), "cards": format_position(begun)
            }  # fmt: skip
        case MatchStarted(rules):
            return "started", {"rules": rules.to_dict()}
        case ContinueSaid(seat):
            return "continued", {"seat": seat}
        case ContinueDeclined(seat):
            return "declined", {"seat": seat}
        case DrawOffered(seat):
            return "draw_offered", {"seat": seat}
        case TakebackAsked(seat):
            return "back_asked", {"seat": seat}
        case TakebackDeclined(seat):
            return "back_declined", {"seat": seat}
        case TurnTakenBack(seat, ply):
            return "taken_back", {"seat": seat, "ply": ply}
        case DrawDeclined(seat):
            return "draw_declined", {"seat": seat}
        case DrawAgreed(seat):
            return "draw_agreed", {"seat": seat}
        case Resigned(seat):
            return "resigned", {"seat": seat}
        case Abandoned(seat):
            return "abandoned", {"seat": seat}
        case TimedOut(seat):
            return "timed_out", {"seat": seat}
        case SeatTaken(seat, kind, name):
            return "joined", {"seat": seat, "as": kind, "name": name}
        case TableClosed(seat):
            return "closed", {"seat": seat}
        case HintTaken(seat):
            return "hint", {"seat": seat}
        case AgainAsked(seat, match_id):
            return "again", {"seat": seat, "match": match_id}
        case AgainWithdrawn(seat):
            return "again_withdrawn", {"seat": seat}
        case SentAway(seat):
            return "sent_away", {"seat": seat}
        case MovedOn(seat, match):
            return "moved_on", {"seat": seat, "match": match}
        case TablePaused(paused):
            return "paused", {"paused": paused}
        case TimeUsed(seat, ms):
            return "time_used", {"seat": seat, "ms": ms}
        case Overdue(seat):
            return "overdue", {"seat": seat}
        case _:
            assert_never(event)


_READERS: dict[str, Callable[[dict[str, Any]], LogEvent]] = {
    "turn": lambda v: TurnPlayed(v["seat"], v["ply"], parse_turn(v["turn"])),
    "dealt": lambda v: RoundDealt(v["round"], v["start"], parse_cards(v["deck"])),
    "position": lambda v: PositionSet(
        v["round"], parse_position(v["cards"], Rules.from_dict(v["rules"]))
    ),
    "started": lambda v: MatchStarted(Rules.from_dict(v["rules"])),
    "continued": lambda v: ContinueSaid(v["seat"]),
    "declined": lambda v: ContinueDeclined(v["seat"]),
    "draw_offered": lambda v: DrawOffered(v["seat"]),
    "draw_declined": lambda v: DrawDeclined(v["seat"]),
    "draw_agreed": lambda v: DrawAgreed(v["seat"]),
    "back_asked": lambda v: TakebackAsked(v["seat"]),
    "back_declined": lambda v: TakebackDeclined(v["seat"]),
    "taken_back": lambda v: TurnTakenBack(v["seat"], v["ply"]),
    "resigned": lambda v: Resigned(v["seat"]),
    "abandoned": lambda v: Abandoned(v["seat"]),
    "timed_out": lambda v: TimedOut(v["seat"]),
    "joined": lambda v: SeatTaken(v["seat"], v["as"], v["name"]),
    "closed": lambda v: TableClosed(v["seat"]),
    "hint": lambda v: HintTaken(v["seat"]),
    "again": lambda v: AgainAsked(v["seat"], v["match"]),
    "again_withdrawn": lambda v: AgainWithdrawn(v["seat"]),
    "sent_away": lambda v: SentAway(v["seat"]),
    "moved_on": lambda v: MovedOn(v["seat"], v["match"]),
    "paused": lambda v: TablePaused(v["paused"]),
    "time_used": lambda v: TimeUsed(v["seat"], v["ms"]),
    "overdue": lambda v: Overdue(v["seat"]),
}


def decode(text: str) -> LogEvent:
    """Read an event.

    Raises:
        CodecError: not written by :func:`encode` of this or an earlier version.
    """
    try:
        values = json.loads(text)
        if values["v"] != VERSION:
            raise CodecError(f"event of version {values['v']}, this program reads {VERSION}")
        return _READERS[values["kind"]](values)
    except (KeyError, TypeError, ValueError) as error:
        raise CodecError(f"unreadable event: {error!r}") from error
