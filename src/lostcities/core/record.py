"""Records of matches: the values, their replay under the rules, and records made from events.

A record is either whole (the shuffled deck of each round) or seen from one seat (that seat's first
hand, the other's draws unnamed) or from outside (neither). Reading and writing are in
:mod:`lostcities.core.record_text` and :mod:`lostcities.core.record_json`; both go through
:func:`replay`, so that no record that breaks the rules or miscounts gets in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lostcities.core import sentences as say
from lostcities.core.cards import Card, sort_cards
from lostcities.core.errors import NotationError, RecordError
from lostcities.core.events import Event, PositionSet, RoundDealt, TurnPlayed, TurnTakenBack
from lostcities.core.match import (
    MatchState,
    Phase,
    RoundResult,
    Termination,
    evolve,
    new_match,
    next_starter,
)
from lostcities.core.round import RoundState, deal, play_turn, refusal
from lostcities.core.rules import Rules
from lostcities.core.said import Said, Sentence, inside
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.turn import Turn

Tags = tuple[tuple[str, str], ...]
"""Tags that this project does not know, in the order read."""

NO_HANDS: BySeat[tuple[Card, ...] | None] = BySeat(None, None)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round of a record.

    Attributes:
        number: from 1.
        start: the seat that starts; None if the text leaves it to the rules.
        deck: the whole shuffled deck, top first, or None.
        hands: by seat its first hand, canonically ordered, where known without the deck.
        turns: as played, with the faces drawn that the reader may know.
        score: points by seat; None until the round is finished.
        termination: ``"stall"`` or None.
        tags: unknown tags.
    """

    number: int
    start: Seat | None = None
    deck: tuple[Card, ...] | None = None
    hands: BySeat[tuple[Card, ...] | None] = NO_HANDS
    turns: tuple[Turn, ...] = ()
    score: BySeat[int] | None = None
    termination: str | None = None
    tags: Tags = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was played.

    Attributes:
        rules: the rules in force.
        rounds: its rounds, the last one perhaps unfinished.
        event: where or what; None if not said.
        date: ``YYYY.MM.DD``; None if not said.
        seats: the names by seat; None if not said.
        result: points of the finished rounds by seat; None until replayed.
        termination: how a match ended otherwise than by its last round.
        tags: unknown header tags.
    """

    rules: Rules = field(default_factory=Rules)
    rounds: tuple[RoundRecord, ...] = ()
    event: str | None = None
    date: str | None = None
    seats: BySeat[str | None] = BySeat(None, None)
    result: BySeat[int] | None = None
    termination: Termination | None = None
    tags: Tags = ()


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A round played through.

    Attributes:
        states: ``states[ply]`` is the state after that many turns; ``states[0]`` is the deal.
        totals: points of earlier rounds by seat.
    """

    states: tuple[RoundState, ...]
    totals: BySeat[int]


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played through and found right.

    Attributes:
        record: the record with everything filled in that follows from it.
        rounds: every state of every round.
        match: the match as it stands after the last turn.
    """

    record: Record
    rounds: tuple[ReplayedRound, ...]
    match: MatchState


def replay(record: Record) -> Replay:
    """Play a record through, checking every turn, start, score and the result.

    Raises:
        RecordError: the record breaks the rules or contradicts itself; names the round, the ply
            (turns counted from 1) and the reason.
    """
    match = new_match(record.rules)
    rounds: list[ReplayedRound] = []
    records: list[RoundRecord] = []
    for index, each in enumerate(record.rounds):
        _check_follows(match, each, index + 1)
        totals = match.totals
        states, filled = _replay_round(record.rules, replace(each, start=_start(match, each)))
        match = _after_round(match, states, filled)
        rounds.append(ReplayedRound(states, totals))
        records.append(filled)
    match = _close(match, record)
    filled_record = replace(record, rounds=tuple(records), result=match.totals)
    return Replay(filled_record, tuple(rounds), match)


def _check_follows(match: MatchState, each: RoundRecord, number: int) -> None:
    place = say.ROUND(n=each.number)
    if each.number != number:
        raise RecordError(place, say.OUT_OF_ORDER(due=number))
    if match.round is not None and not match.round.over:
        raise RecordError(say.ROUND(n=number - 1), say.UNFINISHED())
    if match.phase is Phase.OVER:
        raise RecordError(place, say.ONLY_ROUNDS(n=match.rules.rounds))


def _start(match: MatchState, each: RoundRecord) -> Seat:
    due = next_starter(match)
    if each.start is None and due is None:
        raise RecordError(say.ROUND(n=each.number), say.START_MISSING())
    if each.start is not None and due is not None and each.start != due:
        how = f"first={match.rules.first}" if each.number == 1 else f"next={match.rules.next}"
        reason = say.OTHER_START(found=each.start, due=due, rule=how)
        raise RecordError(say.ROUND(n=each.number), reason)
    return due if each.start is None or due is not None else each.start  # type: ignore[return-value]


def first_state(rules: Rules, each: RoundRecord) -> RoundState:
    """The deal of a recorded round; what the record does not say is hidden.

    Raises:
        RecordError: the deck or a hand does not fit the rules.
    """
    place, start = say.ROUND(n=each.number), each.start or 0
    if each.deck is not None:
        _check_cards(each.deck, rules, inside(place, "Deck"), rules.deck_size)
        return deal(rules, each.deck, start)
    cards = tuple(card for hand in each.hands if hand is not None for card in hand)
    for seat in SEATS:
        hand = each.hands[seat]
        if hand is not None:
            _check_cards(hand, rules, inside(place, f"Hand{seat}"), rules.hand)
    _check_cards(cards, rules, inside(place, say.HANDS()), len(cards))
    empty: Expeditions = ((),) * rules.colours
    return RoundState(
        rules,
        start,
        each.hands.map(lambda hand: sort_cards(hand or ())),
        BySeat(empty, empty),
        empty,
        (),
        each.hands.map(lambda hand: rules.hand if hand is None else 0),
        rules.deck_size - 2 * rules.hand,
    )


def _check_cards(cards: tuple[Card, ...], rules: Rules, place: str | Said, size: int) -> None:
    if len(cards) != size:
        raise RecordError(place, say.CARD_COUNT(n=len(cards), due=size))
    for card in sort_cards(set(cards)):
        copies = rules.copies(card)
        if cards.count(card) > copies:
            sentence = say.OFTEN if copies else say.ABSENT
            raise RecordError(place, sentence(card=str(card)))


def _replay_round(rules: Rules, each: RoundRecord) -> tuple[tuple[RoundState, ...], RoundRecord]:
    states = [first_state(rules, each)]
    turns: list[Turn] = []
    for ply, turn in enumerate(each.turns, 1):
        state = states[-1]
        refused = refusal(state, turn)
        if refused is not None:
            reason = say.ILLEGAL(turn=str(turn), why=refused.said)
            raise RecordError(say.PLY(round=each.number, ply=ply), reason)
        states.append(play_turn(state, turn))
        played = states[-1].last_turn
        turns.append(turn if played is None else played)
    filled = _with_end(replace(each, turns=tuple(turns)), states[-1])
    return tuple(states), filled


def _with_end(each: RoundRecord, last: RoundState) -> RoundRecord:
    place = say.PLY(round=each.number, ply=len(each.turns))
    if not last.over:
        for tag, value in (("Score", each.score), ("Termination", each.termination)):
            if value is not None:
                raise RecordError(place, say.TAG_EARLY(tag=tag))
        return each
    if each.score is not None and each.score != last.score:
        raise RecordError(place, _other_points(say.OTHER_SCORE, each.score, last.score))
    if each.termination is not None and each.termination != last.termination:
        raise RecordError(place, say.OTHER_ROUND_END(found=each.termination))
    return replace(each, score=last.score, termination=last.termination)


def _other_points(sentence: Sentence, said: BySeat[int], right: BySeat[int]) -> Said:
    return sentence(said0=said[0], said1=said[1], right0=right[0], right1=right[1])


def _after_round(
    match: MatchState, states: tuple[RoundState, ...], each: RoundRecord
) -> MatchState:
    last, results = states[-1], match.results
    if last.over:
        results = (*results, RoundResult(each.start or 0, last.score, last.termination, last.ply))
    return replace(match, round=last, number=each.number, start=each.start or 0, results=results)


def _close(match: MatchState, record: Record) -> MatchState:
    _check_termination(match, record.termination)
    if record.result is not None and record.result != match.totals:
        reason = _other_points(say.OTHER_RESULT, record.result, match.totals)
        raise RecordError("Result", reason)
    end = record.termination
    if end is None or end.kind == "unfinished":
        return match
    return replace(match, termination=end)


def _check_termination(match: MatchState, end: Termination | None) -> None:
    finished = match.phase is Phase.OVER
    if end is None and not finished:
        raise RecordError("Termination", say.END_MISSING())
    if end is not None and finished:
        raise RecordError("Termination", say.END_REACHED(found=str(end)))
    playing = match.round is None or not match.round.over
    if end is not None and end.kind == "declined" and playing:
        raise RecordError("Termination", say.DECLINED_EARLY())


def record_of(
    events: Iterable[Event],
    rules: Rules,
    *,
    whole: bool,
    seat: Seat | None = None,
    names: BySeat[str | None] | None = None,
    event: str | None = None,
    date: str | None = None,
) -> Record:
    """The record of a match from its log.

    Args:
        events: the log; events before the first deal do not matter.
        rules: the rules in force.
        whole: with every deck. Only for those who may know all: the match is over, or study.
        seat: without ``whole``, whose eyes it is seen with; None for a spectator.
        names: the players' names.
        event: what the match belongs to.
        date: ``YYYY.MM.DD``.

    Raises:
        RecordError: a round of it began from a position.
    """
    match, rounds = new_match(rules), []
    for each in events:
        match = evolve(match, each)
        if isinstance(each, RoundDealt):
            rounds.append(_dealt(each, match, whole, seat))
        elif isinstance(each, PositionSet):
            raise RecordError(say.ROUND(n=each.number), say.FROM_POSITION())
        elif isinstance(each, TurnPlayed):
            seen = each.turn if whole or each.seat == seat else each.turn.public
            rounds[-1] = replace(rounds[-1], turns=(*rounds[-1].turns, seen))
        elif isinstance(each, TurnTakenBack):
            rounds[-1] = _without_last(rounds[-1])
    over = match.phase is Phase.OVER
    termination = match.termination if over else Termination("unfinished")
    who: BySeat[str | None] = names or BySeat(None, None)
    return replay(Record(rules, tuple(rounds), event, date, who, None, termination)).record


TAKEN_BACK = "TakenBack"
"""The tag of a round that names the turns taken back: each with its ply, counted from 1."""


def _without_last(each: RoundRecord) -> RoundRecord:
    """A record is of the play that counted; a turn taken back is told in a tag."""
    told = dict(each.tags)
    back = f"{len(each.turns)} {each.turns[-1]}"
    told[TAKEN_BACK] = f"{told[TAKEN_BACK]}, {back}" if TAKEN_BACK in told else back
    return replace(each, turns=each.turns[:-1], tags=tuple(told.items()))


def _dealt(each: RoundDealt, match: MatchState, whole: bool, seat: Seat | None) -> RoundRecord:
    if whole:
        return RoundRecord(each.number, each.start, each.deck)
    hands = NO_HANDS
    if seat is not None and match.round is not None:
        hands = hands.replace(seat, match.round.hands[seat])
    return RoundRecord(each.number, each.start, hands=hands)


def parse_termination(text: str) -> Termination:
    """Read a match's termination, e.g. ``unfinished`` or ``resigned 0``.

    Raises:
        RecordError: no such termination.
    """
    kind, _, seat = text.partition(" ")
    if kind in ("agreed", "declined", "unfinished") and not seat:
        return Termination(kind)
    if kind in ("resigned", "abandoned", "time") and seat in ("0", "1"):
        return Termination(kind, int(seat))
    raise RecordError("Termination", say.NO_TERMINATION(found=text))


def as_record_error(error: NotationError, place: str | Said) -> RecordError:
    """An error of an inner notation, seen from the record."""
    where = inside(place, error.where) if error.place else place
    return RecordError(where, error.why)
