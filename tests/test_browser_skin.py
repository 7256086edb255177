"""The table in the words and colours of a deck that somebody has chosen."""

import json
import re
from typing import TYPE_CHECKING

import pytest

from fake_room import MIDDLE, ORIGIN, SIX_FULL, FakeRoom
from lostcities.core.rules import Rules
from lostcities.table.deck_file import find_deck
from on_page import SCROLLS, ready, sized

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def wearing(
    page: "Page", skin: str, position: str = MIDDLE, rules: Rules | None = None
) -> FakeRoom:
    """A table whose person has chosen a deck before."""
    room = FakeRoom(page, position, rules)
    kept = json.dumps(json.dumps({"skin": skin}))
    page.add_init_script(
        f"localStorage.getItem('lostcities') ?? localStorage.setItem('lostcities', {kept})"
    )
    sized(page, (390, 664))
    room.open()
    ready(page)
    return room


def piles(page: "Page") -> list[str]:
    labels = page.get_by_role("button", name=re.compile(" pile, ")).all()
    return [name(each).split()[0] for each in labels]


def name(of: "Locator") -> str:
    return of.get_attribute("aria-label") or of.inner_text()


def test_a_worn_deck_shows_its_indices_on_numbers(quiet: "Page") -> None:
    """Turns may be typed by index, so the cards bear them; of equal wagers nobody knows which."""
    wearing(quiet, "mtttgc3")
    quiet.get_by_role("button", name="Orange pile").wait_for()
    shown = {
        name(button): button.locator(".index").all_text_contents()
        for button in quiet.locator(".hand button").all()
    }
    by_index = {str(card): index for index, card in find_deck("mtttgc3").by_index().items()}
    told = {label.lower(): texts for label, texts in shown.items()}
    assert told["purple 2"] == [by_index["W2"]] == ["62"]
    assert told["red 9"] == [by_index["R9"]]
    assert told["purple investment"] == []


NEAR = """cards => cards.map(card => {
  const marks = [...card.querySelectorAll('text, use')].map(each => each.getBBox());
  const strip = marks.filter(box => box.y + box.height / 2 < 40).sort((a, b) => a.x - b.x);
  return Math.min(...strip.slice(1).map((box, at) => box.x - strip[at].x - strip[at].width));
})"""


def test_a_number_and_what_stands_beside_it_in_a_row_are_apart(quiet: "Page") -> None:
    """A 10 with the index 55 beside it read as 1055."""
    wearing(quiet, "mtttgc3", MIDDLE.replace("B4 B7", "B4 B10").replace("Y7 B10", "Y7 B7"))
    quiet.get_by_role("button", name="Orange pile").wait_for()
    faces = quiet.locator(".row .face")
    shown = [each.locator("text").all_text_contents() for each in faces.all()]
    assert ["10", "10"] in shown
    assert all(len(texts) == 2 and texts[0] == texts[1] for texts in shown)
    assert min(faces.evaluate_all(NEAR)) >= 5
    assert quiet.locator(".hand .index").count() > 0, "whole cards still bear it"


def test_a_chosen_deck_dresses_the_table(quiet: "Page") -> None:
    room = wearing(quiet, "mtttgc3")
    quiet.get_by_role("button", name="Orange pile").wait_for()
    assert piles(quiet) == ["Red", "Blue", "Green", "Orange", "Purple"]
    root = "getComputedStyle(document.documentElement).getPropertyValue('--suit-W')"
    assert quiet.evaluate(root) == "#49275D"
    signs = quiet.locator(".tray .face.suit-W [data-sign]").evaluate_all(
        "all => [...new Set(all.map(each => each.dataset.sign))]"
    )
    assert set(signs) <= {"P", "wager"}
    assert "P" in signs, "the crescent stands for purple"
    assert quiet.get_by_role("button", name="Purple investment").count() == 1
    # What is sent keeps the codes of the cards: the white 2, purple on this deck.
    quiet.get_by_role("button", name="Purple 2").click()
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "+W2*"
    assert quiet.evaluate(SCROLLS) == [0, 0]


def test_the_hand_lies_in_the_order_of_the_deck_s_colours(quiet: "Page") -> None:
    room = wearing(quiet, "mtttgc3")
    quiet.get_by_role("button", name="Orange pile").wait_for()
    shown = quiet.locator(".hand button").evaluate_all("all => all.map(each => each.ariaLabel)")
    assert shown == [
        "Red 4", "Red 9", "Blue 3", "Green 7", "Orange investment", "Orange 5",
        "Purple investment", "Purple 2",
    ]  # fmt: skip
    quiet.keyboard.press("8")
    assert quiet.locator(".hand [aria-pressed=true]").get_attribute("aria-label") == "Purple 2"
    quiet.keyboard.press("1")
    assert quiet.locator(".hand [aria-pressed=true]").get_attribute("aria-label") == "Red 4"
    quiet.locator(".hand button").first.press("ArrowRight")
    assert quiet.evaluate("document.activeElement.ariaLabel") == "Red 9"
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "-R4*", "the picked card, by its code"


def test_the_menu_offers_the_decks_that_have_the_cards_of_the_table(quiet: "Page") -> None:
    wearing(quiet, "")
    quiet.keyboard.press("m")
    choice = quiet.get_by_label("Cards as in")
    choice.locator("option[value=room]").wait_for(state="attached")
    titles = choice.locator("option").all_inner_texts()
    assert "Minimal Travel Table Top Game Collection 3" in titles
    assert not any("six colours" in title for title in titles)
    choice.select_option("room")
    quiet.keyboard.press("Escape")
    quiet.get_by_role("button", name="Grey pile").wait_for()
    assert piles(quiet) == ["Red", "Green", "Blue", "Grey", "Yellow"]
    quiet.goto(ORIGIN + "/")
    quiet.get_by_role("heading").first.wait_for()
    assert quiet.evaluate("document.documentElement.style.length") == 0, "the table's only"


def test_a_deck_without_the_cards_of_the_table_is_not_worn(quiet: "Page") -> None:
    wearing(quiet, "room", SIX_FULL, Rules(colours=6))
    quiet.wait_for_timeout(300)
    assert piles(quiet) == ["Yellow", "Blue", "White", "Green", "Red", "Purple"]


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("+62*", "+W2*"),
        ("play 62 and draw from the deck", "+W2*"),
        ("discard purple 2, draw deck", "-W2*"),
        ("discard orange investment, draw deck", "-YX*"),
        ("discard 50, take orange", None),
        ("discard 18 and take orange", "-B3<Y"),
        ("play 9 and take the orange pile", "+R9<Y"),
    ],
)
def test_turns_are_typed_by_index_and_in_the_deck_s_words(
    quiet: "Page", typed: str, turn: str | None
) -> None:
    room = wearing(quiet, "mtttgc3")
    quiet.get_by_role("button", name="Orange pile").wait_for()
    quiet.keyboard.press("/")
    field = quiet.locator("dialog input")
    field.fill(typed)
    field.press("Enter")
    if turn is None:
        quiet.get_by_role("alert").wait_for()
        assert room.commands("play") == [], "the pile of the card just laid is shut"
    else:
        quiet.get_by_text("Grace to move").wait_for()
        assert room.commands("play")[0]["turn"] == turn
