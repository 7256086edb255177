"""perft and legal turns against the files under data; the order of turns; what hidden cards allow."""

import pytest

from data_files import position, read_positions
from lostcities.core.errors import HiddenCardsError
from lostcities.core.perft import divide, perft

LEGAL = read_positions("legal.txt")
PERFT = [
    (colours, text, [int(count) for count in counts.split()])
    for colours, text, counts in read_positions("perft.txt")
]


def name(row: int) -> str:
    return f"line{row + 1}"


def test_the_files_are_whole() -> None:
    assert (len(LEGAL), len(PERFT)) == (12, 33)


@pytest.mark.parametrize(("colours", "text", "turns"), LEGAL, ids=map(name, range(len(LEGAL))))
def test_legal_turns_in_order(colours: int, text: str, turns: str) -> None:
    state = position(text, f"colours={colours}")
    assert " ".join(map(str, state.legal_turns())) == turns


def check(colours: int, text: str, length: int, expected: int) -> None:
    state = position(text, f"colours={colours}")
    counted = list(divide(state, length))
    table = "\n".join(f"{turn}: {count}" for turn, count in counted)
    assert sum(count for _, count in counted) == expected, f"{text}\n{table}"


@pytest.mark.parametrize(("colours", "text", "counts"), PERFT, ids=map(name, range(len(PERFT))))
def test_perft(colours: int, text: str, counts: list[int]) -> None:
    for length in (1, 2):
        check(colours, text, length, counts[length - 1])


@pytest.mark.slow
@pytest.mark.parametrize(("colours", "text", "counts"), PERFT, ids=map(name, range(len(PERFT))))
def test_perft_of_length_three(colours: int, text: str, counts: list[int]) -> None:
    check(colours, text, 3, counts[2])


def test_perft_of_length_three_of_the_smallest() -> None:
    colours, text, counts = min(PERFT, key=lambda row: row[2][2])
    check(colours, text, 3, counts[2])


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (
            "0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5",
            "+G2* +G2<R -G2* -G2<R +R5* +R5<R -R5*",
        ),
        ("0 | RX RX R2 | - | - | - | - | W4", "+RX* -RX* +R2* -R2*"),
        (
            "0 | R10 R2 YX | - | R5 | - | P3 B2 | W4",
            (
                "+YX* +YX<B +YX<P -YX* -YX<B -YX<P -R2* -R2<B -R2<P "
                "+R10* +R10<B +R10<P -R10* -R10<B -R10<P"
            ),
        ),
        ("1 | ?8 | G2 | - | - | G5 | ?20", "+G2* +G2<G -G2*"),
    ],
)
def test_the_order_of_turns_is_pinned(text: str, turns: str) -> None:
    state = position(text, "colours=6")
    assert " ".join(map(str, state.legal_turns())) == turns


@pytest.mark.parametrize(
    ("lay", "hand", "piles", "turns"),
    [
        ("+R5", "G2", "R3", "+R5* +R5<R"),
        ("-R5", "G2", "R3 R5", "-R5*"),
        ("-R5", "G2", "R5 B4", "-R5* -R5<B"),
    ],
)
def test_in_the_middle_of_a_turn(lay: str, hand: str, piles: str, turns: str) -> None:
    row = "R5" if lay == "+R5" else "-"
    state = position(f"0 | {hand} | B3 Y4 | {row} | - | {piles} | W4 W5 | {lay}")
    assert " ".join(map(str, state.legal_turns())) == turns
    assert perft(state, 1) == len(turns.split())
    whole = [str(turn) for turn, _ in divide(state, 2)]
    assert whole == turns.split()


def test_own_discard_reopens_the_fresh_pile() -> None:
    text = "0 | R5 | B3 | - | - | R3 | W4 W5"
    assert "-R5<R" not in map(str, position(text).legal_turns())
    state = position(text, "own_discard=yes")
    assert [str(turn) for turn in state.legal_turns()] == ["+R5*", "+R5<R", "-R5*", "-R5<R"]
    after = state.play(state.legal_turns()[-1])
    assert [str(card) for card in after.hands[0]] == ["R5"]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_finished_round_has_no_turns(length: int) -> None:
    state = position("1 | G2 R5 | B3 Y4 | W2 | - | R3 | -")
    assert state.over
    assert state.legal_turns() == ()
    assert perft(state, length) == 0
    assert list(divide(state, length)) == []


def test_length_nought_is_one() -> None:
    assert perft(position("0 | G2 | B3 | - | - | - | W2"), 0) == 1


def test_a_length_below_nought_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        perft(position("0 | G2 | B3 | - | - | - | W2"), -1)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("0 | ?2 | B3 Y4 | - | - | - | W2 W3", "hand of seat 0"),
        ("0 | B3 Y4 | ?2 | - | - | - | W2 W3", "hand of seat 1"),
        ("0 | B3 Y4 | G2 | - | - | - | ?2", "deck"),
    ],
)
def test_what_is_hidden_is_named(text: str, place: str) -> None:
    with pytest.raises(HiddenCardsError) as caught:
        perft(position(text), 2)
    assert caught.value.place == place


def test_one_turn_needs_the_movers_hand_only() -> None:
    assert perft(position("0 | B3 Y4 | ?2 | - | - | - | ?9"), 1) == 4
    with pytest.raises(HiddenCardsError):
        perft(position("1 | B3 Y4 | ?2 | - | - | - | ?9"), 1)
