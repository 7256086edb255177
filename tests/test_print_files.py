"""The files that `lostcities print` writes, and the command."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from lostcities.table.printing.board import board_pdf
from lostcities.table.printing.make import Order, print_all
from lostcities.table.printing.pen import PAPERS
from lostcities.table.printing.score_sheet import sheet_pdf
from printed import ENGLISH, EVERY, FIVE, SIX, size_mm
from running import assert_refused, run_here


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "code"), EVERY)
def test_every_file_has_its_paper_and_brings_its_fonts(
    paper: str, code: str, tmp_path: Path
) -> None:
    order = Order(("board", "rules", "sheet"), tmp_path, paper, code)
    made = list(print_all(order))
    names = ["board.pdf", f"rules-{code}.pdf", "sheet-5.pdf", "sheet-6.pdf"]
    assert [each.path.name for each in made] == names
    for each in made:
        reader = PdfReader(each.path)
        assert len(reader.pages) == each.pages
        right = PAPERS[paper]
        assert size_mm(reader) == (right[::-1] if each.path.name == "board.pdf" else right)
        fonts = list(fonts_of(reader))
        assert fonts
        for font in fonts:
            assert "/FontFile2" in font["/FontDescriptor"], font["/BaseFont"]
        assert reader.metadata is not None
        assert reader.metadata.title


def fonts_of(reader: PdfReader) -> Iterator[Any]:
    for page in reader.pages:
        resources = page["/Resources"].get_object()
        for font in resources.get("/Font", {}).get_object().values():  # type: ignore[union-attr]
            yield font.get_object()


@pytest.mark.slow
def test_the_same_order_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = (
        [made.path.read_bytes() for made in print_all(Order(("sheet",), tmp_path / name))]
        for name in ("a", "b")
    )
    assert one == two


@pytest.mark.slow
def test_the_board_has_a_place_for_every_pile(tmp_path: Path) -> None:
    path = tmp_path / "board.pdf"
    assert board_pdf(path, "a4", ENGLISH, FIVE) == 2
    words = Counter(" ".join(page.extract_text() for page in PdfReader(path).pages).split())
    for land in [*list(ENGLISH.lands.values())[:5], "deck"]:
        assert words[land] == 2, land
    board_pdf(path, "a4", ENGLISH, SIX)
    text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    assert text.count("ruins") == 2
    assert "deck" not in text


@pytest.mark.slow
def test_a_score_sheet_has_a_box_for_every_card(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    for rules in (FIVE, SIX):
        sheet_pdf(path, "letter", ENGLISH, rules)
        signs = Counter(PdfReader(path).pages[0].extract_text().split())
        assert signs["×"] == 3 * 2 * (3 * rules.colours + 1)
        assert signs["7"] == 3 * 2 * rules.colours


def test_the_command_writes_what_is_asked(tmp_path: Path) -> None:
    ran = run_here("print", "rules", "sheet", "--out", str(tmp_path / "new"), "--json")
    files = json.loads(ran.out)["files"]
    assert {Path(each["file"]).name: each["pages"] for each in files} == {
        "rules-de.pdf": 2, "rules-en.pdf": 2, "sheet-5.pdf": 1, "sheet-6.pdf": 1,
    }  # fmt: skip
    for each in files:
        assert Path(each["file"]).read_bytes().startswith(b"%PDF")


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(run_here("print", "stamps"), "not one of deck, board, rules, sheet")
    assert_refused(run_here("print", "sheet", "--out", __file__), "File exists")
    assert run_here("print", "--paper", "a0").status == 2
    monkeypatch.setattr("lostcities.cli.print.find_spec", lambda _: None)
    refused = run_here("print", "sheet", "--out", str(tmp_path))
    assert_refused(refused, "pip install 'lostcities[print]'")
