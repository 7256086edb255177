"""Whole matches, compared with what they were: positions, views, legal turns, in every byte."""

import pytest
from tools.playthroughs import CASES, FOLDER, playthrough


@pytest.mark.parametrize("name", CASES)
def test_a_match_goes_as_it_went(name: str) -> None:
    """If the change is meant, `python -m tools.playthroughs` writes the files anew."""
    lines = playthrough(name).splitlines()
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (line, was) in enumerate(zip(lines, golden, strict=False), 1):
        assert line == was, f"{name}.txt, line {number}"
    assert len(lines) == len(golden)


def test_the_files_show_what_they_should() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert set(texts) == set(CASES)
    assert '"run":3' in texts["stalling"]
    assert "termination: declined" in texts["stalling"]
    assert "round 3" in texts["three-rounds"]
    assert "DrawOffered" in texts["fickle"]
    assert '"P' in texts["long"]
