"""Cases about turns: what is legal, what is refused, and where turns lead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lostcities.conformance.case import REFUSED, Case, objects, positions
from lostcities.conformance.positions import asked, position_to_dict
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn


def legal_case(name: str, group: str, why: str, state: RoundState) -> Case:
    """Every legal turn of a position."""
    request = asked("legal", state)
    return Case(name, group, why, request, {"turns": [str(turn) for turn in state.legal_turns()]})


def play_case(name: str, group: str, why: str, state: RoundState, turns: list[str]) -> Case:
    """The turns are played; what they lead to follows, or that one of them is refused."""
    request = asked("play", state, turns=turns)
    for token in turns:
        turn = parse_turn(token)
        if state.refusal(turn) is not None:
            return Case(name, group, why, request, REFUSED)
        state = state.play(turn)
    expected = {
        "position": position_to_dict(state), "over": state.over, "score": list(state.score),
    }  # fmt: skip
    return Case(name, group, why, request, expected)


def legal() -> Iterator[Case]:
    """Positions with all their legal turns."""
    for number, state, expected in positions("legal.txt"):
        case = legal_case(f"legal-{number}", "legal", "", state)
        assert " ".join(case.expected["turns"]) == expected
        yield case


def perft(longest: int = 3) -> Iterator[Case]:
    """Positions with the number of turn sequences of each length."""
    for number, state, expected in positions("perft.txt"):
        for length, count in enumerate(expected.split()[:longest], 1):
            request = asked("perft", state, length=length)
            yield Case(f"perft-{number}-{length}", "perft", "", request, {"count": int(count)})


def stories() -> Iterator[Case]:
    """Stories of play: what is legal at each point, what is refused, where turns lead."""
    for row in objects("scenarios.jsonl"):
        if "loop" in row:
            state = parse_position(row["position"])
            yield play_case(row["id"], "stories", row["title"], state, row["loop"] * 3)
        elif "steps" in row:
            yield from _story(row)
    yield from _more_stories()


def _story(row: dict[str, Any]) -> Iterator[Case]:
    state, lay = parse_position(row["position"]), ""
    name, why = row["id"], row["title"]
    yield legal_case(f"{name}-legal-0", "stories", why, state)
    for number, step in enumerate(row["steps"], 1):
        half = step.get("refused") or step["half"]
        place = f"{name}-{number}"
        if "refused" in step:
            yield _refusal(place, why, state, lay, half)
        elif half[0] in "+-":
            lay = half
        else:
            yield play_case(place, "stories", why, state, [lay + half])
            state, lay = state.play(parse_turn(lay + half)), ""
            yield legal_case(f"{name}-legal-{number}", "stories", why, state)


def _refusal(name: str, why: str, state: RoundState, lay: str, half: str) -> Case:
    """A half turn that is refused, made whole: a lone draw or a second lay stays malformed."""
    token = lay + half if lay or half[0] not in "+-" else f"{half}*"
    return _malformed(name, "stories", why, state, token) or play_case(
        name, "stories", why, state, [token]
    )


def _malformed(name: str, group: str, why: str, state: RoundState, token: str) -> Case | None:
    if re.fullmatch(r"[+-][A-Z](?:X|[0-9]+)(?:\*|<[A-Z])", token):
        return None
    return Case(name, group, why, asked("play", state, turns=[token]), REFUSED)


_STORIES: tuple[tuple[str, str, str, str], ...] = (
    ("wagers-all", "three wagers in one row", "", "0 | RX RX RX | B3 B4 B5 | - | - | - | W2 W3 W4 W5 W6 W7 ; +RX* -B3* +RX* -B4* +RX*"),
    ("twin", "one of two equal wagers stays in the hand", "", "0 | RX RX | B3 B4 | - | - | - | W2 W3 ; +RX*"),
    ("twin-pile", "one of two equal wagers is discarded", "", "0 | RX RX | B3 B4 | - | - | - | W2 W3 ; -RX*"),
    ("same-number", "a card of the other side's row is not mine to follow", "", "0 | R5 G2 | B3 B4 | - | R9 | - | W2 W3 ; +R5*"),
    ("not-held", "a card that the seat does not hold", "", "0 | R5 G2 | B3 B4 | - | - | - | W2 W3 ; +R7*"),
    ("not-held-other", "a card that only the other seat holds", "", "0 | R5 G2 | B3 B4 | - | - | - | W2 W3 ; -B3*"),
    ("empty-pile", "an empty pile", "", "0 | R5 G2 | B3 B4 | - | - | Y2 | W2 W3 ; +R5<B"),
    ("lower-after-refusal", "a lower number", "", "0 | R5 G2 | B3 B4 | R7 | - | - | W2 W3 ; +R5*"),
    ("low-top-discard", "discarding a card that cannot be played", "", "0 | R5 G2 | B3 B4 | R7 | - | - | W2 W3 ; -R5*"),
    ("over", "nobody lays after the last deck card", "", "1 | R5 W2 | B3 B4 | - | - | Y3 | - ; +B3<Y"),
    ("over-deck", "nor draws", "", "1 | R5 W2 | B3 B4 | - | - | Y3 | - ; +B3*"),
    ("last-but-pile", "a pile keeps the round going", "", "0 | R5 G2 | B3 B4 | - | - | Y3 Y7 | W2 ; +R5<Y +B3<Y +G2*"),
    ("face-right", "the face drawn may be named", "", "0 | R5 G2 | B3 B4 | - | - | - | W2 W3 ; +R5*W2"),
    ("face-wrong", "a wrong face is refused", "", "0 | R5 G2 | B3 B4 | - | - | - | W2 W3 ; +R5*W3"),
    ("own-discard-on", "where the rules allow it, the fresh discard may be taken", "own_discard=yes", "0 | R5 G2 | B3 B4 | - | - | R3 | W2 W3 ; -R5<R"),
    ("stall", "a round ends by the stall rule", "stall=2", "0 | R5 G2 | B3 B4 | R2 | - | Y3 Y7 | W2 W3 ; -R5<Y -B3<Y"),
    ("stall-reset", "a draw from the deck starts that count anew", "stall=2", "0 | R5 G2 | B3 B4 | - | - | Y3 Y7 | W2 W3 W4 ; -R5<Y -B3* -G2<Y"),
    ("ten", "10 is higher than 9", "", "0 | R10 G2 | B3 B4 | R9 | - | - | W2 W3 ; +R10*"),
    ("nine", "9 is lower than 10", "", "0 | R9 G2 | B3 B4 | R10 | - | - | W2 W3 ; +R9*"),
    ("purple", "purple in the long game", "colours=6", "1 | R9 G2 | P3 PX | - | PX | P9 | W2 P4 ; +P3<P -G2*"),
    ("own-row-only", "a number is played to the own row", "", "1 | R9 G2 | B3 B4 | B2 | - | - | W2 W3 ; +B4*"),
)  # fmt: skip


def _more_stories() -> Iterator[Case]:
    for name, why, rules, text in _STORIES:
        position, turns = text.split(" ; ")
        state = parse_position(position, Rules.parse(rules))
        yield play_case(f"story-{name}", "stories", why, state, turns.split())
        yield legal_case(f"story-{name}-legal", "stories", why, state)
