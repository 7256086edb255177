"""Every block in docs/cli.md is what the command prints."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from data_files import DATA
from running import Ran, run_here

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
PIECES = [piece for block in BLOCKS for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def run_line(line: str) -> Ran:
    words = shlex.split(line)
    stdin = ""
    if words[0] == "printf":
        bar = words.index("|")
        stdin, words = words[1].replace("\\n", "\n"), words[bar + 1 :]
    assert words[0] == "lostcities"
    return run_here(*words[1:], stdin=stdin)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.partition("\n")[0])
def test_a_block_shows_what_is_printed(
    piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(next(DATA.rglob("m001.lcr")), tmp_path / "match.lcr")
    monkeypatch.chdir(tmp_path)
    line, _, shown = piece.partition("\n")
    ran = run_line(line)
    status = f"[{ran.status}]\n" if ran.status else ""
    assert ran.out + ran.err + status == shown


def test_the_page_shows_something() -> None:
    assert len(PIECES) >= 12
