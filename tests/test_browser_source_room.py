"""The manual of the online room (source 000), section by section, with two browsers.

Sections 3 and 6 are about the page: names with the points of earlier legs on top, the active player
starred, columns from red to yellow, the other's rows above and the own below, the stack counter,
the halves of the screen that a card is dropped on; both press continue and keep their points.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.core.record import replay
from lostcities.core.record_text import parse_record
from lostcities.core.rules import PRESETS, Rules
from rooms import RunningRoom, running_beside
from test_browser_company import named, someone
from test_browser_takebacks import THEIRS, TURN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
WIDE = {"viewport": {"width": 1440, "height": 900}}
WEAR = "localStorage.setItem('lostcities', JSON.stringify({ skin: 'room' }))"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RunningRoom]:
    with running_beside(tmp_path) as found:
        yield found


def say(page: "Page", text: str) -> None:
    page.locator(".chat input").fill(text)
    page.keyboard.press("Enter")


def answer(page: "Page") -> str:
    return page.locator(".chat p[role=status]").inner_text()


def joined(ada: "Page", bob: "Page", rules: str = "") -> tuple["Page", "Page"]:
    """Ada opens a table, Bob joins it by the command; who is to move, and the other."""
    for page in (ada, bob):
        page.add_init_script(WEAR)
    named(ada, "Ada")
    ada.get_by_text("Colours, rounds, seat and more").click()
    if rules:
        ada.get_by_label("More rules").fill(rules)
    ada.get_by_role("button", name="Open a table").click()
    ada.wait_for_url("**/t/**")
    bob.goto(ada.url)
    say(bob, "/start")
    assert answer(bob) == "Take the free seat first: /join."
    say(ada, "/join")
    assert answer(ada) == "You sit at this table already."
    say(ada, "/start")
    assert answer(ada) == "It begins by itself as soon as both are here."
    say(bob, "/join")
    for page in (ada, bob):
        page.locator(".hand button").first.wait_for()
    say(ada, "/start")
    assert answer(ada) == "The match has begun."
    return (ada, bob) if ada.evaluate(TURN) else (bob, ada)


def plaques(page: "Page") -> list[tuple[str, int, bool]]:
    """The boxes on top, the other's first: name, points of earlier legs, whether starred."""
    found = []
    for box in page.locator(".tops .plaque").all():
        name = re.split(r"[\s,]", box.locator(".name").inner_text().strip())[0]
        points = box.locator(".total").inner_text().split()[-1].replace("\u2212", "-")
        found.append((name, int(points), box.locator(".star path").count() == 1))
    return found


def middle(page: "Page", selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_first(page: "Page", to: tuple[float, float]) -> None:
    """The card that lies first; a worn deck sorts the hand in its own way."""
    page.mouse.move(*middle(page, ".hand button >> nth=0"))
    page.mouse.down()
    page.mouse.move(*to, steps=5)
    page.mouse.up()


def test_the_table_of_the_manual(browser: "Browser", room: RunningRoom) -> None:
    """Sections 1, 3 and 4."""
    assert PRESETS["room"] == Rules()
    with someone(browser, room, **WIDE) as ada, someone(browser, room, **WIDE) as bob:
        first, second = joined(ada, bob)
        # Each sees the other above and its own name below; nothing has been scored yet.
        assert [name for name, _, _ in plaques(ada)] == ["Guest", "Ada"]
        assert [name for name, _, _ in plaques(bob)] == ["Ada", "Guest"]
        assert [points for _, points, _ in plaques(ada)] == [0, 0]
        assert [star for _, _, star in plaques(first)] == [False, True]
        assert [star for _, _, star in plaques(second)] == [True, False]
        # Five columns, from left to right red, green, blue, grey, yellow; three rows of them.
        piles = first.get_by_role("button", name=re.compile(" pile, empty"))
        assert [each.inner_text().split()[0] for each in piles.all()] == [
            "Red", "Green", "Blue", "Grey", "Yellow",
        ]  # fmt: skip
        upper = first.get_by_role("img", name=re.compile("red row")).first.bounding_box()
        lower = first.get_by_role("img", name="Your red row").bounding_box()
        line = piles.first.bounding_box()
        assert upper is not None
        assert lower is not None
        assert line is not None
        assert upper["y"] < line["y"] < lower["y"]
        # Sixty cards: eight each on hand, forty-four in the stack.
        assert first.locator(".hand button").count() == 8
        first.get_by_role("button", name="Deck, 44 cards left").wait_for()

        # Dropped in the upper half a card is discarded, and finds the stack of its colour.
        card = first.locator(".hand button").first.get_attribute("aria-label") or ""
        x, y = middle(first, ".middle")
        drag_first(first, (x, y - 120))
        first.get_by_text("Now draw").first.wait_for()
        own = first.get_by_role(
            "button", name=re.compile(f"^{card.split()[0]} pile, ", re.IGNORECASE)
        )
        assert card.lower() in own.inner_text().lower()
        # A card just discarded is not taken back.
        own.click(force=True)
        first.get_by_text("shut for this turn").wait_for()
        # A click on the stack counter takes the next card.
        first.get_by_role("button", name=re.compile("^Deck, ")).click()
        first.wait_for_function(THEIRS)
        assert first.locator(".hand button").count() == 8
        second.get_by_role("button", name="Deck, 43 cards left").wait_for()
        # Below the centre line it is played, in its own column; then the other's card is taken.
        card = second.locator(".hand button").first.get_attribute("aria-label") or ""
        x, y = middle(second, ".middle")
        drag_first(second, (x, y + 160))
        second.get_by_text("Now draw").first.wait_for()
        row = second.get_by_role(
            "img", name=re.compile(f"^Your {card.split()[0]} row: ", re.IGNORECASE)
        )
        assert "not opened" not in (row.get_attribute("aria-label") or "not opened")
        second.locator(".pile.lit").click()
        first.locator(".tops .plaque").nth(1).locator(".star path").wait_for(state="attached")
        assert [star for _, _, star in plaques(first)] == [False, True]
        # The way back to the room; the seat stays.
        say(second, "/leave")
        second.wait_for_url(lambda url: "/t/" not in url)
        second.get_by_role("link", name=re.compile("Ada")).first.click()
        second.locator(".hand button").first.wait_for()


def play_leg(pages: tuple["Page", "Page"]) -> None:
    """Everybody plays or discards the first card and draws from the stack, until it is empty."""
    for _ in range(100):
        for page in pages:
            if page.evaluate(TURN):
                page.locator(".hand button").first.focus()
                page.keyboard.press("1")
                page.keyboard.press("p" if page.locator(".zone.play.legal").count() else "d")
                page.keyboard.press("0")
                page.wait_for_function(THEIRS)
        if all(page.locator("dialog[open]").count() for page in pages):
            return
    pytest.fail("the leg does not end")


def record_of(page: "Page") -> list[tuple[int, int]]:
    """The points of each leg by seat, from the record."""
    match = page.url.rsplit("/", 1)[1]
    text = page.request.get(f"/api/tables/{match}/record").text()
    return [(r.score[0], r.score[1]) for r in replay(parse_record(text)).record.rounds if r.score]


@pytest.mark.slow
def test_points_of_earlier_legs_stay_on_top_and_both_continue(
    browser: "Browser", room: RunningRoom
) -> None:
    """Section 6: a match of three legs."""
    with someone(browser, room, **WIDE) as ada, someone(browser, room, **WIDE) as bob:
        joined(ada, bob, "colours=3 hand=3 top=5")
        mine, totals = seat_of(ada), [0, 0]
        for leg in (1, 2, 3):
            play_leg((ada, bob))
            score = record_of(ada)[-1]
            totals = [totals[0] + score[0], totals[1] + score[1]]
            assert [points for _, points, _ in plaques(ada)] == [totals[1 - mine], totals[mine]]
            assert [points for _, points, _ in plaques(bob)] == [totals[mine], totals[1 - mine]]
            if leg == 3:
                break
            for page in (ada, bob):
                page.get_by_role("button", name="Look at the board").click()
            # One alone does not begin the next leg.
            say(ada, "/continue")
            ada.get_by_text("Ada goes on.").or_(ada.get_by_text("You go on.")).first.wait_for(
                state="attached"
            )
            assert ada.evaluate("!document.title.startsWith('Your turn')")
            assert bob.evaluate("!document.title.startsWith('Your turn')")
            say(ada, "/continue")
            assert answer(ada) == "You go on."
            say(bob, "/continue")
            for page in (ada, bob):
                page.get_by_text(f"Round {leg + 1} of 3").first.wait_for()
            # The points are kept on top while the next leg is played.
            assert [points for _, points, _ in plaques(ada)] == [totals[1 - mine], totals[mine]]
        won = "A draw" if totals[0] == totals[1] else (
            "You win" if totals[mine] > totals[1 - mine] else "Guest wins"
        )  # fmt: skip
        ada.get_by_role("heading", name=won).wait_for()
        ada.get_by_role("button", name="Look at the board").click()
        say(ada, "/start")
        ada.wait_for_url(lambda url: url != bob.url)


def seat_of(page: "Page") -> int:
    """The seat of this browser, from its list of tables."""
    match = page.url.rsplit("/", 1)[1]
    tables = page.request.get("/api/tables").json()["tables"]
    return int(next(each["seat"] for each in tables if each["match"] == match))


def test_resigning_by_command_asks_twice(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room, **WIDE) as ada, someone(browser, room, **WIDE) as bob:
        joined(ada, bob)
        say(ada, "/resign")
        assert "again" in answer(ada)
        say(ada, "/resign")
        bob.get_by_role("heading", name="You win").wait_for()
