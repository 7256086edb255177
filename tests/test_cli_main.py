"""The command as a whole: its list of commands, exit statuses, broken pipes and interrupts."""

import importlib.util
import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.cli import main as main_module
from lostcities.cli.main import COMMANDS, main
from running import assert_refused, command, environment, run_apart, run_here

ALL = [name for group in COMMANDS.values() for name in group]
THERE = [name for name in ALL if run_here("help", name).status == 0]


def test_the_overview_lists_the_commands_that_are_there() -> None:
    overview = run_here("--help")
    assert overview.status == 0
    assert overview.out == run_here("help").out == run_here("-h").out
    listed = [line.split()[0] for line in overview.lines if line.startswith("  ")]
    assert sorted(listed) == sorted(THERE)
    assert {"score", "legal", "perft", "version"} <= set(listed)
    assert max(map(len, overview.lines)) <= 80


@pytest.mark.parametrize("name", THERE)
def test_each_command_keeps_the_convention(name: str) -> None:
    module = importlib.import_module(f"lostcities.cli.{name}")
    assert name == module.NAME
    assert len(module.HELP.splitlines()) == 1


@pytest.mark.parametrize("name", THERE)
def test_each_command_has_help_with_an_example(name: str) -> None:
    helped = run_here(name, "--help")
    assert helped.status == 0
    assert f"usage: lostcities {name}" in helped.out
    assert "example" in helped.out
    assert f"lostcities {name}" in helped.out.partition("example")[2]


def test_an_unknown_command_is_wrong_usage_and_names_its_neighbour() -> None:
    ran = run_here("scoer", "YX")
    assert ran.status == 2
    assert "scoer" in ran.err
    assert "did you mean score" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    "arguments", [("--wrong",), ("score",), ("perft", "x", "y"), ("help", "x")]
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...]) -> None:
    ran = run_here(*arguments)
    assert ran.status == 2
    assert ran.err
    assert ran.out == ""


def test_a_command_whose_module_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert main(["score", "Y2"]) == 2


def test_a_package_that_is_missing_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(name: str, rest: list[str]) -> int:
        return int(importlib.import_module(f"{name}_{len(rest)}_absent").run())

    monkeypatch.setattr(main_module, "_run", run)
    assert_refused(run_here("score", "Y2"), "lostcities score: ", "score_1_absent", "not installed")


def test_a_part_of_lostcities_that_is_broken_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(name: str, rest: list[str]) -> int:
        return len([importlib.import_module(f"lostcities.{name}"), rest])

    monkeypatch.setattr(main_module, "_run", run)
    with pytest.raises(ModuleNotFoundError, match=r"lostcities\.score"):
        main(["score"])


def test_the_bare_command_opens_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, list[str]]] = []

    def note(name: str, rest: list[str]) -> int:
        asked.append((name, rest))
        return 0

    monkeypatch.setattr(main_module, "_exists", lambda _: True)
    monkeypatch.setattr(main_module, "_run", note)
    assert main([]) == 0
    assert asked == [("serve", ["--open"])]


def test_version_says_what_is_installed() -> None:
    assert run_here("version").lines[0].startswith("lostcities ")
    assert run_here("--version").out == run_here("version").out
    assert '"python": "3.' in run_here("version", "--json").out


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    sheets = b"Y2\n" * 20000
    with subprocess.Popen(
        command("score", "-", "--json"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as child:  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(b"Y2\n")
        child.stdin.flush()
        assert child.stdout.readline().startswith(b'{"colours"')
        child.stdout.close()
        try:
            child.stdin.write(sheets)
            child.stdin.close()
        except BrokenPipeError:
            pass
        assert child.stderr.read() == b""
        assert child.wait(timeout=30) == 141
        child.stdin = None


def test_an_interrupt_is_no_traceback() -> None:
    with subprocess.Popen(
        command("score", "-", "--json"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as child:  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"Y2\n")
        child.stdin.flush()
        assert child.stdout.readline()
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
        assert child.returncode == 130
        assert err == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_under_the_output_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("score", "Y2"),
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
        )
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_output_in_a_narrow_encoding_replaces_what_it_lacks() -> None:
    done = subprocess.run(
        command("score", "YX Y3"), check=False, capture_output=True,
        env=environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0"),
    )  # fmt: skip
    assert done.returncode == 0
    assert b"(3 - 20) ? 2 =" in done.stdout


def test_a_closed_standard_input_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    err = io.StringIO()
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["score", "-"]) == 1
    assert err.getvalue() == "lostcities score: standard input: closed\n"


def test_the_module_runs_as_the_command() -> None:
    assert run_apart("score", "Y2", "--json").out.endswith('"total": -18}\n')
    assert_refused(run_apart("score", "Y1"), "lostcities score: card 1: 'Y1'")


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("score", "Y2"), ("legal", "0 | G2 | ?1 | - | - | - | ?2"),
     ("perft", "0 | G2 | B2 | - | - | - | W2", "1"), ("replay", "-"), ("record", "-")],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_a_plain_command_loads_only_what_it_needs(arguments: tuple[str, ...]) -> None:
    """No third-party package, nothing of the room and no deck that is not asked for."""
    code = (
        "import sys; before = set(sys.modules); from lostcities.cli.main import main\n"
        f"main({list(arguments)!r}); print(*set(sys.modules) - before, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment(),
    )  # fmt: skip
    loaded = done.stderr.splitlines()[-1].split()
    parts = {".".join(name.split(".")[:2]) for name in loaded if name.startswith("lostcities.")}
    assert parts <= {"lostcities.cli", "lostcities.core", "lostcities.encoding"}
    others = {name.partition(".")[0] for name in loaded} - {"lostcities"}
    assert {name for name in others if not name.startswith("_")} <= sys.stdlib_module_names
    assert "asyncio" not in others


WORDS = st.one_of(
    st.sampled_from(
        ["-", "--json", "--rules", "--divide", "--at", "--seat", "--text", "0", "1.0", "2", "",
         "colours=6", "long", "stall=0", "wagers=0 hand=1 top=2 colours=2", "Y2 Y3", "yx",
         "0 | G2 R5 | ?2 | - | - | R3 | ?2", "1 | - | G2 R5 | - | - | - | W2", "/nowhere", "."]
    ),
    st.text(max_size=30),
)  # fmt: skip


@given(
    st.sampled_from(["score", "legal", "perft", "replay", "record", "version"]),
    st.lists(WORDS, max_size=5),
    st.binary(max_size=60),
)
def test_no_arguments_end_in_a_traceback(name: str, words: list[str], stdin: bytes) -> None:
    ran = run_here(name, *words, stdin=stdin)
    assert ran.status in (0, 1, 2)
    assert bool(ran.err) == (ran.status != 0)
