"""Two browsers: a turn is regretted, asked back, refused or allowed, and played again."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.core.record_text import parse_record
from rooms import RunningRoom, running_beside
from test_browser_access import axe
from test_browser_company import named, room, share_device, someone
from test_browser_voice import LISTEN, heard

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["room"]
pytestmark = pytest.mark.browser

TURN = "() => document.title.startsWith('Your turn')"
THEIRS = "() => !document.title.startsWith('Your turn')"
HAND = "(all) => all.map((each) => each.getAttribute('aria-label'))"
TERMS = "A turn that took from a pile may be taken back if the other allows it"


def sit(ada: "Page", bob: "Page") -> tuple["Page", "Page"]:
    """Both at a table that allows taking back; who starts, and the other."""
    named(ada, "Ada")
    ada.get_by_text("Colours, rounds, seat and more").click()
    ada.get_by_label("Takebacks, if the other allows them").check()
    ada.get_by_role("button", name="Invite a friend").click()
    link = ada.locator("p.link").inner_text()
    bob.goto(link)
    bob.get_by_text(TERMS).wait_for()
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Take the seat").click()
    for page in (ada, bob):
        page.locator(".hand button").first.wait_for()
        page.evaluate(LISTEN)
    return (ada, bob) if ada.evaluate(TURN) else (bob, ada)


def turn(page: "Page", *, pile: bool = False) -> None:
    """Discard by keys, a card of another colour than the first pile; draw from there or the deck."""
    page.wait_for_function(TURN)
    labels = page.locator(".hand button").evaluate_all(HAND)
    shut = page.locator(".pile:has(.card) .unseen").first.inner_text().split()[0] if pile else "-"
    other = next(n for n, label in enumerate(labels, 1) if not label.startswith(shut))
    page.keyboard.press(str(other))
    page.keyboard.press("d")
    if pile:
        page.locator(".pile.lit").first.click()
    else:
        page.keyboard.press("0")
    page.wait_for_function(THEIRS)


def test_a_turn_is_asked_back_allowed_and_played_again(
    browser: "Browser", room: RunningRoom
) -> None:
    wide = {"viewport": {"width": 1440, "height": 900}}
    with someone(browser, room) as ada, someone(browser, room, **wide) as bob:
        first, second = sit(ada, bob)
        name = "Ada" if second is ada else "Bob"
        turn(first)
        # What the deck gave has been seen: nothing can be taken back.
        first.keyboard.press("m")
        first.get_by_role("heading", name="Menu").wait_for()
        assert first.get_by_role("button", name="Ask to take my turn back").count() == 0
        first.keyboard.press("Escape")

        before = second.locator(".hand button").evaluate_all(HAND)
        turn(second, pile=True)
        second.get_by_role("button", name="Menu").click()
        assert axe(second) == []
        second.get_by_role("button", name="Ask to take my turn back").click()
        heard(second, "You ask to take your turn back.")
        heard(first, f"{name} asks to take the turn back.")
        first.get_by_role("group", name=f"{name} asks to take the turn back.").wait_for()
        assert axe(first) == []
        first.get_by_role("button", name="Allow").focus()
        first.keyboard.press("Enter")
        second.wait_for_function(TURN)
        heard(second, "You take your turn back. Your turn: play or discard a card.")
        heard(first, f"{name} takes the turn back.")
        assert first.get_by_role("group", name="asks to take").count() == 0
        assert second.locator(".hand button").evaluate_all(HAND) == before

        # Again, by key this time, and refused: the turn stays, and is not asked for again.
        turn(second, pile=True)
        second.keyboard.press("z")
        first.get_by_role("group", name="asks to take").get_by_role("button", name="No").click()
        heard(second, "The turn stays.")
        second.keyboard.press("m")
        second.get_by_role("heading", name="Menu").wait_for()
        assert second.get_by_role("button", name="Ask to take my turn back").count() == 0
        second.keyboard.press("Escape")
        turn(first)

        match = second.url.rsplit("/", 1)[1]
        answer = second.request.get(f"/api/tables/{match}/record")
        (round_,) = parse_record(answer.text()).rounds
        assert len(round_.turns) == 3
        assert dict(round_.tags)["TakenBack"].startswith("2 -")


def test_the_wish_goes_when_the_other_plays(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as ada, someone(browser, room) as bob:
        first, second = sit(ada, bob)
        turn(first)
        turn(second, pile=True)
        second.keyboard.press("z")
        first.get_by_role("button", name="Allow").wait_for()
        turn(first)
        assert first.get_by_role("button", name="Allow").count() == 0
        second.wait_for_function(TURN)
        second.keyboard.press("z")
        second.keyboard.press("m")
        second.get_by_role("heading", name="Menu").wait_for()
        assert second.get_by_role("button", name="Ask to take my turn back").count() == 0


def test_what_its_maker_takes_back_is_not_told_as_declined(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada, someone(browser, room) as bob:
        first, second = sit(ada, bob)
        name = "Ada" if second is ada else "Bob"
        turn(first)
        turn(second, pile=True)
        second.keyboard.press("z")
        first.get_by_role("group", name="asks to take").wait_for()
        second.keyboard.press("m")
        second.get_by_role("button", name="Let it stand").click()
        heard(first, f"{name} lets the turn stand after all.")
        heard(second, "You let your turn stand after all.")
        second.keyboard.press("Escape")

        second.keyboard.press("m")
        second.get_by_role("button", name="Offer a draw").click()
        first.get_by_role("group", name=f"{name} offers a draw.").wait_for()
        second.get_by_role("button", name="Take the offer back").click()
        first.locator(".prompt", has_text=f"{name} takes the draw offer back.").wait_for()
        heard(first, f"{name} takes the draw offer back.")
        heard(second, "You take your draw offer back.")
        assert first.locator(".prompt .trouble").count() == 0, "news, and no error"


def test_against_a_program_turns_stay(browser: "Browser", tmp_path: Path) -> None:
    with running_beside(tmp_path) as room, someone(browser, room) as ada:
        named(ada, "Ada")
        ada.get_by_text("Colours, rounds, seat and more").click()
        ada.get_by_label("Takebacks, if the other allows them").check()
        ada.get_by_role("button", name="Play a program").click()
        ada.locator(".hand button").first.wait_for()
        ada.keyboard.press("m")
        ada.get_by_role("heading", name="Menu").wait_for()
        assert ada.get_by_text(TERMS).count() == 0


def test_on_one_device_a_turn_is_asked_back_across_the_curtain(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as page:
        share_device(page, takebacks=True)

        def passed_to(name: str) -> None:
            page.get_by_role("heading", name=f"{name}, take the device").wait_for()
            assert page.locator(".hand, .offer").count() == 0
            page.get_by_role("button", name="Show my hand").click()
            page.locator(".hand button").first.wait_for()

        def hide() -> None:
            page.get_by_role("button", name="Hide and pass on").click()

        passed_to("Ada")
        turn(page)
        hide()
        passed_to("Bob")
        before = page.locator(".hand button").evaluate_all(HAND)
        turn(page, pile=True)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Ask to take my turn back").click()
        hide()
        passed_to("Ada")
        page.get_by_role("group", name="Bob asks to take the turn back.").wait_for()
        assert axe(page) == []
        page.get_by_role("button", name="Allow").click()
        hide()
        passed_to("Bob")
        page.wait_for_function(TURN)
        assert page.locator(".hand button").evaluate_all(HAND) == before

        # Asked again, and not allowed: the turn stays, and Ada answers it.
        turn(page, pile=True)
        page.keyboard.press("z")
        hide()
        page.reload()
        passed_to("Ada")
        page.get_by_role("group", name="asks to take").get_by_role("button", name="No").click()
        # Keys do nothing until the answer is on its way.
        page.get_by_role("group", name="asks to take").wait_for(state="detached")
        turn(page)
        hide()
        passed_to("Bob")
        page.wait_for_function(TURN)
