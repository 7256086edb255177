"""The page of a table against a fake room: layout, turns, words and access, in a real browser."""

import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fake_room import DIST, FIVE_FULL, MIDDLE, ORIGIN, SIX_FULL, START, FakeRoom
from lostcities.core.rules import Rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[1]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
SIX = Rules(colours=6)
LONGEST = (
    "0 | Y10 B2 W9 W10 G9 G2 G3 R10 | ?8 | YX YX YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 | "
    "BX BX BX B3 B4 B5 B6 B7 B8 B9 B10 | - | ?4"
)
LAST_CARD = (
    "0 | R9 Y4 | R10 B3 | YX YX Y2 G2 G3 G4 G5 G6 G7 G8 G9 | W4 W6 BX B9 | R3 | W5"
)  # fmt: skip
PHONES = [(390, 664), (360, 640)]

# What of each card can be seen, measured where the strips are: a point in the middle of a strip must
# belong to that very card, and the strip must be as high as the step to its neighbour.
STRIPS = """() => [...document.querySelectorAll('.row')].map((row) => {
  const up = row.classList.contains('up');
  const box = row.getBoundingClientRect();
  const cards = [...row.querySelectorAll('.place')].map((place) => place.getBoundingClientRect());
  const steps = cards.slice(1).map((card, i) =>
    up ? cards[i].bottom - card.bottom : card.top - cards[i].top);
  const seen = cards.map((card, i) => {
    const step = steps[i] ?? 12;
    const x = card.left + card.width * 0.3;
    const y = up ? card.bottom - step / 2 : card.top + step / 2;
    const hit = document.elementFromPoint(x, y)?.closest('.place');
    return hit === row.querySelectorAll('.place')[i];
  });
  const last = cards.at(-1);
  const whole = last === undefined ? true
    : last.top >= box.top - 0.5 && last.bottom <= box.bottom + 0.5;
  const rest = last === undefined ? null : (up ? last.bottom - box.top : box.bottom - last.top);
  return { cards: cards.length, steps, seen, whole, rest };
})"""
SCROLLS = """() => {
  const root = document.scrollingElement;
  return [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight];
}"""
PLACES = """() => [...document.querySelectorAll('.row .place')].map((place) => {
  const box = place.getBoundingClientRect();
  return [box.left, box.top, box.width, box.height].map((v) => Math.round(v * 100) / 100);
})"""


@pytest.fixture
def quiet(page: "Page") -> Iterator["Page"]:
    """A page whose console must stay free of errors, refused styles and scripts among them."""
    said: list[str] = []
    page.on(
        "console", lambda message: said.append(message.text) if message.type == "error" else None
    )
    yield page
    assert said == []


def sized(page: "Page", size: tuple[int, int]) -> "Page":
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


def ready(page: "Page") -> None:
    page.locator(".hand button").first.wait_for()
    page.evaluate("document.fonts.ready")


def prompt(page: "Page") -> str:
    return page.locator(".prompt .text").inner_text()


def spoken(page: "Page") -> str:
    return page.locator("p[aria-live]").inner_text()


def box(page: "Page", selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


# ---- layout -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize(("position", "rules"), [(FIVE_FULL, Rules()), (SIX_FULL, SIX)])
def test_full_rows_fit_a_phone_without_scrolling(
    quiet: "Page", size: tuple[int, int], position: str, rules: Rules
) -> None:
    page = sized(quiet, size)
    FakeRoom(page, position, rules).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert {row["cards"] for row in rows} == {8}
    assert len(rows) == (5 if rules.colours == 5 else 6)
    for row in rows:
        assert min(row["steps"]) >= 12
        assert all(row["seen"])
        assert row["whole"]


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("rules", [Rules(), SIX])
def test_hand_and_prompt_stay_visible_with_large_targets(
    quiet: "Page", size: tuple[int, int], rules: Rules
) -> None:
    page = sized(quiet, size)
    FakeRoom(page, SIX_FULL if rules is SIX else FIVE_FULL, rules).open()
    ready(page)
    for card in page.locator(".hand button").all():
        target = card.bounding_box()
        assert target is not None
        assert target["width"] >= 44
        assert target["height"] >= 44
        assert target["x"] >= 0
        assert target["x"] + target["width"] <= size[0]
    line = box(page, ".prompt")
    assert line["y"] + line["height"] <= size[1]
    for selector in (".middle .pile", ".middle .deck", ".menu", ".plaque"):
        inside = box(page, selector)
        assert inside["x"] >= 0
        assert inside["y"] >= 0


@pytest.mark.parametrize("size", PHONES)
def test_even_the_longest_row_shows_every_card(quiet: "Page", size: tuple[int, int]) -> None:
    page = sized(quiet, size)
    FakeRoom(page, LONGEST).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert [row["cards"] for row in rows] == [11, 11]
    for row in rows:
        assert min(row["steps"]) >= 12
        assert all(row["seen"])
        assert row["rest"] >= 24


def test_a_hand_of_twelve_lies_in_two_rows(quiet: "Page") -> None:
    page = sized(quiet, (360, 640))
    hand = "YX Y5 B3 WX W2 G7 R4 R9 Y9 B9 W9 G9"
    FakeRoom(page, f"0 | {hand} | ?12 | - | - | - | ?9", Rules(hand=12)).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    boxes = [card.bounding_box() for card in page.locator(".hand button").all()]
    assert len({round(each["y"]) for each in boxes if each}) == 2
    assert all(each and each["width"] >= 44 and each["height"] >= 44 for each in boxes)


def test_a_phone_on_its_side_shows_everything(quiet: "Page") -> None:
    page = sized(quiet, (844, 390))
    FakeRoom(page, SIX_FULL, SIX).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    assert min(min(row["steps"]) for row in rows) >= 12
    assert all(row["whole"] and all(row["seen"]) for row in rows)
    line = box(page, ".prompt")
    assert line["y"] + line["height"] <= 390


@pytest.mark.parametrize("size", [(390, 844), (412, 915), (820, 1180), (1180, 820), (1440, 900)])
def test_larger_screens_use_larger_strips(quiet: "Page", size: tuple[int, int]) -> None:
    page = sized(quiet, size)
    FakeRoom(page, SIX_FULL, SIX).open()
    ready(page)
    assert page.evaluate(SCROLLS) == [0, 0]
    rows = [row for row in page.evaluate(STRIPS) if row["cards"]]
    least = 18 if size[1] >= 840 else 15
    assert min(min(row["steps"]) for row in rows) >= least
    assert all(row["whole"] for row in rows)
    assert box(page, ".desk")["width"] <= 1100 or size[0] < 1000


def test_a_laid_card_never_moves(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    before = page.evaluate(PLACES)
    page.keyboard.press("8")
    assert page.evaluate(PLACES) == before
    page.keyboard.press("p")
    page.wait_for_timeout(400)
    staged = page.evaluate(PLACES)
    assert len(staged) == len(before) + 1
    assert all(place in staged for place in before)
    page.keyboard.press("Escape")
    assert page.evaluate(PLACES) == before
    room.tell({"type": "presence", "present": [True, False]})
    page.get_by_role("button", name="Menu").click()
    page.keyboard.press("Escape")
    assert page.evaluate(PLACES) == before


# ---- a turn -------------------------------------------------------------------------------------


def test_a_turn_by_tapping(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Red 9").click()
    line = box(quiet, ".middle")
    quiet.mouse.click(200, line["y"] + line["height"] + 60)
    assert "Now draw" in prompt(quiet)
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


# ---- what is seen and said ----------------------------------------------------------------------


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


# ---- the end ------------------------------------------------------------------------------------


def test_the_end_of_a_round_shows_the_sums_and_goes_on(quiet: "Page") -> None:
    room = FakeRoom(quiet, LAST_CARD, totals=(10, 0))
    room.open()
    ready(quiet)
    quiet.keyboard.press("1")
    quiet.keyboard.press("p")
    quiet.wait_for_timeout(100)
    assert "the last card" in quiet.locator(".deck").inner_text()
    quiet.keyboard.press("0")
    quiet.get_by_role("heading", name="Round 1 of 3").wait_for()
    sums = quiet.locator("dialog table").inner_text()
    assert "(6−20)×3" in sums
    assert "44−20+20" in sums
    assert "Grace will start the next round." in quiet.locator("dialog").inner_text()
    quiet.get_by_role("button", name="Continue").click()
    sent = room.commands("continue")[0]
    assert (sent["round"], sent["go"]) == (1, True)
    room.continued[0] = True
    room.happen("continued", seat=0)
    room.tell({"type": "ack", "cmd_id": sent["cmd_id"], "seq": room.seq})
    quiet.get_by_text("Waiting for Grace to continue").wait_for()


def test_stopping_asks_first(quiet: "Page") -> None:
    room = FakeRoom(quiet, LAST_CARD, phase="between")
    room.open()
    quiet.get_by_role("button", name="Stop the match here").click()
    assert room.commands("continue") == []
    quiet.locator("dialog").get_by_role("button", name="Stop the match here").click()
    assert room.commands("continue")[0]["go"] is False


def test_the_end_of_a_match_offers_another(quiet: "Page") -> None:
    room = FakeRoom(quiet, LAST_CARD, phase="over")
    room.extra = {"winner": 1, "termination": "resigned 0"}
    room.api["/api/tables/m1/again"] = {"match": "m2", "seat": 0, "url": "/t/m2", "invite": None}
    room.open()
    quiet.get_by_role("heading", name="Grace wins").wait_for()
    assert "You resigned." in quiet.locator("dialog").inner_text()
    record = quiet.get_by_role("link", name="Download the record")
    assert record.get_attribute("href") == "/api/tables/m1/record"
    room.extra["again"] = "/t/m2"
    room.happen("again", seat=1)
    quiet.get_by_text("Grace wants to play again.").wait_for()
    quiet.get_by_role("button", name="Sit down at the new table").click()
    quiet.wait_for_url("**/t/m2")


def test_a_draw_offer_is_answered(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.extra = {"offer": 1}
    room.happen("draw_offered", seat=1)
    quiet.get_by_role("button", name="Decline").click()
    assert room.commands("answer_draw")[0]["accept"] is False


def test_resigning_asks_first(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.keyboard.press("m")
    quiet.get_by_role("button", name="Resign the match").click()
    assert room.commands("resign") == []
    quiet.get_by_role("button", name="Yes").click()
    assert len(room.commands("resign")) == 1


# ---- the line -----------------------------------------------------------------------------------


def test_a_lost_line_is_told_and_comes_back(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.mute = True
    room.sockets[-1].close()
    quiet.locator(".linkbar", has_text="Connection lost").wait_for()
    while len(room.sockets) < 2:
        quiet.wait_for_timeout(20)
    room.mute = False
    room.sockets[-1].close()
    quiet.get_by_text("Connected again.").first.wait_for()
    hellos = room.commands("hello")
    assert hellos[0]["last_seq"] == 0
    assert {hello["last_seq"] for hello in hellos[1:]} == {room.seq}


def test_an_unanswered_turn_is_sent_again_under_its_id(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    answer = room.answer
    room.answer = lambda _message: room.sockets[-1].close()
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.wait_for_timeout(50)
    room.answer = answer
    quiet.get_by_text("Grace to move").wait_for()
    sent = room.commands("play")
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_a_refused_turn_is_told_in_words_and_the_board_is_level(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.answer = lambda message: room.tell(
        {
            "type": "refused",
            "cmd_id": message["cmd_id"],
            "reason": "stale",
            "text": "That turn has already been played.",
            "seq": room.seq,
            "table": room.table(),
            "view": room.view(),
        }
    )
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.locator(".notice", has_text="That turn has already been played.").wait_for()
    assert quiet.locator(".place.staged").count() == 0
    assert quiet.locator(".hand button").count() == 8


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("no_table", "There is no such table"),
        ("not_allowed", "no seat at this table"),
        ("moved", "moved to another device"),
        ("protocol", "has been updated"),
    ],
)
def test_what_cannot_recover_says_what_to_do(quiet: "Page", reason: str, words: str) -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.tell({"type": "failed", "reason": reason, "text": "…"})
    quiet.get_by_role("heading", name=words).wait_for()
    quiet.get_by_role("link", name="Back to the start").click()
    quiet.wait_for_url(f"{ORIGIN}/")


def test_a_spectator_sees_the_table_and_may_not_touch_it(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE, seat=None)
    room.open()
    quiet.get_by_text("You are watching. Ada to move").wait_for()
    assert quiet.locator(".hand").count() == 0
    quiet.keyboard.press("m")
    assert quiet.get_by_role("button", name="Resign the match").count() == 0


# ---- around the table -----------------------------------------------------------------------------


def test_a_waiting_table_shows_its_link_and_code(quiet: "Page") -> None:
    FakeRoom(quiet, START, phase="waiting").open()
    quiet.get_by_text(f"{ORIGIN}/i/k3y").wait_for()
    code = quiet.get_by_role("img", name="The link as a QR code")
    assert code.get_attribute("src") == "/api/tables/m1/qr.svg"
    assert quiet.evaluate("document.querySelector('img').complete")


def test_looking_at_an_invitation_changes_nothing(quiet: "Page") -> None:
    asked: list[str] = []
    quiet.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    room = FakeRoom(quiet)
    rules = "colours=6 hand=8 cost=20 bonus=20 bonus_at=8 rounds=3 first=random next=leader"
    room.api["/api/invites/k3y"] = {"host": "Ada", "rules": rules, "open": True, "match": None}
    room.open("/i/k3y")
    quiet.get_by_role("heading", name="Ada invites you to a match").wait_for()
    assert quiet.get_by_text("6 colours, 8 cards in hand").is_visible()
    assert all(each.startswith("GET ") for each in asked)
    room.api["/api/invites/k3y"] = {"match": "m1", "seat": 0, "url": "/t/m1"}
    quiet.get_by_label("Your name").fill("Grace")
    quiet.get_by_role("button", name="Take the seat").click()
    quiet.wait_for_url("**/t/m1")
    assert asked.count(f"POST {ORIGIN}/api/invites/k3y") == 1


def test_home_makes_a_table_with_the_rules_chosen(quiet: "Page") -> None:
    bodies: list[Any] = []
    quiet.on(
        "request",
        lambda request: bodies.append(request.post_data_json) if request.method == "POST" else None,
    )
    room = FakeRoom(quiet)
    room.open("/")
    quiet.get_by_label("Your name").fill("Ada")
    quiet.locator("summary").click()
    quiet.get_by_label("Colours").select_option("6")
    quiet.get_by_label("Rounds").select_option("open")
    quiet.get_by_label("More rules").fill("stall=40")
    quiet.get_by_label("Your seat").select_option("1")
    made = {"match": "m1", "seat": 1, "url": "/t/m1", "invite": None}
    room.api["/api/tables"] = made
    quiet.get_by_role("button", name="Play", exact=True).click()
    quiet.wait_for_url("**/t/m1")
    wanted = {
        "name": "Ada",
        "rules": "room colours=6 rounds=open stall=40",
        "against": "steady",
        "seat": 1,
    }
    assert bodies == [wanted]


def test_a_seat_is_fetched_by_a_code(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.api["/api/device"] = {"match": "m1", "seat": 0, "url": "/t/m1"}
    room.api["/api/tables/m1/device"] = {"code": "QX7-4KD", "seconds": 300}
    room.open()
    ready(quiet)
    quiet.keyboard.press("m")
    quiet.get_by_role("button", name="Move to another device").click()
    quiet.get_by_text("QX7-4KD").wait_for()
    room.open("/")
    quiet.get_by_label("Code").fill("QX7-4KD")
    quiet.get_by_role("button", name="Take my seat here").click()
    quiet.wait_for_url("**/t/m1")


# ---- access and size ------------------------------------------------------------------------------


def axe(page: "Page") -> list[str]:
    page.wait_for_timeout(400)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document)")
    return [
        f"{violation['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_table(browser: "Browser", scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    assert axe(page) == []
    page.keyboard.press("8")
    assert axe(page) == []
    page.keyboard.press("d")
    page.get_by_role("button", name="Red pile").click(force=True)
    assert axe(page) == []
    for key in ("m", "?"):
        page.keyboard.press(key)
        assert axe(page) == []
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("0")
    page.get_by_text("Grace to move").wait_for()
    assert axe(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_around_the_table(browser: "Browser", scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, LAST_CARD, phase="between")
    room.api["/api/invites/k3y"] = {"host": "Ada", "rules": "", "open": False, "match": None}
    room.open()
    page.get_by_role("button", name="Continue").wait_for()
    assert axe(page) == []
    room.phase = "waiting"
    for path in ("/t/m1", "/", "/i/k3y", "/nowhere"):
        room.open(path)
        page.get_by_role("heading").first.wait_for()
        assert axe(page) == []
    context.close()


def test_the_script_stays_small() -> None:
    scripts = [gzip.compress(file.read_bytes()) for file in DIST.glob("assets/*.js")]
    assert scripts, "run `make page`"
    assert sum(map(len, scripts)) < 60 * 1024


def test_the_index_carries_nothing_inline() -> None:
    index = (DIST / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=", index)


PICTURE = (
    "0 | YX Y8 B9 W4 W7 G5 R6 R9 | ?8 | YX Y3 Y5 Y6 B4 B7 GX G2 G3 G4 | WX WX W5 W6 W8 RX R3 R4 | "
    "B2 B3 W2 W3 R2 G9 | B5 Y2 W9 G7 R5 Y7 B8 W10 G8 R7 Y9 B10 R8 G10"
)


def test_a_picture_of_the_table(browser: "Browser") -> None:
    """The picture of the README; `PICTURES=1` keeps it in docs/images."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 760}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    room = FakeRoom(page, PICTURE, totals=(61, 48))
    for turn in ("-B2*", "-W2*", "+Y3*", "+WX*", "-B3*", "+WX*", "+Y5*", "-R2*"):
        room.seq += 1
        seat = len(room.events) % 2
        event = {"seq": room.seq, "kind": "turn", "seat": seat, "round": 1, "ply": 1, "turn": turn}
        room.events.append(event)
    room.open()
    ready(page)
    page.keyboard.press("2")
    folder = ROOT / ("docs/images" if os.environ.get("PICTURES") else "test-results")
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / "table.png")
    assert (folder / "table.png").stat().st_size > 10_000
    context.close()
