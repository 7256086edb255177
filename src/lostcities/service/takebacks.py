"""Taking a turn back at a table: where its terms let people do so. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterable

from lostcities.core.events import Event, TurnPlayed, TurnTakenBack
from lostcities.core.match import decide_answer_back, decide_ask_back, takeback_open
from lostcities.core.refusal import Refusal
from lostcities.core.seats import Seat
from lostcities.protocol.messages import AnswerBack, AskBack
from lostcities.service.refusing import No
from lostcities.service.state import Entry, TableState
from lostcities.store.interfaces import Overdue

OFF = No("no_takebacks", "at this table turns stay as they are played")
STALE = No("stale", "something has happened since")


def decide_takeback(
    state: TableState, seat: Seat, command: AskBack | AnswerBack
) -> Event | Refusal | No:
    """What asking, or an answer, makes happen; meant for the turn that lies on the table."""
    match = state.match
    if match is None or not _allowed(state):
        return OFF
    ply = None if match.round is None else match.round.ply
    if (command.round, command.ply, command.back) != (match.number, ply, match.taken_back):
        return STALE
    if isinstance(command, AskBack):
        return decide_ask_back(match, seat)
    return decide_answer_back(match, seat, command.accept)


def takeback_now(state: TableState) -> Seat | None:
    """The seat that may ask now to take its last turn back."""
    if state.match is None or state.paused or state.closed or not _allowed(state):
        return None
    return takeback_open(state.match)


def _allowed(state: TableState) -> bool:
    """A program answers at once, and its answer lays a hidden card."""
    return state.takebacks and all(who is None or who.kind == "person" for who in state.taken)


def turns_that_count(entries: Iterable[Entry]) -> list[Entry]:
    """The turns among these entries, without those that were taken back; before one that the time
    rules have played stands that its seat was overdue.
    """
    turns: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, TurnPlayed | Overdue):
            turns.append(entry)
        elif isinstance(entry.event, TurnTakenBack):
            turns.pop()
            if turns and isinstance(turns[-1].event, Overdue):
                turns.pop()
    return turns
