"""The two ways to a database, for the parts of a store that stand on their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")
Query = Callable[[Connection], T]


class TwoWays:
    """Reads on one connection, writes on the other.

    Args:
        read: runs a query on the reading connection.
        write: runs a function in a transaction of the writer.
    """

    def __init__(
        self,
        read: Callable[[Query[Any]], Awaitable[Any]],
        write: Callable[[Query[Any]], Awaitable[Any]],
    ) -> None:
        self._read = read
        self._write = write
