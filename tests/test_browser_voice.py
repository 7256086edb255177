"""What is spoken, asked for and typed: the table for ears and fingers, and for the left hand."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from fake_room import MIDDLE, START, FakeRoom
from lostcities.core.round import legal_turns
from on_page import SCROLLS, prompt, ready
from test_browser_access import axe
from test_browser_languages import BEYOND

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# Every utterance as a screen reader hears it: what is put into the live region, when it is put there.
LISTEN = """() => {
  window.heard = [];
  const region = document.querySelector('p[role="status"][aria-live="polite"]');
  new MutationObserver((all) => {
    const added = all.some((each) => [...each.addedNodes].length || each.type === 'characterData');
    if (added && region.textContent.trim()) window.heard.push(region.textContent.trim());
  }).observe(region, { childList: true, subtree: true, characterData: true });
}"""
HEARD = "window.heard.splice(0)"
FOCUSED = "document.activeElement !== document.body"


def listening(page: "Page", position: str = MIDDLE, **values: Any) -> FakeRoom:
    room = FakeRoom(page, position, **values)
    room.open()
    ready(page)
    page.evaluate(LISTEN)
    return room


def heard(page: "Page", part: str) -> list[str]:
    """All utterances up to the one with this part."""
    page.wait_for_function("part => window.heard.some((said) => said.includes(part))", arg=part)
    found: list[str] = page.evaluate(HEARD)
    return found


def test_every_turn_of_a_whole_round_is_spoken_once(quiet: "Page") -> None:
    """To the last card; the focus is never lost on the way."""
    quiet.emulate_media(reduced_motion="reduce")
    room = listening(quiet, START)
    quiet.locator(".hand button").first.focus()
    spoken: list[str] = []
    while not room.state.over:
        mine = room.state.to_move == 0
        if mine:
            # What the round's own hand offers last: a discard, drawn from the deck.
            turn = next(
                t for t in map(str, legal_turns(room.state)) if t.endswith("*") and t[0] == "-"
            )
            place = [str(card) for card in room.state.hands[0]].index(turn[1:-1])
            for key in (str(place + 1), "d", "0"):
                quiet.keyboard.press(key)
            said = heard(quiet, "and draw ")
        else:
            turn = next(t for t in map(str, legal_turns(room.state)) if t.endswith("*"))
            room.play(turn)
            said = heard(quiet, "and draws from the deck.")
        spoken += [each for each in said if " and draw" in each]
        if not room.state.over:
            assert quiet.evaluate(FOCUSED)
    assert len(spoken) == room.state.ply == 12
    assert len(Counter(each.split(" and ")[0] for each in spoken)) >= 10
    quiet.get_by_role("dialog").wait_for()
    assert quiet.evaluate(FOCUSED)


def test_the_same_turn_twice_is_heard_twice(quiet: "Page") -> None:
    """A spectator of two people with one name, who both discard a wager of a colour."""
    position = (
        "0 | BX B2 R4 R5 | BX B3 W4 W5 | - | - | - | Y2 Y3 Y4 Y5"
    )  # fmt: skip
    room = FakeRoom(quiet, position, seat=None, names=("Ada", "Ada"))
    room.open()
    quiet.get_by_text("You are watching").wait_for()
    quiet.evaluate(LISTEN)
    room.play("-BX*")
    quiet.wait_for_function("() => window.heard.length === 1")
    room.play("-BX*")
    quiet.wait_for_function("() => window.heard.length === 2")
    one, two = quiet.evaluate(HEARD)
    assert one == two == "Ada discards blue wager and draws from the deck."


def test_single_keys_read_the_table(quiet: "Page") -> None:
    listening(quiet)
    expected = {
        "h": "Your hand: yellow wager, yellow 5, blue 3, white wager, white 2, green 7, red 4, red 9.",
        "o": "Your red row: wager, wager, 2; −54 points.",
        "t": "Grace’s green row: 2, 3, 4;",
        "i": "Red pile, red 6 on top, 2 cards.",
        "k": "Deck, 17 cards left.",
        "s": "Ada −78 in this round, 0 in the match. Grace −61 in this round, 0 in the match.",
    }
    for key, text in expected.items():
        quiet.keyboard.press(key)
        assert text in heard(quiet, text)[-1]
    quiet.keyboard.press("k")
    quiet.keyboard.press("k")
    quiet.wait_for_function("() => window.heard.length === 2")


def test_a_turn_is_typed_in_words_or_notation(quiet: "Page") -> None:
    room = listening(quiet)
    quiet.keyboard.press("/")
    field = quiet.get_by_label("Turn", exact=True)
    field.wait_for()
    for text, answer in (
        ("eat red five", "“eat red five” is not understood."),
        ("play red five, draw deck", "You do not hold the red 5."),
        ("+B3*", "The blue 3 cannot be played on your row now."),
    ):
        field.fill(text)
        field.press("Enter")
        quiet.get_by_role("dialog").get_by_text(answer).wait_for()
    field.fill("Play the red four, then take from the green pile.")
    field.press("Enter")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[-1]["turn"] == "+R4<G"
    assert quiet.evaluate(FOCUSED) or quiet.get_by_role("dialog").count() == 0


def test_the_help_names_every_key(quiet: "Page") -> None:
    listening(quiet)
    quiet.keyboard.press("?")
    text = quiet.get_by_role("dialog").inner_text()
    for key in ("P", "D", "L", "M", "?", "H", "O", "T", "I", "K", "S", "/"):
        assert f"\n{key}\n" in text


def test_for_the_left_hand_deck_and_buttons_change_sides(quiet: "Page") -> None:
    listening(quiet)
    right = place(quiet, ".deck")
    quiet.get_by_role("button", name="Menu").click()
    quiet.get_by_label("Deck and buttons to the left").check()
    quiet.keyboard.press("Escape")
    assert place(quiet, ".deck") < place(quiet, ".pile") < right
    assert place(quiet, ".theirs") < place(quiet, ".row")
    quiet.keyboard.press("8")
    assert place(quiet, ".prompt .btn") < place(quiet, ".prompt .text")
    # The lit column is where the card will lie.
    red = quiet.get_by_role("img", name="Your red row").bounding_box()
    lit = quiet.locator(".zone .column").bounding_box()
    assert red is not None
    assert lit is not None
    assert abs(red["x"] + red["width"] / 2 - lit["x"] - lit["width"] / 2) < 3
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    assert quiet.evaluate(SCROLLS) == [0, 0]


def place(page: "Page", selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"]


@pytest.mark.parametrize("size", [(720, 450), (640, 512)])
def test_a_desktop_zoomed_to_200_percent_stays_usable(
    browser: "Browser", size: tuple[int, int]
) -> None:
    """Zoomed twofold, a window of 1440 by 900 or 1280 by 1024 is half as wide and high."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=2
    )
    page = context.new_page()
    listening(page)
    assert page.evaluate(SCROLLS)[0] == 0
    page.keyboard.press("8")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Deck", exact=True).click()
    page.get_by_text("Grace to move").wait_for()
    for path in ("/", "/rules", "/learn"):
        FakeRoom(page).open(path)
        page.get_by_role("heading").first.wait_for()
        assert page.evaluate(SCROLLS)[0] == 0
        assert page.evaluate(BEYOND) == []
    context.close()


def test_forced_colours_leave_everything_in_sight(browser: "Browser") -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, forced_colors="active", reduced_motion="reduce"
    )
    page = context.new_page()
    listening(page)
    page.keyboard.press("8")
    assert prompt(page) == "Red 9"
    assert axe(page) == []
    page.keyboard.press("p")
    page.keyboard.press("0")
    page.get_by_text("Grace to move").wait_for()
    context.close()
