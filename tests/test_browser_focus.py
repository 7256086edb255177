"""What had the focus may go; the keyboard, and who hears the page, must not be left nowhere."""

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins

from fake_room import MIDDLE, FakeRoom
from lostcities.protocol.terms import Terms
from on_page import ready, sized

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("asked", "no"),
    [
        ({"offer": 1}, "Decline"),
        ({"back_open": 1, "back_asked": 1}, "No"),
    ],
)
def test_an_offer_that_is_declined_leaves_the_focus_in_the_hand(
    quiet: "Page", asked: dict[str, Any], no: str
) -> None:
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, MIDDLE)
    room.extra = asked

    def answer(message: dict[str, Any]) -> None:
        room.extra = {}
        kind = "draw_declined" if message["type"] == "answer_draw" else "back_declined"
        room.happen(kind, seat=0)
        room.tell({"type": "ack", "cmd_id": message["cmd_id"], "seq": room.seq})

    room.answer = answer
    room.open()
    ready(page)
    button = page.locator(".over-table").get_by_role("button", name=no, exact=True)
    button.focus()
    page.keyboard.press("Enter")
    button.wait_for(state="detached")
    page.locator(".hand button:focus").wait_for()


def test_whoever_rather_waits_goes_on_in_the_hand(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE.replace("0 |", "1 |", 1))
    room.away = [None, 0]
    room.open()
    ready(quiet)
    wait = quiet.get_by_role("button", name="Wait", exact=True)
    wait.focus()
    quiet.keyboard.press("Enter")
    quiet.locator(".hand button:focus").wait_for()


def test_a_draw_offered_from_the_menu_leaves_the_focus_there(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)

    def answer(message: dict[str, Any]) -> None:
        room.extra = {"offer": 0}
        room.happen("draw_offered", seat=0)
        room.tell({"type": "ack", "cmd_id": message["cmd_id"], "seq": room.seq})

    room.answer = answer
    room.open()
    ready(quiet)
    quiet.keyboard.press("m")
    quiet.get_by_role("button", name="Offer a draw").focus()
    quiet.keyboard.press("Enter")
    quiet.locator("dialog h2:focus").wait_for()


def test_whoever_uncovers_the_hand_goes_on_in_it(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.extra = {"terms": {**to_builtins(Terms()), "one_device": True}}
    room.open()
    quiet.get_by_role("button", name="Show my hand").wait_for()
    quiet.keyboard.press("Enter")
    quiet.locator(".hand button:focus").wait_for()


def test_whoever_pressed_beside_everything_is_left_there(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.extra = {"offer": 1}
    room.open()
    ready(quiet)
    offer = quiet.locator(".over-table")
    offer.get_by_role("button").first.focus()
    offer.locator("p").click()
    assert quiet.evaluate("document.activeElement === document.body")
    room.extra = {}
    room.happen("draw_withdrawn", seat=1)
    offer.wait_for(state="detached")
    quiet.wait_for_timeout(200)
    assert quiet.evaluate("document.activeElement === document.body")
