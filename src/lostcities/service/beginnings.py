"""Where practice matches begin: read and written for the store, and turned into events."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lostcities.core.cards import parse_cards
from lostcities.core.events import Event, MatchStarted, PositionSet, RoundDealt, TurnPlayed
from lostcities.core.match import fold
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal, play_turn
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.core.turn import parse_turn
from lostcities.service.state import TableState
from lostcities.store.interfaces import Lesson, MatchInfo

FRIEND = "friend"


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a practice match begins.

    Attributes:
        rules: one round, begun by who is to begin.
        seat: the learner's.
        against: ``friend`` or an agent's name.
        text: what the teacher says.
        position: every card, or None where a deck says it.
        deck: the whole deck, or None.
        start: who starts with the deck.
        turns: played after the deal.
    """

    rules: Rules
    seat: Seat
    against: str
    text: str
    position: str | None = None
    deck: str | None = None
    start: Seat = 0
    turns: tuple[str, ...] = ()

    def opening(self) -> tuple[Event, ...]:
        """What follows the start of the match."""
        if self.position is not None:
            return (PositionSet(1, parse_position(self.position, self.rules)),)
        deck = parse_cards(self.deck or "")
        events: list[Event] = [RoundDealt(1, self.start, deck)]
        state = deal(self.rules, deck, self.start)
        for token in self.turns:
            seat, ply = state.to_move, state.ply
            state = play_turn(state, parse_turn(token))
            assert state.last_turn is not None
            events.append(TurnPlayed(seat, ply, state.last_turn))
        return tuple(events)

    def round(self) -> RoundState:
        """The round as it begins."""
        begun = fold((MatchStarted(self.rules), *self.opening())).round
        assert begun is not None
        return begun

    def to_text(self) -> str:
        """What the store keeps."""
        return json.dumps(
            {
                "rules": str(self.rules), "seat": self.seat, "against": self.against,
                "text": self.text, "position": self.position, "deck": self.deck,
                "start": self.start, "turns": list(self.turns),
            }
        )  # fmt: skip


def beginning_of(lesson: Lesson) -> Beginning:
    """Read :meth:`Beginning.to_text`."""
    values = json.loads(lesson.body)
    rules, turns = Rules.parse(values.pop("rules")), tuple(values.pop("turns"))
    return Beginning(rules, turns=turns, **values)


def lesson_text(lesson: Lesson) -> str | None:
    """What the teacher says; None for nothing."""
    return beginning_of(lesson).text or None


def first_state(info: MatchInfo) -> TableState:
    """A table before its first event."""
    opening = () if info.lesson is None else beginning_of(info.lesson).opening()
    takebacks = info.terms.takebacks and info.lesson is None
    return TableState(info.rules, opening=opening, pace=info.pace, takebacks=takebacks)
