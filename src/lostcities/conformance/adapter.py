"""The adapter protocol, answered by this project's own core.

One JSON object a line comes in, one goes out; nothing is kept between lines. The protocol is
documented in ``docs/conformance.md``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lostcities.conformance.positions import position_from_dict, position_to_dict
from lostcities.core.cards import parse_card
from lostcities.core.errors import LostCitiesError, NotationError
from lostcities.core.match import MatchState, RoundResult, next_starter
from lostcities.core.perft import perft
from lostcities.core.position import parse_position
from lostcities.core.record import replay
from lostcities.core.record_text import parse_record
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_expedition, score_seat
from lostcities.core.seats import BySeat
from lostcities.core.sheet import parse_sheet
from lostcities.core.turn import parse_turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_of_round

Values = Mapping[str, Any]


def serve(lines: Iterable[str]) -> Iterator[str]:
    """The answer to each line, as a line."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_line(line))


def _answer_line(line: str) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {error}"}
    if not isinstance(request, dict):
        return {"error": "not a JSON object"}
    name = {"id": request["id"]} if "id" in request else {}
    return {**name, **answer(request)}


def answer(request: Values) -> dict[str, Any]:
    """The answer to a request: facts, ``refused`` with the reason, or ``unsupported``."""
    do = _ANSWERS.get(str(request.get("do")))
    if do is None:
        return {"unsupported": f"no such request: {request.get('do')!r}"}
    try:
        return do(request)
    except LostCitiesError as error:
        return {"refused": str(error)}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return {"error": f"not of the documented form ({error!r})"}


def _rules(request: Values) -> Rules:
    return Rules.from_dict(request.get("rules", {}))


def _position(request: Values) -> RoundState:
    if "position" not in request:
        return parse_position(request["text"], _rules(request))
    return position_from_dict(request["position"], _rules(request))


def _score(request: Values) -> dict[str, Any]:
    rules = _rules(request)
    rows = parse_sheet(" ".join(request["cards"]), rules)
    colours = {
        colour.letter: score_expedition(rows[colour], rules).total for colour in rules.all_colours()
    }
    return {"total": score_seat(rows, rules), "colours": colours}


def _legal(request: Values) -> dict[str, Any]:
    return {"turns": [str(turn) for turn in _position(request).legal_turns()]}


def _play(request: Values) -> dict[str, Any]:
    state = _position(request)
    for number, token in enumerate(request["turns"], 1):
        turn = parse_turn(token)
        refused = state.refusal(turn)
        if refused is not None:
            return {"refused": f"turn {number}, {token}: {refused}"}
        state = state.play(turn)
    return {"position": position_to_dict(state), "over": state.over, "score": list(state.score)}


def _perft(request: Values) -> dict[str, Any]:
    return {"count": perft(_position(request), int(request["length"]))}


def _deal(request: Values) -> dict[str, Any]:
    rules = _rules(request)
    deck = tuple(parse_card(card) for card in request["deck"])
    if sorted(deck) != sorted(rules.all_cards()):
        raise NotationError("deck", "does not hold the cards of these rules")
    return {"position": position_to_dict(deal(rules, deck, request["start"]))}


def _replay(request: Values) -> dict[str, Any]:
    record = replay(parse_record(request["record"])).record
    scores = [None if each.score is None else list(each.score) for each in record.rounds]
    return {"scores": scores, "result": None if record.result is None else list(record.result)}


def _starter(request: Values) -> dict[str, Any]:
    results = tuple(
        RoundResult(each["start"], BySeat(*each["score"]), None, 0) for each in request["rounds"]
    )
    match = MatchState(_rules(request), results)
    return {"starter": next_starter(match), "totals": list(match.totals)}


def _view(request: Values) -> dict[str, Any]:
    return {"view": view_to_dict(view_of_round(_position(request), request["seat"]))}


_ANSWERS: dict[str, Callable[[Values], dict[str, Any]]] = {
    "score": _score,
    "legal": _legal,
    "play": _play,
    "perft": _perft,
    "deal": _deal,
    "replay": _replay,
    "starter": _starter,
    "view": _view,
}
