"""Keeping the record of a match while it is played, so that nothing is lost if it breaks off."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from lostcities.core.errors import NotationError
from lostcities.core.events import Event
from lostcities.core.record import record_of
from lostcities.core.record_text import format_record
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat


class Keeper:
    """Writes a match's record to a file after every turn, each time whole or not at all.

    While the match goes on the file holds what the person's seat has seen; every deck is written
    into it when the match ends or is left.
    """

    def __init__(self, path: Path, rules: Rules, seat: Seat, names: BySeat[str | None]) -> None:
        """Claim the file.

        Raises:
            NotationError: something is in it already.
            OSError: it cannot be written.
        """
        self.path = path
        self._target = path.resolve()  # a link stays a link
        self._rules, self._seat, self._names = rules, seat, names
        self._date = datetime.now().astimezone().strftime("%Y.%m.%d")
        if path.exists() and not path.is_file():
            raise NotationError(str(path), "not a file that a record can be written to")
        with path.open("ab") as file:
            if file.tell():
                raise NotationError(str(path), "there is something in this file already")

    def keep(self, events: Sequence[Event], *, whole: bool) -> None:
        """Write the record as it stands.

        Raises:
            OSError: it cannot be written; the file still holds what it held.
        """
        record = record_of(
            events, self._rules, whole=whole, seat=self._seat, names=self._names,
            event="lostcities play", date=self._date,
        )  # fmt: skip
        _replace(self._target, format_record(record))


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
