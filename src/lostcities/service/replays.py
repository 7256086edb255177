"""Replays for the wire, built by allow-list from states.

A seat is shown its own cards. Both hands are shown of a round that is over, or of any round once the
match is; nothing of the other hand before that, nor ever the order of the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lostcities.core.cards import Card
from lostcities.core.events import Event, PositionSet, RoundDealt, TurnPlayed, TurnTakenBack
from lostcities.core.match import MatchState, Phase, evolve, new_match
from lostcities.core.record import TAKEN_BACK, Record, Replay, Tags
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Turn
from lostcities.encoding import COLOUR_LETTERS
from lostcities.protocol.history import ReplayFrame, ReplayOutline, ReplayRound, RoundOutline
from lostcities.service.seeing import rules_in_force, workings_of
from lostcities.table.records import TAG

EVERYBODY = frozenset(SEATS)


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round as it may be told.

    Attributes:
        number: from 1.
        start: who started.
        totals: points of the rounds before.
        states: the deal, then the state after each turn.
        sees: the seats whose hands may be shown.
        ended: nobody is to move any more, though the round was not finished.
        taken_back: how many turns do not count, and are not among the states.
    """

    number: int
    start: Seat
    totals: BySeat[int]
    states: tuple[RoundState, ...]
    sees: frozenset[Seat]
    ended: bool = False
    taken_back: int = 0


def rounds_of_log(
    events: Iterable[Event], rules: Rules, seat: Seat | None
) -> tuple[MatchState, tuple[ToldRound, ...]]:
    """The rounds of a log as a seat (None: somebody it was shared with) may look back on them."""
    match = new_match(rules)
    dealt: list[tuple[MatchState, list[RoundState]]] = []
    back: Counter[int] = Counter()
    for event in events:
        match = evolve(match, event)
        if match.round is None:
            continue
        if isinstance(event, (RoundDealt, PositionSet)):
            dealt.append((match, [match.round]))
        elif isinstance(event, TurnPlayed):
            dealt[-1][1].append(match.round)
        elif isinstance(event, TurnTakenBack):
            dealt[-1][1].pop()
            back[match.number] += 1
    over = match.phase is Phase.OVER
    own = frozenset() if seat is None else frozenset({seat})
    rounds = tuple(
        ToldRound(
            at.number, at.start, at.totals, tuple(states),
            EVERYBODY if over or states[-1].over else own, over, back[at.number],
        )
        for at, states in dealt
    )  # fmt: skip
    return match, rounds


def rounds_of_record(replay: Replay) -> tuple[ToldRound, ...]:
    """The rounds of a record: whoever brought it may see what it says."""
    pairs = zip(replay.record.rounds, replay.rounds, strict=True)
    return tuple(
        ToldRound(
            each.number, each.start or 0, told.totals, told.states, EVERYBODY,
            taken_back=_named_back(each.tags),
        )
        for each, told in pairs
    )  # fmt: skip


def _named_back(tags: Tags) -> int:
    named = dict(tags).get(TAKEN_BACK, "")
    return len(named.split(",")) if named else 0


def outline_of(round_: ToldRound) -> RoundOutline:
    """What is said of a round before it is looked at."""
    last = round_.states[-1]
    shown = all(seat in round_.sees and not last.hidden_hands[seat] for seat in SEATS)
    return RoundOutline(
        round_.number, round_.start, len(round_.states) - 1,
        list(last.score) if last.over else None, last.termination, shown, round_.taken_back,
    )  # fmt: skip


def replay_round(round_: ToldRound) -> ReplayRound:
    """Every state of a round."""
    frames = [_frame(state, round_) for state in round_.states]
    return ReplayRound(round_.number, list(round_.totals), frames)


def _frame(state: RoundState, round_: ToldRound) -> ReplayFrame:
    turn = state.last_turn
    mover = None if turn is None else other(state.to_move)
    still = state is round_.states[-1] and round_.ended
    return ReplayFrame(
        ply=state.ply,
        mover=mover,
        turn=None if turn is None else _told(turn, mover in round_.sees),
        to_move=None if state.over or still else state.to_move,
        hands=[_hand(state, seat, round_.sees) for seat in SEATS],
        hand_sizes=[state.hand_size(seat) for seat in SEATS],
        known=[_faces(state.taken[seat]) for seat in SEATS],
        expeditions=[_rows(state.expeditions[seat]) for seat in SEATS],
        piles=_rows(state.piles),
        deck=state.deck_size,
        scores=list(state.score),
        workings=[workings_of(state.expeditions[seat], state.rules) for seat in SEATS],
    )


def _told(turn: Turn, all_of_it: bool) -> str:
    return str(turn if all_of_it else turn.public)


def _hand(state: RoundState, seat: Seat, sees: frozenset[Seat]) -> list[str] | None:
    if seat not in sees or state.hidden_hands[seat]:
        return None
    return _faces(state.hands[seat])


def _faces(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _rows(rows: Expeditions) -> dict[str, list[str]]:
    return {COLOUR_LETTERS[index]: _faces(row) for index, row in enumerate(rows) if row}


def record_outline(replay: Replay, name: str = "") -> ReplayOutline:
    """What a record is of; ``name`` is the id of one that is kept."""
    record: Record = replay.record
    match = replay.match
    return ReplayOutline(
        id=name,
        names=[each or "" for each in record.seats],
        kinds=["person", "person"],
        rules=rules_in_force(record.rules),
        seat=None,
        rounds=[outline_of(each) for each in rounds_of_record(replay)],
        totals=list(match.totals),
        over=match.phase is Phase.OVER,
        termination=None if record.termination is None else str(record.termination),
        winner=match.winner,
        date=record.date,
        event=record.event,
        cards=dict(record.tags).get(TAG),
        practice=False,
        share=None,
        match=None,
    )
