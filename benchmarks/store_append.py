"""The append path: SQLAlchemy Core against the bare driver, on the same database in the same run.

    python benchmarks/store_append.py [--database URL] [--seconds 2]

For each size of group commit: appends a second through the store's own insert statements, and the
same rows given to the driver's executemany. Each transaction is committed as the store commits it.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, insert

from lostcities.core.events import TurnPlayed
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.store import schema
from lostcities.store.engine import is_sqlite, make_engine, migrate, parse_url
from lostcities.store.interfaces import Append, Changes, CommandRecord, MatchInfo
from lostcities.store.sql import _rows

Insert = Callable[[Connection, Table, list[dict[str, Any]]], None]


def by_core(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    connection.execute(insert(table), rows)


def by_driver(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    names = list(rows[0])
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    marks = ", ".join([mark] * len(names))
    statement = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608
    raw: Any = connection.connection.driver_connection
    raw.cursor().executemany(statement, [tuple(row.values()) for row in rows])


def batches(size: int, start: int) -> dict[Table, list[dict[str, Any]]]:
    """The rows of ``size`` turns of as many matches."""
    event = TurnPlayed(0, 7, parse_turn("+R5*G8"))
    result: dict[Table, list[dict[str, Any]]] = {}
    for number in range(size):
        record = CommandRecord(f"{start:032x}", 0, "c" * 64, start + 1)
        changes = Changes(appends=(Append(f"m{number}", start, (event,), record),))
        for table, rows in _rows(changes, 1):
            result.setdefault(table, []).extend(rows)
    return {table: rows for table, rows in result.items() if rows}


def rate(
    connection: Connection, way: Insert, size: int, start: int, seconds: float
) -> tuple[float, int]:
    """Appends a second in groups of ``size``, and the next free seq."""
    spent, done = 0.0, 0
    while spent < seconds:
        rows = batches(size, start)
        begin = time.perf_counter()
        with connection.begin():
            for table, values in rows.items():
                way(connection, table, values)
        spent += time.perf_counter() - begin
        start += 1
        done += size
    return done / spent, start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", help="default: a new SQLite file")
    parser.add_argument("--seconds", type=float, default=2.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = parse_url(args.database or f"sqlite:///{Path(folder) / 'room.sqlite3'}")
        with make_engine(url, writer=True).connect() as connection:
            migrate(connection)
            _fill(connection)
            print(
                f"{'sqlite' if is_sqlite(url) else 'postgresql'}: appends a second, core against driver"
            )
            seq = 0
            for size in (1, 8, 64, 512):
                core: list[float] = []
                driver: list[float] = []
                for _ in range(3):
                    ways = [(core, by_core), (driver, by_driver)]
                    random.shuffle(ways)
                    for found, way in ways:
                        value, seq = rate(connection, way, size, seq, args.seconds / 3)
                        found.append(value)
                a, b = max(core), max(driver)
                print(
                    f"groups of {size:4}: core {a:8.0f}  driver {b:8.0f}  driver/core {b / a:.2f}"
                )


def _fill(connection: Connection) -> None:
    with connection.begin():
        for table in (schema.commands, schema.events, schema.matches):
            connection.execute(delete(table))
        for number in range(512):
            for table, rows in _rows(
                Changes(matches=(MatchInfo(f"m{number}", Rules(), None, 1),)), 1
            ):
                if rows:
                    connection.execute(insert(table), rows)


if __name__ == "__main__":
    main()
