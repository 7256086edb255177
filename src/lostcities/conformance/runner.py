"""Runs the cases on a program that speaks the adapter protocol, and says what differs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from lostcities.conformance.case import REFUSED, Case
from lostcities.conformance.positions import normal
from lostcities.conformance.process import ProgramError
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules

Answer = dict[str, Any]


class Asks(Protocol):
    """What can be asked: a line, and the seconds to wait for the answer."""

    def ask(self, line: str, seconds: float) -> Answer:
        """The answer to a line."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one case went.

    Attributes:
        case: the case.
        outcome: ``"passed"``, ``"failed"`` or ``"skipped"`` (the program says that it lacks this).
        reason: for a failure what differs, for a skip what the program says.
    """

    case: Case
    outcome: str
    reason: str = ""


@dataclass(slots=True)
class Report:
    """All verdicts.

    Attributes:
        verdicts: in the order run.
        broken: why the run stopped early; empty if it did not.
    """

    verdicts: list[Verdict] = field(default_factory=list)
    broken: str = ""

    def of(self, outcome: str) -> list[Verdict]:
        """The verdicts with an outcome."""
        return [each for each in self.verdicts if each.outcome == outcome]

    @property
    def conforms(self) -> bool:
        """Whether nothing failed, the run went to its end, and something was tested."""
        return not self.broken and not self.of("failed") and bool(self.of("passed"))

    def groups(self) -> Iterator[tuple[str, int, int, int]]:
        """By group, in order: its name, how many passed, failed and were skipped."""
        for group in dict.fromkeys(each.case.group for each in self.verdicts):
            inside = [each.outcome for each in self.verdicts if each.case.group == group]
            yield group, *(inside.count(one) for one in ("passed", "failed", "skipped"))  # type: ignore[misc]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "conforms": self.conforms,
            "broken": self.broken or None,
            "groups": {
                name: {"passed": passed, "failed": failed, "skipped": skipped}
                for name, passed, failed, skipped in self.groups()
            },
            "failed": [
                {**each.case.to_dict(), "reason": each.reason} for each in self.of("failed")
            ],
            "skipped": [{"id": each.case.id, "reason": each.reason} for each in self.of("skipped")],
        }


_RESTARTS = 5


def run_cases(
    start: Callable[[], Asks],
    cases: Iterable[Case],
    seconds: float,
    progress: Callable[[int], None] = lambda _: None,
) -> Report:
    """Ask for every case.

    A case at which the program ends, is late or says no JSON has failed; the program is started
    anew for the next one, five times at most.

    Args:
        start: starts the program, ending the one before.
        cases: what is asked.
        seconds: how long to wait for an answer.
        progress: called with the number of cases done.

    Raises:
        ProgramError: the program cannot be started.
    """
    report, answers = Report(), dict[str, Answer]()
    program, restarts = start(), 0
    for number, case in enumerate(cases, 1):
        try:
            answer = program.ask(json.dumps({"id": case.id, **case.request}), seconds)
        except ProgramError as error:
            report.verdicts.append(Verdict(case, "failed", str(error)))
            restarts += 1
            if restarts > _RESTARTS:
                report.broken = f"{case.id}: {error}; started anew {_RESTARTS} times already"
                break
            program = start()
            continue
        answers[case.id] = answer
        report.verdicts.append(judge(case, answer, answers))
        progress(number)
    return report


def judge(case: Case, answer: Answer, earlier: dict[str, Answer]) -> Verdict:
    """Whether an answer is right. Keys of the answer that the case does not ask for do not matter."""
    if answer.get("unsupported"):
        return Verdict(case, "skipped", str(answer["unsupported"]))
    if "id" in answer and answer["id"] != case.id:
        return Verdict(case, "failed", f"the answer is to {answer['id']!r}")
    if "error" in answer:
        return Verdict(case, "failed", f"error: {answer['error']}")
    reason = _refusal(case, answer) or _differs(case, answer, earlier)
    return Verdict(case, "failed" if reason else "passed", reason)


def _refusal(case: Case, answer: Answer) -> str:
    refused = bool(answer.get("refused"))
    if case.expected == REFUSED:
        return "" if refused else f"should be refused, but the answer is {_short(answer)}"
    return f"refused: {answer['refused']}" if refused else ""


def _differs(case: Case, answer: Answer, earlier: dict[str, Answer]) -> str:
    for key, wanted in case.expected.items():
        if case.expected == REFUSED:
            break
        reason = _key_differs(key, wanted, answer, earlier, case)
        if reason:
            return reason
    return ""


_OPTIONAL = {"colours", "totals", "over"}
"""Keys that a program may leave out where it answers the rest."""


def _key_differs(
    key: str, wanted: Any, answer: Answer, earlier: dict[str, Answer], case: Case
) -> str:
    if key == "same_as":
        same = answer.get("view") == earlier.get(wanted, {}).get("view")
        return "" if same else f"the view differs from that of {wanted}: hidden cards show"
    if key not in answer:
        return "" if key in _OPTIONAL else f"no {key!r} in the answer {_short(answer)}"
    said = answer[key]
    if key == "turns":
        return _turns_differ(wanted, said)
    if key == "position":
        return _positions_differ(wanted, said, case)
    if key == "view":
        return _view_differs(wanted, said)
    return "" if said == wanted else f"{key}: expected {_short(wanted)}, got {_short(said)}"


def _turns_differ(wanted: list[str], said: Any) -> str:
    """The order does not matter, each turn stands once."""
    if not isinstance(said, list) or not all(isinstance(turn, str) for turn in said):
        return f"turns: expected a list of strings, got {_short(said)}"
    too_few, too_many = set(wanted) - set(said), set(said) - set(wanted)
    twice = {turn for turn in said if said.count(turn) > 1}
    parts = (("missing", too_few), ("not legal", too_many), ("more than once", twice))
    return "; ".join(f"{what}: {' '.join(sorted(which))}" for what, which in parts if which)


def _positions_differ(wanted: dict[str, Any], said: Any, case: Case) -> str:
    rules = Rules.from_dict(case.request["rules"])
    if not isinstance(said, dict | str):
        return f"position: expected an object or text, got {_short(said)}"
    if case.expected.get("over"):  # nobody is to move any more
        said = _with_seat(said, wanted["to_move"])
    right = normal(wanted, rules)
    try:
        got = normal(said, rules)
    except NotationError as error:
        return f"position: {error}"
    return "" if got == right else f"position: expected {right!r}, got {got!r}"


def _with_seat(position: dict[str, Any] | str, seat: int) -> dict[str, Any] | str:
    if isinstance(position, str):
        return f"{seat} |{position.partition('|')[2]}"
    return {**position, "to_move": seat}


def _view_differs(wanted: dict[str, Any], said: Any) -> str:
    if not isinstance(said, dict):
        return f"view: expected an object, got {_short(said)}"
    hand = said.get("hand")
    if not isinstance(hand, list) or sorted(map(str, hand)) != sorted(wanted["hand"]):
        return f"view: expected the hand {wanted['hand']}, got {_short(hand)}"
    if said.get("deck") != wanted["deck"]:
        return (
            f"view: expected the deck as a number, {wanted['deck']}, got {_short(said.get('deck'))}"
        )
    return ""


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:159]}…"
