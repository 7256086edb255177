"""Every complaint of the readers has a code, and the page has words for each code in each language."""

import ast
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import lostcities
from lostcities.core.errors import NotationError, RecordError, RulesError
from lostcities.core.said import INSIDE, Said, Sentence
from lostcities.protocol import http as wire
from lostcities.protocol.practice import NewLesson
from lostcities.service.history import read as read_history
from lostcities.service.lessons import read_lesson
from lostcities.service.wishes import WishError, read_pace, read_rules
from lostcities.table.deck import DeckError
from lostcities.table.deck_file import parse_deck

SOURCE = Path(lostcities.__file__).parent
WORDS = Path(__file__).parents[1] / "web/src/words"
LANGUAGES = sorted(folder.name for folder in WORDS.iterdir() if folder.is_dir())
PACKAGES = ("core", "table", "service", "server")


def modules() -> Iterator[str]:
    for package in PACKAGES:
        found = pkgutil.walk_packages([str(SOURCE / package)], f"lostcities.{package}.")
        yield from (each.name for each in found if not each.ispkg)


def sentences() -> dict[str, Sentence]:
    """Every sentence that some module of the room has."""
    found: dict[str, Sentence] = {}
    for name in modules():
        if name.startswith(("lostcities.table.printing", "lostcities.server.run")):
            continue
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, Sentence):
                assert found.setdefault(value.code, value) is value, value.code
    return found


def told(language: str) -> dict[str, str]:
    groups = json.loads((WORDS / language / "faults.json").read_text(encoding="utf-8"))
    return {
        f"{group}.{name}": text for group, texts in groups.items() for name, text in texts.items()
    }


def places(text: str) -> set[str]:
    """The facts that a message of the page fills in."""
    return set(re.findall(r"\{(\w+)[,}]", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_complaint_has_words_in_every_language(language: str) -> None:
    known, found = told(language), sentences()
    assert len(found) > 150
    assert sorted(found.keys() - known.keys()) == []
    assert sorted(known.keys() - found.keys()) == []
    for code, sentence in found.items():
        assert places(known[code]) == sentence.fields, code


def test_german_words_are_german() -> None:
    """But for those that are made of their facts alone."""
    english, german = told("en"), told("de")
    same = {code for code in english if english[code] == german[code]}
    assert {code for code in same if re.sub(r"\{\w+\}|\W", "", english[code])} == set()


COMPLAINTS = {"NotationError", "RulesError", "RecordError", "HiddenCardsError", "DeckError",
              "EndpointError"}  # fmt: skip
ELSEWHERE = {
    "core/view_json.py": "views come from programs, over pipes",
    "core/perft.py": "counts are asked for by the command",
    "core/views.py": "an invariant of the room",
    "table/entry.py": "typed in a terminal; the page reads for itself",
    "table/deck_check.py": "asked for by the command; the page reckons for itself",
}
"""Readers whose complaints never come to a page."""


def bare(file: Path) -> Iterator[str]:
    """Where a reader complains with a text instead of a sentence."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        last = node.args[-1] if node.args else None
        texts = isinstance(last, ast.JoinedStr) or (
            isinstance(last, ast.Constant) and isinstance(last.value, str)
        )
        written = isinstance(last, ast.Call) and getattr(last.func, "id", "") == "str"
        if node.func.id in COMPLAINTS and (texts or written):
            yield f"{file.relative_to(SOURCE)}:{node.lineno}"


def test_no_reader_complains_without_a_code() -> None:
    files = [file for package in PACKAGES for file in sorted((SOURCE / package).rglob("*.py"))]
    known = [file for file in files if file.relative_to(SOURCE).as_posix() not in ELSEWHERE]
    assert [place for file in known for place in bare(file)] == []
    # The exceptions are real ones.
    assert list(bare(SOURCE / "core/view_json.py"))
    room = [*(SOURCE / "service").rglob("*.py"), *(SOURCE / "server").rglob("*.py")]
    for file in room:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"table\.(entry|deck_check)", text), file


def test_what_the_page_says_of_a_text_comes_in_parts() -> None:
    """A refusal whose words show what the room says carries it in parts."""
    net = json.loads((WORDS / "en/net.json").read_text(encoding="utf-8"))["refusals"]
    shown = {reason for reason, text in net.items() if "{text}" in text}
    assert {"bad_record", "bad_rules", "bad_lesson"} <= shown
    loose: list[str] = []
    for package in ("service", "server"):
        for file in sorted((SOURCE / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "WishError":
                    reason, text = node.args[1], node.args[2]
                    bare_text = isinstance(text, ast.Constant | ast.JoinedStr)
                    named = isinstance(reason, ast.Constant) and reason.value in shown
                    if named and bare_text:
                        loose.append(f"{file.name}:{node.lineno}")
    assert loose == []


def flat(said: object) -> list[str]:
    """The codes of a complaint, from the outside in, as it was said or as it goes over the wire."""
    if not isinstance(said, Said | wire.Said):
        return []
    return [said.code, *(code for fact in said.facts.values() for code in flat(fact))]


RECORD = '[Event "x"]\n[Rules "rounds=1"]\n[Termination "unfinished"]\n\n[Round "1"]\n[Start "0"]\n'


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("foo", ["place.inside", "place.line", "record.before_round"]),
        ('[Rules "hand=99"]', ["place.inside", "place.inside", "rules.out_of_range"]),
        (RECORD + "1. +R5", ["place.inside", "place.inside", "place.ply", "place.word", "turn.no_draw"]),
        ("{", ["place.inside", "place.line_column", "record.bad_json"]),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_read_says_so_in_parts(text: str, codes: list[str]) -> None:
    with pytest.raises(WishError) as refused:
        read_history(text)
    assert flat(refused.value.said) == codes


def test_rules_positions_and_decks_complain_in_parts() -> None:
    with pytest.raises(WishError) as rules:
        read_rules("colours=9")
    assert flat(rules.value.said) == ["place.inside", "rules.out_of_range"]
    with pytest.raises(WishError) as pace:
        read_pace("turn=1")
    assert flat(pace.value.said) == ["place.inside", "pace.out_of_range"]
    with pytest.raises(WishError) as lesson:
        read_lesson(NewLesson(against="friend", position="1 | 2"), None)
    assert lesson.value.text == "position: 2 fields separated by |, expected 7 (8 in mid-turn)"
    assert flat(lesson.value.said) == ["place.inside", "place.position", "position.field_count"]
    with pytest.raises(DeckError) as deck:
        parse_deck("", "x.toml")
    assert flat(deck.value.why).count("deck.missing") == 1


def test_an_error_keeps_its_sentence_and_its_parts_from_outside() -> None:
    inner = RulesError("hand", Sentence("rules.given_twice", "given twice")())
    error = RecordError("Rules", inner.why).within("x.lcr")
    assert (str(error), error.place, error.reason) == (
        "x.lcr: Rules: given twice",
        "x.lcr: Rules",
        "given twice",
    )
    assert flat(error.said) == ["place.inside", "place.inside", "rules.given_twice"]
    assert NotationError("", "of another program").said.code == "place.verbatim"


def test_a_sentence_wants_its_own_facts() -> None:
    with pytest.raises(TypeError, match="place"):
        INSIDE(place="x")
    found = Sentence("x.y", "{found!r}")(found=[1])
    assert (found.text, found.facts) == ("[1]", {"found": "[1]"})


def test_thousands_of_faults_in_a_deck_are_nested_in_few() -> None:
    """A body may name as many wrong keys as it has room for."""
    keys = "".join(f"k{n} = 1\n" for n in range(5000))
    with pytest.raises(DeckError) as refused:
        parse_deck(keys, "x.toml")

    def depth(said: object) -> int:
        inner = said.facts.values() if isinstance(said, Said) else ()
        return 1 + max(map(depth, inner), default=0)

    assert len(refused.value.problems) > 5000
    assert depth(refused.value.why) < 20


def test_formats_are_plain() -> None:
    """Words of facts only, so that another language can fill them in."""
    for sentence in sentences().values():
        for _, name, form, _ in Formatter().parse(sentence.english):
            assert name is None or (name.isidentifier() and not form), sentence.code
