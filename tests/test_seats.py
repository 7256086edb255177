"""Pairs by seat."""

import pytest

from lostcities.core.seats import SEATS, BySeat, other


def test_a_pair_by_seat() -> None:
    pair = BySeat("north", "south")
    assert (pair[0], pair[1], list(pair), len(pair)) == ("north", "south", ["north", "south"], 2)
    assert pair.replace(0, "east") == BySeat("east", "south")
    assert pair.replace(1, "west") == BySeat("north", "west")
    assert pair == BySeat("north", "south")
    assert pair.map(len) == BySeat(5, 5)
    assert BySeat(1, 2).map(lambda number: 10 * number) == BySeat(10, 20)
    assert BySeat.both(3) == BySeat(3, 3)


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_are_two_seats(seat: int) -> None:
    with pytest.raises(IndexError, match="a seat is 0 or 1"):
        BySeat(1, 2)[seat]


def test_across_the_table() -> None:
    assert [other(seat) for seat in SEATS] == [1, 0]
