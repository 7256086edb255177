"""Golden playthroughs: whole matches as text, with what everybody sees after every event.

    python -m tools.playthroughs      write tests/data/playthroughs anew

A change that should change nothing leaves them as they are; for any other, the difference of the
files shows what it changed. A test compares them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from lostcities import testing
from lostcities.core.cards import format_cards
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
from lostcities.core.match import MatchState, evolve, new_match, seats_to_act, takeback_open
from lostcities.core.position import format_position
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_for

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "playthroughs"
SMALL = "colours=2 hand=3 top=5 wagers=2 bonus_at=4"
CASES: dict[str, tuple[str, int, str]] = {
    "game": ("room rounds=1", 104, ""),
    "long": ("long rounds=1 first=1", 63, ""),
    "three-rounds": (f"{SMALL} next=leader", 62, ""),
    "stalling": (f"{SMALL} rounds=open next=winner own_discard=yes stall=3", 50, ""),
    "fickle": (f"{SMALL} rounds=9", 148, "fickle"),
    "takebacks": ("colours=3 hand=3 top=5 wagers=2 bonus_at=4 rounds=1", 295, "takebacks"),
}
"""Of each file its rules, its seed, and what the seats do besides playing."""


def playthrough(name: str) -> str:
    """The whole text of one file."""
    rules_text, seed, whims = CASES[name]
    rules = Rules.parse(rules_text)
    state = new_match(rules)
    lines = [f"rules: {rules}"]
    fickle, takebacks = whims == "fickle", whims == "takebacks"
    for event in testing.random_log(rules, seed, fickle=fickle, takebacks=takebacks):
        state = evolve(state, event)
        lines += ["", f"> {_told(event)}", *_seen(state)]
        if takebacks:
            lines.append(_regrets(state))
    lines += ["", f"winner: {state.winner}, termination: {state.termination}"]
    return "\n".join(lines) + "\n"


def _told(event: Event) -> str:
    match event:
        case MatchStarted():
            return "the match starts"
        case RoundDealt(number, start, deck):
            return f"round {number}, seat {start} starts: {format_cards(deck)}"
        case PositionSet(number, begun):
            return f"round {number}, set up: {format_position(begun)}"
        case TurnPlayed(seat, ply, turn):
            return f"ply {ply + 1}, seat {seat}: {turn}"
        case (
            ContinueSaid(seat)
            | ContinueDeclined(seat)
            | DrawOffered(seat)
            | DrawDeclined(seat)
            | DrawAgreed(seat)
            | TakebackAsked(seat)
            | TakebackDeclined(seat)
            | Resigned(seat)
            | Abandoned(seat)
            | TimedOut(seat)
        ):
            return f"{type(event).__name__} {seat}"
        case TurnTakenBack(seat, ply):
            return f"ply {ply + 1}, seat {seat}, taken back"
        case _:
            assert_never(event)


def _seen(state: MatchState) -> Iterator[str]:
    acting = " ".join(map(str, seats_to_act(state))) or "nobody"
    totals = f"{state.totals[0]} {state.totals[1]}"
    yield f"{state.phase.value}, to act: {acting}, totals: {totals}, offer: {state.offer}"
    if state.round is not None:
        yield format_position(state.round)
        eyes: list[Seat | None] = [0, 1, None]
        yield from (_view(state, seat) for seat in eyes)


def _regrets(state: MatchState) -> str:
    may = takeback_open(state)
    return f"may take back: {may}, asks to: {state.asked}, taken back: {state.taken_back}"


def _view(state: MatchState, seat: Seat | None) -> str:
    values = view_to_dict(view_for(state, seat))
    del values["rules"]
    return json.dumps(values, separators=(",", ":"))


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
