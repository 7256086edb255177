"""CITATION.cff says what pyproject.toml says."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    said = dict(re.findall(r"^([\w-]+): (.+)$", citation, re.MULTILINE))
    assert said["cff-version"] == "1.2.0"
    assert said["version"] == project["version"]
    assert said["license"] == project["license"]
    assert {"message", "title", "type"} <= said.keys()
    assert "\nauthors:\n  - name:" in citation
