"""The log of an arena: lines of JSON, only ever added to, from which it goes on after an interrupt.

The first line says which arena it is of; each further line is a finished deal. A line is written whole
or taken back, so a full disk loses nothing that was in it; what a crash left half written at the end
is taken off when the log is opened again. While an arena runs it holds a lock on the file.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lostcities.core.errors import NotationError
from lostcities.training.tally import DealResult, TallyError

FORMAT = 1
"""The version of the log's lines."""


class LogError(NotationError):
    """A log that cannot be used or written to; says which file and why."""


class Log:
    """An open log.

    Args:
        path: the file; it is made if it is not there.
        about: what the arena is: its agents, seed, rules and budget. A log of another one is refused.

    Raises:
        LogError: another arena is writing to it, it is of another arena, or no log at all.
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            self._lock()
            self.results = self._read(about)
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        with contextlib.suppress(ImportError):  # Windows has no such locks
            fcntl = importlib.import_module("fcntl")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LogError(str(self._path), "another arena is writing to this log") from None

    def _read(self, about: Mapping[str, Any]) -> list[DealResult]:
        header = {"arena": FORMAT, **about}
        content = self._path.read_bytes()
        whole, _, torn = content.rpartition(b"\n")
        if torn:
            if whole or _is_beginning(torn, header):
                os.ftruncate(self._file, len(content) - len(torn))
            else:
                raise LogError(str(self._path), "not the log of an arena")
        lines = whole.split(b"\n") if whole else []
        if not lines:
            self._write(header)
            return []
        self._check_header(lines[0], header)
        return list(self._deals(lines[1:]))

    def _check_header(self, line: bytes, header: Mapping[str, Any]) -> None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or "arena" not in found:
            raise LogError(str(self._path), "not the log of an arena")
        for key, value in header.items():
            if found.get(key) != value:
                reason = (
                    f"the log of another arena: {key} is {found.get(key)!r} there, {value!r} here"
                )
                raise LogError(str(self._path), reason)

    def _deals(self, lines: list[bytes]) -> Iterator[DealResult]:
        for number, line in enumerate(lines, 2):
            try:
                yield DealResult.from_dict(json.loads(line))
            except (ValueError, RecursionError, TallyError) as error:
                raise LogError(f"{self._path}, line {number}", str(error)) from None

    def add(self, result: DealResult) -> None:
        """Write a finished deal.

        Raises:
            LogError: it cannot be written (the disk is full); the log then ends with the deal before.
        """
        self._write(result.to_dict())

    def _write(self, values: Mapping[str, Any]) -> None:
        line = json.dumps(values, separators=(",", ":")).encode() + b"\n"
        size = os.fstat(self._file).st_size
        rest = line
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
            reason = (
                f"{error.strerror}; what was in it is kept, the same command goes on from there"
            )
            raise LogError(str(self._path), reason) from error

    def close(self) -> None:
        """Close the file and let go of the lock."""
        os.close(self._file)


def _is_beginning(torn: bytes, header: Mapping[str, Any]) -> bool:
    return json.dumps(header, separators=(",", ":")).encode().startswith(torn)
