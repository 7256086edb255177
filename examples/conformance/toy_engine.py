"""A toy program that takes a seat: it plays the first legal turn that opens nothing new.

    lostcities conformance --engine "python examples/conformance/toy_engine.py"

The engine protocol stands in docs/notation.md: a view comes in, a turn goes out.
"""

import json
import sys
from typing import Any


def choose(view: dict[str, Any]) -> str:
    """A turn: on an open row if there is one, else a discard, from the deck."""
    mine = view["expeditions"][view["seat"]]
    turns: list[str] = [turn for turn in view["legal"] if turn.endswith("*")]
    on_open = [turn for turn in turns if turn[0] == "+" and turn[1] in mine]
    discards = [turn for turn in turns if turn[0] == "-"]
    return (on_open or discards)[0]


def answer(line: str) -> dict[str, Any]:
    """The answer to a line; an error if it cannot be read."""
    try:
        return {"turn": choose(json.loads(line)["view"])}
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return {"error": repr(error)}


if __name__ == "__main__":
    for each in sys.stdin:
        print(json.dumps(answer(each)), flush=True)
