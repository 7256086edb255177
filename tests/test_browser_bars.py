"""What lies over the table for a while: several at once, and what a reload must not forget."""

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from fake_room import LAST_CARD, MIDDLE, START, FakeRoom
from on_page import box, prompt, ready, sized

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PHONES = [(390, 664), (360, 640)]


def said(number: int, seat: int | None = 1, **more: Any) -> dict[str, Any]:
    line = {"number": number, "at": 1000 + number, "seat": seat, "name": "Grace"}
    return {**line, "kind": "text", "body": f"line {number}", **more}


def chat(*lines: dict[str, Any], whole: bool = False) -> dict[str, Any]:
    return {"type": "chat", "lines": list(lines), "whole": whole}


@pytest.mark.parametrize("size", PHONES)
def test_bars_over_the_table_lie_one_below_the_other(quiet: "Page", size: tuple[int, int]) -> None:
    """A draw offer used to cover the notice of a new line."""
    page = sized(quiet, size)
    room = FakeRoom(page, MIDDLE)
    room.away = [None, 0]
    room.extra = {"paused": True}
    room.open()
    ready(page)
    room.extra = {"offer": 1, "back_open": 1, "back_asked": 1, "paused": True}
    room.happen("draw_offered", seat=1)
    room.tell(chat(said(1)))
    room.mute = True
    line = page.get_by_role("button", name="1 new line")
    line.wait_for()
    room.sockets[-1].close()
    page.locator(".linkbar", has_text="Connection lost").wait_for()
    page.wait_for_timeout(500)
    bars = page.locator(".over-table:visible, .notes > *:visible").all()
    assert len(bars) == 6, "away, draw, back, paused and line, connection"
    found = [each.bounding_box() for each in bars]
    boxes = sorted((each for each in found if each is not None), key=lambda each: each["y"])
    for above, below in itertools.pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"]
    line.click()
    page.locator(".chat li", has_text="line 1").wait_for()


def test_unread_talk_is_still_unread_after_a_reload(quiet: "Page") -> None:
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, START)
    talk = [said(1), said(2, seat=0)]
    greet = room._greet

    def with_talk(socket: Any, last: int) -> None:
        room.tell(chat(*talk, whole=True), socket)
        greet(socket, last)

    room._greet = with_talk  # type: ignore[method-assign]
    room.open()
    ready(page)
    page.get_by_role("button", name="1 new line").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="new line").wait_for(state="detached")
    talk.append(said(3))
    room.tell(chat(talk[-1]))
    page.get_by_role("button", name="1 new line").wait_for()
    page.reload()
    page.get_by_role("button", name="1 new line").wait_for()

    talk += [said(4), said(5, seat=0)]
    room.sockets[-1].close()
    page.get_by_role("button", name="2 new lines").click()
    page.locator(".chat li", has_text="line 4").wait_for()
    page.reload()
    ready(page)
    page.wait_for_timeout(300)
    assert page.get_by_role("button", name="new line").count() == 0, "what was read stays read"


@pytest.mark.parametrize("reason", ["moved", "kicked"])
def test_nothing_of_the_table_stays_open_where_its_seat_is_no_longer(
    quiet: "Page", reason: str
) -> None:
    """The menu stayed open on the device that had handed its seat over."""
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, MIDDLE)
    room.extra = {"offer": 1, "paused": True}
    room.open()
    page.get_by_role("group", name="Grace offers a draw.").wait_for()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("heading", name="Menu").wait_for()
    room.tell({"type": "failed", "reason": reason, "text": ""})
    heading = {"moved": "moved to another device", "kicked": "You have been asked to leave"}
    page.get_by_role("heading", name=heading[reason]).wait_for()
    page.locator("p[role=status][aria-live]", has_text=heading[reason]).wait_for()
    page.get_by_role("dialog").wait_for(state="detached")
    page.keyboard.press("m")
    assert page.get_by_role("dialog").count() == 0
    assert page.locator(".over-table, .notes").count() == 0
    assert page.title() == "Grace – Lost Cities", "it is nobody's turn here"


def test_a_turn_typed_while_the_table_rests_is_told_why(quiet: "Page") -> None:
    page = sized(quiet, (1440, 900))
    room = FakeRoom(page, MIDDLE)
    room.extra = {"paused": True}
    view = room.view
    room.view = lambda: {**(view() or {}), "to_move": None, "legal": []}  # type: ignore[method-assign]
    room.open()
    page.get_by_text("The host has stopped the table").wait_for()
    page.keyboard.press("/")
    page.get_by_role("dialog").get_by_role("textbox").fill("+R9*")
    page.keyboard.press("Enter")
    told = page.get_by_role("dialog").get_by_role("alert")
    told.wait_for()
    assert told.inner_text() == "The host has stopped the table for a while."


def test_a_table_that_the_host_stops_says_so_and_keeps_what_was_laid(quiet: "Page") -> None:
    """It said that the cards were being dealt and that no lay was left, and took the lay back."""
    page = sized(quiet, (390, 664))
    room = FakeRoom(page, MIDDLE)
    view = room.view
    room.open()
    ready(page)
    left = page.locator("button.lays strong").inner_text()
    page.keyboard.press("1")
    page.get_by_role("button", name="Discard", exact=True).click()
    page.get_by_role("button", name="Deck", exact=True).wait_for()
    live = page.locator("p[role=status][aria-live]")

    room.extra = {"paused": True}
    room.view = lambda: {**(view() or {}), "to_move": None, "legal": []}  # type: ignore[method-assign]
    room.happen("paused")
    live.filter(has_text="The host has stopped the table for a while.").wait_for()
    assert prompt(page) == "The table is stopped for a while"
    assert page.locator("button.lays strong").inner_text() == left

    room.extra, room.view = {}, view  # type: ignore[method-assign]
    room.happen("went_on")
    live.filter(has_text="The host lets the table go on. Your turn").wait_for()
    page.get_by_role("button", name="Deck", exact=True).wait_for()


@pytest.mark.parametrize("way", ["keys", "a tap", "a drag", "a typed turn", "a typed draw"])
@pytest.mark.parametrize(
    ("locale", "reason"),
    [
        ("en", "The host has stopped the table for a while."),
        ("de", "Der Tisch ist für eine Weile angehalten."),
    ],
)
def test_what_is_tried_at_a_table_that_rests_fails_by_the_pause(
    quiet: "Page", way: str, locale: str, reason: str
) -> None:
    """On one's own turn it was said that it is not one's turn yet."""
    page = quiet
    page.add_init_script(
        f"""Object.defineProperty(navigator, 'languages', {{value: ['{locale}']}})"""
    )
    room = FakeRoom(page, MIDDLE)
    view = room.view
    room.extra = {"paused": True}
    room.view = lambda: {**(view() or {}), "to_move": None, "legal": []}  # type: ignore[method-assign]
    room.open()
    card = page.locator(".hand button").first
    card.wait_for()
    if way == "keys":
        page.keyboard.press("1")
        page.keyboard.press("d")
    elif way == "a tap":
        card.click()
    elif way == "a drag":
        box = card.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 20, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] - 200, steps=6)
        page.mouse.up()
    else:
        page.keyboard.press("/")
        page.locator("dialog input[type=text]").fill("*" if way == "a typed draw" else "-Y5")
        page.keyboard.press("Enter")
        page.locator("dialog [role=alert]", has_text=reason).wait_for()
        page.keyboard.press("Escape")
    if not way.startswith("a typed turn"):
        page.locator(".prompt .notice", has_text=reason).wait_for()
    assert page.get_by_text("not your turn").count() == 0
    assert page.get_by_text("nicht dran").count() == 0


def test_whoever_waits_at_a_table_that_rests_is_told(quiet: "Page") -> None:
    """A latecomer by the link of a class that rests saw nothing of that."""
    room = FakeRoom(quiet, MIDDLE, phase="waiting")
    room.extra = {"paused": True}
    room.open()
    quiet.get_by_text("The host has stopped the table for a while.").wait_for()


def test_a_watcher_is_not_told_of_a_seat_and_leaves(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE, seat=None)
    room.open()
    quiet.get_by_role("button", name="Menu").click()
    assert quiet.get_by_text("Your seat stays yours").count() == 0
    quiet.get_by_role("button", name="Leave").click()
    quiet.wait_for_url(lambda url: url.endswith("/"))


def test_a_watcher_hears_what_was_played_while_the_line_was_lost(quiet: "Page") -> None:
    """After a restart of the room it said only that the line was back."""
    room = FakeRoom(quiet, MIDDLE, seat=None)
    event = {"seq": room.seq, "kind": "dealt", "seat": 0, "round": 1, "ply": None, "turn": None}
    room.events = [event]
    room.open()
    quiet.locator(".prompt", has_text="You are watching").wait_for()
    room.events.append({**event, "seq": room.seq + 1, "kind": "turn", "ply": 1, "turn": "-B3*"})
    room.seq += 1
    greet = room._greet
    room._greet = lambda socket, _: greet(socket, 0)  # type: ignore[method-assign, assignment]
    room.sockets[-1].close()
    live = quiet.locator("p[role=status][aria-live]")
    live.filter(has_text="Connected again. Ada discards").wait_for()


@pytest.mark.parametrize("size", [(1440, 900), (1000, 760), (390, 664)])
def test_the_ready_phrases_can_be_read_beside_the_other_tools(
    quiet: "Page", size: tuple[int, int]
) -> None:
    """They were a sliver beside the button that deletes the chat."""
    page = sized(quiet, size)
    room = FakeRoom(page, MIDDLE)
    room.open()
    ready(page)
    room.tell(chat(said(1)))
    if size[0] < 1000:
        page.get_by_role("button", name="1 new line").click()
    page.locator(".chat li", has_text="line 1").wait_for()
    assert box(page, ".chat select")["width"] >= 150


def test_a_practice_table_tells_the_cards_in_hand_that_are_there(quiet: "Page") -> None:
    page = sized(quiet, (1440, 900))
    room = FakeRoom(page, LAST_CARD)
    room.extra = {"practice": True}
    room.open()
    ready(page)
    page.get_by_text("5 colours, 2 cards in hand").wait_for()


def test_who_is_waited_for_after_another_match_was_asked_for(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE, phase="waiting")
    table = room.table

    def kept() -> dict[str, Any]:
        told = table()
        told["seats"][1]["name"] = "Grace"
        return {**told, "invite": None}

    room.table = kept  # type: ignore[method-assign]
    room.open()
    quiet.get_by_role("heading", name="Waiting for Grace").wait_for()


def test_a_page_that_slept_through_a_restored_backup_takes_everything_anew(
    quiet: "Page",
) -> None:
    """The numbers of its events fitted the copy's, and the last turn shown was another one."""
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.sockets[-1].close()
    while len(room.commands("hello")) < 2:
        quiet.wait_for_timeout(50)
    first, second = room.commands("hello")[:2]
    assert (first["run"], second["run"]) == (None, "r1")
