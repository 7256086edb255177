"""Looking back in a real browser, as a person's hand does it: lists, replays, records, accounts."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rooms import FirstLegal, RunningRoom, running_beside
from spoiled import with_a_wrong_turn
from test_cli_records import TAGGED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHORT = "colours=3 hand=4 rounds=2 first=0"
SIZES = [(390, 664), (1440, 900)]


def deck_turn(view: Any) -> Any:
    return next(turn for turn in view.legal if turn.draw is None)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    folder = tmp_path_factory.mktemp("history")
    with running_beside(folder, agents=FirstLegal(deck_turn)) as opened:
        yield opened


@pytest.fixture
def context(browser: "Browser", room: RunningRoom) -> "Iterator[BrowserContext]":
    opened = browser.new_context(
        base_url=room.url, viewport={"width": 390, "height": 664}, reduced_motion="reduce",
        accept_downloads=True, service_workers="block",
        permissions=["clipboard-read", "clipboard-write"],
    )  # fmt: skip
    opened.add_init_script("localStorage.setItem('lostcities', JSON.stringify({autoDraw: true}))")
    yield opened
    opened.close()


@pytest.fixture
def page(context: "BrowserContext") -> "Iterator[Page]":
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []


PLAY = """async ([match, rounds]) => {
  // Plays the seat of this browser by first legal turns from the deck, over its own socket.
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/api/socket');
  const send = (message) => socket.send(JSON.stringify(message));
  const id = () => crypto.randomUUID();
  return await new Promise((resolve) => {
    socket.onopen = () => send({ type: 'hello', match, protocol: PROTOCOL });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (!['snapshot', 'update'].includes(message.type)) return;
      const { table, view, seat } = message;
      const me = window.mySeat ??= seat;
      if (table.phase === 'over' || table.rounds_done.length >= rounds) {
        socket.close();
        resolve(table.totals);
      } else if (table.phase === 'between' && !table.seats[me].continued) {
        send({ type: 'continue', cmd_id: id(), round: view.round });
      } else if (view?.to_move === me) {
        const turn = view.legal.find((each) => each.endsWith('*'));
        send({ type: 'play', cmd_id: id(), round: view.round, ply: view.ply, turn });
      }
    };
  });
}"""


def play(
    page: "Page", rules: str = SHORT, rounds: int = 99, terms: dict[str, bool] | None = None
) -> str:
    """A match of this browser against a program, played to its end (or so many rounds)."""
    from lostcities.protocol.messages import PROTOCOL_VERSION

    page.goto("/")
    made: dict[str, Any] = page.evaluate(
        """([rules, terms]) => fetch('/api/tables', { method: 'POST', headers: {'content-type':
            'application/json'}, body: JSON.stringify({ name: 'Ada', rules, against: 'first',
            seat: 0, terms }) }).then((answer) => answer.json())""",
        [rules, terms],
    )
    script = PLAY.replace("PROTOCOL", str(PROTOCOL_VERSION))
    page.evaluate(script, [made["match"], rounds])
    return str(made["match"])


def where(page: "Page") -> str:
    return page.locator(".foot .where").inner_text()


def test_a_match_is_found_in_the_list_and_stepped_through(page: "Page") -> None:
    match = play(page)
    page.goto("/games")
    page.locator("a.game").click()
    page.wait_for_url(re.compile(f"/replay/{match}#1.0"))
    page.get_by_role("button", name="One turn on").click()
    assert where(page).startswith("Turn 1 of")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("#1.2"))
    assert where(page).startswith("Turn 2 of")
    page.keyboard.press("Home")
    assert where(page) == "Round 1"
    page.keyboard.press("End")
    page.locator(".foot strong", has_text="The round is over").wait_for()
    slider = page.get_by_label("Turn", exact=True)
    slider.fill("3")
    assert page.url.endswith("#1.3")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=6)
    page.mouse.up()
    page.locator(".foot strong", has_text="The round is over").wait_for()
    page.get_by_role("button", name="One turn on").click()
    page.wait_for_url(re.compile("#2.0"))


def test_a_replay_says_that_it_was_practice(page: "Page") -> None:
    match = play(page, terms={"aids": True})
    page.goto("/games")
    page.locator("a.game", has_text="practice").click()
    page.wait_for_url(re.compile(f"/replay/{match}#1.0"))
    page.locator(".foot", has_text="A practice match: it counts in no results.").wait_for()
    page.get_by_role("button", name="One turn on").click()
    page.locator(".foot", has_text="Turn 1 of").wait_for()
    assert page.locator(".foot", has_text="practice").count() == 0
    page.goto("/games/results")
    page.get_by_text("matches with learner aids or takebacks, count in no results").wait_for()


def hand(page: "Page") -> list[str | None]:
    cards = page.locator(".hand button")
    cards.first.wait_for()
    return [cards.nth(index).get_attribute("aria-label") for index in range(cards.count())]


def test_both_seats_are_looked_from_and_both_hands_opened(page: "Page") -> None:
    match = play(page)
    page.goto(f"/replay/{match}#1.4")
    mine = hand(page)
    assert page.locator(".theirs [data-spot^=known]").count() == 0
    page.get_by_role("button", name="Both hands").click()
    page.locator(".theirs [data-spot^=known]").nth(3).wait_for()
    page.keyboard.press("b")
    page.keyboard.press("f")
    assert hand(page) != mine
    page.goto(f"/replay/{match}?seat=1&both#1.4")
    page.locator(".theirs [data-spot^=known]").nth(3).wait_for()


def test_nothing_is_played_in_a_replay(page: "Page") -> None:
    match = play(page)
    page.goto(f"/replay/{match}#1.4")
    before = hand(page)
    page.locator(".hand button").first.click()
    for key in ("1", "p", "d", "0"):
        page.keyboard.press(key)
    assert page.locator(".hand .picked").count() == 0
    assert hand(page) == before


def test_a_round_that_goes_on_shows_the_own_hand_only(page: "Page") -> None:
    match = play(page, rounds=1)
    told: list[str] = []
    page.on(
        "response", lambda answer: told.append(answer.url) if "/api/replays" in answer.url else None
    )
    page.goto(f"/replay/{match}")
    page.get_by_role("button", name="Both hands").wait_for()
    page.goto(f"/t/{match}")
    page.get_by_role("button", name="Continue").click()
    page.locator(".hand button").first.wait_for()
    page.goto(f"/replay/{match}#2.0")
    hand(page)
    assert page.get_by_role("button", name="Both hands").count() == 0
    body = page.evaluate(f"() => fetch('/api/replays/{match}/2').then((answer) => answer.text())")
    assert all(frame["hands"][1] is None for frame in json.loads(body)["frames"])
    assert told


def test_a_replay_is_shared_at_a_turn_and_spoils_nothing(
    page: "Page", browser: "Browser", room: RunningRoom
) -> None:
    match = play(page)
    totals = page.evaluate(f"() => fetch('/api/replays/{match}').then((a) => a.json())")["totals"]
    page.goto(f"/replay/{match}#1.5")
    page.get_by_role("button", name="Rounds, sharing and more").click()
    page.get_by_label("Keep the result hidden").check()
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("p.link").inner_text()
    assert link.endswith("?hide#1.5")
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_text("Copied").wait_for()
    other = browser.new_context(viewport={"width": 390, "height": 664}, service_workers="block")
    friend = other.new_page()
    friend.goto(link)
    friend.locator(".hand button").first.wait_for()
    assert where(friend) == "Turn 5", "not how many there are"
    friend.get_by_role("button", name="Rounds, sharing and more").click()
    score = f"{totals[0]} : {totals[1]}".replace("-", "−")
    assert score not in friend.locator("dialog").inner_text()
    assert friend.locator("dialog .rounds li").count() == 1, "nor how many rounds"
    friend.keyboard.press("Escape")
    for _ in range(60):
        if friend.locator(".foot strong").inner_text().startswith("The match is over"):
            break
        friend.get_by_role("button", name="One turn on").click()
        friend.wait_for_timeout(20)
    assert score in friend.locator(".foot").inner_text(), "it is told once it is reached"
    other.close()


def test_records_go_out_and_come_in_by_hand(page: "Page", tmp_path: Path) -> None:
    match = play(page)
    page.goto("/games")
    with page.expect_download() as started:
        page.get_by_role("link", name="Every round (CSV)").click()
    assert match in started.value.path().read_text()
    page.goto(f"/replay/{match}")
    page.get_by_role("button", name="Rounds, sharing and more").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download the record").click()
    text = started.value.path().read_text()
    good, bad = tmp_path / "good.lcr", tmp_path / "bad.lcr"
    good.write_text(text)
    wrong, place = with_a_wrong_turn(text, 4)
    bad.write_text(wrong)
    page.goto("/games")
    page.locator("input[type=file]").set_input_files([bad, good])
    page.get_by_text("1 record kept").wait_for()
    told = page.locator("[role=alert]").inner_text()
    assert "bad.lcr" in told
    assert place in told
    page.locator("h3 + ul a.game").click()
    hand(page)
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(bad)
    page.get_by_text(place).wait_for()
    assert "[Rules" in page.locator("textarea").input_value(), "what was brought is not lost"
    page.locator("input[type=file]").set_input_files(good)
    hand(page)
    page.keyboard.press("End")
    page.get_by_role("button", name="One turn on").click()
    page.locator(".foot .where", has_text="Round 2").wait_for()


def test_results_have_a_chart_and_the_same_as_a_table(page: "Page") -> None:
    play(page)
    page.goto("/games/results")
    page.locator("svg.chart circle").first.wait_for()
    assert page.locator("svg.chart circle").count() == 2
    page.get_by_text("The rounds as a table").click()
    assert page.locator("details tbody tr").count() == 2
    page.locator("details tbody a").first.click()
    page.wait_for_url(re.compile("/replay/"))


def test_an_account_keeps_the_matches_on_another_device(
    page: "Page", browser: "Browser", room: RunningRoom
) -> None:
    match = play(page)
    name = f"Ada {random.randrange(10**9)}"
    page.goto("/account")
    page.get_by_label("Name to sign in by").first.fill(name)
    page.get_by_label("Passphrase").first.fill("four plain words here")
    page.get_by_role("button", name="Keep my matches").click()
    page.get_by_role("heading", name=f"Signed in as {name}").wait_for()
    other = browser.new_context(base_url=room.url, service_workers="block")
    phone = other.new_page()
    phone.goto("/account")
    phone.locator("summary", has_text="Sign in").click()
    form = phone.locator("details form").first
    form.get_by_label("Name to sign in by").fill(name)
    form.get_by_label("Passphrase").fill("something else")
    form.get_by_role("button", name="Sign in").click()
    phone.locator("[role=alert]", has_text="do not belong together").wait_for()
    form.get_by_label("Passphrase").fill("four plain words here")
    form.get_by_role("button", name="Sign in").click()
    phone.get_by_role("heading", name=f"Signed in as {name}").wait_for()
    phone.goto("/games")
    phone.locator(f'a.game[href="/replay/{match}"]').wait_for()
    page.reload()
    page.get_by_role("button", name="Sign out everywhere else").click()
    page.get_by_text("Every other browser is signed out").wait_for()
    phone.reload()
    phone.get_by_text("No matches yet").wait_for()
    page.locator("summary", has_text="Delete my data").click()
    page.locator("details form").last.get_by_label("Passphrase").fill("four plain words here")
    page.get_by_label("I want everything personal deleted").check()
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("Nothing personal of yours is left").wait_for()
    page.goto("/games")
    page.get_by_text("No matches yet").wait_for()
    other.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible_and_nothing_falls_off(
    page: "Page", size: tuple[int, int], scheme: Any
) -> None:
    match = play(page, rounds=1)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    axe = Path(__file__).parents[1] / "web/node_modules/axe-core/axe.min.js"
    for path in (f"/replay/{match}#1.6", "/games", "/games/results", "/account", "/replay"):
        page.goto(path)
        page.locator("h1").first.wait_for()
        page.wait_for_load_state("networkidle")
        across = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert across <= 0, path
        page.evaluate(axe.read_text())
        found = page.evaluate("() => axe.run().then((r) => r.violations)")
        told = [(each["id"], each["nodes"][0]["html"][:120]) for each in found]
        assert told == [], path


def test_a_lesson_is_set_from_a_replay_and_begun_by_its_link(
    page: "Page", browser: "Browser", room: RunningRoom
) -> None:
    match = play(page)
    page.goto(f"/replay/{match}#1.4")
    page.get_by_role("button", name="Rounds, sharing and more").click()
    page.get_by_role("link", name="Practise from this position").click()
    page.get_by_label("Turn 4 of round 1").wait_for()
    page.get_by_label("Against").select_option("first")
    page.get_by_label("What you want to say").fill("Which row is worth it?")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("p.link").inner_text()
    other = browser.new_context(viewport={"width": 390, "height": 664}, service_workers="block")
    pupil = other.new_page()
    pupil.goto(link)
    pupil.get_by_text("Which row is worth it?").wait_for()
    pupil.get_by_label("Your name").fill("Grace")
    pupil.get_by_role("button", name="Begin").click()
    pupil.locator(".hand button").first.wait_for()
    pupil.get_by_role("button", name="Menu").click()
    pupil.get_by_text("Which row is worth it?").wait_for()
    pupil.get_by_role("button", name="What would a program do?").click()
    pupil.locator("dialog table").get_by_text("3.5").wait_for()
    pupil.keyboard.press("Escape")
    assert "You ask for a hint." in pupil.locator(".prompt").inner_text()
    other.close()


def test_the_link_of_a_lesson_leads_where_others_reach_the_room(page: "Page") -> None:
    """Whoever sits at the room's own machine used to hand out a link to that very machine."""

    def elsewhere(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"base_url": "https://play.example"})

    page.route("**/api/room", elsewhere)
    page.goto("/practice")
    page.get_by_role("radio", name="A position").check()
    page.locator("textarea").first.fill("0 | R5 | B3 | Y2 Y3 | - | - | W4 W5")
    page.get_by_role("button", name="Make the link").click()
    assert page.locator("p.link").inner_text().startswith("https://play.example/")
    match = play(page)
    page.goto(f"/replay/{match}")
    page.get_by_role("button", name="Rounds, sharing and more").click()
    page.get_by_role("button", name="Make a link").click()
    assert page.locator("p.link").inner_text().startswith("https://play.example/replay/")


def test_a_position_is_read_or_what_is_wrong_with_it_told(page: "Page") -> None:
    page.goto("/practice")
    page.get_by_role("radio", name="A position").check()
    page.locator("textarea").first.fill("0 | R5 | B3 | Y3 Y2 | - | - | W4 W5")
    page.get_by_role("button", name="Make the link").click()
    page.locator("[role=alert]", has_text="rows of seat 0: Y2").wait_for()
    page.locator("textarea").first.fill("0 | R5 | B3 | Y2 Y3 | - | - | W4 W5")
    page.get_by_role("button", name="Make the link").click()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("heading", name="A lesson").wait_for()


ROOT = "getComputedStyle(document.documentElement).getPropertyValue('--suit-W')"


def looked_at(page: "Page", deck: str) -> None:
    """A record of five colours that names a deck, opened from the person's own device."""
    page.goto("/replay")
    page.get_by_role("textbox").fill(TAGGED.format(deck=deck).replace(" -W2<B", " -W2*"))
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Rounds, sharing and more").wait_for()


@pytest.mark.parametrize("deck", ["mtttgc3", "Travel"])
def test_a_record_is_shown_in_the_deck_that_it_names(page: "Page", deck: str) -> None:
    looked_at(page, deck)
    page.wait_for_function(f"() => {ROOT}.trim() === '#49275D'")
    page.get_by_role("button", name="Rounds, sharing and more").click()
    choice = page.get_by_label("Cards as in")
    assert choice.input_value() == "mtttgc3"
    choice.select_option("")
    page.wait_for_function(f"() => {ROOT}.trim() !== '#49275D'")


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("six", "The record names a deck without its cards: "),
        ("attic", "The record names the deck “attic”, which is not on this device."),
    ],
)
def test_a_deck_that_a_record_cannot_have_is_told(page: "Page", deck: str, said: str) -> None:
    looked_at(page, deck)
    page.get_by_role("status").filter(has_text=said).wait_for()
    assert page.evaluate(ROOT).strip() != "#49275D"
