"""Running the `lostcities` command in tests: in this process, or as a person's shell would."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from lostcities.cli.main import main

SOURCE = Path(__file__).parents[1] / "src"


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def run_here(*arguments: str, stdin: bytes | str = b"") -> Ran:
    """Run a command in this process."""
    content = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = main(arguments)
        out.flush()
        err.flush()
    written = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return Ran(status, *written)


def command(*arguments: str) -> list[str]:
    """The words that start the command in a Python of its own."""
    return [sys.executable, "-m", "lostcities", *arguments]


def environment(**more: str) -> dict[str, str]:
    """The surroundings of a child, which finds this checkout's sources."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), **more}


def run_apart(*arguments: str, stdin: bytes | str = b"") -> Ran:
    """Run a command in a process of its own."""
    content = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        command(*arguments),
        input=content,
        capture_output=True,
        check=False,
        env=environment(),
        timeout=60,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def assert_refused(ran: Ran, *said: str) -> None:
    """Wrong input: status 1, one line on standard error that says all of this, no traceback."""
    assert ran.status == 1, ran
    assert len(ran.err.splitlines()) == 1, ran.err
    for text in said:
        assert text in ran.err
