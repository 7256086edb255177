"""An outside program that answers a line with a line, under a limit of time."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from types import TracebackType
from typing import IO, Any, Self

_LONGEST = 8 << 20
_KEPT = 20
_GRACE = 2.0


class ProgramError(Exception):
    """The program could not be started, ended, was late, or its answer is no JSON object."""


class StartError(ProgramError):
    """There is no such program, or it cannot be run: that says nothing about the rules."""


class Program:
    """A running program; use it in a ``with``.

    Args:
        command: the program and its arguments as a shell would split them; run without a shell.

    Raises:
        StartError: it cannot be started; gives the reason.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise StartError(f"{command}: {error}") from None
        if not words:
            raise StartError("no program named")
        try:
            self._child = subprocess.Popen(  # noqa: S603 - the user names the program
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise StartError(f"{words[0]}: {error.strerror or error}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: list[str] = []
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._readers = [
            threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True),
            threading.Thread(target=self._keep, args=(self._child.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def _read(self, stream: IO[bytes]) -> None:
        for line in iter(lambda: stream.readline(_LONGEST), b""):
            self._lines.put(line)
        self._lines.put(None)

    def _keep(self, stream: IO[bytes]) -> None:
        for line in iter(lambda: stream.readline(_LONGEST), b""):
            self._errors.append(line.decode("utf-8", "replace").rstrip()[:200])
            del self._errors[:-_KEPT]

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """Send a line and wait for the answer.

        Raises:
            ProgramError: no answer in time, the program ended, or an answer that is no JSON object.
        """
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(line.encode() + b"\n")
            self._child.stdin.flush()
        except OSError:
            raise ProgramError(self._ended()) from None
        try:
            answer = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise ProgramError(f"no answer within {seconds:g} s") from None
        if answer is None:
            raise ProgramError(self._ended())
        return _object(answer)

    def _ended(self) -> str:
        try:
            status = self._child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "the program closed its output"
        self._readers[1].join(_GRACE)
        said = f": {self._errors[-1]}" if self._errors else ""
        return f"the program ended with status {status}{said}"

    def ends_with_its_input(self, seconds: float) -> bool:
        """Close its input; whether it then ends by itself."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.close()
            self._child.wait(seconds)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return True

    def kill(self) -> None:
        """End it, whatever it does."""
        for stream in (self._child.stdin,):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
        try:
            self._child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for reader in self._readers:
            reader.join(_GRACE)
        for output in (self._child.stdout, self._child.stderr):
            if output is not None:
                output.close()


def _object(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        shown = line[:80].decode("utf-8", "replace").strip()
        raise ProgramError(f"the answer is no JSON: {shown!r}") from None
    if not isinstance(answer, dict):
        raise ProgramError(f"the answer is no JSON object: {str(answer)[:80]}")
    return answer
