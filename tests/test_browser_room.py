"""Coming together in a room, by hand: doors, the host's desk, commands, lists, another match."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.protocol.messages import PROTOCOL_VERSION
from rooms import FirstLegal, RunningRoom, running_beside
from serving import Serving
from test_browser_access import axe
from test_browser_company import named, someone
from test_browser_history import PLAY, SHORT, deck_turn
from test_browser_runout import WIDE, table_of, take_seat, turn_by_keys

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    folder = tmp_path_factory.mktemp("room")
    with running_beside(folder, agents=FirstLegal(deck_turn), host_code="code") as opened:
        yield opened


def line(page: "Page") -> "Locator":
    """Where one writes to the table, or commands alone."""
    return page.get_by_label(re.compile("Write to the table|A command, such as"))


def write(page: "Page", text: str) -> None:
    field = line(page)
    field.fill(text)
    field.press("Enter")


def play_out(ada: "Page", grace: "Page", rounds: int) -> None:
    """So many rounds between these two, played by the pages' own sockets."""
    match = ada.url.rsplit("/", 1)[1]
    script = PLAY.replace("PROTOCOL", str(PROTOCOL_VERSION))
    grace.evaluate(f"(args) => {{ window.played = ({script})(args); }}", [match, rounds])
    ada.evaluate(script, [match, rounds])
    grace.evaluate("() => window.played")


def test_the_host_keeps_order(browser: "Browser", room: RunningRoom) -> None:
    with (
        someone(browser, room) as host,
        someone(browser, room, **WIDE) as ada,
        someone(browser, room, **WIDE) as grace,
    ):
        made = table_of(ada, "")
        take_seat(grace, made["invite"], "Grace")
        host.goto("/host")
        host.get_by_label("Code", exact=True).fill("wrong")
        host.get_by_role("button", name="Take the desk").click()
        host.locator("[role=alert]").wait_for()
        host.get_by_label("Code", exact=True).fill("code")
        host.get_by_role("button", name="Take the desk").click()
        table = host.locator("article", has_text="Ada – Grace")
        person = table.locator("li", has_text="Grace")

        person.get_by_role("button", name="Mute").click()
        person.get_by_role("button", name="Let write").wait_for()
        write(grace, "Hello?")
        grace.get_by_text("The host does not let you write.").first.wait_for()

        table.get_by_role("button", name="Pause").click()
        for page in (ada, grace):
            page.get_by_text("The host has stopped the table for a while.").first.wait_for()
        table.get_by_role("button", name="Go on").click()
        ada.get_by_text("The host has stopped the table").first.wait_for(state="detached")
        turn_by_keys(ada)

        person.get_by_role("button", name="Send away").click()
        person.get_by_role("button", name="Yes").click()
        ada.get_by_role("heading", name="You win").wait_for()
        grace.get_by_role("link", name="Back to the start").click()
        named(grace, "Grace")
        grace.get_by_role("button", name="Open a table").click()
        grace.wait_for_url("**/t/**")
        lone = host.locator("article", has_text="Grace").last
        lone.get_by_role("button", name="Ban", exact=True).click()
        lone.get_by_role("button", name="Yes").click()
        grace.get_by_role("link", name="Back to the start").click()
        grace.locator("[role=alert]").first.wait_for()
        host.get_by_role("button", name="Lift").click()
        host.get_by_text("Nobody is shut out.").wait_for()
        grace.reload()
        grace.get_by_role("button", name="Play a program").click(trial=True)

        lone.get_by_role("button", name="Close", exact=True).click()
        lone.get_by_role("button", name="Yes").click()
        host.get_by_text("Nobody is playing.").wait_for(timeout=10_000)


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A room with the password *open sesame*."""
    monkeypatch.setenv("LOSTCITIES_PASSWORD", "open sesame")
    room = Serving(tmp_path)
    with contextlib.closing(room):
        room.start()
        yield room


def test_a_room_with_a_password(browser: "Browser", locked: Serving) -> None:
    with someone(browser, locked) as ada:
        ada.goto("/")
        ada.get_by_role("heading", name="This room has a password").wait_for()
        assert ada.get_by_role("button", name="Play a program").count() == 0
        ada.get_by_label("Password").fill("sesame")
        ada.get_by_role("button", name="Come in").click()
        ada.locator("[role=alert]").wait_for()
        ada.get_by_label("Password").fill("open sesame")
        ada.get_by_role("button", name="Come in").click()
        ada.get_by_role("button", name="Play a program").click()
        ada.locator(".hand button").first.wait_for()


@pytest.mark.parametrize("by", ["the field", "the button"])
@pytest.mark.parametrize(
    ("path", "heading"),
    [("/", "Lost Cities"), ("/games", "My matches"), ("/i/nothing", None), ("/t/nothing", None)],
)
def test_after_the_password_the_keyboard_goes_on_at_the_heading(
    browser: "Browser", locked: Serving, path: str, heading: str | None, by: str
) -> None:
    """The field and the button that had the focus are gone with the question."""
    with someone(browser, locked) as ada:
        ada.goto(path)
        ada.get_by_role("heading", name="This room has a password").wait_for()
        ada.get_by_label("Password").fill("open sesame")
        if by == "the button":
            ada.get_by_role("button", name="Come in").focus()
        ada.keyboard.press("Enter")
        ada.get_by_label("Password").wait_for(state="detached")
        at = ada.locator("main h1:focus")
        at.wait_for()
        if heading is not None:
            assert at.inner_text() == heading
        ada.keyboard.press("Tab")
        assert ada.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("path", ["/practice", "/replay"])
def test_no_form_is_filled_in_before_the_password(
    browser: "Browser", locked: Serving, path: str
) -> None:
    """It was shown whole, and what had been typed was gone behind the door."""
    with someone(browser, locked) as ada:
        shown = "window.shown = []; new MutationObserver(() => { if (document.querySelector("
        shown += "'main textarea')) window.shown.push(location.pathname); })"
        ada.add_init_script(f"{shown}.observe(document, {{subtree: true, childList: true}})")
        ada.goto(path)
        ada.get_by_role("heading", name="This room has a password").wait_for()
        assert ada.evaluate("window.shown") == []
        ada.get_by_label("Password").fill("open sesame")
        ada.keyboard.press("Enter")
        text = ada.locator("main textarea").first
        text.fill("nonsense")
        ada.locator("main h1").wait_for()
        assert ada.get_by_label("Password").count() == 0
        assert ada.evaluate("location.pathname") == path
        assert text.input_value() == "nonsense"


def test_a_link_into_a_room_with_a_password_asks_for_it_and_goes_on(
    browser: "Browser", tmp_path: Path, locked: Serving
) -> None:
    with someone(browser, locked) as ada:
        said = (tmp_path / "serve.log").read_text(encoding="utf-8")
        ada.goto("/host")
        ada.get_by_label("Code", exact=True).fill(re.findall(r"with the code (\S+)", said)[0])
        ada.get_by_role("button", name="Take the desk").click()
        ada.get_by_label("Name of the class").fill("4b")
        ada.get_by_role("button", name="Make a class link").click()
        group = re.findall(r"/c/\S+", ada.locator("article .link").inner_text())[0]
        ada.goto("/")
        ada.get_by_label("Password").fill("open sesame")
        ada.get_by_role("button", name="Come in").click()
        ada.get_by_role("button", name="Invite a friend").click()
        ada.wait_for_url("**/t/**")
        invite = "/i/" + ada.locator(".waiting .link").inner_text().rsplit("/i/", 1)[1]
        table = "/t/" + ada.url.rsplit("/t/", 1)[1]

        behind = {
            invite: "invites you to a match",
            group: "Sit down in 4b",
            table: "This browser has no seat at this table",
            "/replay/nothing": "Replay",
            "/games": "My matches",
        }
        for path, heading in behind.items():
            with someone(browser, locked) as bob:
                bob.goto(path)
                bob.get_by_role("heading", name="This room has a password").wait_for()
                assert axe(bob) == []
                bob.get_by_label("Password").fill("open sesame")
                bob.keyboard.press("Enter")
                bob.get_by_role("heading", name=heading).wait_for()
                assert bob.url == locked.url + path, "the password does not lead away"
        with someone(browser, locked) as eve:
            eve.goto("/sheet")
            eve.get_by_role("button").first.wait_for()
            assert eve.get_by_label("Password").count() == 0, "the sheet needs no room"


def test_commands_lead_to_a_table_and_through_a_round(
    browser: "Browser", room: RunningRoom
) -> None:
    with (
        someone(browser, room, **WIDE) as ada,
        someone(browser, room, **WIDE) as grace,
        someone(browser, room, **WIDE) as eve,
    ):
        named(ada, "Ada")
        ada.locator("summary").click()
        ada.get_by_label("More rules").fill(SHORT)
        ada.get_by_role("button", name="Open a table").click()
        ada.wait_for_url("**/t/**")
        for page, name in ((grace, "Grace"), (eve, "Eve")):
            named(page, name)
            page.goto(ada.url)
        line(grace).wait_for()
        write(grace, "/join")
        grace.locator(".hand button").first.wait_for()
        eve.get_by_text("You are watching").wait_for()
        write(grace, "/start")
        grace.get_by_text("The match has begun.").wait_for()
        write(grace, "/continue")
        grace.get_by_text("The round is not over.").wait_for()

        play_out(ada, grace, 1)
        eve.get_by_role("heading", name="Round 1 of 2").wait_for()
        assert eve.locator(".hand button").count() == 0
        held = eve.locator("dialog .held").all_inner_texts()
        assert {each.split()[0] for each in held} == {"Ada", "Guest"}, "now both hands are told"
        assert eve.locator("dialog .held .chip").count() > 0
        ended = "Look at the board"
        for page in (ada, grace):
            page.get_by_role("button", name=ended).click()
            write(page, "/continue")
        ada.locator("dialog").wait_for(state="detached")
        ada.wait_for_function("() => document.querySelectorAll('.hand button').length === 4")

        eve.locator("dialog").wait_for(state="detached")
        assert eve.locator(".hand, .held").count() == 0

        play_out(ada, grace, 2)
        eve.locator("dialog .held .chip").first.wait_for()
        ada.get_by_role("button", name=ended).click()
        write(ada, "/leave")
        ada.get_by_role("heading", name="Lost Cities").wait_for()


def test_a_private_table_is_shared_and_nobody_else_hears_of_it(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada, someone(browser, room) as eve:
        ada.add_init_script(
            "Object.defineProperty(navigator, 'share', "
            "{value: (what) => { window.shared = what; return Promise.resolve(); }})"
        )
        named(ada, "Ada")
        ada.get_by_role("button", name="Invite a friend").click()
        ada.get_by_role("button", name="Share …").click()
        link = ada.locator("p.link").inner_text()
        assert ada.evaluate("window.shared.url") == link
        eve.goto("/")
        eve.get_by_text("No open table just now").wait_for()
        eve.goto(ada.url)
        eve.get_by_role("heading").first.wait_for()
        assert eve.locator(".hand, .link").count() == 0
        ada.goto("/")
        assert ada.get_by_label("Your name").input_value() == "Ada", "remembered on the device"
        named(eve, "Eve")
        eve.get_by_role("button", name="Open a table").click()
        eve.wait_for_url("**/t/**")
        ada.goto("/")
        line = ada.locator("li", has_text="Eve waits for somebody")
        assert "3 rounds" in line.inner_text(), "an open table is seen with its rules"
        eve.get_by_role("button", name="Close this table").click()


def test_slow_matches_stand_in_a_list_that_says_whose_turn_it_is(
    browser: "Browser", room: RunningRoom
) -> None:
    with someone(browser, room) as ada, someone(browser, room) as grace:
        for played in (True, False):
            made = table_of(ada, "days=3")
            take_seat(grace, made["invite"], "Grace")
            ada.locator(".hand button").first.wait_for()
            if played:
                turn_by_keys(ada)
        ada.goto("/")
        lines = ada.locator("a.table")
        lines.nth(1).wait_for()
        assert lines.filter(has_text="your turn").count() == 1
        grace.goto("/")
        lines = grace.locator("a.table", has_text="your turn")
        lines.wait_for()
        assert "3 d" in lines.inner_text() or "2 d" in lines.inner_text()
        lines.click()
        grace.locator(".prompt", has_text="Your turn").wait_for()


def test_another_match_waits_for_whoever_is_away(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as ada:
        made = table_of(ada, "")
        with someone(browser, room) as grace:
            take_seat(grace, made["invite"], "Grace")
            ada.locator(".prompt", has_text="Your turn").wait_for()
            ada.get_by_role("button", name="Menu").click()
            ada.get_by_role("button", name="Resign the match").click()
            ada.get_by_role("button", name="Yes").click()
            grace.get_by_role("heading", name="You win").wait_for()
            left = grace.context.storage_state()
        ada.get_by_role("button", name="Play again").click()
        ada.wait_for_url(lambda url: not url.endswith(made["url"]))
        ada.get_by_role("heading", name="Waiting for Grace").wait_for()
        with someone(browser, room, storage_state=left) as grace:
            grace.goto("/")
            grace.locator("a.table", has_text="play again?").click()
            grace.wait_for_url(f"**{made['url']}")
            grace.get_by_text("Ada wants to play again.").wait_for()
            grace.get_by_role("button", name="Sit down at the new table").click()
            grace.locator(".prompt", has_text="Your turn").wait_for()
            assert grace.url == ada.url
            ada.locator(".prompt", has_text="Grace to move").wait_for()


def test_matches_are_found_by_opponent_and_result(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as ada, someone(browser, room) as grace:
        ada.goto("/")
        made = ada.request.post(
            "/api/tables", data={"name": "Ada", "rules": SHORT, "against": "first", "seat": 0}
        ).json()
        ada.goto(made["url"])
        ada.evaluate(PLAY.replace("PROTOCOL", str(PROTOCOL_VERSION)), [made["match"], 99])
        other = table_of(ada, "")
        take_seat(grace, other["invite"], "Grace")
        ada.goto("/games")
        games = ada.locator("a.game")
        games.nth(1).wait_for()
        ada.get_by_label("Opponent").select_option(label="Grace")
        games.nth(1).wait_for(state="detached")
        assert "against Grace" in games.inner_text()
        ada.get_by_label("Opponent").select_option(label="Everybody")
        ada.get_by_label("Result").select_option(label="Not finished")
        ada.wait_for_function("() => document.querySelectorAll('a.game').length === 1")
        assert "against Grace" in games.inner_text()


def test_sounds_are_off_until_somebody_wants_them(browser: "Browser", room: RunningRoom) -> None:
    with someone(browser, room) as ada:
        ada.add_init_script(
            "window.sounds = 0; const made = AudioContext.prototype.createOscillator;"
            "AudioContext.prototype.createOscillator = function () {"
            " window.sounds += 1; return made.call(this); };"
        )
        named(ada, "Ada")
        ada.get_by_role("button", name="Play a program").click()
        ada.locator(".prompt", has_text="Your turn").wait_for()
        assert ada.evaluate("window.sounds") == 0
        ada.get_by_role("button", name="Menu").click()
        ada.get_by_label("A soft sound when it is my turn").check()
        ada.keyboard.press("Escape")
        for key in "1d0":
            ada.keyboard.press(key)
        ada.wait_for_function("() => window.sounds > 0")
