"""A match: rounds, who starts, totals, continuing and how it ends.

``decide_…`` answers events or a refusal and changes nothing; ``evolve`` folds an event into the
state. Neither logs, reads a clock or draws a random number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar, assert_never

from lostcities.core.cards import Card
from lostcities.core.events import (
    Abandoned,
    ContinueDeclined,
    ContinueSaid,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
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
from lostcities.core.refusal import Reason, Refusal
from lostcities.core.round import RoundState, check_deck, deal, play_turn, refusal
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Turn

E = TypeVar("E")


class Phase(Enum):
    """Where a match stands."""

    DEALING = "dealing"
    """The next round is about to be dealt."""
    PLAYING = "playing"
    """A seat is to move."""
    BETWEEN = "between"
    """A round is over; both seats say whether they go on."""
    OVER = "over"
    """The match has ended."""


@dataclass(frozen=True, slots=True)
class Termination:
    """How a match ended otherwise than by its last round.

    Attributes:
        kind: ``resigned``, ``agreed``, ``abandoned``, ``time`` or ``declined``; in records of
            matches still going on also ``unfinished``.
        seat: who resigned, stayed away or ran out of time; None for the other kinds.
    """

    kind: str
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"{self.kind} {self.seat}"


SEAT_TERMINATIONS = ("resigned", "abandoned", "time")
"""Terminations by which a named seat loses."""
PLAIN_TERMINATIONS = ("agreed", "declined", "unfinished")
"""Terminations that name no seat."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A finished round.

    Attributes:
        start: the seat that started it.
        score: points by seat.
        termination: ``"stall"`` if the stall rule ended it, else None.
        turns: how many turns it had.
    """

    start: Seat
    score: BySeat[int]
    termination: str | None
    turns: int


@dataclass(frozen=True, slots=True)
class MatchState:
    """The whole truth of a match; it stays on the server.

    Attributes:
        rules: the rules in force.
        results: the finished rounds.
        round: the round being played, or the one just finished until the next is dealt.
        number: the number of that round, from 1; 0 before the first deal.
        start: the seat that started it.
        willing: by seat, whether it has said that it goes on after this round.
        offer: the seat whose draw offer stands.
        termination: how the match ended, unless by its last round.
        before: the round before the last turn, while that turn could still be taken back.
        asked: the seat that asks to take its last turn back.
        taken_back: how many turns of this match were taken back. With the round and the ply it
            tells what a seat had seen when it made up its mind: a ply can come twice.
    """

    rules: Rules
    results: tuple[RoundResult, ...] = ()
    round: RoundState | None = None
    number: int = 0
    start: Seat = 0
    willing: BySeat[bool] = BySeat(False, False)
    offer: Seat | None = None
    termination: Termination | None = None
    before: RoundState | None = None
    asked: Seat | None = None
    taken_back: int = 0

    @property
    def phase(self) -> Phase:
        """Where the match stands."""
        if self.termination is not None or self._all_played:
            return Phase.OVER
        if self.round is not None and not self.round.over:
            return Phase.PLAYING
        if self.round is None or all(self.willing):
            return Phase.DEALING
        return Phase.BETWEEN

    @property
    def _all_played(self) -> bool:
        return self.rules.rounds != "open" and len(self.results) >= self.rules.rounds

    @property
    def totals(self) -> BySeat[int]:
        """Points of all finished rounds by seat; may be negative."""
        return _sum(self.results)

    @property
    def earlier_totals(self) -> BySeat[int]:
        """Points of the rounds before the present one, as a view shows them."""
        return _sum(self.results[: max(0, self.number - 1)])

    @property
    def winner(self) -> Seat | None:
        """Who has won; None for a draw, or while the match is not over.

        Termination apart from outcome: a seat that resigned, stayed away or ran out of time has
        lost whatever the totals; an agreed end is a draw; else the higher total wins.
        """
        if self.phase is not Phase.OVER:
            return None
        end = self.termination
        if end is not None and end.seat is not None:
            return other(end.seat)
        if end is not None and end.kind == "agreed":
            return None
        return leader(self.totals)


def _sum(results: Iterable[RoundResult]) -> BySeat[int]:
    scores = [result.score for result in results]
    return BySeat(sum(s[0] for s in scores), sum(s[1] for s in scores))


def leader(points: BySeat[int]) -> Seat | None:
    """The seat with more points; None when level."""
    if points[0] == points[1]:
        return None
    return 0 if points[0] > points[1] else 1


def next_starter(state: MatchState) -> Seat | None:
    """Who starts the next round; None when the rules leave the first start to chance.

    A tie under ``leader`` or ``winner`` alternates from the last starter.
    """
    rules = state.rules
    if not state.results:
        return None if rules.first == "random" else rules.first
    last = state.results[-1]
    ahead: Seat | None = None
    if rules.next == "leader":
        ahead = leader(state.totals)
    elif rules.next == "winner":
        ahead = leader(last.score)
    return other(last.start) if ahead is None else ahead


def decide_deal(state: MatchState, deck: tuple[Card, ...], coin: Seat) -> RoundDealt | Refusal:
    """Deal the next round from a shuffled deck; ``coin`` starts where the rules leave it open.

    Raises:
        ValueError: the deck does not hold the cards of these rules (before it gets into a log).
    """
    if state.phase is not Phase.DEALING:
        return Refusal(Reason.NOT_BETWEEN_ROUNDS, "no round is waiting to be dealt")
    check_deck(state.rules, deck)
    start = next_starter(state)
    return RoundDealt(state.number + 1, coin if start is None else start, deck)


def decide_turn(state: MatchState, seat: Seat, turn: Turn, ply: int) -> TurnPlayed | Refusal:
    """A seat wants to play a turn, having seen ``ply`` turns of this round.

    A face named for a draw from the deck is refused whatever it is: answering differently to a
    right and a wrong guess would tell the top card.
    """
    if state.phase is not Phase.PLAYING or state.round is None:
        return _not_playing(state)
    if ply != state.round.ply:
        text = f"meant for ply {ply}, but {state.round.ply} turns have been played"
        return Refusal(Reason.STALE, text)
    if seat != state.round.to_move:
        return Refusal(Reason.NOT_YOUR_TURN, "it is the other seat's turn")
    if turn.drawn is not None:
        return Refusal(Reason.FACE_NAMED, "a turn is submitted without the face drawn")
    refused = refusal(state.round, turn)
    if refused is not None:
        return refused
    drawn = state.round.deck[0] if turn.draw is None else None
    return TurnPlayed(seat, ply, replace(turn, drawn=drawn))


def _not_playing(state: MatchState) -> Refusal:
    match state.phase:
        case Phase.OVER:
            return Refusal(Reason.MATCH_OVER, "the match is over")
        case Phase.BETWEEN:
            return Refusal(Reason.ROUND_OVER, "the round is over")
        case _:
            return Refusal(Reason.NOT_DEALT, "the round has not been dealt yet")


def decide_continue(
    state: MatchState, seat: Seat, go_on: bool
) -> ContinueSaid | ContinueDeclined | Refusal:
    """After a round a seat says whether it goes on."""
    if state.phase is Phase.OVER:
        return Refusal(Reason.MATCH_OVER, "the match is over")
    if state.phase is not Phase.BETWEEN:
        return Refusal(Reason.NOT_BETWEEN_ROUNDS, "the round is not over")
    if not go_on:
        return ContinueDeclined(seat)
    if state.willing[seat]:
        return Refusal(Reason.ALREADY_SAID, "already said to continue")
    return ContinueSaid(seat)


def decide_resign(state: MatchState, seat: Seat) -> Resigned | Refusal:
    """A seat gives the match up."""
    return _unless_over(state, Resigned(seat))


def decide_abandon(state: MatchState, seat: Seat) -> Abandoned | Refusal:
    """The match is ended because a seat stayed away."""
    return _unless_over(state, Abandoned(seat))


def decide_time(state: MatchState, seat: Seat) -> TimedOut | Refusal:
    """The match is ended because a seat ran out of time."""
    return _unless_over(state, TimedOut(seat))


def _unless_over(state: MatchState, event: E) -> E | Refusal:
    if state.phase is Phase.OVER:
        return Refusal(Reason.MATCH_OVER, "the match is over")
    return event


def decide_offer(state: MatchState, seat: Seat) -> DrawOffered | DrawAgreed | Refusal:
    """A seat offers a draw of the match; two offers that meet are an agreement."""
    if state.phase is Phase.OVER:
        return Refusal(Reason.MATCH_OVER, "the match is over")
    if state.offer == seat:
        return Refusal(Reason.ALREADY_SAID, "your offer already stands")
    return DrawOffered(seat) if state.offer is None else DrawAgreed(seat)


def decide_answer(
    state: MatchState, seat: Seat, accept: bool
) -> DrawAgreed | DrawDeclined | Refusal:
    """A seat answers the other's draw offer, or takes its own back (``accept`` false)."""
    if state.phase is Phase.OVER:
        return Refusal(Reason.MATCH_OVER, "the match is over")
    if state.offer is None or (accept and state.offer == seat):
        return Refusal(Reason.NO_OFFER, "there is no offer to answer")
    return DrawAgreed(seat) if accept else DrawDeclined(seat)


def takeback_open(state: MatchState) -> Seat | None:
    """The seat whose last turn could be taken back now; None if nobody's.

    It is the last turn on the table, it drew from a pile, and the round goes on: nobody has seen
    anything by it that was hidden but the card that its own seat laid. Any answer to it lays a card
    out of a hidden hand, so an answered turn stays.
    """
    if state.phase is not Phase.PLAYING or state.before is None:
        return None
    return state.before.to_move


def decide_ask_back(state: MatchState, seat: Seat) -> TakebackAsked | Refusal:
    """A seat asks to take its last turn back, once a turn."""
    if state.phase is not Phase.PLAYING:
        return _not_playing(state)
    if state.asked == seat:
        return Refusal(Reason.ALREADY_SAID, "you have asked already")
    if takeback_open(state) != seat:
        text = (
            "only one's last turn can be taken back, if it drew from a pile and was neither"
            " answered nor refused to be taken back"
        )
        return Refusal(Reason.NOTHING_TO_TAKE_BACK, text)
    return TakebackAsked(seat)


def decide_answer_back(
    state: MatchState, seat: Seat, accept: bool
) -> TurnTakenBack | TakebackDeclined | Refusal:
    """A seat lets the other take its turn back or not, or gives up its own wish."""
    if state.asked is None or state.before is None or (accept and state.asked == seat):
        return Refusal(Reason.NO_OFFER, "nobody asks to take a turn back any more")
    return TurnTakenBack(state.asked, state.before.ply) if accept else TakebackDeclined(seat)


def new_match(rules: Rules) -> MatchState:
    """A match before its first deal."""
    return MatchState(rules)


def evolve(state: MatchState, event: Event) -> MatchState:  # noqa: C901 - one arm a kind
    """The state after an accepted event.

    Raises:
        ValueError: the event cannot follow (a log out of order, doubled or with a gap).
        IllegalTurnError: its turn is illegal.
    """
    _check_follows(state, event)
    if state.asked is not None:  # a wish to take a turn back lapses with any event
        state = replace(state, asked=None)
    match event:
        case MatchStarted(rules):
            return _started(state, rules)
        case RoundDealt(number, start, deck):
            return _dealt(state, number, start, deck)
        case PositionSet(number, begun):
            return _set(state, number, begun)
        case TurnPlayed():
            return _played(state, event)
        case ContinueSaid(seat):
            return replace(state, willing=state.willing.replace(seat, True))
        case ContinueDeclined():
            return _ended(state, Termination("declined"))
        case DrawOffered(seat):
            return replace(state, offer=seat)
        case DrawDeclined():
            return replace(state, offer=None)
        case DrawAgreed():
            return _ended(state, Termination("agreed"))
        case TakebackAsked(seat):
            return replace(state, asked=seat)
        case TakebackDeclined():
            return replace(state, before=None)
        case TurnTakenBack():
            taken_back = state.taken_back + 1
            return replace(state, round=state.before, before=None, taken_back=taken_back)
        case Resigned(seat):
            return _ended(state, Termination("resigned", seat))
        case Abandoned(seat):
            return _ended(state, Termination("abandoned", seat))
        case TimedOut(seat):
            return _ended(state, Termination("time", seat))
        case _:
            assert_never(event)


def fold(events: Iterable[Event]) -> MatchState:
    """The state after a whole log, which begins with :class:`MatchStarted` and has no other.

    Raises:
        ValueError: the log is empty, begins otherwise, or its events do not follow each other.
    """
    log = iter(events)
    match next(log, None):
        case None:
            raise ValueError("an empty log has no state")
        case MatchStarted(rules):
            state = new_match(rules)
        case _:
            raise ValueError("a log begins with MatchStarted")
    for event in log:
        state = evolve(state, event)
    return state


def _check_follows(state: MatchState, event: Event) -> None:
    """A log holds what was decided: anything else is a gap, a double or a mixed-up order."""
    match event:
        case ContinueSaid(seat):
            follows = decide_continue(state, seat, True) == event
        case ContinueDeclined(seat):
            follows = decide_continue(state, seat, False) == event
        case DrawOffered(seat):
            follows = decide_offer(state, seat) == event
        case DrawDeclined(seat):
            follows = decide_answer(state, seat, False) == event
        case DrawAgreed(seat):
            follows = decide_answer(state, seat, True) == event
        case TakebackAsked(seat):
            follows = decide_ask_back(state, seat) == event
        case TakebackDeclined(seat):
            follows = decide_answer_back(state, seat, False) == event
        case TurnTakenBack(seat):
            follows = decide_answer_back(state, other(seat), True) == event
        case MatchStarted() | RoundDealt() | PositionSet():
            follows = True  # each has a check of its own, with a better reason
        case _:
            follows = state.phase is not Phase.OVER
    if not follows:
        raise ValueError(f"{event} cannot follow here: the match is {state.phase.value}")


def _started(state: MatchState, rules: Rules) -> MatchState:
    if state != new_match(state.rules):
        raise ValueError("a match starts only once")
    return new_match(rules)


def _dealt(state: MatchState, number: int, start: Seat, deck: tuple[Card, ...]) -> MatchState:
    if state.phase is not Phase.DEALING or number != state.number + 1:
        raise ValueError(
            f"round {number} is dealt, but round {state.number} is {state.phase.value}"
        )
    if next_starter(state) not in (None, start):
        raise ValueError(f"seat {start} starts round {number}, but it is the other's to start")
    return replace(
        state,
        round=deal(state.rules, deck, start),
        number=number,
        start=start,
        willing=BySeat(False, False),
    )


def _set(state: MatchState, number: int, begun: RoundState) -> MatchState:
    if state.phase is not Phase.DEALING or number != state.number + 1:
        raise ValueError(
            f"round {number} is set up, but round {state.number} is {state.phase.value}"
        )
    if begun.rules != state.rules or begun.over or begun.lay is not None or begun.ply:
        raise ValueError(f"round {number} cannot begin from {begun}")
    if any(begun.hidden_hands) or begun.hidden_deck:
        raise ValueError(f"round {number} begins from a position with hidden cards")
    return replace(
        state, round=begun, number=number, start=begun.to_move, willing=BySeat(False, False)
    )


def _played(state: MatchState, event: TurnPlayed) -> MatchState:
    if state.round is None:
        raise ValueError("a turn before the first deal")
    due = (state.round.to_move, state.round.ply)
    if (event.seat, event.ply) != due:
        raise ValueError(f"seat {event.seat} at ply {event.ply}, but {due} is due")
    after = play_turn(state.round, event.turn)
    results = state.results
    if after.over:
        results = (*results, RoundResult(state.start, after.score, after.termination, after.ply))
    seen = after.over or event.turn.draw is None  # something hidden, by its seat or by both
    return replace(state, round=after, results=results, before=None if seen else state.round)


def _ended(state: MatchState, termination: Termination) -> MatchState:
    return replace(state, termination=termination, offer=None, before=None)


def seats_to_act(state: MatchState) -> tuple[Seat, ...]:
    """The seats that something is waited for: the mover, or those who have not said continue."""
    if state.phase is Phase.PLAYING and state.round is not None:
        return (state.round.to_move,)
    if state.phase is Phase.BETWEEN:
        return tuple(seat for seat in SEATS if not state.willing[seat])
    return ()
