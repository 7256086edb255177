"""An outside program in a seat, by the engine protocol over its standard input and output.

Each program runs in a process group of its own, without a shell, with a memory limit. Whatever it does
instead of answering (it crashes, is silent, floods its output, writes garbage) is an
:class:`~lostcities.agents.agent.AgentFailureError` with the reason; it is then killed with all that it
started, and started anew for its next turn. What it writes to its standard error is kept short, and
its last line is told with a failure.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from random import Random
from typing import IO

from lostcities.agents.agent import AgentFailureError, Choice, check_to_move
from lostcities.agents.duel import FIRST_MS, GRACE_MS
from lostcities.agents.engine_protocol import read_answer, write_request
from lostcities.core.errors import NotationError
from lostcities.core.views import View

MEMORY_MB = 2048
"""The most memory that a program may take, in MiB, unless said otherwise."""
LONGEST_ANSWER = 1 << 20
"""Bytes of an answer; a program that writes more without a line end is flooding."""
KEPT_ERRORS = 2000
"""Bytes kept of what a program writes to its standard error."""
_POLITE_S = 0.5
_PAUSE_S = 0.01

# Set the limit, then become the program: no code of ours runs between fork and exec. Data, stack and
# heap are limited, not addresses: some runtimes reserve far more addresses than they use.
_LIMITED = (
    "import os,resource,sys;"
    "n=int(sys.argv[1])<<20;"
    "k=resource.RLIMIT_DATA if sys.platform=='linux' else resource.RLIMIT_AS;"
    "h=resource.getrlimit(k)[1];"
    "n=n if h==resource.RLIM_INFINITY else min(n,h);"
    "resource.setrlimit(k,(n,n));"
    "os.execv(sys.argv[2],sys.argv[3:])"
)


class ProgramError(NotationError):
    """A program that cannot be started: no such file, or a command line that cannot be split."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments.

    Attributes:
        path: the program's file.
        words: its arguments, beginning with its name.
    """

    path: str
    words: tuple[str, ...]


def read_command(text: str) -> Command:
    """Split a command line as a shell does, and find its program.

    Raises:
        ProgramError: an open quote, nothing at all, or no such program.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise ProgramError(f"cmd:{text}", f"cannot be split into words: {error}") from None
    if not words:
        raise ProgramError(f"cmd:{text}", "names no program")
    path = shutil.which(words[0])
    if path is None:
        raise ProgramError(f"cmd:{text}", f"no program {words[0]!r} that can be run")
    return Command(str(path), words)


class ProgramAgent:
    """An agent that asks an outside program.

    Args:
        command: the program and its arguments, split as a shell splits words, run without one.
        memory_mb: the most memory it may take, in MiB (of its own; what it starts has as much again).

    Raises:
        ProgramError: there is no such program.
    """

    outside = True
    """Its time is the clock's, see :class:`lostcities.agents.duel.Player`."""

    def __init__(self, command: str, memory_mb: int = MEMORY_MB) -> None:
        if not hasattr(os, "killpg"):
            raise ProgramError(f"cmd:{command}", "outside programs need Linux or macOS")
        self.name = f"cmd:{command}"
        self._command = read_command(command)
        self._memory_mb = memory_mb
        self._running: _Running | None = None

    @property
    def fresh(self) -> bool:
        """Whether the next answer is the first one after a start, for which it has more time."""
        return self._running is None

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`; the program's randomness is its own."""
        check_to_move(view)
        budget = None if time_ms is None else (max(FIRST_MS, time_ms) if self.fresh else time_ms)
        try:
            if self._running is None:
                self._running = _Running(self._command, self._memory_mb)
            line = self._running.ask(write_request(view, time_ms), budget)
            return read_answer(line)
        except NotationError as error:
            self.close()
            raise AgentFailureError("illegal", f"garbage: {_short(str(error))}") from None
        except AgentFailureError:
            self.close()
            raise

    def close(self) -> None:
        """End the program and all that it started; the next turn starts it anew."""
        running, self._running = self._running, None
        if running is not None:
            running.end()


class _Running:
    """A started program."""

    def __init__(self, command: Command, memory_mb: int) -> None:
        launcher = (sys.executable, "-I", "-S", "-c", _LIMITED, str(memory_mb))
        self._process = subprocess.Popen(  # noqa: S603 - the user names the program
            (*launcher, command.path, *command.words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._output, self._errors = bytearray(), bytearray()
        self._closed = False
        self._pipes = selectors.DefaultSelector()
        for pipe, buffer in ((self._out, self._output), (self._err, self._errors)):
            os.set_blocking(pipe.fileno(), False)
            self._pipes.register(pipe, selectors.EVENT_READ, buffer)
        os.set_blocking(self._in.fileno(), False)

    @property
    def _in(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def _err(self) -> IO[bytes]:
        assert self._process.stderr is not None
        return self._process.stderr

    def ask(self, request: str, budget_ms: int | None) -> str:
        """The line that the program answers to a line.

        Raises:
            AgentFailureError: no answer in time, none at all, or not an answer's bytes.
        """
        deadline = None if budget_ms is None else time.monotonic() + (budget_ms + GRACE_MS) / 1000
        self._refuse_unasked()
        self._send((request + "\n").encode(), deadline, budget_ms)
        while b"\n" not in self._output:
            if self._closed:
                raise AgentFailureError("illegal", self._end_text())
            if not self._read(deadline):
                raise AgentFailureError("late", f"no answer within {budget_ms} ms{self._said()}")
        line, _, rest = bytes(self._output).partition(b"\n")
        self._output[:] = rest
        try:
            return line.decode()
        except UnicodeDecodeError:
            raise AgentFailureError("illegal", "garbage: the answer is not UTF-8") from None

    def _refuse_unasked(self) -> None:
        while self._read(time.monotonic()):
            pass
        if self._output:
            start = _short(self._output.decode(errors="replace"))
            raise AgentFailureError("illegal", f"wrote without being asked: {start!r}")

    def _send(self, data: bytes, deadline: float | None, budget_ms: int | None) -> None:
        while data:
            try:
                data = data[os.write(self._in.fileno(), data) :]
            except BlockingIOError:
                self._read(time.monotonic() + _PAUSE_S)
                if deadline is not None and time.monotonic() >= deadline:
                    text = f"did not read its input within {budget_ms} ms"
                    raise AgentFailureError("late", text) from None
            except OSError:
                raise AgentFailureError("illegal", self._end_text()) from None

    def _read(self, deadline: float | None) -> bool:
        """Read once what comes; whether anything did before the deadline."""
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready = self._pipes.select(wait)
        for key, _ in ready:
            data = os.read(key.fd, 65536)
            if data:
                key.data.extend(data)
                continue
            self._pipes.unregister(key.fileobj)
            self._closed |= key.data is self._output
        del self._errors[:-KEPT_ERRORS]
        if len(self._output) > LONGEST_ANSWER:
            text = f"flooded its output: {LONGEST_ANSWER >> 20} MiB and no answer"
            raise AgentFailureError("illegal", text)
        return bool(ready)

    def _end_text(self) -> str:
        """How the program ended, with the last line that it wrote to its standard error."""
        code = self._exit_code()
        self._drain_errors()
        if code is None:
            how = "closed its output without an answer"
        elif code < 0:
            how = f"was ended by {_signal_name(-code)} before it answered"
        else:
            how = f"ended with status {code} before it answered"
        return how + self._said()

    def _exit_code(self) -> int | None:
        """Its exit status (negative: a signal), or None if it runs on; it stays to be reaped.

        While it is not reaped no other process group can have its number, so that :meth:`end` cannot
        hit a stranger.
        """
        deadline = time.monotonic() + _POLITE_S
        while (code := _look(self._process)) is None and time.monotonic() < deadline:
            time.sleep(_PAUSE_S)
        return code

    def _drain_errors(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._err.fileno(), 65536):
                self._errors.extend(data)
                del self._errors[:-KEPT_ERRORS]

    def _said(self) -> str:
        lines = self._errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (it said: {_short(last)})" if last else ""

    def end(self) -> None:
        """Close its input, give it half a second, then kill its process group."""
        self._pipes.close()
        with contextlib.suppress(OSError):
            self._in.close()
        self._exit_code()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._out.close()
        self._err.close()


def _look(process: subprocess.Popen[bytes]) -> int | None:
    if not hasattr(os, "waitid"):  # macOS before Python 3.13 cannot look without reaping
        return process.poll()
    found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _short(text: str, most: int = 200) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
