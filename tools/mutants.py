"""Prove the tests of the rules: change the core in small wrong ways, one at a time.

    python tools/mutants.py [WORD …] [--jobs N]

Each mutant of tests/data/mutants.toml is made in a copy of the package, and the fast tests of the
core run against that copy until one fails. A mutant that no test notices survives, and so fails the
run, unless the file says why it is the same program. With words, only mutants whose fault or file
holds one of them are made.
"""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Loaded once here: each mutant's process is a fork of this one.
import hypothesis.stateful  # noqa: F401
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "lostcities"
TABLE = ROOT / "tests" / "data" / "mutants.toml"
COPIED = ("__init__.py", "encoding.py", "testing.py", "core", "conformance")
TESTS = (
    "scoring", "scenarios", "round", "match", "takebacks", "position", "cards", "encoding", "rules", "seats",
    "shuffle", "perft", "views", "record", "hidden", "machine", "playthroughs",
)  # fmt: skip
NEAR = {
    "core/round.py": ("scenarios", "round", "position", "perft"),
    "core/views.py": ("views",),
    "core/view_json.py": ("views",),
    "core/match.py": ("match", "takebacks"),
    "core/record.py": ("record", "takebacks"),
    "core/record_text.py": ("record",),
    "core/turn.py": ("cards",),
}
"""The tests that run first, where they are not named like the file."""

LONGEST = 180
"""Seconds after which a mutant that never ends counts as noticed."""


@dataclass(frozen=True)
class Mutant:
    """One wrong change.

    Attributes:
        fault: what the changed program believes.
        file: the file changed, under the package.
        edits: what stands there exactly once, and what replaces it.
        same: why no test can notice it; None for a mutant that must be killed.
    """

    fault: str
    file: str
    edits: tuple[tuple[str, str], ...]
    same: str | None = None

    def apply(self, source: str) -> str:
        """The changed source.

        Raises:
            ValueError: an edit does not fit the source exactly once; the table must be mended.
        """
        for old, new in self.edits:
            if source.count(old) != 1:
                raise ValueError(f"{self.fault}: {old!r} stands {source.count(old)} times")
            source = source.replace(old, new)
        return source


UNCHANGED = Mutant("nothing is wrong", "core/cards.py", ())


def read_table() -> list[Mutant]:
    """The mutants of the table, in its order."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return [
        Mutant(
            row["fault"],
            row["file"],
            tuple((old, new) for old, new in row["edits"]),
            row.get("same"),
        )
        for row in table["mutant"]
    ]


def make(mutant: Mutant, folder: Path) -> None:
    """Copy the core into a folder and change it."""
    package = folder / "lostcities"
    package.mkdir(parents=True)
    for name in COPIED:
        source = PACKAGE / name
        if source.is_dir():
            shutil.copytree(source, package / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, package)
    target = package / mutant.file
    target.write_text(mutant.apply(target.read_text(encoding="utf-8")), encoding="utf-8")


def run_tests(mutant: Mutant, folder: Path) -> int:
    """In a forked child: run the tests against the copy; the exit code of pytest."""
    signal.alarm(LONGEST)
    log = os.open(folder / "log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "ci"
    sys.path[:0] = [str(folder), str(ROOT)]
    sys.dont_write_bytecode = True
    near = NEAR.get(mutant.file, (Path(mutant.file).stem,))
    return run_files(near) or run_files([name for name in TESTS if name not in near])


def run_files(names: Iterable[str]) -> int:
    """Run the fast tests of some files until one fails; the exit code of pytest."""
    files = [f"tests/test_{name}.py" for name in names]
    options = ["-x", "-q", "-rfE", "--no-header", "--tb=line", "--timeout=60", "--assert=plain"]
    return int(pytest.main([*options, "-p", "no:cacheprovider", "-m", "not slow", *files]))


@dataclass
class Running:
    """A mutant whose tests are running."""

    number: int
    mutant: Mutant
    folder: Path
    began: float


def start(number: int, mutant: Mutant, into: Path) -> tuple[int, Running]:
    """Fork a child that runs the tests; its process id."""
    folder = into / str(number)
    make(mutant, folder)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = run_tests(mutant, folder)
        except Exception:  # noqa: BLE001
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return child, Running(number, mutant, folder, time.monotonic())


def outcomes(mutants: list[Mutant], jobs: int) -> Iterator[tuple[Running, str | None]]:
    """Each mutant with the first test that failed, or None if none did."""
    waiting = list(enumerate(mutants, 1))[::-1]
    running: dict[int, Running] = {}
    with tempfile.TemporaryDirectory(prefix="lostcities-mutants-") as into:
        while waiting or running:
            while waiting and len(running) < jobs:
                child, started = start(*waiting.pop(), Path(into))
                running[child] = started
            child, status = os.wait()
            ended = running.pop(child)
            yield ended, killer(ended.folder, status)
            shutil.rmtree(ended.folder)


def killer(folder: Path, status: int) -> str | None:
    """The first test that failed, read from the log of a run."""
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return None
    log = (folder / "log").read_text(encoding="utf-8", errors="replace")
    found = re.search(r"^(?:FAILED|ERROR) tests/(.+?)(?: - |$)", log, re.MULTILINE)
    if found is None and not os.WIFSIGNALED(status):
        raise RuntimeError(f"the tests did not run:\n{log[-2000:]}")
    return found[1] if found else "did not end"


def judge(results: Iterable[tuple[Running, str | None]], count: int) -> bool:
    """Print each outcome as it comes, then the sum; whether every mutant went as it should."""
    by: Counter[str] = Counter()
    wrong: list[str] = []
    for done, (each, test) in enumerate(results, 1):
        mutant, seconds = each.mutant, time.monotonic() - each.began
        word = "survived" if test is None else "killed"
        by["the same" if test is None and mutant.same else word] += 1
        print(f"{done}/{count} {word} {seconds:4.1f} s  {mutant.file}: {mutant.fault}", flush=True)
        print(f"      {test or mutant.same or 'NO TEST NOTICED'}", flush=True)
        if (test is None) != (mutant.same is not None):
            wrong.append(f"{mutant.file}: {mutant.fault}")
    print(f"\n{count} mutants: {by['killed']} killed, {by['the same']} the same program, "
          f"{by['survived']} survived")  # fmt: skip
    for each_wrong in wrong:
        print(f"  not as it should be: {each_wrong}")
    return not wrong


def main() -> int:
    """Run the mutants that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only mutants that hold a word")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time (default: 1)")
    arguments = parser.parse_args()
    words = [word.lower() for word in arguments.words]
    chosen = [
        mutant
        for mutant in read_table()
        if not words or any(word in f"{mutant.file} {mutant.fault}".lower() for word in words)
    ]
    for _, test in outcomes([UNCHANGED], 1):
        if test is not None:
            print(f"the tests fail on the unchanged program: {test}")
            return 1
    return 0 if judge(outcomes(chosen, max(1, arguments.jobs)), len(chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
