"""The deck as `lostcities print` draws it: every card once, on the sheet."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from lostcities.core.cards import Card, Colour
from lostcities.core.rules import Rules
from lostcities.table.deck import Deck
from lostcities.table.deck_file import find_deck
from lostcities.table.printing import deck_pages
from lostcities.table.printing.cards import CARD, on_wash, wash
from lostcities.table.printing.deck_pages import BLEED, MARGIN, deck_pdf
from lostcities.table.printing.make import Order, print_all
from lostcities.table.printing.paint import colours_of, fill, ink
from lostcities.table.printing.pen import MM, PAPERS, Pen
from lostcities.table.printing.words import languages
from palette import contrast
from printed import ENGLISH, FIVE, SIX, Recorder, swapped_deck


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
    ("backs", "pages"), [("duplex", 2 + 2 * 10), ("once", 1 + 10 + 1), ("none", 1 + 10)]
)
def test_pages_of_the_long_deck(backs: str, pages: int, tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    counted = deck_pdf(path, "a4", ENGLISH, SIX, backs=backs)
    assert counted == len(PdfReader(path).pages) == pages


Drawn = dict[int, list[tuple[str, float, float]]]
"""By page from 1, what stands where: a word for it and its middle in millimetres."""


def drawn_cards(order: Order, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    found: Drawn = {}

    def noting(what: str) -> Callable[..., None]:
        def note(pen: Pen, *_: object) -> None:
            x, y = pen.canvas.absolutePosition(CARD[0] / 2, CARD[1] / 2)
            place = (what, round(x / MM, 3), round(y / MM, 3))
            found.setdefault(pen.canvas.getPageNumber(), []).append(place)

        return note

    for name in ("face", "reference", "score_table", "back"):
        monkeypatch.setattr(deck_pages, name, noting("back" if name == "back" else "face"))
    for name in ("how_to", "behind"):
        monkeypatch.setattr(deck_pages, name, noting(name))
    for made in print_all(order):
        found.setdefault(made.pages, [])
    return found


@pytest.mark.parametrize("deck", [None, 5, swapped_deck()], ids=["six", "five", "own"])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_of_a_duplex_printer_has_its_own_backs(
    paper: str, deck: Deck | int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that tells how to print had faces on its back, so that all backs were one sheet off."""
    colours, own = (deck, None) if isinstance(deck, int) else (None, deck)
    order = Order(("deck",), tmp_path, paper, None, 5 if own else colours, "duplex", own)
    drawn = drawn_cards(order, monkeypatch)
    width = PAPERS[paper][0]
    assert [what for what, _, _ in drawn[1] + drawn[2]] == ["how_to", "behind"]
    assert sorted(drawn) == list(range(1, max(drawn) + 1))
    assert max(drawn) == (22 if deck is None else 18)
    for front in range(3, max(drawn), 2):
        assert {what for what, _, _ in drawn[front]} == {"face"}
        assert {what for what, _, _ in drawn[front + 1]} == {"back"}
        turned = sorted((round(width - x, 3), y) for _, x, y in drawn[front])
        assert sorted((x, y) for _, x, y in drawn[front + 1]) == turned
    sizes = [len(drawn[page]) for page in range(3, max(drawn), 2)]
    assert sizes == ([9] * 6 + [6, 6, 6, 3] if deck is None else [9] * 5 + [6, 6, 6])


@pytest.mark.parametrize("colours", [5, 6])
@pytest.mark.parametrize("backs", ["once", "none"])
def test_one_sided_sheets_follow_the_instructions_at_once(
    backs: str, colours: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Order(("deck",), tmp_path, "letter", None, colours, backs)
    drawn = drawn_cards(order, monkeypatch)
    kinds = [{what for what, _, _ in drawn[page]} for page in sorted(drawn)]
    faces = {5: 8, 6: 10}[colours]
    assert kinds == [{"how_to"}] + [{"face"}] * faces + [{"back"}] * (backs == "once")


@pytest.mark.parametrize("code", languages())
def test_the_page_behind_the_instructions_says_why_it_is_empty(code: str, tmp_path: Path) -> None:
    path, words = tmp_path / "deck.pdf", languages()[code]
    deck_pdf(path, "letter", words, FIVE, backs="duplex")
    assert " ".join(PdfReader(path).pages[1].extract_text().split()) == words.behind
    deck_pdf(path, "letter", words, FIVE, backs="none")
    assert words.behind not in " ".join(PdfReader(path).pages[1].extract_text().split())


def test_numbers_stand_on_their_pages_twice_each(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    deck_pdf(path, "a4", ENGLISH, FIVE, backs="none")
    for page in PdfReader(path).pages[1:6]:
        numbers = Counter(re.findall(r"10|[2-9]", page.extract_text()))
        assert numbers == Counter({str(number): 2 for number in range(2, 11)})


@pytest.mark.parametrize("paper", PAPERS)
def test_marks_stand_at_every_cut_and_outside_every_card(
    paper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("face", "back", "reference", "score_table", "how_to", "behind"):
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
    for name in ("face", "back", "reference", "score_table", "how_to", "behind"):
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
