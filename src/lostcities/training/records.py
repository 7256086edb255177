"""Records of an arena's rounds, one file a round."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from lostcities.agents.duel import PlayedRound
from lostcities.core.match import Termination
from lostcities.core.record import Record, RoundRecord, replay
from lostcities.core.record_text import format_record
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.training.workers import Done, Plan

FAILURE = "Failure"
"""The tag that tells why an agent lost its round before the end."""


def write_records(folder: Path, plan: Plan, done: Done) -> None:
    """Write both rounds of a deal.

    A round that an agent lost by a failure is a match that it lost: by time, or, for an illegal answer
    or none at all, by abandoning it.

    Raises:
        OSError: a file cannot be written; names it, and leaves no half of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pair, deal = done.result.pair, done.result.deal
    assert done.played is not None, "the plan does not ask for turns"
    for game, played in enumerate((done.played.first, done.played.second)):
        places = pair if game == 0 else (pair[1], pair[0])
        names: BySeat[str | None] = BySeat(plan.agents[places[0]], plan.agents[places[1]])
        text = format_record(record_of(played, plan.rules, names))
        path = folder / f"deal{deal:06}-{places[0]}-{places[1]}.lcr"
        unfinished = path.with_suffix(".part")
        try:
            unfinished.write_text(text, encoding="utf-8", newline="")
            unfinished.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise OSError(error.errno, error.strerror, str(path)) from error


def record_of(played: PlayedRound, rules: Rules, names: BySeat[str | None]) -> Record:
    """The record of a round as a match of one round."""
    one = replace(rules, rounds=1)
    lines = RoundRecord(1, played.start, played.deck, turns=played.turns)
    if played.failure is None:
        return replay(Record(one, (lines,), "Arena", seats=names)).record
    kind = "time" if played.failure.kind == "late" else "abandoned"
    tags = ((FAILURE, printable(played.failure.reason)),)
    end = Termination(kind, played.failure.seat)
    return replay(Record(one, (lines,), "Arena", seats=names, termination=end, tags=tags)).record


def printable(text: str) -> str:
    """The text without characters that a record's tag cannot hold."""
    return "".join(each if each.isprintable() else "?" for each in text)
