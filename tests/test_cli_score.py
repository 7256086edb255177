"""`lostcities score`: sheets, their working, impossible ones."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.core.cards import FACES, Card, parse_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_seat
from lostcities.core.seats import BySeat
from lostcities.core.sheet import parse_sheet
from lostcities.table.deck_file import find_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from running import assert_refused, run_here


def points(*arguments: str) -> dict[str, object]:
    ran = run_here("score", "--json", *arguments)
    assert ran.status == 0, ran.err
    read = json.loads(ran.out)
    assert isinstance(read, dict)
    return read


def test_a_sheet_scores_every_colour_in_force() -> None:
    assert points("YX Y3 Y5 R2 R3") == {
        "colours": {"Y": -24, "B": 0, "W": 0, "G": 0, "R": -15},
        "total": -39,
    }


def test_the_publishers_example_is_18() -> None:
    sheet = "Y5 Y8 Y10 WX GX G3 G5 G7 RX RX R2 R3 R5 R7 R8 R10"
    assert points(sheet) == {"colours": {"Y": 3, "B": 0, "W": -40, "G": -10, "R": 65}, "total": 18}


def test_the_empty_sheet_scores_nothing() -> None:
    nothing = {"colours": {"Y": 0, "B": 0, "W": 0, "G": 0, "R": 0}, "total": 0}
    assert points("") == nothing
    ran = run_here("score", "-", "--json", stdin="-\n\n")
    assert [json.loads(line) for line in ran.lines] == [nothing, nothing]
    assert run_here("score", "-", "--json").lines == []


def test_colours_come_interleaved_and_unquoted_in_either_case() -> None:
    assert points("rx", "y2", "r2", "y10") == points("Y2 Y10 RX R2")
    assert points("rx,y2; r2,", "y10") == points("Y2 Y10 RX R2"), "as with a deck"


def test_purple_counts_in_the_long_game_only() -> None:
    assert_refused(run_here("score", "P2"), "card 1", "P2", "colours=5")
    long = {"colours": {"Y": 0, "B": 0, "W": 0, "G": 0, "R": 0, "P": -18}, "total": -18}
    assert points("P2", "--rules", "colours=6") == long
    assert points("P2", "--rules", "long rounds=1") == long


@pytest.mark.parametrize(
    ("sheet", "place", "reason"),
    [
        ("Y2 Y2", "card 2", "Y2 appears twice"),
        ("BX BX BX BX", "card 4", "BX appears more than 3 times"),
        ("Y2 B3 YX", "card 3", "YX is a wager after the number Y2"),
        ("Y5 R2 Y4", "card 3", "Y4 is not higher than Y5"),
        ("Y5 Y11", "card 2", "'Y11'"),
        ("Q5", "card 1", "'Q5'"),
        ("Y2 -", "card 2", "'-'"),
    ],
)
def test_an_impossible_sheet_names_the_card(sheet: str, place: str, reason: str) -> None:
    assert_refused(run_here("score", sheet), f"lostcities score: {place}: ", reason)


def test_the_rules_for_study_bound_the_sheet_too() -> None:
    assert_refused(run_here("score", "--rules", "top=5", "Y6"), "Y6 is not in the deck")
    assert_refused(run_here("score", "--rules", "wagers=0", "YX"), "YX is not in the deck")
    assert_refused(run_here("score", "--rules", "wagers=1", "YX YX"), "YX appears twice")


def test_wrong_rules_are_wrong_input_naming_the_key() -> None:
    assert_refused(run_here("score", "--rules", "colours=9", "Y2"), "--rules: colours", "1 to 6")
    assert_refused(run_here("score", "--rules", "brettspiel", "Y2"), "--rules", "unknown preset")


def test_several_sheets_keep_their_places_around_a_bad_one() -> None:
    ran = run_here("score", "-", "--json", stdin=b"R2\nR2 R2\n\xff\n-\r\nY2 Y3")
    read = [json.loads(line) for line in ran.lines]
    assert [one.get("total") for one in read] == [-18, None, None, 0, -15]
    assert read[1] == {"error": "card 2: R2 appears twice"}
    assert read[2] == {"error": "not UTF-8: byte 0xff"}
    assert ran.status == 1
    assert ran.err == "lostcities score: 2 of 5 lines are wrong\n"


def test_a_byte_order_mark_is_no_card() -> None:
    ran = run_here("score", "-", "--json", stdin=b"\xef\xbb\xbfY2\n")
    assert json.loads(ran.out)["total"] == -18


def test_in_text_a_bad_line_is_named_on_standard_error() -> None:
    ran = run_here("score", "-", stdin="R2\nR2 R2\nY2\n")
    assert ran.status == 1
    assert ran.err == "lostcities score: line 2: card 2: R2 appears twice\n"
    assert [line for line in ran.lines if line.startswith("line")] == ["line 1: R2", "line 3: Y2"]


def test_the_working_shows_how_the_points_come_about() -> None:
    ran = run_here("score", "YX YX Y2 Y3 Y5 Y7 Y8 Y10 B4 WX")
    words = [line.split("  ") for line in ran.lines]
    assert [row[0] for row in words] == ["Y", "B", "W", "G", "R", ran.lines[5], "total"]
    assert "(35 - 20) × 3 + 20 =" in ran.lines[0]
    assert "4 - 20 =" in ran.lines[1]
    assert "(0 - 20) × 2 =" in ran.lines[2]
    assert "not opened" in ran.lines[3]
    assert [int(ran.lines[i].split()[-1]) for i in (0, 1, 2, 3, 4, 6)] == [65, -16, -40, 0, 0, 9]
    assert len(set(map(len, ran.lines))) == 1
    assert "\x1b" not in ran.out


CARDS = st.lists(st.sampled_from(FACES[:50]), max_size=14)


@given(CARDS)
def test_a_sheet_is_read_exactly_when_some_play_makes_it(cards: list[Card]) -> None:
    """Stated otherwise than the reader does it: each colour's ranks sorted, none repeated."""
    possible = True
    for colour in {card.colour for card in cards}:
        ranks = [card.rank for card in cards if card.colour == colour]
        numbers = [rank for rank in ranks if rank]
        possible &= ranks == sorted(ranks) and ranks.count(0) <= 3
        possible &= len(numbers) == len(set(numbers))
    text = " ".join(map(str, cards))
    try:
        sheet = parse_sheet(text, Rules())
    except NotationError:
        assert not possible
    else:
        assert possible
        assert points(text)["total"] == score_seat(sheet, Rules())


# ---- links of score sheets ----------------------------------------------------------------------

PAPER = PaperMatch(
    BySeat("Ada", ""), Rules.parse("blog"), "blog", find_deck("five"), 0,
    (
        BySeat(parse_cards("Y5 Y8 Y10 WX"), parse_cards("BX BX BX B2 B3 B4 B7 B10")),
        BySeat((), parse_cards("R10")),
    ),
    finished=True,
)  # fmt: skip
SHEET_LINK = "https://room.example/sheet" + write_link(PAPER)


@pytest.mark.parametrize("link", [SHEET_LINK, write_link(PAPER), write_link(PAPER)[1:]])
def test_the_link_of_a_sheet_scores_the_whole_match(link: str) -> None:
    assert points(link) == {
        "names": ["Ada", ""],
        "rules": str(PAPER.rules),
        "deck": "five",
        "finished": True,
        "rounds": [
            {
                "score": [-37, 44],
                "sides": [
                    {"colours": {"Y": 3, "B": 0, "W": -40, "G": 0, "R": 0}, "total": -37},
                    {"colours": {"Y": 0, "B": 44, "W": 0, "G": 0, "R": 0}, "total": 44},
                ],
            },
            {
                "score": [0, -10],
                "sides": [
                    {"colours": {"Y": 0, "B": 0, "W": 0, "G": 0, "R": 0}, "total": 0},
                    {"colours": {"Y": 0, "B": 0, "W": 0, "G": 0, "R": -10}, "total": -10},
                ],
            },
        ],
        "totals": [-37, 34],
    }
    ran = run_here("score", link)
    assert ran.lines[0] == "Round 1, Ada"
    assert "B  BX BX BX B2 B3 B4 B7 B10  (26 - 20) × 4 + 20 =     44" in ran.lines
    assert ran.lines[-1] == "Ada -37 : 34 player 2, finished"


def test_a_link_speaks_the_words_of_its_deck() -> None:
    paper = replace(PAPER, deck=find_deck("mtttgc3"))
    assert any(line.startswith("orange  Y5 Y8 Y10") for line in run_here(
        "score", write_link(paper)
    ).lines)  # fmt: skip


def test_a_link_tells_which_wagers_lie_there() -> None:
    paper = replace(
        PAPER, deck=find_deck("mtttgc3"),
        rounds=(BySeat(parse_cards("RX RX R5"), parse_cards("WX")),),
        wagers=(BySeat(("83", "81"), ()),),
    )  # fmt: skip
    ran = run_here("score", write_link(paper))
    assert [line for line in ran.lines if line.startswith("by index")] == [
        "by index: red investment (83), red investment (81)"
    ]
    told = json.loads(run_here("score", "--json", write_link(paper)).out)
    assert told["rounds"][0]["wagers"] == [["83", "81"], []]
    twice = replace(paper, wagers=(BySeat(("81",), ("90",)),), rounds=(
        BySeat(parse_cards("RX"), parse_cards("RX WX")),
    ))  # fmt: skip
    assert "by index: purple investment (90)" in run_here("score", write_link(twice)).lines
    shared = replace(twice, wagers=(BySeat(("81",), ("81",)),))
    assert_refused(run_here("score", write_link(shared)), "round 1", "index 81 lies on both sides")


def test_a_name_in_a_link_never_reaches_the_terminal_as_a_command() -> None:
    hostile = BySeat("A\x1b[31mda", "Gra\nTotal 999")
    lines = run_here("score", write_link(replace(PAPER, names=hostile))).lines
    assert not any("\x1b[31m" in line or line.startswith("Total") for line in lines)
    assert "A[31mda" in lines[-1]
    assert "GraTotal 999" in lines[-1]


def test_links_and_sheets_may_stand_on_standard_input() -> None:
    ran = run_here("score", "-", "--json", stdin=f"Y2\n{SHEET_LINK}\n{SHEET_LINK[:-3]}\n")
    read = [json.loads(line) for line in ran.lines]
    assert [read[0]["total"], read[1]["totals"]] == [-18, [-37, 34]]
    assert read[2] == {"error": "link: it is damaged or cut short"}
    assert ran.status == 1


def test_a_link_that_cannot_be_scored_is_refused() -> None:
    assert_refused(run_here("score", "https://room.example/sheet"), "link", "holds no sheet")
    assert_refused(run_here("score", SHEET_LINK[:-1]), "damaged or cut short")
    for option in (["--rules", "long"], ["--deck", "six"], ["--against", "R5"]):
        assert_refused(run_here("score", SHEET_LINK, *option), option[0], "a link brings its own")
    for deck in ([], ["--deck", "five"]):
        ran = run_here("score", "RX R5", "--against", "R6 Q9", *deck)
        assert_refused(ran, "--against", "Q9")
        assert "seat" not in str(ran), "players are not counted on the command line"
    broken = replace(PAPER, rounds=(BySeat(parse_cards("R5"), parse_cards("R5")),))
    assert_refused(run_here("score", write_link(broken)), "round 1", "R5 lies on both sides")


def test_the_rows_of_the_other_side_may_come_from_standard_input() -> None:
    """`--against -` was the empty sheet, whatever stood there."""
    asked = ("score", "--json", "RX R5", "--against")
    assert run_here(*asked, "-", stdin="R6\nY10\n").out == run_here(*asked, "R6 Y10").out
    assert_refused(run_here(*asked, "-", stdin="R5 Y10\n"), "R5 lies on both sides")
    assert_refused(run_here(*asked, "-", stdin="Q9"), "--against", "Q9")
    typed = ("score", "--json", "--deck", "mtttgc3", "81 64", "--against")
    assert run_here(*typed, "-", stdin="82 65").out == run_here(*typed, "82 65").out
    twice = run_here("score", "-", "--against", "-", stdin="R5\n")
    assert_refused(twice, "CARDS and --against: standard input (-) can be read only once")
