"""The fixtures that stand on something a machine may lack: that they work, and what happens without."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

TESTS = Path(__file__).parent
ABSENT = 'import needs\nmissing = needs.needs_import("no_such_module")\n\ndef test_it(): ...\n'


def run_with_an_absent_package(folder: Path, ci: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_absent.py").write_text(ABSENT)
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text(), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null"]
    return subprocess.run(
        [*command, "--rootdir", str(folder), str(folder)],
        env={"CI": ci, "PYTHONPATH": str(TESTS), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_missing_is_said_loudly(tmp_path: Path) -> None:
    run = run_with_an_absent_package(tmp_path, ci="")
    assert "NOT TESTED ON THIS MACHINE" in run.stdout
    assert "1 skipped: needs no_such_module" in run.stdout


def test_nothing_is_skipped_in_ci(tmp_path: Path) -> None:
    run = run_with_an_absent_package(tmp_path, ci="true")
    assert run.returncode not in (0, 5)
    assert "CI never skips" in run.stdout


def test_the_browser_renders(page: "Page") -> None:
    page.set_content("<title>Lost</title><p>cities</p>")
    assert (page.title(), page.inner_text("p")) == ("Lost", "cities")


def test_postgres_answers_and_each_test_has_its_own(postgres_url: str) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute("create table only_here (n int)")
        row = connection.execute("select current_database()").fetchone()
    assert row is not None
    assert row[0].startswith("test_")


@pytest.mark.parametrize("turn", [1, 2])
def test_redis_answers_and_starts_empty(redis_url: str, turn: int) -> None:
    import redis

    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("turn", turn)
        assert client.get("turn") == str(turn).encode()
