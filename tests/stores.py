"""Stores of the tests' own."""

import contextlib
from collections.abc import AsyncIterator, Callable

from lostcities.store.sql import SqlStore


def no_end(reason: str) -> None:
    raise AssertionError(f"the store wanted to stop the process: {reason}")


@contextlib.asynccontextmanager
async def opened(database: str, fatal: Callable[[str], None] = no_end) -> AsyncIterator[SqlStore]:
    """A store over a database, closed at the end."""
    store = SqlStore.open(database, fatal)
    try:
        yield store
    finally:
        await store.close()
