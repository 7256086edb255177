"""`lostcities legal` and `lostcities perft`."""

import json
import sys

import pytest

from data_files import read_positions
from running import assert_refused, run_here

POSITION = "0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5"
LEGAL = ["+G2*", "+G2<R", "-G2*", "-G2<R", "+R5*", "+R5<R", "-R5*"]


def test_legal_lists_turns_in_canonical_order() -> None:
    ran = run_here("legal", POSITION)
    assert ran.lines == LEGAL
    assert json.loads(run_here("legal", POSITION, "--json").out) == {"legal": LEGAL}


def test_legal_in_the_middle_of_a_turn_begins_with_the_lay() -> None:
    ran = run_here("legal", "0 | G2 | B3 Y4 | - | - | R3 R5 W2 | W4 W5 | -R5")
    assert ran.lines == ["-R5*", "-R5<W"]


def test_legal_needs_the_movers_hand_only() -> None:
    assert run_here("legal", "0 | G2 R5 | ?2 | - | - | R3 | ?2").lines == LEGAL
    ran = run_here("legal", "1 | G2 R5 | ?2 | - | - | R3 | ?2")
    assert_refused(ran, "hand of seat 1", "hidden")
    assert ran.out == ""


def test_legal_at_the_end_of_a_round_is_nothing() -> None:
    ran = run_here("legal", "0 | G2 R5 | B3 Y4 | - | - | R3 | -")
    assert (ran.status, ran.out) == (0, "")


def test_legal_answers_positions_line_by_line() -> None:
    ran = run_here("legal", "-", "--json", stdin=f"{POSITION}\nnonsense\n{POSITION}\n")
    first, second, third = map(json.loads, ran.lines)
    assert first == third == {"legal": LEGAL}
    assert "7" in second["error"]
    assert ran.status == 1


def test_legal_from_standard_input_is_turns_alone() -> None:
    assert run_here("legal", "-", stdin=POSITION).out == run_here("legal", POSITION).out
    ran = run_here("legal", "-", stdin=f"{POSITION}\n{POSITION}\n")
    assert ran.lines == [*LEGAL, "", *LEGAL]


def test_rules_reach_the_position() -> None:
    purple = "0 | P2 | ?1 | - | - | - | ?2"
    assert_refused(run_here("legal", purple), "hand of seat 0", "P2")
    assert run_here("legal", purple, "--rules", "long").lines == ["+P2*", "-P2*"]
    own = ["legal", "0 | G2 | ?1 | - | - | - | ?2", "--rules", "own_discard=yes"]
    assert run_here(*own).lines == ["+G2*", "-G2*", "-G2<G"]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("0 | G2 G2 | ?1 | - | - | - | ?2", ("hand of seat 0", "G2 appears twice")),
        ("2 | G2 | ?1 | - | - | - | ?2", ("seat to move", "'2'")),
        ("0 | G2 | ?1 | R5 R4 | - | - | ?2", ("rows of seat 0", "R4")),
        ("0 | G2 | ?1 | - | R4 RX | - | ?2", ("rows of seat 1", "RX")),
        ("0 | G2", ("2 fields",)),
        ("", ("1 fields",)),
    ],
)
def test_a_wrong_position_names_the_field(position: str, said: tuple[str, ...]) -> None:
    assert_refused(run_here("legal", position), "lostcities legal: ", *said)
    assert_refused(run_here("perft", position, "1"), "lostcities perft: ", *said)


def test_perft_counts_and_divides() -> None:
    assert run_here("perft", POSITION, "0").out == "1\n"
    assert run_here("perft", POSITION, "1").out == "7\n"
    assert run_here("perft", POSITION, "2").out == "52\n"
    assert run_here("perft", "-", "2", stdin=POSITION + "\n").out == "52\n"
    divided = run_here("perft", POSITION, "2", "--divide")
    assert [line.split(": ")[0] for line in divided.lines[:-1]] == LEGAL
    assert sum(int(line.split(": ")[1]) for line in divided.lines[:-1]) == 52
    assert divided.lines[-1] == "52"


def test_perft_as_json() -> None:
    read = json.loads(run_here("perft", POSITION, "2", "--json").out)
    assert read == {"depth": 2, "count": 52}
    read = json.loads(run_here("perft", POSITION, "2", "--divide", "--json").out)
    assert list(read["divide"]) == LEGAL
    assert read["count"] == sum(read["divide"].values()) == 52


def test_perft_after_the_end_of_a_round_is_nothing() -> None:
    over = "0 | G2 R5 | B3 Y4 | - | - | R3 | -"
    assert run_here("perft", over, "1").out == "0\n"
    assert run_here("perft", over, "1000000").out == "0\n"
    assert run_here("perft", over, "3", "--divide").out == "0\n"


def test_perft_says_which_hidden_cards_it_needs() -> None:
    hidden = "0 | G2 R5 | ?2 | - | - | R3 | ?2"
    assert run_here("perft", hidden, "1").out == "7\n"
    assert_refused(run_here("perft", hidden, "2"), "hand of seat 1", "hidden")
    known = "0 | G2 R5 | B3 Y4 | - | - | R3 | ?2"
    assert_refused(run_here("perft", known, "2", "--divide"), "deck", "hidden")


def test_perft_deeper_than_it_can_follow_is_one_line() -> None:
    """Two seats that only ever swap discards go on for ever, and the count with them."""
    ran = run_here("perft", "0 | Y2 | B2 | - | - | W2 G2 | R2 R3", "100000")
    assert_refused(ran, "DEPTH", "100000")


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", "", "²"])
def test_a_depth_that_is_no_number_is_wrong_usage(depth: str) -> None:
    assert run_here("perft", POSITION, depth).status == 2


def test_a_divide_of_nothing_is_refused() -> None:
    assert_refused(run_here("perft", POSITION, "0", "--divide"), "DEPTH", "at least 1")


@pytest.mark.parametrize(("colours", "position", "counts"), read_positions("perft.txt")[:6])
def test_perft_by_the_kernel_counts_the_same(colours: int, position: str, counts: str) -> None:
    pytest.importorskip("numpy")
    for depth, count in enumerate(counts.split(), 1):
        ran = run_here("perft", position, str(depth), "--kernel", "--rules", f"colours={colours}")
        assert (ran.status, ran.out) == (0, f"{count}\n")


def test_the_kernel_divides_and_refuses_as_the_core_does() -> None:
    pytest.importorskip("numpy")
    for more in ((), ("--divide",), ("--json",), ("--divide", "--json")):
        by_core = run_here("perft", POSITION, "2", *more)
        assert run_here("perft", POSITION, "2", "--kernel", *more).out == by_core.out
    hidden = "0 | G2 R5 | ?2 | - | - | R3 | ?2"
    assert_refused(run_here("perft", hidden, "2", "--kernel"), "hand of seat 1", "hidden")
    assert_refused(run_here("perft", POSITION, "99999", "--kernel"), "DEPTH", "99999")
    over = "0 | G2 R5 | B3 Y4 | - | - | R3 | -"
    assert run_here("perft", over, "1000000", "--kernel").out == "0\n"


def test_an_uncompiled_kernel_counts_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    from lostcities.kernel import jit

    monkeypatch.setattr(jit, "COMPILED", False)
    ran = run_here("perft", POSITION, "1", "--kernel")
    assert (ran.status, ran.out) == (0, "7\n")
    assert "not compiled" in ran.err


def test_without_the_kernel_the_option_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lostcities.kernel", None)
    ran = run_here("perft", POSITION, "1", "--kernel")
    assert_refused(ran, "--kernel: ")
