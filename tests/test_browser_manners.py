"""Manners of the table: asking before a turn ends, no talk to nobody, symbols for every eye."""

from typing import TYPE_CHECKING

import pytest

from fake_room import LAST_CARD, MIDDLE, ORIGIN, START, FakeRoom
from on_page import prompt, ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ASKS = "Ask before a turn ends (never on a running clock)"


def asking(page: "Page", position: str = MIDDLE, pace: str = "absent=180") -> FakeRoom:
    """A table whose person wants to be asked."""
    room = FakeRoom(page, position)
    room.pace = pace
    room.open()
    ready(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label(ASKS).check()
    page.keyboard.press("Escape")
    return room


def test_who_wants_to_be_asked_confirms_a_turn(quiet: "Page") -> None:
    room = asking(quiet)
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.locator(".deck").dblclick()
    assert "Draw from the deck? That ends your turn." in prompt(quiet)
    assert room.commands("play") == [], "nor by one double click"
    # Another draw is another question; a change of mind is free.
    quiet.get_by_role("button", name="Green pile").click()
    assert "Take from the green pile?" in prompt(quiet)
    quiet.get_by_role("button", name="Undo").click()
    assert quiet.locator(".place.staged").count() == 0
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.get_by_role("button", name="Yes").click()
    quiet.get_by_text("Grace to move").wait_for()
    assert [each["turn"] for each in room.commands("play")] == ["+R9*"]


def test_the_same_key_again_confirms(quiet: "Page") -> None:
    room = asking(quiet)
    for key in ("8", "p", "g"):
        quiet.keyboard.press(key)
    quiet.wait_for_timeout(450)
    quiet.keyboard.press("g")
    quiet.get_by_text("Grace to move").wait_for()
    assert [each["turn"] for each in room.commands("play")] == ["+R9<G"]


@pytest.mark.parametrize("pace", ["turn=60 timeout=forfeit absent=180", "clock=300+5 absent=180"])
def test_a_question_never_costs_time_on_a_running_clock(quiet: "Page", pace: str) -> None:
    room = asking(quiet, START, pace)
    for key in ("3", "d", "0"):
        quiet.keyboard.press(key)
    quiet.get_by_text("Grace to move").wait_for()
    assert [each["turn"] for each in room.commands("play")] == ["-B3*"]


def test_with_days_for_a_turn_there_is_time_for_a_question(quiet: "Page") -> None:
    room = asking(quiet, START, "days=3 timeout=forfeit")
    for key in ("3", "d", "0"):
        quiet.keyboard.press(key)
    assert "That ends your turn." in prompt(quiet)
    assert room.commands("play") == []


def test_beside_a_program_the_chat_takes_commands_alone(quiet: "Page") -> None:
    """What was written there nobody read."""
    quiet.set_viewport_size({"width": 1440, "height": 900})
    room = FakeRoom(quiet, MIDDLE, names=("Ada", "Steady"), kinds=("person", "agent"))
    room.open()
    ready(quiet)
    quiet.get_by_text("Nobody else is here to read.").wait_for()
    assert quiet.get_by_label("Ready phrases").count() == 0
    assert quiet.get_by_label("Write to the table").count() == 0
    field = quiet.get_by_label("A command, such as /help")
    field.fill("hello?")
    field.press("Enter")
    assert room.commands("say") == []
    field.fill("/resign")
    field.press("Enter")
    quiet.get_by_text("Type /resign again").wait_for()
    field.fill("/resign")
    field.press("Enter")
    quiet.wait_for_timeout(100)
    assert len(room.commands("resign")) == 1


CUT = """(field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(field.placeholder).width - room;
}"""


@pytest.mark.parametrize("kind", ["person", "agent"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_chat_s_field_says_in_it_is_whole(quiet: "Page", language: str, kind: str) -> None:
    keep = f"localStorage.setItem('lostcities', JSON.stringify({{ language: '{language}' }}))"
    quiet.add_init_script(keep)
    quiet.set_viewport_size({"width": 1440, "height": 900})
    FakeRoom(quiet, MIDDLE, kinds=("person", kind)).open()
    ready(quiet)
    assert quiet.locator(".chat input").evaluate(CUT) <= 0
    quiet.set_viewport_size({"width": 390, "height": 844})
    quiet.keyboard.press("m")
    quiet.locator("dialog").get_by_role("button", name="Chat").click()
    assert quiet.locator("dialog .chat input").evaluate(CUT) <= 0


def test_between_people_there_are_phrases(quiet: "Page") -> None:
    quiet.set_viewport_size({"width": 1440, "height": 900})
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.get_by_label("Ready phrases").select_option("good_move")
    quiet.wait_for_timeout(100)
    assert room.commands("say")[0]["phrase"] == "good_move"


def test_an_account_that_was_reset_shows_its_change_alone(quiet: "Page") -> None:
    room = FakeRoom(quiet)
    room.api["/api/account"] = {
        "known": True, "name": "Ada", "must_change": True, "browsers": 2, "games": 3,
    }  # fmt: skip
    room.open("/account")
    quiet.get_by_text("The host has reset your passphrase. Choose a new one now.").wait_for()
    assert quiet.get_by_label("New passphrase").is_visible()
    for hidden in ("Sign out everywhere else", "Delete for good"):
        assert quiet.get_by_role("button", name=hidden).count() == 0
    quiet.get_by_role("button", name="Sign out here").wait_for()


SIGN = "use[href^='#suit-'], [data-sign]:not([data-sign='wager'])"


@pytest.mark.parametrize("seat", [0, None])
def test_colour_never_stands_alone(quiet: "Page", seat: int | None) -> None:
    """Every card, pile and row shows its symbol, for those who play and those who watch."""
    room = FakeRoom(quiet, MIDDLE, seat=seat)
    room.open()
    quiet.locator(".board:not([aria-busy='true']) .pile").first.wait_for()
    for what in (".board .face:not(.back)", ".pile .slot", ".row .face"):
        found = quiet.locator(what)
        assert found.count() > 0, what
        signs = found.evaluate_all(
            "(all, sign) => all.map(each => each.querySelectorAll(sign).length)", SIGN
        )
        assert min(signs) >= 1, what
    if seat == 0:
        assert quiet.locator(f".hand .face :is({SIGN})").count() >= 8


def test_an_answer_prepared_for_a_turn_that_is_taken_back_expires(quiet: "Page") -> None:
    room = FakeRoom(quiet, MIDDLE)
    room.open()
    ready(quiet)
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.locator(".place.staged").wait_for()
    room.extra = {"back": 1}
    room.happen("taken_back", seat=1, ply=3)
    quiet.get_by_text("Grace takes the turn back.").first.wait_for(state="attached")
    assert quiet.locator(".place.staged").count() == 0
    quiet.keyboard.press("8")
    quiet.keyboard.press("p")
    quiet.keyboard.press("0")
    quiet.get_by_text("Grace to move").wait_for()
    assert room.commands("play")[-1]["back"] == 1
    assert ORIGIN in quiet.url


COUNT_NOTES = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { window.notes += 1; start.call(this, when); };
"""


@pytest.mark.parametrize("wanted", [True, False])
def test_a_sound_tells_the_turn_to_who_wants_it(quiet: "Page", wanted: bool) -> None:
    quiet.add_init_script(COUNT_NOTES)
    kept = '{"sound": true}' if wanted else "{}"
    quiet.add_init_script(f"localStorage.setItem('lostcities', '{kept}')")
    room = FakeRoom(quiet, START.replace("0 |", "1 |", 1))
    room.open()
    ready(quiet)
    assert quiet.evaluate("window.notes") == 0, "it is the other's turn"
    room.play("-R2*")
    quiet.wait_for_function("() => document.title.startsWith('Your turn')")
    assert quiet.evaluate("window.notes") == (2 if wanted else 0)


def test_after_the_end_the_board_stays_with_the_last_turn_marked(quiet: "Page") -> None:
    room = FakeRoom(quiet, LAST_CARD)
    room.open()
    ready(quiet)
    quiet.get_by_role("button", name="Red 9").click()
    quiet.keyboard.press("d")
    quiet.keyboard.press("0")
    quiet.get_by_role("dialog").wait_for()
    quiet.get_by_role("button", name="Look at the board").click()
    assert quiet.locator(".pile.last").count() == 1
    assert quiet.locator(".pile.last .unseen").inner_text().startswith("Red pile, red 9 on top")
    quiet.get_by_role("button", name="See the last turn again").wait_for()
    quiet.get_by_role("button", name="Results").wait_for()
