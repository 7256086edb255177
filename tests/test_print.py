"""What `lostcities print` draws: every card once, on the sheet, in fonts that travel along."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from lostcities.core.cards import WAGER, Card, Colour, parse_cards
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_expedition
from lostcities.table.deck import Deck
from lostcities.table.deck_file import find_deck, parse_deck
from lostcities.table.printing import deck_pages, leaflet
from lostcities.table.printing.board import board_pdf
from lostcities.table.printing.cards import CARD, face, on_wash, wash
from lostcities.table.printing.deck_pages import BLEED, MARGIN, deck_pdf
from lostcities.table.printing.leaflet import leaflet_pdf
from lostcities.table.printing.make import Order, print_all
from lostcities.table.printing.outline import outline
from lostcities.table.printing.paint import colours_of, fill, ink, lying
from lostcities.table.printing.pen import MM, PAPERS, SANS, SERIF, Pen, register_fonts
from lostcities.table.printing.score_sheet import sheet_pdf
from lostcities.table.printing.symbols import HANDS, SYMBOLS
from lostcities.table.printing.words import languages
from palette import contrast
from running import assert_refused, run_here

WEB = Path(__file__).parents[1] / "web" / "src"
FIVE, SIX = Rules(), Rules(colours=6)
ENGLISH = languages()["en"]
EVERY = [(paper, code) for paper in PAPERS for code in languages()]


def size_mm(reader: PdfReader, page: int = 0) -> tuple[float, float]:
    box = reader.pages[page].mediabox
    return round(float(box.width) / MM, 1), round(float(box.height) / MM, 1)


# ---- the deck -----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("rules", [FIVE, SIX], ids=["five", "six"])
@pytest.mark.parametrize("backs", ["duplex", "once", "none"])
def test_the_first_page_says_how_to_print_what_was_asked_for(
    backs: str, rules: Rules, code: str, tmp_path: Path
) -> None:
    words, path = languages()[code], tmp_path / "deck.pdf"
    deck_pdf(path, "a4", words, rules, backs=backs)
    text = " ".join(PdfReader(path).pages[0].extract_text().split())
    said = {way for way, sentence in words.backs.items() if sentence in text}
    assert said == {backs}
    assert {many for many, said in words.how_many.items() if said in text} == {rules.colours}
    assert "{" not in text


@pytest.mark.parametrize("rules", [FIVE, SIX], ids=["five", "six"])
def test_every_card_of_the_deck_is_drawn_once(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Card] = []
    monkeypatch.setattr(deck_pages, "face", lambda _, card: drawn.append(card))
    monkeypatch.setattr(deck_pages, "how_to", lambda *_: None)
    deck_pdf(tmp_path / "deck.pdf", "a4", ENGLISH, rules, backs="none")
    assert Counter(drawn) == Counter(rules.all_cards())


@pytest.mark.parametrize(
    ("backs", "pages"), [("duplex", 1 + 2 * 9), ("once", 1 + 9 + 1), ("none", 1 + 9)]
)
def test_pages_of_the_long_deck(backs: str, pages: int, tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    counted = deck_pdf(path, "a4", ENGLISH, SIX, backs=backs)
    assert counted == len(PdfReader(path).pages) == pages + (2 if backs == "duplex" else 1)


def test_numbers_stand_on_their_pages_twice_each(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    deck_pdf(path, "a4", ENGLISH, FIVE, backs="none")
    for page in PdfReader(path).pages[1:6]:
        numbers = Counter(re.findall(r"10|[2-9]", page.extract_text()))
        assert numbers == Counter({str(number): 2 for number in range(2, 11)})


class Recorder:
    """What a pen draws, in millimetres on the page, without turning it back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[tuple[float, float, float, float]] = []
        self.boxes: list[tuple[float, float, float, float]] = []
        self.texts: list[tuple[float, float, str]] = []
        monkeypatch.setattr(Pen, "line", self.line)
        monkeypatch.setattr(Pen, "box", self.box)
        monkeypatch.setattr(Pen, "text", self.text)

    def line(self, x1: float, y1: float, x2: float, y2: float, **_: Any) -> None:
        self.lines.append((x1, y1, x2, y2))

    def box(self, x: float, y: float, width: float, height: float, **_: Any) -> None:
        self.boxes.append((x, y, x + width, y + height))

    def text(self, x: float, y: float, text: str, **_: Any) -> None:
        self.texts.append((x, y, text))


@pytest.mark.parametrize("paper", PAPERS)
def test_marks_stand_at_every_cut_and_outside_every_card(
    paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("face", "back", "reference", "score_table", "how_to"):
        monkeypatch.setattr(deck_pages, name, lambda *_: None)
    recorder = Recorder(monkeypatch)
    deck_pdf(tmp_path / "deck.pdf", paper, ENGLISH, FIVE, backs="none")
    width, height = PAPERS[paper]
    grounds = recorder.boxes[:3]  # the first sheet: three rows of nine numbers
    left, top = grounds[0][0] + BLEED, grounds[0][1] + BLEED
    across = {round(left + column * CARD[0], 3) for column in range(4)}
    down = {round(top + row * CARD[1], 3) for row in range(4)}
    marks = recorder.lines[: 8 + 8]
    assert {round(x1, 3) for x1, y1, x2, y2 in marks if x1 == x2} == across
    assert {round(y1, 3) for x1, y1, x2, y2 in marks if y1 == y2} == down
    least = MARGIN - 1e-9
    for x1, y1, x2, y2 in recorder.lines:
        assert least <= min(x1, x2) <= max(x1, x2) <= width - least, "no printer reaches there"
        assert least <= min(y1, y2) <= max(y1, y2) <= height - least
        assert math.dist((x1, y1), (x2, y2)) >= 1.2 - 1e-9
    inside = (left, top, left + 3 * CARD[0], top + 3 * CARD[1])
    for x1, y1, x2, y2 in marks:
        assert max(x1, x2) < inside[0] or min(x1, x2) > inside[2] or (
            max(y1, y2) < inside[1] or min(y1, y2) > inside[3]
        )  # fmt: skip


def test_a_sheet_is_centred_so_that_backs_meet_faces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(monkeypatch)
    for name in ("face", "back", "reference", "score_table", "how_to"):
        monkeypatch.setattr(deck_pages, name, lambda *_: None)
    deck_pdf(tmp_path / "deck.pdf", "letter", ENGLISH, SIX, backs="duplex")
    width = PAPERS["letter"][0]
    assert len(recorder.boxes) == 2 * (6 * 3 + 7)
    for x1, _, x2, _ in recorder.boxes:
        assert math.isclose(x1, width - x2)


def test_a_card_has_the_size_of_a_poker_card() -> None:
    assert CARD == (63.0, 88.0)
    for width, height in PAPERS.values():
        assert 3 * CARD[0] + 2 * BLEED < width - 8
        assert 3 * CARD[1] + 2 * BLEED < height - 8


@pytest.mark.parametrize("fills", ["#FFFFFF", "#FFE14D", "#E0B000", "#2F6B3A", "#101820"])
@pytest.mark.parametrize("given", ["#0A0A0A", "#000000", "#FFFFFF"])
def test_the_wager_of_an_own_deck_can_be_seen(fills: str, given: str) -> None:
    """Inks that are dark, but not our own dark, used to be drawn in white on a pale ground."""
    six = find_deck("six")
    deck = replace(six, colours=tuple(replace(c, fill=fills, ink=given) for c in six.colours))
    with colours_of(deck):
        for colour in Colour:
            assert contrast(on_wash(colour), wash(fill(colour))) >= 4.5


def test_numbers_can_be_read_on_their_ground() -> None:
    for colour in Colour:
        assert contrast(fill(colour), ink(colour)) >= 4.5


# ---- files --------------------------------------------------------------------------------------


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


# ---- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "code"), EVERY)
def test_the_rules_fit_their_page(
    paper: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []
    paragraph = leaflet._paragraph

    def measured(pen: Pen, text: str, x: float, y: float, width: float) -> float:
        height = paragraph(pen, text, x, y, width)
        ends.append(y + height)
        return height

    monkeypatch.setattr(leaflet, "_paragraph", measured)
    tall: list[float] = []
    box = Pen.box

    def boxed(pen: Pen, x: float, y: float, width: float, height: float, **how: Any) -> None:
        tall.append(y + height)
        box(pen, x, y, width, height, **how)

    monkeypatch.setattr(Pen, "box", boxed)
    leaflet_pdf(tmp_path / "rules.pdf", paper, languages()[code], FIVE)
    assert max(*ends, *tall) < PAPERS[paper][1] - 10


@pytest.mark.parametrize("code", languages())
def test_lines_fit_their_cards_and_places(code: str) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    register_fonts()
    words = languages()[code]
    for _, lines in words.reference:
        for line in lines:
            assert stringWidth(line, SANS, 2.95) <= CARD[0] - 2 * 5.5, line
    assert stringWidth(words.reference_title, SERIF, 5) <= CARD[0] - 20
    for land in words.lands.values():
        assert stringWidth(land, SANS, 6.4) <= 70, land


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "code"), EVERY)
def test_no_line_runs_over_the_margin_or_into_another(
    paper: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The German title of the page that tells how to print ran over it."""
    from reportlab.pdfgen.textobject import PDFTextObject

    lines: dict[tuple[str, int, int], list[tuple[float, float, str]]] = {}
    shown = PDFTextObject.textOut

    def noted(drawn: Any, text: str) -> None:
        pen = drawn._canvas
        (x, y), (end, up) = (pen.absolutePosition(at, 0) for at in (0, drawn_width(drawn, text)))
        if abs(y - up) < 1e-6:
            where = (pen._filename, pen.getPageNumber(), round(y / MM / 2))
            lines.setdefault(where, []).append((min(x, end) / MM, max(x, end) / MM, text))
        shown(drawn, text)

    monkeypatch.setattr(PDFTextObject, "textOut", noted)
    for made in print_all(Order(("deck", "board", "rules", "sheet"), tmp_path, paper, code)):
        assert made.pages
    for (file, page, _), found in lines.items():
        side = 25 if page == 1 and file.endswith("deck.pdf") else 10
        width = PAPERS[paper][1 if file.endswith("board.pdf") else 0]
        found.sort()
        for left, right, text in found:
            assert side - 0.5 <= left < right <= width - side + 0.5, (file, page, text)
        for (_, right, one), (left, _, two) in pairwise(found):
            assert right + 2 < left, (file, page, one, two)


def drawn_width(drawn: Any, text: str) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return float(stringWidth(text, drawn._fontname, drawn._fontsize))


def test_every_language_says_as_much_as_english() -> None:
    def shape(code: str) -> list[Any]:
        words = languages()[code]
        blocks = (words.reference, words.rules_front, words.rules_back)
        return [
            [[len(lines) for _, lines in block] for block in blocks],
            set(words.sheet), set(words.colours), set(words.lands),
            len(words.how), len(words.example), len(words.captions),
        ]  # fmt: skip

    assert set(languages()) == {"en", "de"}
    assert shape("de") == shape("en")
    for words in languages().values():
        for _, lines in words.rules_front + words.rules_back:
            for line in lines:
                assert line.count("<b>") == line.count("</b>")


def test_the_worked_example_says_what_the_core_counts() -> None:
    rows = [parse_cards(text) for text in leaflet._EXAMPLE]
    points = [score_expedition(row, FIVE).total for row in rows]
    assert points == [3, -40, -10, 65]
    for words in languages().values():
        for row, text in zip(rows, words.example, strict=False):
            total = sum(card.rank for card in row)
            assert str(total) in text
            wagers = sum(card.is_wager for card in row)
            assert not wagers or f" {wagers + 1}" in text


# ---- drawings shared with the page --------------------------------------------------------------


def sprite() -> dict[str, list[tuple[str, str]]]:
    text = (WEB / "parts" / "Sprite.svelte").read_text("utf-8")
    found = {}
    for name, inside in re.findall(r'<symbol id="([\w-]+)"[^>]*>(.*?)</symbol>', text, re.DOTALL):
        parts = []
        for kind, raw in re.findall(r"<(circle|path)\s+(.*?)/>", inside, re.DOTALL):
            attributes = dict(re.findall(r'(\w+)="([^"]*)"', raw))
            style = attributes.get("class", "fill")
            parts.append((style, attributes["d"] if kind == "path" else circle(attributes)))
        found[name] = parts
    return found


def circle(of: dict[str, str]) -> str:
    x, y, r = (float(of[key]) for key in ("cx", "cy", "r"))
    return f"M{x - r:g} {y:g}A{r:g} {r:g} 0 1 1 {x + r:g} {y:g}A{r:g} {r:g} 0 1 1 {x - r:g} {y:g}z"


def test_the_symbols_are_those_of_the_page() -> None:
    drawn = sprite()
    for colour, parts in SYMBOLS.items():
        assert list(parts) == drawn[f"suit-{colour.letter}"]
    assert [data for _, data in drawn["wager"]] == list(HANDS)


def test_the_fills_are_those_of_the_page() -> None:
    text = (WEB / "styles" / "tokens.css").read_text("utf-8")
    for colour in Colour:
        assert re.search(rf"--suit-{colour.letter}: {fill(colour)};", text, re.IGNORECASE)
        assert re.search(rf"--on-{colour.letter}: {ink(colour)};", text, re.IGNORECASE)


def test_paths_are_read() -> None:
    assert list(outline("M1 2l3-1h.5V7z")) == [
        ("M", ((1, 2),)), ("L", ((4, 1),)), ("L", ((4.5, 1),)), ("L", ((4.5, 7),)), ("Z", ()),
    ]  # fmt: skip
    assert list(outline("m1 1 2 2")) == [("M", ((1, 1),)), ("L", ((3, 3),))]
    curve = list(outline("M0 0c0 1 1 2 2 2s2-1 2-2"))
    assert curve[2] == ("C", ((3, 2), (4, 1), (4, 0)))


@pytest.mark.parametrize("flags", ["0 0", "0 1", "1 0", "1 1"])
def test_arcs_stay_on_their_circle(flags: str) -> None:
    steps = list(outline(f"M0 0A5 5 0 {flags} 6 2"))
    ends = [points[-1] for kind, points in steps if kind == "C"]
    assert ends[-1] == pytest.approx((6, 2))
    # The centre is 5 from both ends; which of the two it is, the flags say.
    centres = [centre for centre in _centres() if all(
        math.isclose(math.dist(centre, end), 5, abs_tol=1e-6) for end in ends)]  # fmt: skip
    assert centres
    large = flags[0] == "1"
    assert (len(ends) > 2) == large


def _centres() -> list[tuple[float, float]]:
    away = math.sqrt(25 - 10) / math.sqrt(40)
    return [(3 + 2 * away, 1 - 6 * away), (3 - 2 * away, 1 + 6 * away)]


# ---- the command --------------------------------------------------------------------------------


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


def fills(path: Path, page: int) -> set[str]:
    """The fills that a page paints with, as #RRGGBB."""
    content = PdfReader(path).pages[page].get_contents()
    assert content is not None
    found = re.findall(rb"(?<![\d.])([\d.]+) ([\d.]+) ([\d.]+) rg", content.get_data())
    return {"#" + "".join(f"{round(float(each) * 255):02X}" for each in rgb) for rgb in found}


def test_a_deck_is_printed_in_its_own_colours(tmp_path: Path) -> None:
    own = tmp_path / "attic.toml"
    text = (resources.files("lostcities.table") / "decks" / "five.toml").read_text("utf-8")
    own.write_text(text.replace('"five"', '"attic"').replace("#AA3A18", "#123456"), "utf-8")
    ran = run_here(
        "print", "deck", "rules", "--deck", str(own), "--out", str(tmp_path), "--backs", "none"
    )
    assert ran.status == 0
    painted = [
        fills(tmp_path / "deck.pdf", page)
        for page in range(len(PdfReader(tmp_path / "deck.pdf").pages))
    ]
    assert any("#123456" in page for page in painted)
    assert not any("#AA3A18" in page for page in painted)
    rules = fills(tmp_path / "rules-en.pdf", 0) | fills(tmp_path / "rules-en.pdf", 1)
    assert "#AA3A18" in rules, "the rules name their colours"
    assert fill(Colour.RED) == "#AA3A18", "nothing stays behind"
    refused = run_here(
        "print", "deck", "--deck", str(own), "--colours", "6", "--out", str(tmp_path)
    )
    assert_refused(refused, "60 cards in 5 colours, these rules need 72 in 6")
    assert_refused(run_here("print", "deck", "--deck", "nobody"), "no such deck")


SWAPPED = {Colour.YELLOW: Colour.RED, Colour.RED: Colour.YELLOW}
"""In the deck of the test the sun is red and the flame yellow."""


def swapped_deck() -> Deck:
    text = (resources.files("lostcities.table") / "decks" / "five.toml").read_text("utf-8")
    parts = text.replace('name = "five"', 'name = "attic"', 1).split("[[colours]]")
    changed = "[[colours]]".join(reversed(parts[1:]))
    changed = changed.replace('"sun"', '"-"').replace('"flame"', '"Sun"').replace('"-"', '"flame"')
    return parse_deck(f"{parts[0]}[[colours]]{changed}", "attic.toml")


def test_a_deck_is_printed_with_its_own_symbols(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suit's usual symbol used to stand on the card, whatever the deck says."""
    deck = swapped_deck()
    paths: list[str] = []
    monkeypatch.setattr(Pen, "path", lambda _pen, data, **_: paths.append(data))
    pen = Pen(tmp_path / "x.pdf", "a4", "x")
    with colours_of(deck):
        assert lying(FIVE) == [Colour.RED, Colour.GREEN, Colour.WHITE, Colour.BLUE, Colour.YELLOW]
        for colour in deck.rules.all_colours():
            paths.clear()
            face(pen, Card(colour, WAGER))
            drawn = [each for each in Colour if SYMBOLS[each][0][1] in paths]
            assert drawn == [SWAPPED.get(colour, colour)]
    order = Order(("board", "sheet"), tmp_path, colours=5, deck=deck)
    for made in print_all(order):
        assert made.pages


def test_symbols_that_do_not_tell_colours_apart_give_way() -> None:
    """As on the page."""
    same = replace(deck := swapped_deck(), colours=tuple(
        replace(each, symbol="sun") for each in deck.colours))  # fmt: skip
    assert same.figures() == {each.colour: each.colour for each in deck.colours}
    assert find_deck("mtttgc3").figures()[Colour.WHITE] is Colour.PURPLE
