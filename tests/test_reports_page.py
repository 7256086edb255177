"""docs/reports.md names tests; each of them must be there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def test_every_test_that_the_table_of_reports_names_is_there() -> None:
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    named = NAMED.findall(text)
    assert len(named) > 50
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not re.search(
            rf"def {test}\(", (ROOT / "tests" / file).read_text(encoding="utf-8")
        )
    ]  # fmt: skip
    assert missing == []


def test_every_line_of_the_table_names_one() -> None:
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    bare = [line for line in lines if "reported |" not in line and not NAMED.search(line)]
    assert bare == []
