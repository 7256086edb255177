"""The engine protocol: one JSON object a line in, one a line out.

``{"view": {…}, "time_ms": 1000}`` is answered ``{"turn": "+R5*"}``, with ``"value"`` and
``"candidates"`` where the agent has them. A line that cannot be read is answered ``{"error": …}``.
This module reads and writes both kinds of line and serves an agent; the other side, an outside
program in a seat, is :mod:`lostcities.agents.program`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from lostcities.agents.agent import Agent, AgentFailureError, Candidate, Choice
from lostcities.core.errors import NotationError
from lostcities.core.turn import Turn, parse_turn
from lostcities.core.view_json import view_from_dict, view_to_dict
from lostcities.core.views import View

MOST_POINTS = 1e9
"""No value of a turn is as large."""
MAX_TIME_MS = 86_400_000
"""The longest budget a request may give: a day."""


class ProtocolError(NotationError):
    """A line that is no request or no answer; says which part is wrong."""


# ---- lines --------------------------------------------------------------------------------------


def write_request(view: View, time_ms: int | None) -> str:
    """A request as a line without its end; a budget of None is left out."""
    request: dict[str, Any] = {"view": view_to_dict(view)}
    if time_ms is not None:
        request["time_ms"] = time_ms
    return _dump(request)


def read_request(line: str) -> tuple[View, int | None]:
    """The view and the budget in milliseconds (None if the line gives none).

    Raises:
        ProtocolError: the line is no request.
        NotationError: the view in it cannot be.
    """
    values = _object(line)
    if "view" not in values:
        raise ProtocolError("view", "missing")
    time_ms = values.get("time_ms")
    if time_ms is not None and not (_is_number(time_ms) and 0 <= time_ms <= MAX_TIME_MS):
        raise ProtocolError("time_ms", f"{time_ms!r} is not a number of milliseconds up to a day")
    view = view_from_dict(values["view"])
    return view, None if time_ms is None else int(time_ms)


def write_answer(choice: Choice) -> str:
    """A choice as a line without its end."""
    answer: dict[str, Any] = {"turn": str(choice.turn)}
    if choice.value is not None:
        answer["value"] = choice.value
    if choice.candidates:
        answer["candidates"] = [
            {"turn": str(each.turn), "value": each.value} for each in choice.candidates
        ]
    return _dump(answer)


def read_answer(line: str) -> Choice:
    """The choice that a line holds; unknown keys are ignored.

    Raises:
        ProtocolError: the line is no answer; an ``error`` in it is the reason.
    """
    values = _object(line)
    if "turn" not in values:
        error = values.get("error")
        raise ProtocolError("answer", f"error: {error}" if error else "no turn in it")
    candidates = values.get("candidates", [])
    if not isinstance(candidates, list):
        raise ProtocolError("candidates", "not a list")
    value = values.get("value")
    return Choice(
        _turn(values["turn"]),
        None if value is None else _value(value, "value"),
        tuple(_candidate(each) for each in candidates),
    )


def _candidate(each: Any) -> Candidate:
    if not isinstance(each, Mapping):
        raise ProtocolError("candidates", f"{each!r} is not an object")
    return Candidate(_turn(each.get("turn")), _value(each.get("value"), "candidates: value"))


def _turn(text: Any) -> Turn:
    if not isinstance(text, str):
        raise ProtocolError("turn", f"{text!r} is not a turn")
    return parse_turn(text)


def _value(value: Any, place: str) -> float:
    if not is_points(value):
        raise ProtocolError(place, f"{value!r} is not a number of points")
    return float(value)


def is_points(value: Any) -> bool:
    """Whether a JSON value is a number of points. JSON has no NaN, but many writers do."""
    return _is_number(value) and -MOST_POINTS < value < MOST_POINTS


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _object(line: str) -> Mapping[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("line", f"not JSON: {error}") from None
    if not isinstance(values, dict):
        raise ProtocolError("line", f"{type(values).__name__} instead of an object")
    return values


def _dump(values: Mapping[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


# ---- an agent on lines --------------------------------------------------------------------------


def serve(agent: Agent, lines: Iterable[str], rng: Random) -> Iterator[str]:
    """Answer every line; a line that cannot be read or answered gets an error, and it goes on.

    Args:
        agent: who chooses.
        lines: requests, e.g. standard input; empty lines are passed over.
        rng: the agent's random source.

    Yields:
        Answers without line ends, one for each line.
    """
    for line in lines:
        if line.strip():
            yield answer_line(agent, line, rng)


def answer_line(agent: Agent, line: str, rng: Random) -> str:
    """The answer to one line."""
    try:
        view, time_ms = read_request(line)
        return write_answer(agent.choose(view, time_ms, rng))
    except (NotationError, AgentFailureError) as error:
        return _dump({"error": str(error)})
    except Exception as error:  # noqa: BLE001 - somebody's agent broke; the next line may go well
        return _dump({"error": f"the agent {agent.name} raised {error!r}"})
