"""`lostcities play` as a command: arguments, pipes and a terminal."""

import functools
import io
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lostcities.cli.terminal.screen import HEIGHT, WIDTH
from lostcities.core.match import Termination
from lostcities.core.record import Record, RoundRecord
from lostcities.core.record_text import parse_record
from lostcities.core.seats import BySeat
from running import Ran, assert_refused, command, environment, run_here


def kept(path: Path) -> Record:
    return parse_record(path.read_text(encoding="utf-8"))


class Typist(io.StringIO):
    """Standard input that reads the hand off the screen and discards its first card."""

    def __init__(self, out: io.TextIOWrapper) -> None:
        super().__init__()
        self._out = out

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        self._out.flush()
        told = self._out.buffer.getvalue().decode()  # type: ignore[attr-defined]
        if told.rstrip().endswith("to end the match here"):
            return "\n"
        card = re.findall(r"Your hand: (\w+)", told)[-1]
        return f"-{card}*\n"


def play_out(*arguments: str) -> Ran:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Typist(out))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = command_here("play", *arguments)
        out.flush()
    return Ran(status, out.buffer.getvalue().decode(), err.getvalue())


def command_here(*arguments: str) -> int:
    from lostcities.cli.main import main

    return main(arguments)


def test_a_match_against_an_agent_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "match.lcr"
    ran = play_out("--agent", "greedy", "--seed", "3", "--seat", "1", "--record", str(path),
                   "--name", "Ada", "--rules", "colours=3")  # fmt: skip
    assert (ran.status, ran.err) == (0, "")
    record = kept(path)
    assert (record.termination, len(record.rounds)) == (None, 3)
    assert record.seats == BySeat("greedy@1", "Ada")
    assert record.result is not None
    assert record.result[1] == 0  # discarding only
    assert ran.lines[-1] == f"The record is in {path}"
    assert ("greedy wins; you lose" in ran.out) == (record.result[0] > 0)
    assert run_here("replay", str(path)).status == 0


def test_a_seed_repeats_the_match_chance_of_the_agent_included(tmp_path: Path) -> None:
    records: list[tuple[RoundRecord, ...]] = []
    for seed in ("3", "3", "4"):
        path = tmp_path / f"{len(records)}.lcr"
        play_out("--agent", "random", "--seed", seed, "--rules", "colours=3", "--record", str(path))
        records.append(kept(path).rounds)
    assert records[0] == records[1] != records[2]


def test_input_that_ends_leaves_the_match(tmp_path: Path) -> None:
    path = tmp_path / "left.lcr"
    ran = run_here("play", "--agent", "random", "--record", str(path), stdin=b"?\n\xff\n")
    assert ran.status == 0
    assert "You left the match unfinished." in ran.out
    assert kept(path).termination == Termination("unfinished")


def test_wrong_arguments_of_play(tmp_path: Path) -> None:
    assert_refused(run_here("play", "--agent", "stedy"), "stedy", "steady")
    assert_refused(run_here("play", "--agent", "random", "--rules", "hand=99"), "--rules: hand")
    assert_refused(
        run_here("play", "--agent", "random", "--record", str(tmp_path / "no" / "r.lcr")),
        "No such file",
    )
    unused = tmp_path / "unused.lcr"
    assert_refused(run_here("play", "--name", "a\tb", "--record", str(unused)), "--name", "'\\t'")
    assert not unused.exists()
    assert run_here("play", "--seat", "2").status == 2
    assert run_here("play", "--time-ms", "0").status == 2


def test_a_program_that_gives_no_turn_breaks_the_match_off(tmp_path: Path) -> None:
    path = tmp_path / "broken.lcr"
    silent = f"cmd:{sys.executable} -c pass"
    ran = run_here("play", "--agent", silent, "--rules", "first=1", "--record", str(path))
    assert_refused(ran, "lostcities play: ", "ended with status 0")
    assert "The match ends here, unfinished." in ran.out
    assert kept(path).termination == Termination("unfinished")


def test_a_record_that_could_not_be_written_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "r.lcr"
    ran = run_here("play", "--agent", "random", "--record", str(path))
    assert_refused(ran, f"{path}: not written, No space left on device")


def test_without_rich_there_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal("quit\n"))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.delitem(sys.modules, "lostcities.cli.terminal.screen")
    assert command_here("play", "--agent", "random", "--rules", "first=0") == 0
    assert "when the package rich is installed" in out.getvalue()
    assert "Your hand" in out.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_on_a_terminal_the_board_is_drawn_and_an_interrupt_keeps_the_record(tmp_path: Path) -> None:
    import fcntl
    import pty
    import struct
    import subprocess
    import termios

    path = tmp_path / "terminal.lcr"
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    arguments = ["play", "--agent", "random", "--rules", "first=0", "--record", str(path)]
    with subprocess.Popen(
        command(*arguments), stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env=environment(TERM="xterm-256color", COLUMNS="", LINES=""),
    ) as child:  # fmt: skip
        os.close(theirs)
        told = until(ours, "? helps")
        hand = re.search(r"Hand +(\w+)", plain(told))
        assert hand is not None
        os.write(ours, f"-{hand[1]}\n".encode())
        assert "now draw" in plain(until(ours, "now draw"))
        interrupt = functools.partial(child.send_signal, signal.SIGINT)
        interrupt()
        rest = until(ours, "The record is in", interrupt)
        assert child.wait(timeout=30) == 130
    os.close(ours)
    assert "\x1b[?1049h" in told
    assert "\x1b[?1049l" in rest
    assert "Traceback" not in rest
    assert kept(path).termination == Termination("unfinished")


def until(descriptor: int, awaited: str, nudge: Callable[[], None] = lambda: None) -> str:
    """What comes from a terminal until some text has come; fails after a while.

    A signal that comes in the instant before a read is only seen once the read ends, so whoever
    sends one does so again, as a person would, where nothing comes: `nudge`.
    """
    told, end = "", time.monotonic() + 30
    while awaited not in plain(told):
        assert time.monotonic() < end, told
        if not select.select([descriptor], [], [], 2)[0]:
            nudge()
            continue
        try:
            told += os.read(descriptor, 65536).decode(errors="replace")
        except OSError:  # the other side has closed
            assert awaited in plain(told), told
    return told


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_the_example_of_the_help_is_a_turn_that_can_be_played() -> None:
    example = run_here("play", "--help").out.rpartition("printf '%s\\n' '")[2]
    typed, _, words = example.partition("' | lostcities ")
    ran = run_here(*words.split(), stdin=typed + "\n")
    assert ran.status == 0
    assert "do not hold" not in ran.out
