"""Cases about deals, whole rounds, records, who starts, and what may be seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any

from lostcities.conformance.case import REFUSED, Case, objects
from lostcities.conformance.cases_play import play_case
from lostcities.conformance.positions import asked, position_to_dict
from lostcities.core.cards import Card, parse_cards
from lostcities.core.errors import RecordError
from lostcities.core.position import parse_position
from lostcities.core.record import Replay, replay
from lostcities.core.record_text import parse_record
from lostcities.core.round import deal
from lostcities.core.rules import Rules


@cache
def _records() -> tuple[tuple[str, str, Replay], ...]:
    folder = resources.files("lostcities.conformance") / "data" / "records"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    texts = ((file.name.removesuffix(".lcr"), file.read_text("utf-8")) for file in files)
    return tuple((name, text, replay(parse_record(text))) for name, text in texts)


def replayed() -> Iterator[tuple[str, Replay]]:
    """The matches of the suite by name, played through."""
    for name, _, played in _records():
        yield name, played


def rounds() -> Iterator[Case]:
    """Deals, and whole rounds played to their end."""
    for row in objects("scenarios.jsonl"):
        if "deck" in row:
            yield from _deals(row["id"], row["title"], Rules(), parse_cards(row["deck"]))
    for name, _, played in _records():
        for number, each in enumerate(played.rounds, 1):
            turns = [str(turn.public) for turn in played.record.rounds[number - 1].turns]
            why = f"a whole round of {len(turns)} turns"
            yield play_case(f"{name}-round-{number}", "rounds", why, each.states[0], turns)
            deck = played.record.rounds[number - 1].deck
            if deck is not None:
                name_of = f"{name}-deal-{number}"
                yield from _deals(name_of, "a deal", played.record.rules, deck)


def _deals(name: str, why: str, rules: Rules, deck: tuple[Card, ...]) -> Iterator[Case]:
    for start in (0, 1):
        request = {
            "do": "deal", "rules": rules.to_dict(), "deck": [str(card) for card in deck],
            "start": start,
        }  # fmt: skip
        expected = {"position": position_to_dict(deal(rules, deck, start))}
        yield Case(f"{name}-{start}", "rounds", why, request, expected)


def records() -> Iterator[Case]:
    """Records replayed, and damaged ones refused."""
    for name, text, played in _records():
        scores = [list(each.score or ()) for each in played.record.rounds]
        result = list(played.record.result or ())
        request = {"do": "replay", "record": text}
        yield Case(
            f"{name}-record", "records", "a whole match", request,
            {"scores": scores, "result": result},
        )  # fmt: skip
        yield from _damaged(name, text)


def _damaged(name: str, text: str) -> Iterator[Case]:
    for what, change in _DAMAGES.items():
        damaged = change(text)
        try:
            parse_record(damaged)
        except RecordError:
            request = {"do": "replay", "record": damaged}
            yield Case(f"{name}-{what.replace(' ', '-')}", "records", what, request, REFUSED)


def _swap_deck(text: str) -> str:
    """The first two different cards of the first deck change places: other hands, other draws."""
    found = re.search(r'\[Deck "([^"]+)"\]', text)
    assert found is not None
    cards = found[1].split()
    other = next(at for at, card in enumerate(cards) if at % 2 and card != cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    return text.replace(found[1], " ".join(cards), 1)


_DAMAGES: dict[str, Callable[[str], str]] = {
    "a wrong score": lambda text: re.sub(
        r'\[Score "(-?\d+)', lambda f: f'[Score "{int(f[1]) + 1}', text, count=1
    ),
    "a wrong result": lambda text: re.sub(
        r'\[Result "(-?\d+)', lambda f: f'[Result "{int(f[1]) + 10}', text, count=1
    ),
    "a turn left out": lambda text: re.sub(
        r"^1\. (\S+) ", "1. ", text, count=1, flags=re.MULTILINE
    ),
    "the last turn left out": lambda text: re.sub(r"\S+\n\[Score", "\n[Score", text, count=1),
    "another card drawn": lambda text: re.sub(r"\*R\d+", "*YX", text, count=1),
    "two cards of the deck exchanged": _swap_deck,
    "a turn played twice": lambda text: re.sub(
        r"^1\. (\S+) ", r"1. \1 \1 ", text, count=1, flags=re.MULTILINE
    ),
}


# ---- the match ----------------------------------------------------------------------------------

_MATCHES: tuple[tuple[str, tuple[tuple[int, int, int], ...], int, str], ...] = (
    ("next=alternate", ((0, 5, 90),), 1, "alternating does not look at points"),
    ("next=alternate", ((1, 5, 90),), 0, "alternating goes from the last starter"),
    ("next=leader", ((0, 5, 90),), 1, "the one with more points"),
    ("next=leader", ((1, -5, -90),), 0, "also when both are below zero"),
    ("next=leader", ((0, 60, 10), (0, 10, 40)), 0, "the total counts, not the last round"),
    ("next=winner", ((0, 60, 10), (0, 10, 40)), 1, "the last round counts, not the total"),
    ("next=leader", ((0, 20, 20),), 1, "level: the other one than last time"),
    ("next=leader", ((1, 20, 20),), 0, "level: the other one than last time"),
    ("next=leader", ((0, 30, 20), (0, 10, 20)), 1, "level in total after two rounds"),
    ("next=winner", ((0, 30, 20), (0, 15, 15)), 1, "a level last round alternates"),
    ("next=winner", ((1, 30, 90), (1, 15, 15)), 0, "a level last round alternates"),
)


def matches() -> Iterator[Case]:
    """Who starts the next round, and totals."""
    for number, (rules, played, starter, why) in enumerate(_MATCHES, 1):
        request = {
            "do": "starter", "rules": Rules.parse(f"rounds=9 {rules}").to_dict(),
            "rounds": [{"start": start, "score": [one, two]} for start, one, two in played],
        }  # fmt: skip
        totals = [sum(each[1] for each in played), sum(each[2] for each in played)]
        expected = {"starter": starter, "totals": totals}
        yield Case(f"match-{number}", "matches", why, request, expected)


# ---- what may be seen ---------------------------------------------------------------------------


def views() -> Iterator[Case]:
    """What a seat is shown: its hand, and nothing that depends on hidden cards."""
    position = "{} | Y2 R5 | {} | RX | G7 | B2 B9 | {}"
    hidden = (("B3 W4", "W5 P9 G2"), ("G2 W5", "B3 P9 W4"), ("P9 W5", "G2 W4 B3"))
    for number, (hand, deck) in enumerate(hidden, 1):
        for to_move in (0, 1):
            state = parse_position(position.format(to_move, hand, deck), Rules(colours=6))
            request = asked("view", state, seat=0)
            expected: dict[str, Any] = {"view": {"hand": ["Y2", "R5"], "deck": 3}}
            if number > 1:
                expected["same_as"] = f"view-1-{to_move}"
            why = "only the other hand and the order of the deck differ, the view must not"
            yield Case(f"view-{number}-{to_move}", "views", why, request, expected)
