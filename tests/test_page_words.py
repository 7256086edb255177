"""The page has a sentence for whatever the room may refuse, in each of its languages."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from lostcities.agents.strength import STRENGTHS
from lostcities.core.refusal import Reason
from lostcities.service.thinking import agent_cards

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "web/src/words"
ROOM = ("src/lostcities/service", "src/lostcities/server")
PLACE = {"No": 0, "WishError": 1, "problem": 1, "Failed": 0, "fail": 0, "end_sockets": 0}
"""Which argument of a call names the reason."""


def english(file: str, section: str) -> dict[str, str]:
    catalogue = json.loads((WORDS / "en" / file).read_text(encoding="utf-8"))
    found: dict[str, str] = catalogue[section]
    return found


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def reasons_of_the_room() -> Iterator[str]:
    """Every reason that the room writes out where it refuses."""
    for folder in ROOM:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or called(node) not in PLACE:
                    continue
                said = node.args[PLACE[called(node)] : PLACE[called(node)] + 1]
                if said and isinstance(said[0], ast.Constant) and isinstance(said[0].value, str):
                    yield said[0].value


SILENT = {"sits_already", "began", "asked", "seated", "nothing", "over"}
"""Answers between parts of the room that nobody reads."""


def test_every_refusal_has_a_sentence() -> None:
    found = set(reasons_of_the_room())
    assert {"too_fast", "bad_rules", "stale", "moved"} <= found
    reasons = found | {reason.value for reason in Reason}
    assert sorted(reasons - SILENT - english("net.json", "refusals").keys()) == []


def test_every_agent_is_described() -> None:
    told = english("home.json", "agents")
    assert {name: strength.description for name, strength in STRENGTHS.items()} == told


def test_every_program_has_its_name_in_the_page_s_languages() -> None:
    """By what the room calls it, in small letters."""
    titles = {card.title.lower().replace(" ", "_"): card.title for card in agent_cards()}
    assert english("home.json", "programs") == titles
