"""``lostcities db``: looking after the room's database."""

from __future__ import annotations

import argparse
import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lostcities.cli import options
from lostcities.cli.complaint import complain
from lostcities.cli.serve import database_url

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

NAME = "db"
HELP = "Look after the room's database: copy it while the room goes on, reset a passphrase."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    commands = parser.add_subparsers(dest="order", metavar="COMMAND", required=True)
    backup = commands.add_parser(
        "backup",
        help="copy a SQLite database to a file; the room may be open meanwhile",
        description="Copies a SQLite database as it stands at one instant; the room may be open.",
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy; must not exist yet")
    backup.add_argument("--data-dir", type=Path, metavar="DIR", help="as given to serve")
    backup.add_argument("--database", metavar="URL", help="as given to serve")
    reset = commands.add_parser(
        "reset-passphrase",
        help="give an account a passphrase for once, for a person who has forgotten theirs",
        description="Prints a new passphrase to hand to that person, and signs them out everywhere. "
        "The room must be closed meanwhile.",
    )
    reset.add_argument("name", metavar="NAME", help="the name by which the person signs in")
    reset.add_argument("--data-dir", type=Path, metavar="DIR", help="as given to serve")
    reset.add_argument("--database", metavar="URL", help="as given to serve")
    options.example(parser, "lostcities db backup room-copy.sqlite3")


def run(args: argparse.Namespace) -> int:
    """Do what is ordered."""
    return _reset(args) if args.order == "reset-passphrase" else _backup(args)


def _reset(args: argparse.Namespace) -> int:
    import asyncio

    from lostcities.store.interfaces import StoreError

    try:
        fresh = asyncio.run(reset_passphrase(database_url(args), args.name))
    except StoreError as error:
        return _fail(str(error))
    if fresh is None:
        return _fail(f"nobody signs in as {args.name!r}")
    print(f"{args.name} signs in with: {fresh}")
    print("The page then asks for a new one. Every browser of theirs is signed out.")
    return 0


async def reset_passphrase(database: str, name: str) -> str | None:
    """A passphrase for once for an account; None if nobody signs in by that name.

    Raises:
        StoreError: the database cannot be opened, or a room has it open.
    """
    from lostcities.service.accounts import Accounts, Hooks
    from lostcities.service.ids import RandomIds
    from lostcities.store.sql import SqlStore, now_ms

    async def nobody_leaves(_held: object) -> None:
        return None

    store = SqlStore.open(database)
    hooks = Hooks(lambda _ended: None, lambda _moved, _player: None, nobody_leaves)
    accounts = Accounts(store, RandomIds(), now_ms, hooks)
    try:
        return await accounts.reset(name)
    finally:
        accounts.close()
        await store.close()


def _backup(args: argparse.Namespace) -> int:
    from lostcities.store.engine import is_sqlite, parse_url
    from lostcities.store.interfaces import StoreError

    try:
        url = parse_url(database_url(args))
    except StoreError as error:
        return _fail(str(error))
    if not is_sqlite(url):
        return _fail(_for_postgres(url))
    source = Path(str(url.database))
    if not source.is_file():
        return _fail(f"there is no database at {source}")
    if args.file.exists():
        return _fail(f"{args.file} exists already; it is left as it is")
    try:
        size = backup(source, args.file)
    except (OSError, sqlite3.Error) as error:
        return _fail(f"cannot copy {source} to {args.file}: {error}")
    print(f"Copied {source} to {args.file} ({size / 1e6:.1f} MB).")
    print(f"To go on from it: lostcities serve --database sqlite:///{args.file.absolute()}")
    return 0


def backup(source: Path, target: Path) -> int:
    """Copy a SQLite database as it stands at one instant, checked and on disk; answers its bytes.

    The target appears whole or not at all. A reader of a write-ahead log stops no writer, so a room
    that is open goes on meanwhile.

    Raises:
        OSError, sqlite3.Error: nothing was left behind.
    """
    handle, name = tempfile.mkstemp(".part", f".{target.name}.", target.absolute().parent)
    os.close(handle)
    part = Path(name)
    try:
        with contextlib.closing(sqlite3.connect(source, timeout=30)) as read:
            read.execute("PRAGMA query_only=ON").close()
            with contextlib.closing(sqlite3.connect(part)) as written:
                read.backup(written)
                (verdict,) = written.execute("PRAGMA quick_check").fetchone()
                if verdict != "ok":
                    raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")
        with part.open("rb+") as copied:
            os.fsync(copied.fileno())
        size = part.stat().st_size
        os.link(part, target)  # unlike a rename, it never replaces a file
    finally:
        for leftover in (part, Path(f"{part}-wal"), Path(f"{part}-shm")):
            leftover.unlink(missing_ok=True)
    return size


def _for_postgres(url: URL) -> str:
    address = url.set(drivername="postgresql").render_as_string(hide_password=True)
    return f"{address} is PostgreSQL, which has its own tool: pg_dump --format=custom '{address}'"


def _fail(reason: str) -> int:
    complain(f"lostcities db: {reason}")
    return 1
