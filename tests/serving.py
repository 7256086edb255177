"""The room as its own process, that can be killed in the middle and started again."""

import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from running import command, environment

PATIENCE = 30.0


class Serving:
    """`lostcities serve` on a port of its own, keeping its matches in a folder of the test's.

    `options` are more words of the command, for the next start.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.options: tuple[str, ...] = ()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = (self.folder / "serve.log").open("ab")
        with log:
            self.process = subprocess.Popen(
                command(
                    "serve", "--host", "127.0.0.1", "--port", str(self.port),
                    "--data-dir", str(self.folder), *self.options,
                ),
                stdout=log,
                stderr=log,
                env=environment(),
            )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.url}/api/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        said = (self.folder / "serve.log").read_text(encoding="utf-8")
        pytest.fail(f"the room did not open within {PATIENCE:.0f} s:\n{said}")

    def kill(self) -> None:
        """As a power cut does it: no goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    close = stop

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=PATIENCE)
            self.process = None
