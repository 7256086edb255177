"""What a seat is told: wire messages built from a committed state, by allow-list only.

Nothing here encodes a state or an event and takes away. Every kind of event is named, so that a new
one cannot leak by default.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import assert_never

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
from lostcities.core.match import MatchState, Phase, RoundResult, next_starter
from lostcities.core.pace import SECOND, Pace
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions, score_expedition
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_for
from lostcities.encoding import COLOUR_LETTERS
from lostcities.protocol.messages import (
    ClassWait,
    PaceInfo,
    RoundInfo,
    RulesInForce,
    SeatInfo,
    SeatView,
    SeenEvent,
    TableInfo,
    Working,
)
from lostcities.service.beginnings import lesson_text
from lostcities.service.state import Entry, TableState
from lostcities.service.takebacks import takeback_now
from lostcities.service.timing import Timing
from lostcities.store.interfaces import (
    AgainAsked,
    AgainWithdrawn,
    HintTaken,
    MatchInfo,
    MovedOn,
    Overdue,
    SeatTaken,
    SentAway,
    TableClosed,
    TablePaused,
    TimeUsed,
)


@functools.lru_cache(maxsize=256)
def rules_in_force(rules: Rules) -> RulesInForce:
    """The rules for the wire."""
    return RulesInForce(**rules.to_dict())


@functools.lru_cache(maxsize=256)
def pace_info(pace: Pace) -> PaceInfo:
    """The time rules for the wire."""
    return PaceInfo(
        kind=pace.kind,
        turn=pace.turn,
        bank=pace.bank,
        increment=pace.increment,
        days=pace.days,
        timeout=pace.timeout,
        absent=pace.absent,
        pause=None if pace.pause_ms is None else pace.pause_ms // SECOND,
        written=str(pace),
    )


def seat_view(state: TableState, seat: Seat | None) -> SeatView | None:
    """What a seat, or a watcher (None), may see of the present round; None before the first deal.

    A watcher sees both hands once the round is over, and no hand before that.
    """
    match = state.match
    if match is None or match.round is None:
        return None
    view = view_for(match, seat)
    if state.closed or state.paused:
        view = replace(view, to_move=None, legal=())
    values = view_to_dict(view)
    values["rules"] = rules_in_force(state.rules)
    if seat is None and (match.round.over or state.over):
        values["hands"] = [[str(card) for card in hand] for hand in match.round.hands]
    return SeatView(**values)


def table_info(
    state: TableState,
    info: MatchInfo,
    present: BySeat[bool],
    timing: Timing,
    group: ClassWait | None = None,
) -> TableInfo:
    """What the seats of a table may know; a watcher is not told the invite, nor who went where.

    A seat that waits for a friend is told the invite, and of a class (``group``) for whom it waits:
    while it waits, no other seat is taken. So it is where it has moved on.
    """
    match = state.match
    waits = state.phase == "waiting" and info.invite is not None
    return TableInfo(
        match=info.match,
        phase=state.phase,
        seats=[_seat_info(state, info, each, present[each]) for each in SEATS],
        rules=rules_in_force(state.rules),
        rounds_done=[] if match is None else [_round_info(each) for each in match.results],
        totals=[0, 0] if match is None else list(match.totals),
        starter=None if match is None or match.round is None else match.start,
        next_starter=_next_starter(match),
        workings=_workings(match),
        offer=None if match is None else match.offer,
        termination=_termination(state),
        winner=match.winner if match is not None and match.phase is Phase.OVER else None,
        terms=info.terms,
        paused=state.paused,
        pace=pace_info(info.pace),
        clock=timing.told(state),
        away=timing.away(state),
        invite=f"/i/{info.invite}" if waits else None,
        again=state.again,
        again_by=state.again_by,
        practice=info.lesson is not None,
        lesson=None if info.lesson is None else lesson_text(info.lesson),
        back=0 if match is None else match.taken_back,
        back_open=takeback_now(state),
        back_asked=None if match is None else match.asked,
        sent_away=None if state.over else state.sent_away,
        group=None if state.free is None else group,
        moved_to=None if state.moved_on is None else f"/t/{state.moved_on}",
    )


def seat_names(state: TableState) -> list[str]:
    """By seat who sits there; empty where nobody does."""
    return ["" if who is None else who.name for who in state.taken]


def seat_kinds(state: TableState) -> list[str]:
    """By seat what sits there, as in :class:`lostcities.protocol.messages.SeatInfo`."""
    return ["empty" if who is None else str(who.kind) for who in state.taken]


def _seat_info(state: TableState, info: MatchInfo, seat: Seat, present: bool) -> SeatInfo:
    who = state.taken[seat]
    if who is None:
        kept = info.reserved
        return SeatInfo("empty", "" if kept is None else kept.name, False, False)
    match = state.match
    continued = match is not None and match.phase is Phase.BETWEEN and match.willing[seat]
    return SeatInfo(who.kind, who.name, present or who.kind == "agent", continued)


def _round_info(result: RoundResult) -> RoundInfo:
    return RoundInfo(result.start, list(result.score), result.termination, result.turns)


def _next_starter(match: MatchState | None) -> Seat | None:
    if match is None or match.phase not in (Phase.BETWEEN, Phase.DEALING):
        return None
    return next_starter(match)


def _workings(match: MatchState | None) -> list[dict[str, Working]]:
    if match is None or match.round is None:
        return [{}, {}]
    return [workings_of(rows, match.rules) for rows in match.round.expeditions]


def workings_of(rows: Expeditions, rules: Rules) -> dict[str, Working]:
    """The working of every opened row of a seat, by colour letter."""
    result = {}
    for index, row in enumerate(rows):
        if row:
            score = score_expedition(row, rules)
            result[COLOUR_LETTERS[index]] = Working(
                score.cards, score.sum, score.cost, score.multiplier, score.bonus, score.total
            )
    return result


def _termination(state: TableState) -> str | None:
    if state.closed:
        return "closed" if state.closed_by is None else f"left {state.closed_by}"
    end = None if state.match is None else state.match.termination
    if end is not None and end.kind == "abandoned" and end.seat == state.sent_away:
        return f"sent_away {end.seat}"
    return None if end is None else str(end)


def seen(entry: Entry, viewer: Seat | None) -> SeenEvent:  # noqa: C901 - one arm a kind
    """An event as a seat may see it."""
    event, seq = entry.event, entry.seq
    match event:
        case TurnPlayed(seat, ply, turn):
            told = turn if seat == viewer else turn.public
            return SeenEvent(seq, "turn", seat, entry.round, ply, str(told))
        case RoundDealt(number, start, _):
            return SeenEvent(seq, "dealt", start, number)
        case PositionSet(number, begun):
            return SeenEvent(seq, "dealt", begun.to_move, number)
        case MatchStarted():
            return SeenEvent(seq, "started")
        case ContinueSaid(seat):
            return SeenEvent(seq, "continued", seat, entry.round)
        case ContinueDeclined(seat):
            return SeenEvent(seq, "declined", seat, entry.round)
        case DrawOffered(seat):
            return SeenEvent(seq, "draw_offered", seat)
        case DrawDeclined(seat):
            return SeenEvent(seq, "draw_withdrawn" if entry.withdrawn else "draw_declined", seat)
        case DrawAgreed(seat):
            return SeenEvent(seq, "draw_agreed", seat)
        case TakebackAsked(seat):
            return SeenEvent(seq, "back_asked", seat)
        case TakebackDeclined(seat):
            return SeenEvent(seq, "back_withdrawn" if entry.withdrawn else "back_declined", seat)
        case TurnTakenBack(seat, ply):
            return SeenEvent(seq, "taken_back", seat, entry.round, ply)
        case Resigned(seat):
            return SeenEvent(seq, "resigned", seat)
        case Abandoned(seat):
            return SeenEvent(seq, "abandoned", seat)
        case TimedOut(seat):
            return SeenEvent(seq, "timed_out", seat)
        case SeatTaken(seat):
            return SeenEvent(seq, "joined", seat)
        case TableClosed(None):
            return SeenEvent(seq, "closed")
        case TableClosed(seat):
            return SeenEvent(seq, "left", seat)
        case TablePaused(paused):
            return SeenEvent(seq, "paused" if paused else "went_on")
        case HintTaken(seat):
            return SeenEvent(seq, "hint", seat, entry.round)
        case AgainAsked(seat):
            return SeenEvent(seq, "again", seat)
        case AgainWithdrawn(seat):
            return SeenEvent(seq, "again_withdrawn", seat)
        case SentAway(seat):
            return SeenEvent(seq, "sent_away", seat)
        case MovedOn(seat):
            return SeenEvent(seq, "moved_on", seat)
        case TimeUsed(seat):
            return SeenEvent(seq, "time_used", seat)
        case Overdue(seat):
            return SeenEvent(seq, "overdue", seat)
        case _:
            assert_never(event)
