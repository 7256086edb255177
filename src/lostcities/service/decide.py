"""What a command of a seat means: events, or a refusal. Changes nothing and reads no clock."""

from __future__ import annotations

from typing import assert_never

from lostcities.core import match as core
from lostcities.core.errors import NotationError
from lostcities.core.events import Event, MatchStarted
from lostcities.core.match import MatchState, Phase
from lostcities.core.refusal import Refusal
from lostcities.core.seats import SEATS, Seat, other
from lostcities.core.shuffle import DeckSource
from lostcities.core.turn import parse_turn
from lostcities.protocol.messages import (
    AnswerBack,
    AnswerDraw,
    AskBack,
    Continue,
    EndAbsent,
    OfferDraw,
    Play,
    Resign,
)
from lostcities.service.refusing import No
from lostcities.service.state import Entry, TableState, advance_all
from lostcities.service.takebacks import decide_takeback
from lostcities.store.interfaces import LogEvent

Command = Play | Continue | Resign | OfferDraw | AnswerDraw | AskBack | AnswerBack | EndAbsent
"""The messages that can change a table."""
Plain = Play | Continue | Resign | OfferDraw | AnswerDraw | EndAbsent
"""Those that every table takes."""


def decide(state: TableState, seat: Seat, command: Command) -> tuple[LogEvent, ...] | No:
    """What a command of a seat makes happen now."""
    if state.closed:
        return No("match_over", "the table was closed")
    if state.match is None:
        return No("not_dealt", "the other seat is still empty")
    if state.paused and not isinstance(command, Resign):
        return No("paused", "the host has stopped the table for a while")
    if isinstance(command, AskBack | AnswerBack):
        decided: Event | Refusal | No = decide_takeback(state, seat, command)
    else:
        decided = _decide(state.match, seat, command)
    if isinstance(decided, No):
        return decided
    if isinstance(decided, Refusal):
        return No(decided.reason.value, decided.text)
    return (decided,)


def _decide(match: MatchState, seat: Seat, command: Plain) -> Event | Refusal | No:
    match command:
        case Play():
            return _play(match, seat, command)
        case Continue(_, number, go_on):
            if number != match.number:
                return _stale(number, match)
            return core.decide_continue(match, seat, go_on)
        case Resign():
            return core.decide_resign(match, seat)
        case OfferDraw():
            return core.decide_offer(match, seat)
        case AnswerDraw(_, accept):
            return core.decide_answer(match, seat, accept)
        case EndAbsent():
            return core.decide_abandon(match, other(seat))
        case _:
            assert_never(command)


def _play(match: MatchState, seat: Seat, command: Play) -> Event | Refusal | No:
    if command.round != match.number and match.phase is not Phase.OVER:
        return _stale(command.round, match)
    if command.back != match.taken_back:
        return No("stale", "a turn has been taken back since")
    try:
        turn = parse_turn(command.turn)
    except NotationError as error:
        return No("bad_turn", str(error))
    return core.decide_turn(match, seat, turn, command.ply)


def _stale(number: int, match: MatchState) -> No:
    return No("stale", f"meant for round {number}, but round {match.number} is on the table")


def settle(
    state: TableState, events: tuple[LogEvent, ...], agents: frozenset[Seat], decks: DeckSource
) -> tuple[TableState, list[Entry]]:
    """The events and all that follows from them by itself, to be written together.

    Once both seats are taken the match begins; agents always go on after a round; when both go on,
    the next round is dealt. Written in one piece, a table never rests in between.

    Args:
        state: before the events.
        events: what has been decided; may be empty.
        agents: the seats in which a program sits.
        decks: asked for a deck only when a round is to be dealt.

    Returns:
        The state afterwards, and what the log gains.
    """
    state, entries = advance_all(state, events)
    while (step := _next(state, agents, decks)) is not None:
        opening = state.opening if isinstance(step, MatchStarted) else ()
        state, more = advance_all(state, (step, *opening))
        entries += more
    return state, entries


def _next(state: TableState, agents: frozenset[Seat], decks: DeckSource) -> Event | None:
    match = state.match
    if state.closed or state.paused:
        return None
    if match is None:
        return MatchStarted(state.rules) if all(state.taken) else None
    if match.offer is not None and other(match.offer) in agents and match.phase is not Phase.OVER:
        return _accepted(core.decide_answer(match, other(match.offer), False))
    if match.phase is Phase.DEALING:
        deck = decks.deck(state.rules, match.number + 1)
        return _accepted(core.decide_deal(match, deck, decks.coin()))
    if match.phase is Phase.BETWEEN:
        for seat in SEATS:
            if seat in agents and not match.willing[seat]:
                return _accepted(core.decide_continue(match, seat, True))
    return None


def _accepted(decided: Event | Refusal) -> Event:
    if isinstance(decided, Refusal):
        raise TypeError(f"the table's own step was refused: {decided}")
    return decided
