"""What the page says and does around the turns: ends, a lost line, invitations, home."""

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins

from fake_room import LAST_CARD, MIDDLE, ORIGIN, START, FakeRoom
from lostcities.protocol.terms import Terms
from on_page import ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


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


def test_that_the_other_was_sent_away_is_seen_and_heard(quiet: "Page") -> None:
    """The seat stays empty by the host's will; the end of the match says the same."""
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.happen("sent_away", seat=1)
    quiet.locator(".prompt .notice", has_text="The host has sent Grace away.").wait_for()
    quiet.locator(".unseen[role=status]", has_text="The host has sent Grace away.").wait_for()
    room.phase = "over"
    room.extra = {"termination": "sent_away 1", "winner": 0}
    room.happen("abandoned", seat=1)
    ends = "The host sent Grace away, so the match was ended as abandoned."
    quiet.locator("dialog", has_text=ends).wait_for()
    spoken = quiet.locator(".unseen[role=status]", has_text="The match is ended as abandoned.")
    spoken.wait_for()
    assert "stayed away" not in quiet.locator("body").inner_text()


def test_who_comes_later_reads_that_the_other_was_sent_away(quiet: "Page") -> None:
    """The event was only told to whoever was there; later the other was said to be away."""
    room = FakeRoom(quiet, MIDDLE)
    room.extra = {"sent_away": 1}
    room.away = [None, 100_000]
    room.open()
    ready(quiet)
    there = {"type": "presence", "clock": None, "away": room.away}
    room.tell({**there, "present": [True, False]})
    bar = quiet.get_by_role("group", name="The host has sent Grace away.")
    bar.wait_for()
    assert "Grace is away" not in quiet.locator("body").inner_text()
    # Who is back, since the ban was lifted, is not missing.
    room.tell({**there, "present": [True, True], "away": [None, None]})
    bar.wait_for(state="detached")


def test_a_wish_to_play_again_that_is_taken_back_leaves_the_page(quiet: "Page") -> None:
    """The other's page went on offering a table that was closed."""
    room = FakeRoom(quiet, LAST_CARD, phase="over")
    room.extra = {"winner": 1, "termination": "resigned 0"}
    room.open()
    quiet.get_by_role("heading", name="Grace wins").wait_for()
    room.extra = {**room.extra, "again": "m2", "again_by": 1}
    room.happen("again", seat=1)
    quiet.get_by_role("button", name="Sit down at the new table").wait_for()
    assert "Grace wants to play again" in quiet.title()
    room.extra = {**room.extra, "again": None, "again_by": None}
    room.happen("again_withdrawn", seat=1)
    live = quiet.locator("p[role=status][aria-live]")
    live.filter(has_text="Grace’s table to play again at is closed.").wait_for()
    quiet.get_by_role("button", name="Play again").wait_for()
    assert quiet.get_by_text("Grace wants to play again.").count() == 0
    assert "play again" not in quiet.title()


def test_a_draw_offer_is_answered(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    room.extra = {"offer": 1}
    room.happen("draw_offered", seat=1)
    quiet.get_by_role("button", name="Decline").wait_for()
    assert quiet.title() == "Your turn · Grace offers a draw – Lost Cities"
    quiet.get_by_role("button", name="Decline").click()
    assert room.commands("answer_draw")[0]["accept"] is False


def test_a_round_that_was_broken_off_shows_its_own_sums(quiet: "Page") -> None:
    """It used to show those of the last round that was finished."""
    room = FakeRoom(quiet, MIDDLE, phase="over", totals=(-14, -54))
    room.done = [{"number": 1, "score": [-14, -54], "starter": 0}]
    room.extra = {"termination": "agreed", "totals": [-14, -54], "winner": None}
    room.open()
    sums = quiet.locator("dialog table tfoot tr").first
    sums.wait_for()
    score = room.state.score
    said = [str(points).replace("-", "\u2212") for points in score]
    assert tuple(score) != (-14, -54)
    assert sums.locator("td").all_inner_texts() == said


@pytest.mark.parametrize(
    ("termination", "told"),
    [
        ("closed", "The host closed this table."),
        ("left 1", "Grace closed the table before the match began."),
    ],
)
def test_a_table_that_was_closed_is_no_draw(quiet: "Page", termination: str, told: str) -> None:
    room = FakeRoom(quiet, MIDDLE, phase="over")
    room.extra = {"termination": termination, "winner": None}
    room.open()
    quiet.get_by_role("heading", name="The table is closed").wait_for()
    assert told in quiet.locator("dialog").inner_text()


def test_resigning_asks_first(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.keyboard.press("m")
    quiet.get_by_role("button", name="Resign the match").click()
    assert room.commands("resign") == []
    quiet.get_by_role("button", name="Yes").click()
    assert len(room.commands("resign")) == 1


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

    def cut_once(_message: dict[str, Any]) -> None:
        room.answer = answer  # set here and not after a wait: the page comes back when it likes
        room.sockets[-1].close()

    room.answer = cut_once
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
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
    quiet.locator(".notice", has_text="The table has gone on meanwhile").wait_for()
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
    quiet.get_by_role("button", name="Play a program").click()
    quiet.wait_for_url("**/t/m1")
    wanted = {
        "name": "Ada",
        "rules": "room colours=6 rounds=open stall=40",
        "against": "steady",
        "seat": 1,
        "second": None,
        "terms": to_builtins(Terms()),
        "pace": "absent=180",
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
