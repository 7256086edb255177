"""The kernel's ratios to C and to plain arrays have not fallen below half of those recorded."""

import doctest
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import needs
from lostcities.core.rules import Rules
from lostcities.kernel import bridge, speed

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("path", [[], ["--portable"]], ids=["here", "portable"])
def test_ratios_are_guarded(path: list[str]) -> None:
    command = [sys.executable, "kernel.py", "--seconds", "0.5", "--guard", *path]
    done = subprocess.run(command, cwd=BENCHMARKS, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
    if not any(map(shutil.which, ("gcc", "cc", "clang"))):
        assert "NOT COMPARED WITH C" in done.stdout
        reason = f"{needs.PREFIX}C compiler (apt-get install gcc)"
        pytest.fail(reason) if needs.IN_CI else pytest.skip(reason)
    assert re.search(r"the same in C .* the kernel is \d", done.stdout)


def test_recorded_ratios_reach_their_bars() -> None:
    recorded = json.loads((BENCHMARKS / "kernel_ratios.json").read_text())
    for colours in (5, 6):
        assert recorded[f"bits {colours} of_c"] >= 0.8
        assert recorded[f"portable {colours} of_c"] >= 0.5
        assert recorded[f"bits {colours} of_arrays"] >= 5


def test_the_page_runs_as_it_stands() -> None:
    result = doctest.testfile(str(BENCHMARKS.parent / "docs" / "kernel.md"), module_relative=False)
    assert result.attempted > 25
    assert result.failed == 0


def test_speed_is_measured() -> None:
    found = speed.measure(bridge.pack(Rules(colours=6)), seconds=0.01)
    assert found.kernel.startswith("compiled")
    assert found.steps > found.rounds > 0
    assert np.isfinite([found.shown_steps, found.resamples]).all()
