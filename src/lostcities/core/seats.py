"""Seats: who sits where, and pairs of values by seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")

Seat = int
"""0 or 1. A player is a person or account; a seat is a place at the table."""

SEATS: tuple[Seat, Seat] = (0, 1)


def other(seat: Seat) -> Seat:
    """The seat across the table."""
    return 1 - seat


@dataclass(frozen=True, slots=True)
class BySeat(Generic[T]):
    """One value for each seat, indexed by seat."""

    zero: T
    one: T

    def __getitem__(self, seat: Seat) -> T:
        if seat == 0:
            return self.zero
        if seat == 1:
            return self.one
        raise IndexError(f"a seat is 0 or 1, not {seat}")

    def __iter__(self) -> Iterator[T]:
        yield self.zero
        yield self.one

    def __len__(self) -> int:
        return 2

    def replace(self, seat: Seat, value: T) -> BySeat[T]:
        """The pair with another value at one seat."""
        return BySeat(value, self.one) if seat == 0 else BySeat(self.zero, value)

    def map(self, function: Callable[[T], U]) -> BySeat[U]:
        """The pair of the function's values."""
        return BySeat(function(self.zero), function(self.one))

    @staticmethod
    def both(value: T) -> BySeat[T]:
        """The same value for both seats."""
        return BySeat(value, value)
