"""Decks as data: the shipped ones, own ones, and the reasons why one cannot serve."""

import argparse
import re
import shlex
import tomllib
from collections import Counter
from importlib import resources
from itertools import combinations
from pathlib import Path

import pytest
from tools.deck_faults import FAULTS, base_text, edited
from tools.page_data import spelt_deck

from lostcities.cli import decks
from lostcities.core.cards import parse_card, parse_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS
from lostcities.table.deck import FILLS, Deck, DeckError, ranges
from lostcities.table.deck_check import unpack
from lostcities.table.deck_file import deck_of_table, find_deck, load_deck, parse_deck, shipped
from lostcities.table.entry import parse_typed
from palette import contrast, nearest
from running import assert_refused, run_here

MTTTGC3 = {
    "red": ("R", "2-10", "81-83"),
    "blue": ("B", "17-25", "76-78"),
    "green": ("G", "32-40", "84-86"),
    "orange": ("Y", "47-55", "87-89"),
    "purple": ("W", "62-70", "90-92"),
}


def spread(span: str) -> list[str]:
    first, last = map(int, span.split("-"))
    return [str(index) for index in range(first, last + 1)]


def text_of(name: str) -> str:
    return (resources.files("lostcities.table") / "decks" / f"{name}.toml").read_text("utf-8")


@pytest.mark.parametrize("deck", shipped(), ids=lambda deck: deck.name)
def test_a_shipped_deck_holds_the_cards_of_its_rules(deck: Deck) -> None:
    assert {each.colour for each in deck.colours} == set(deck.rules.all_colours())
    if deck.indexed:
        assert Counter(deck.by_index().values()) == Counter(deck.rules.all_cards())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_deck_of_its_name(preset: str) -> None:
    assert find_deck(preset).rules.all_cards() == PRESETS[preset].all_cards()


@pytest.mark.parametrize("deck", shipped(), ids=lambda deck: deck.name)
def test_the_fills_of_a_deck_stay_apart_for_every_kind_of_sight(deck: Deck) -> None:
    for one, two in combinations(deck.colours, 2):
        assert nearest(one.fill, two.fill) >= 0.15, (one.name, two.name)


def test_the_universal_deck_has_its_indices_exactly_as_written() -> None:
    deck = find_deck("travel")
    assert deck is find_deck("MTTTGC3")
    assert deck.title == "Minimal Travel Table Top Game Collection 3"
    by_index = deck.by_index()
    for name, (letter, numbers, wagers) in MTTTGC3.items():
        for rank, index in enumerate(spread(numbers), 2):
            assert by_index[index] == parse_card(f"{letter}{rank}"), (name, index)
        for index in spread(wagers):
            assert by_index[index] == parse_card(f"{letter}X"), (name, index)
    assert len(by_index) == 60


def test_what_the_universal_deck_leaves_in_its_box() -> None:
    box = unpack(find_deck("mtttgc3"))
    assert box is not None
    assert ranges(box.stay) == "1, 11–16, 26–31, 41–46, 56–61, 71–75, 79–80"
    assert {name: ranges(indices) for name, indices in box.take} == {
        name: f"{numbers}, {wagers}".replace("-", "–")
        for name, (_, numbers, wagers) in MTTTGC3.items()
    }
    assert unpack(find_deck("five")) is None


def test_the_columns_of_the_room_lie_in_the_order_of_its_manual() -> None:
    names = [each.name for each in find_deck("room").colours]
    assert names == ["red", "green", "blue", "grey", "yellow"]


@pytest.mark.parametrize("deck", shipped(), ids=lambda deck: deck.name)
def test_the_ink_of_a_shipped_deck_is_readable(deck: Deck) -> None:
    assert [each.shown_ink for each in deck.colours] == [each.ink for each in deck.colours]


def test_an_ink_that_cannot_be_read_gives_way_and_is_told(tmp_path: Path) -> None:
    text = base_text().replace('ink = "#FFFFFF"', 'ink = "#1A1A1A"')
    (tmp_path / "dark.toml").write_text(text, "utf-8")
    deck = find_deck(str(tmp_path / "dark.toml"))
    red, blue, green, *_ = deck.colours
    assert (red.ink, red.shown_ink, green.shown_ink) == ("#1A1A1A", "#FFFFFF", green.ink)
    for each in deck.colours:
        assert contrast(each.shown_ink, each.fill) >= 4.5
    ran = run_here("decks", str(tmp_path / "dark.toml"))
    assert ran.status == 0
    said = [line for line in ran.lines if line.startswith("note: ")]
    assert len(said) == 3
    assert f"{blue.name}: ink #1A1A1A on {blue.fill} is hard to read" in said[1]
    assert said[1].endswith("it is shown in #FFFFFF")


@pytest.mark.parametrize(
    ("start", "told"), [(1, []), (2, ["stay in the box: 1, and every index after 61"])]
)
def test_what_stays_in_the_box_is_told_only_where_something_does(
    tmp_path: Path, start: int, told: list[str]
) -> None:
    """A deck of 1 to 60 fills its box; one that leaves index 1 out does not."""
    text = 'name = "whole"\n'
    for letter, name in zip("YBWGR", ("sun", "sea", "snow", "wood", "fire"), strict=True):
        text += f'[[colours]]\nletter = "{letter}"\nname = "{name}"\n'
        text += f'numbers = "{start}-{start + 8}"\nwagers = "{start + 9}-{start + 11}"\n'
        start += 12
    (tmp_path / "whole.toml").write_text(text, "utf-8")
    said = [line for line in run_here("decks", str(tmp_path / "whole.toml")).lines
            if line.startswith("stay")]  # fmt: skip
    assert said == told


def test_an_own_deck_is_read_from_a_path(tmp_path: Path) -> None:
    own = tmp_path / "attic.toml"
    own.write_text(text_of("five").replace('"five"', '"attic"').replace('"yellow"', '"gold"'))
    deck = find_deck(str(own))
    assert (deck.name, deck.colours[0].name) == ("attic", "gold")


@pytest.mark.parametrize("what", FAULTS)
def test_a_deck_that_cannot_serve_says_why(what: str) -> None:
    with pytest.raises(DeckError) as refused:
        parse_deck(edited(what), "own.toml")
    assert FAULTS[what][2] in str(refused.value)
    assert str(refused.value).startswith("own.toml: ")


def test_everything_wrong_is_said_at_once() -> None:
    text = base_text().replace('"17-25"', '"17-24"').replace('"90-92"', '"90-91"')
    with pytest.raises(DeckError) as refused:
        parse_deck(text, "own.toml")
    assert len(refused.value.problems) == 2


def test_faults_of_every_kind_are_said_at_once() -> None:
    said = {
        "many things at once": (
            "sort: unknown", "ink: 'white'", "symbol: 'pizza'", "8 indices", "letter B: no colour",
            "name red of", "fill #3FA093", "index 10 stands 2",
        ),
        "a letter that is none, and more": (
            "sort: unknown", "letter: 'Q'", "ink: 'white'", "symbol: 'pizza'", "8 indices",
            "name red of", "fill #3FA093", "index 10 stands 2",
        ),
    }  # fmt: skip
    for what, reasons in said.items():
        with pytest.raises(DeckError) as refused:
            parse_deck(edited(what), "own.toml")
        problems = refused.value.problems
        assert len(problems) == len(reasons), problems
        for reason in reasons:
            assert any(reason in problem for problem in problems), (reason, problems)


def test_faults_without_colours_and_with_wrong_rules_are_said_at_once() -> None:
    for text, count in (('rules = "chess"\nwager = 3\nnam = 1', 5), ("colours = 3\ntitle = 1", 3)):
        with pytest.raises(DeckError) as refused:
            parse_deck(text, "own.toml")
        assert len(refused.value.problems) == count, refused.value.problems
    rules = edited("many things at once").replace('rules = "travel"', 'rules = "chess"')
    with pytest.raises(DeckError) as refused:
        parse_deck(rules, "own.toml")
    problems = refused.value.problems
    assert sum("chess" in each or "red of" in each or "10 stands" in each for each in problems) == 3


def test_an_unknown_symbol_and_a_taken_name_stay_readable_in_kept_sheets() -> None:
    table = tomllib.loads(text_of("five").replace('"sun"', '"pizza"'))
    assert deck_of_table(table, "deck").colours[0].symbol == "pizza"
    with pytest.raises(DeckError, match="that of a deck that comes with"):
        deck_of_table(table, "deck", own=True)


def test_two_white_fills_of_a_kept_deck_stay_readable_and_a_new_file_may_not_have_them() -> None:
    """Any two colours could be white, since that was the fill of a colour that said none."""
    text = text_of("five").replace("#FFBD25", "#ffffff").replace("#0D47CF", "#FFFFFF")
    table = tomllib.loads(text.replace('name = "five"', 'name = "attic"'))
    assert deck_of_table(table, "deck").colours[1].fill == "#FFFFFF"
    with pytest.raises(DeckError, match="the fill #FFFFFF stands 2 times"):
        deck_of_table(table, "deck", own=True)


def test_a_colour_without_a_fill_has_that_of_its_letter() -> None:
    text = re.sub(r'fill = "#.{6}"\n', "", text_of("six").replace('name = "six"', 'name = "attic"'))
    assert "fill =" not in text
    told = parse_deck(text.replace('other_names = ["long"]\n', ""), "attic.toml")
    assert [each.fill for each in told.colours] == [each.fill for each in find_deck("six").colours]
    assert list(FILLS) == [each.colour.letter for each in told.colours]


def test_a_file_that_is_no_deck(tmp_path: Path) -> None:
    for content, reason in (
        (b"\xff\xfe", "not UTF-8"),
        (b"#" * (1 << 17), "larger than 64 KiB"),
        (b"", "name: missing; colours: missing"),
        (b'name = "x"\ncolours = 3', "colours: missing"),
    ):
        path = tmp_path / "x.toml"
        path.write_bytes(content)
        with pytest.raises(DeckError, match=reason):
            load_deck(path)


NESTED = {
    "a list": ("title = " + "[" * 3000 + "]" * 3000, 3),
    "a list without an end": ("title = " + "[" * 3000, 3),
    "tables": ("title = " + "{a = " * 3000 + "1" + "}" * 3000, 3),
    "keys": ("title" + ".a" * 3000 + " = 1", 3),
    "the head of a part": ("[title" + ".a" * 3000 + "]", 3),
    "an index": ("\n[[colours]]\nnumbers = " + "[" * 3000, 5),
    "lists over lines": ("title = [\n" + "[\n" * 3000, 3003),
}


@pytest.mark.parametrize("what", NESTED)
def test_a_deck_file_that_is_nested_too_deeply_is_told_in_a_line(what: str, tmp_path: Path) -> None:
    """It was a RecursionError with its whole trace."""
    text, line = NESTED[what]
    path = tmp_path / "deep.toml"
    path.write_text(f'name = "deep" # [[[\ntake = "[[[[ {{{{"\n{text}\n', "utf-8")
    for command in (("decks",), ("score", "R5", "--deck"), ("print", "deck", "--deck")):
        ran = run_here(*command, str(path))
        assert_refused(ran, f"deep.toml: line {line}: parts within parts, deeper than can be read")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(DeckError, match=r"no such deck \(one of five, mtttgc3, room"):
        find_deck("poker")


def documented() -> str:
    """The part of a file that the documentation shows."""
    page = (Path(__file__).parents[1] / "docs" / "decks.md").read_text()
    block = page.partition('    name = "attic"')[2].partition("\n\nand a ")[0]
    return "\n".join(line.removeprefix("    ") for line in f'name = "attic"{block}'.splitlines())


def colour_parts(letters: str) -> str:
    return "".join(
        f'[[colours]]\nletter = "{letter}"\nname = "{name}"\n'
        for letter, name in zip(
            "YBWGRP", ("sun", "sea", "snow", "wood", "fire", "dusk"), strict=True
        )
        if letter in letters
    )


@pytest.mark.parametrize("rules", ["", 'rules = "blog"\n'])
@pytest.mark.parametrize(
    ("letters", "lacking"),
    [("Y", "letters B W G R: no colour has them"), ("YBWG", "letter R: no colour has it"),
     ("BP", "letters Y W G R: no colour has them")],
)  # fmt: skip
def test_an_incomplete_deck_is_told_which_colours_lack(
    letters: str, lacking: str, rules: str
) -> None:
    """It was told that its rules lack cards for two hands; four colours were a deck of their own."""
    with pytest.raises(DeckError) as refused:
        parse_deck(f'name = "attic"\n{rules}{colour_parts(letters)}', "attic.toml")
    assert refused.value.problems == (
        f"colours: {len(letters)} of them, but its rules have 5",
        f"{lacking}, and a deck of 5 colours needs Y B W G R",
    )


@pytest.mark.parametrize("letters", ["YBWG", "YBW"])
def test_no_deck_of_fewer_than_five_colours_is_made(letters: str) -> None:
    text = f'name = "attic"\nrules = "colours={len(letters)}"\n{colour_parts(letters)}'
    with pytest.raises(DeckError) as refused:
        parse_deck(text, "attic.toml")
    assert refused.value.problems == (
        f"rules: colours={len(letters)}: a deck has five colours or six",
    )
    kept = deck_of_table(tomllib.loads(text), "deck")
    assert len(kept.colours) == len(letters), "a sheet of old keeps its deck"


def test_the_part_that_the_documentation_shows_says_what_it_lacks() -> None:
    with pytest.raises(DeckError, match="letters B W G R: no colour has them"):
        parse_deck(documented(), "attic.toml")


def test_the_example_of_the_documentation_serves_once_it_is_complete() -> None:
    text = documented()
    start = 40
    for letter, name in zip("BWGR", ("sea", "snow", "wood", "fire"), strict=True):
        text += f'\n[[colours]]\nletter = "{letter}"\nname = "{name}"\n'
        text += f'numbers = "{start}-{start + 8}"\nwagers = "{start + 9}-{start + 11}"\n'
        start += 20
    deck = parse_deck(text, "attic.toml")
    assert tomllib.loads(text)["name"] == deck.name == "attic"
    assert deck.by_index()["1"] == parse_card("Y2")
    assert deck.by_index()["30"] == parse_card("YX")


def test_a_deck_as_json_has_what_a_page_needs() -> None:
    told = find_deck("mtttgc3").to_dict()
    assert told["colours"][3] == {
        "letter": "Y", "name": "orange", "other_names": ["yellow"], "fill": "#FFA32E",
        "ink": "#16202A", "symbol": "sun", "numbers": spread("47-55"), "wagers": spread("87-89"),
    }  # fmt: skip


def test_every_example_of_the_help_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-deck.toml").write_text(base_text(), "utf-8")
    parser = argparse.ArgumentParser()
    decks.configure(parser)
    examples = [shlex.split(line) for line in (parser.epilog or "").splitlines()[1:]]
    assert len(examples) >= 4
    for program, *arguments in examples:
        assert program == "lostcities"
        ran = run_here(*arguments)
        assert ran.status == 0, (arguments, ran)


@pytest.mark.parametrize("lying", ["-3", "2.5", "-0", "many", ""])
def test_only_whole_numbers_of_cards_can_lie(lying: str) -> None:
    ran = run_here("decks", "five", f"--lying={lying}")
    assert ran.status == 2
    assert f"{lying!r} is not a whole number of cards, 0 or more" in ran.err
    assert ran.out == ""


def test_a_colour_is_found_however_its_letters_are_written() -> None:
    """Letters taken apart were "only letters, so that a number can follow", and ß in capitals unknown."""
    deck = deck_of_table(spelt_deck(), "attic", own=True)
    assert [each.name for each in deck.colours[:2]] == ["größe", "café"]
    for text in ("cafe\u0301 5", "CAFÉ5", "ｃａｆé５"):
        assert parse_typed(text, deck) == parse_cards("B5")
    assert parse_typed("GRÖSSE3", deck) == parse_cards("Y3")
    with pytest.raises(NotationError):
        parse_typed("cafe5", deck)


def test_a_sheet_s_deck_with_names_that_differ_in_a_ligature_only_is_still_read() -> None:
    table = spelt_deck()
    table["colours"][0]["name"], table["colours"][1]["name"] = "ﬁg", "fig"
    assert deck_of_table(table, "attic").title
    with pytest.raises(DeckError, match="the name fig of a colour stands 2 times"):
        deck_of_table(table, "attic", own=True)
