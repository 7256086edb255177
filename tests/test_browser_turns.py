"""Taking a turn on the page, by taps, mouse, finger and keys, and seeing the other one's."""

import re
from typing import TYPE_CHECKING

import pytest

from fake_room import MIDDLE, START, FakeRoom
from lostcities.core.rules import Rules
from on_page import PAINTED, SCROLLS, box, prompt, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def test_a_turn_by_tapping(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Red 9").click()
    line = box(quiet, ".middle")
    quiet.mouse.click(200, line["y"] + line["height"] + 60)
    quiet.locator(".prompt", has_text="Now draw").wait_for()
    quiet.get_by_role("button", name="Yellow pile").click()
    quiet.get_by_text("Grace to move").wait_for()
    assert [message["turn"] for message in room.commands("play")] == ["+R9<Y"]


def test_tapping_the_middle_discards(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Green 7").click()
    line = box(quiet, ".middle")
    quiet.mouse.click(60, line["y"] + line["height"] / 2)
    quiet.get_by_role("button", name=re.compile("^Deck, ")).click()
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "-G7*"


AT_ONCE = """async (card) => {
  card.click();
  await new Promise((resolve) => setTimeout(resolve));
  return getComputedStyle(document.querySelector('.zone.discard')).visibility;
}"""


def test_what_comes_to_be_seen_can_be_pressed_before_the_next_frame(quiet: "Page") -> None:
    """With motion reduced even what is hidden and shown began a transition, of no length but of a frame."""
    quiet.emulate_media(reduced_motion="reduce")
    FakeRoom(quiet, MIDDLE).open()
    ready(quiet)
    # A page that lies behind another one has no frames for a while.
    quiet.evaluate("() => { window.requestAnimationFrame = () => 0; }")
    assert quiet.get_by_role("button", name="Green 7").evaluate(AT_ONCE) == "visible"


@pytest.mark.parametrize(("up", "turn"), [(False, "+R9*"), (True, "-R9*")])
def test_a_turn_by_dragging(quiet: "Page", up: bool, turn: str) -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    card = box(quiet, "[data-slot='7']")
    line = box(quiet, ".middle")
    quiet.mouse.move(card["x"] + 20, card["y"] + 20)
    quiet.mouse.down()
    quiet.mouse.move(200, line["y"] + (-40 if up else line["height"] + 60), steps=5)
    quiet.mouse.up()
    quiet.get_by_role("button", name=re.compile("^Deck, ")).click()
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == turn


def test_a_finger_drags_a_card_and_never_scrolls_the_page(browser: "Browser") -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 500}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    # So low a window does scroll; a drag that begins on a card must not.
    assert page.evaluate(SCROLLS)[1] > 0
    page.evaluate("scrollTo(0, 40)")
    card, line = box(page, "[data-slot='7']"), box(page, ".middle")
    cdp = context.new_cdp_session(page)
    x, y = card["x"] + 20, card["y"] + 20
    target = line["y"] + line["height"] + 50
    for kind, at in [
        ("touchStart", y),
        *(("touchMove", y + (target - y) * i / 5) for i in range(1, 6)),
    ]:
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": at}]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.get_by_text("Now draw").first.wait_for()
    assert page.evaluate("scrollY") == 40
    page.locator(".deck").tap()
    page.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "+R9*"
    context.close()


def test_a_card_dropped_on_the_hand_or_where_it_may_not_lie_comes_back(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    low = box(quiet, "[data-slot='2']")
    line = box(quiet, ".middle")
    quiet.mouse.move(low["x"] + 20, low["y"] + 20)
    quiet.mouse.down()
    quiet.mouse.move(200, line["y"] + line["height"] + 60, steps=5)
    quiet.mouse.up()
    assert "The blue 3 cannot be played" in prompt(quiet)
    assert quiet.locator(".hand [aria-pressed=true]").count() == 0
    quiet.mouse.move(low["x"] + 20, low["y"] + 20)
    quiet.mouse.down()
    quiet.mouse.move(low["x"] + 20, line["y"], steps=4)
    quiet.mouse.move(low["x"] + 60, low["y"] + 20, steps=4)
    quiet.mouse.up()
    assert quiet.locator(".hand [aria-pressed=true]").count() == 0
    assert room.commands("play") == []


def test_a_drag_that_is_given_up_by_escape_leaves_nothing_at_the_pointer(quiet: "Page") -> None:
    """The card hung there until the button was let go."""
    room = FakeRoom(quiet, START)
    room.open()
    ready(quiet)
    card = box(quiet, ".hand button")
    quiet.mouse.move(card["x"] + 20, card["y"] + 20)
    quiet.mouse.down()
    quiet.mouse.move(card["x"] + 60, card["y"] - 200, steps=4)
    quiet.locator(".ghost").wait_for()
    quiet.keyboard.press("Escape")
    quiet.locator(".ghost").wait_for(state="detached")
    quiet.mouse.move(card["x"] + 80, card["y"] - 220, steps=2)
    quiet.mouse.up()
    assert quiet.locator(".ghost").count() == 0
    assert quiet.get_by_role("button", name="Discard", exact=True).count() == 0


def test_a_turn_by_keys_alone(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.locator(".hand button").first.focus()
    quiet.keyboard.press("ArrowLeft")
    quiet.keyboard.press("Enter")
    quiet.keyboard.press("p")
    quiet.keyboard.press("g")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "+R9<G"


def test_a_double_click_lays_a_card_and_draws_none(quiet: "Page") -> None:
    """Its second half used to land on "Deck", which then stands where "Discard" was."""
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Red 9").click()
    quiet.get_by_role("button", name="Discard", exact=True).hover()
    where = box(quiet, ".prompt .btn:last-child")
    quiet.mouse.dblclick(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
    quiet.get_by_role("button", name="Undo").wait_for()
    assert "Now draw" in prompt(quiet)
    assert room.commands("play") == []
    quiet.get_by_role("button", name="Deck", exact=True).click()
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "-R9*"


def test_the_mind_may_be_changed_until_the_draw(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("u")
    quiet.get_by_role("button", name="Red 9").click()
    quiet.get_by_role("button", name="Discard", exact=True).click()
    quiet.get_by_role("button", name="Undo").click()
    quiet.get_by_role("button", name="Yellow 5").click()
    quiet.get_by_role("button", name="Play", exact=True).click()
    assert room.commands("play") == []
    quiet.get_by_role("button", name="Deck", exact=True).click()
    quiet.get_by_text("Grace to move").wait_for()
    assert [message["turn"] for message in room.commands("play")] == ["+Y5*"]


def test_a_shut_pile_says_why(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Deck,").click(force=True)
    assert "First play or discard" in prompt(quiet)
    quiet.keyboard.press("8")
    quiet.keyboard.press("d")
    quiet.get_by_role("button", name="Red pile").click(force=True)
    assert "shut for this turn" in prompt(quiet)
    quiet.get_by_role("button", name="Blue pile, empty").click(force=True)
    assert "empty" in prompt(quiet)
    assert room.commands("play") == []


def test_illegal_targets_stay_quiet(quiet: "Page") -> None:
    FakeRoom(quiet, MIDDLE).open()
    ready(quiet)
    quiet.get_by_role("button", name="Blue 3").click()
    assert quiet.locator(".zone.play.legal").count() == 0
    play = quiet.get_by_role("button", name="Play", exact=True)
    assert play.get_attribute("aria-disabled") == "true"
    assert quiet.locator(".pile.lit").count() == 1
    quiet.get_by_role("button", name="Yellow 5").click()
    assert quiet.locator(".zone.play.legal .column").count() == 1


def test_when_only_the_deck_is_left_an_option_draws_by_itself(quiet: "Page") -> None:
    room = FakeRoom(quiet, START)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Menu").click()
    quiet.get_by_label("Draw by itself when only the deck is possible").check()
    quiet.keyboard.press("Escape")
    quiet.keyboard.press("3")
    quiet.keyboard.press("d")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "-B3*"


def test_the_seat_to_move_is_unmistakable(quiet: "Page") -> None:
    room = FakeRoom(quiet, START, totals=(61, 48))
    room.open()
    ready(quiet)
    assert quiet.title().startswith("Your turn")
    assert "Ada" in quiet.locator(".plaque.move").inner_text()
    assert "61" in quiet.locator(".plaque.move").inner_text()
    assert quiet.locator(".plaque.move .star path").count() == 1
    quiet.keyboard.press("3")
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    quiet.wait_for_timeout(600)
    assert quiet.title().startswith("Grace")
    assert "Grace" in quiet.locator(".plaque.move").inner_text()
    assert len(room.commands("play")) == 1


def test_the_others_turn_is_seen_in_two_beats_and_can_be_seen_again(quiet: "Page") -> None:
    room = FakeRoom(quiet, START.replace("0 |", "1 |", 1))
    room.open()
    ready(quiet)
    room.play("-R2*")
    quiet.locator(".layer svg").wait_for()
    assert quiet.locator("[data-spot='pile-R']").count() == 1
    assert quiet.locator(".deck .left").inner_text() == "12"
    quiet.locator(".deck .left", has_text="11").wait_for()
    quiet.locator(".layer svg").wait_for(state="detached")
    assert quiet.locator(".pile.last").count() == 1
    quiet.get_by_role("button", name="See the last turn again").click()
    quiet.locator(".layer svg").wait_for()
    quiet.locator(".deck .left", has_text="12").wait_for()
    quiet.locator(".deck .left", has_text="11").wait_for()


def test_motion_does_not_hold_up_the_player(quiet: "Page") -> None:
    room = FakeRoom(quiet, START.replace("0 |", "1 |", 1))
    room.open()
    ready(quiet)
    room.play("-R2*")
    quiet.locator(".layer svg").wait_for()
    quiet.keyboard.press("3")
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[0]["turn"] == "-B3*"
    quiet.wait_for_timeout(500)
    assert quiet.locator(".layer svg").count() == 0
    assert quiet.locator("[data-spot='pile-B'] svg").is_visible()


def test_a_turn_from_another_tab_replaces_what_is_staged(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.locator(".place.staged").wait_for()
    room.play("+Y5*")
    quiet.get_by_text("Grace to move").wait_for()
    quiet.locator(".layer svg").wait_for(state="detached")
    quiet.get_by_role(
        "img", name="Your red row: wager, wager, 2; -54 points".replace("-", "−")
    ).wait_for()
    assert quiet.locator(".place.staged").count() == 0
    assert quiet.get_by_role("button", name="Red 9").count() == 1


def test_reduced_motion_is_respected(browser: "Browser") -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    room = FakeRoom(page, START.replace("0 |", "1 |", 1))
    room.open()
    ready(page)
    page.evaluate(
        "window.flew = 0; new MutationObserver((changes) => changes.forEach((change) => {"
        " window.flew += change.addedNodes.length }))"
        ".observe(document.querySelector('.layer'), { childList: true })"
    )
    room.play("-R2*")
    page.locator(".deck .left", has_text="11").wait_for()
    assert page.evaluate("window.flew") == 0
    assert page.locator(".pile.last").count() == 1
    context.close()


def test_known_cards_lie_face_up_among_the_backs(quiet: "Page") -> None:
    room = FakeRoom(quiet, START)
    room.open()
    ready(quiet)
    quiet.keyboard.press("3")
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    room.play("-R2<B")
    quiet.locator("[data-spot='known-1-B3']").wait_for()
    assert quiet.locator(".theirs .mini").count() == 8


def test_each_turn_is_spoken_once_and_focus_stays(quiet: "Page") -> None:
    room = FakeRoom(quiet, START)
    room.open()
    ready(quiet)
    quiet.evaluate(
        "window.said = []; new MutationObserver(() => said.push("
        "document.querySelector('p[aria-live]').textContent))"
        ".observe(document.querySelector('p[aria-live]'), {childList: true, characterData: true,"
        " subtree: true})"
    )
    quiet.locator(".hand button").nth(2).focus()
    quiet.keyboard.press("Enter")
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    quiet.wait_for_timeout(500)
    room.play("-B7*")
    quiet.wait_for_timeout(900)
    said = quiet.evaluate("window.said")
    assert said[-1] == (
        "Grace discards blue 7 and draws from the deck. Your turn: play or discard a card."
    )
    assert sum("Grace discards" in each for each in said) == 1
    assert sum("You discard blue 3" in each for each in said) == 1
    assert quiet.evaluate("document.activeElement.closest('.hand') !== null")


def test_what_the_other_saw_being_taken_is_marked(quiet: "Page") -> None:
    FakeRoom(quiet, MIDDLE).open()
    ready(quiet)
    assert quiet.locator(".eye").count() == 0
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("g")
    quiet.get_by_role("button", name="Green 6, Grace knows that you hold it").wait_for()
    assert quiet.locator(".eye").count() == 1


def test_a_stall_rule_is_stated(quiet: "Page") -> None:
    FakeRoom(quiet, MIDDLE, Rules(stall=40)).open()
    ready(quiet)
    assert "of 40" in quiet.locator(".mine").inner_text()


def test_the_page_never_tells_hidden_cards(quiet: "Page") -> None:
    FakeRoom(quiet, START).open()
    ready(quiet)
    assert quiet.locator(".theirs text").count() == 0


def test_what_a_lay_opens_is_lit_after_a_change_of_mind_before_the_paint(quiet: "Page") -> None:
    """It follows the lay by a frame, and must then be looked at anew."""
    FakeRoom(quiet, MIDDLE).open()
    ready(quiet)
    quiet.keyboard.press("8")
    quiet.evaluate(PAINTED)
    assert quiet.locator(".pile.lit").count() == 1
    quiet.keyboard.press("p")
    quiet.evaluate(PAINTED)
    assert quiet.locator(".pile.lit, .deck.lit").count() == 5
    quiet.evaluate(
        """async () => {
          for (const key of ['Escape', '8', 'p']) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            for (let turn = 0; turn < 20; turn += 1) await null; // the page follows, unpainted
          }
        }"""
    )
    assert prompt(quiet).startswith("Now draw")
    assert quiet.locator(".pile.lit, .deck.lit").count() == 5
