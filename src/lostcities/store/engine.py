"""Opening a database: its address, its settings, its tables, and the lock on it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from lostcities.store.interfaces import StoreError

_ROOM_LOCK = 0x10C17E5
"""Key of the advisory lock that a room holds on a PostgreSQL database."""


class InUseError(StoreError):
    """Another room has this database open."""


def parse_url(url: str) -> URL:
    """The address of a database as SQLAlchemy takes it: ``sqlite:///PATH`` or ``postgresql://…``.

    Raises:
        StoreError: anything else.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(
            f"{url!r} is no database address (sqlite:///PATH, postgresql://…)"
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise StoreError(f"{parsed.drivername} is not supported, use sqlite or postgresql")
    in_memory_or_uri = (parsed.database or ":memory:").startswith((":memory:", "file:"))
    if parsed.drivername == "sqlite" and in_memory_or_uri:
        raise StoreError("a room's SQLite database is a file: sqlite:///PATH")
    return parsed


def is_sqlite(url: URL) -> bool:
    """Whether this is a SQLite file."""
    return url.get_backend_name() == "sqlite"


def make_engine(url: URL, *, writer: bool) -> Engine:
    """An engine whose connections are the writer's, or only read.

    SQLite: WAL with ``synchronous=FULL`` (an acknowledged turn survives a power cut); there is one
    writing connection, since SQLite before 3.51.3 can damage a database whose WAL two connections
    write or checkpoint; a reading one does neither. Transactions are begun by us, not by the
    driver, so that savepoints work and a reader sees one instant.
    """
    if is_sqlite(url):
        engine = create_engine(
            url, poolclass=NullPool, connect_args={"isolation_level": None, "timeout": 5.0,
                                                   "check_same_thread": False}
        )  # fmt: skip
        event.listen(engine, "connect", _sqlite_writes if writer else _sqlite_reads)
        begin = "BEGIN IMMEDIATE" if writer else "BEGIN"
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
        return engine
    level: Any = "READ COMMITTED" if writer else "REPEATABLE READ"
    try:
        return create_engine(url, poolclass=NullPool, isolation_level=level)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"PostgreSQL needs the module {error.name}: pip install 'lostcities[postgres]'"
        ) from None


def _sqlite_writes(connection: Any, _record: object) -> None:
    # What is deleted is overwritten, so that who is forgotten does not stay in the file's gaps.
    pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").close()


def _sqlite_reads(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA query_only=ON").close()


def migrate(connection: Connection) -> None:
    """Bring the tables to this version's state; does nothing when they are.

    Raises:
        StoreError: the database was made by a newer version.
    """
    if _version(connection) == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, HEAD)
    except CommandError as error:
        raise StoreError(f"the database is of another version of lostcities ({error})") from error


HEAD = "0006"
"""The migration that this version's tables stand at; a test holds it to the newest file."""


def _version(connection: Connection) -> str | None:
    with connection.begin():
        if not connection.dialect.has_table(connection, "alembic_version"):
            return None
        found: str | None = connection.execute(
            text("SELECT version_num FROM alembic_version")
        ).scalar()
        return found


@contextlib.contextmanager
def file_lock(database: Path) -> Iterator[None]:
    """Hold the lock beside a SQLite file; the system lets go of it however the process ends.

    Raises:
        InUseError: another process holds it.
    """
    with database.with_name(database.name + ".lock").open("a+") as handle:
        try:
            _lock(handle)
        except OSError:
            raise InUseError(f"another room is using {database}") from None
        yield


def _lock(handle: IO[str]) -> None:
    if os.name == "nt":
        import msvcrt

        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def advisory_lock(connection: Connection) -> None:
    """Hold PostgreSQL's lock on the database for as long as this connection lives.

    Raises:
        InUseError: another room holds it.
    """
    with connection.begin():
        held = connection.execute(
            text("SELECT pg_try_advisory_lock(:key)"), {"key": _ROOM_LOCK}
        ).scalar()
    if not held:
        raise InUseError("another room is using this database")


def reason_of(error: BaseException) -> str:
    """The database's own words, without SQLAlchemy's frame around them."""
    inner = error.orig if isinstance(error, SQLAlchemyError) and hasattr(error, "orig") else error
    return " ".join(str(inner).split()) or type(error).__name__
