"""Checks a program that takes a seat: does it speak the engine protocol and play by the rules?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from lostcities.agents.engine_protocol import is_points
from lostcities.conformance.case import Case
from lostcities.conformance.cases_matches import replayed
from lostcities.conformance.process import Program, ProgramError
from lostcities.conformance.runner import Report, Verdict
from lostcities.core.errors import NotationError
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_of_round

_FIRST_SECONDS = 30.0
_EVERY = 7
_BAD = ("this is no JSON", "[]", '{"view": 5}', '{"view": {"seat": 0}}')
_STUDY = (
    ("one card left, a pile open", "", "0 | G2 R5 | B3 B4 | - | - | Y7 | W4"),
    ("everything barred but the deck", "", "0 | R2 G3 | B3 B4 | R7 G9 | - | - | W2 W3"),
    ("a single legal card", "", "1 | R2 G3 | BX BX | - | B9 | - | W2 W3"),
    ("two hands of one card", "hand=1", "0 | R2 | B3 | - | - | Y3 | W2 W3"),
    ("own discards may be taken", "own_discard=yes", "0 | R2 G3 | B3 B4 | - | - | - | W2 W3"),
    ("three colours", "colours=3 hand=4", "1 | Y2 B3 W4 WX | B5 B6 W7 W8 | - | Y9 | W2 | W3 BX"),
)


def engine_cases() -> Iterator[tuple[Case, RoundState]]:
    """Views to answer: along whole matches, and positions where there is little choice."""
    for name, why, state in _states():
        view = view_to_dict(view_of_round(state, state.to_move))
        request = {"view": view}
        legal = {"turns": view["legal"]}
        yield Case(name, "turns", why, request, legal), state


def _states() -> Iterator[tuple[str, str, RoundState]]:
    for name, played in replayed():
        for number, each in enumerate(played.rounds, 1):
            for state in each.states[:-1:_EVERY]:
                yield f"{name}-{number}.{state.ply}", f"after {state.ply} turns", state
    for number, (why, rules, text) in enumerate(_STUDY, 1):
        yield f"study-{number}", why, parse_position(text, Rules.parse(rules))


def run_engine(
    command: str, time_ms: int, grace_ms: int, progress: Callable[[int], None] = lambda _: None
) -> Report:
    """Drive a program through every check.

    Raises:
        StartError: it cannot be started.
    """
    report = Report()
    with Program(command) as program:
        try:
            _run(program, report, time_ms, grace_ms, progress)
        except ProgramError as error:
            report.broken = report.broken or str(error)
    return report


def _run(
    program: Program, report: Report, time_ms: int, grace_ms: int, progress: Callable[[int], None]
) -> None:
    cases = list(engine_cases())
    seconds = _FIRST_SECONDS
    for number, (case, state) in enumerate(cases, 1):
        line = json.dumps({**case.request, "time_ms": time_ms})
        report.verdicts.append(_turn_verdict(program, case, state, line, seconds))
        seconds = (time_ms + grace_ms) / 1000
        progress(number)
    report.verdicts += _habits(program, cases, time_ms, seconds)


def _turn_verdict(
    program: Program, case: Case, state: RoundState, line: str, seconds: float
) -> Verdict:
    try:
        reason = _wrong(program.ask(line, seconds), state)
    except ProgramError as error:
        reason = str(error)
        if "ended" in reason or "closed" in reason or "no answer" in reason:
            raise ProgramError(f"{case.id}: {reason}") from None
    return Verdict(case, "failed" if reason else "passed", reason)


def _wrong(answer: dict[str, Any], state: RoundState) -> str:
    """Why an answer does not count; empty if it does."""
    token = answer.get("turn")
    if not isinstance(token, str):
        return f"no turn in the answer: {json.dumps(answer)[:120]}"
    try:
        turn = parse_turn(token)
    except NotationError as error:
        return str(error)
    refused = state.refusal(turn)
    if refused is not None or turn.drawn is not None:
        return f"{token}: {refused or 'names the card to be drawn'}"
    return _wrong_extras(answer, state)


def _wrong_extras(answer: dict[str, Any], state: RoundState) -> str:
    values = [answer["value"]] if answer.get("value") is not None else []
    candidates = answer.get("candidates", [])
    if not isinstance(candidates, list):
        return "candidates is not a list"
    legal = {str(turn) for turn in state.legal_turns()}
    for each in candidates:
        if not isinstance(each, dict) or each.get("turn") not in legal:
            return f"a candidate that is no legal turn: {json.dumps(each)[:80]}"
        values.append(each.get("value"))
    wrong = [value for value in values if not is_points(value)]
    return f"a value that is no number of points: {json.dumps(wrong[0])[:80]}" if wrong else ""


def _habits(
    program: Program, cases: list[tuple[Case, RoundState]], time_ms: int, seconds: float
) -> Iterator[Verdict]:
    for number, bad in enumerate(_BAD, 1):
        case = Case(
            f"bad-line-{number}", "habits", "a line that cannot be read is answered with an error",
            {"line": bad}, {"error": "…"},
        )  # fmt: skip
        answer = program.ask(bad, seconds)
        reason = "" if answer.get("error") else f"no error in the answer {json.dumps(answer)[:120]}"
        yield Verdict(case, "failed" if reason else "passed", reason)
    first, state = cases[0]
    request = {**first.request, "time_ms": time_ms, "unheard_of": [1]}
    request["view"] = {**request["view"], "unheard_of": True}
    case = Case(
        "unknown-keys", "habits", "goes on after bad lines, and does not mind keys it lacks",
        request, first.expected,
    )  # fmt: skip
    yield _turn_verdict(program, case, state, json.dumps(request), seconds)
    case = Case("end", "habits", "ends when its input ends", {}, {})
    ended = program.ends_with_its_input(5.0)
    yield Verdict(case, "passed" if ended else "failed", "" if ended else "still there after 5 s")
