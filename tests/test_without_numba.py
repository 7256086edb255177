"""The room on a machine that has no Numba: it opens, and its people play against `steady`."""

# ruff: noqa: ASYNC220, ASYNC221 - a test may block

import os
import re
import subprocess
import sys
from pathlib import Path

from rooms import Person

BLOCK = """
import importlib.machinery

honest = importlib.machinery.PathFinder.find_spec

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in ("numba", "llvmlite") else honest(name, path, target)

importlib.machinery.PathFinder.find_spec = staticmethod(find_spec)
"""


async def test_people_play_against_steady_where_numba_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BLOCK, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    probe = [sys.executable, "-c", "import numba"]
    missing = subprocess.run(probe, env=environment, capture_output=True, text=True, check=False)
    assert "No module named 'numba'" in missing.stderr, "else this tests nothing"
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "lostcities", "serve", "--host", "127.0.0.1", "--port", "0"),
            *("--data-dir", str(tmp_path / "data")),
        ],
        stdout=subprocess.PIPE, text=True, env=environment,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            async with Person(found[0]) as ada:
                offered = {
                    a["name"].partition("@")[0] for a in (await ada.get("/api/room"))["agents"]
                }
                assert "steady" in offered
                assert not offered & {"tree", "flat", "policy"}
                made = await ada.create(against="steady", seat=0, rules="room first=1")
                async with ada.sit(made["match"]) as mine:
                    await mine.until("ready")
                    while mine.view is None or mine.view["to_move"] != 0:
                        await mine.until("update")
                    assert (await mine.play(mine.view["legal"][0]))["type"] == "ack"
        finally:
            process.terminate()
