"""The table of mutants fits the source, so that `make mutants` proves what it says."""

import subprocess
import sys

import pytest
from tools.mutants import PACKAGE, ROOT, Mutant, read_table

MUTANTS = read_table()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.fault))
def test_a_mutant_changes_the_program_as_it_stands(mutant: Mutant) -> None:
    source = (PACKAGE / mutant.file).read_text(encoding="utf-8")
    changed = mutant.apply(source)
    assert changed != source
    compile(changed, mutant.file, "exec")


def test_every_fault_has_its_own_name() -> None:
    assert len({mutant.fault for mutant in MUTANTS}) == len(MUTANTS) > 250


def test_an_edit_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        Mutant("none", "core/cards.py", (("no such text", ""),)).apply("x = 1")


def test_the_tests_of_the_core_run_where_there_is_no_room() -> None:
    """They once needed the whole package by way of what all tests share, and no mutant was tried."""
    ran = subprocess.run(
        [sys.executable, "tools/mutants.py", "no bonus for eight cards"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 mutants: 1 killed" in ran.stdout
