"""Whole matches in real browsers against the real room."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from lostcities.core.record import Record, replay
from lostcities.core.record_text import parse_record
from serving import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


@dataclass
class Person:
    """Somebody with a browser of their own; `errors` are what its pages complained of."""

    page: "Page"
    errors: list[str]

    def is_to_move(self) -> bool:
        return self.page.title().startswith("Your turn")

    def record(self) -> Record:
        """The match as this person's page can download it."""
        match = self.page.url.rsplit("/", 1)[1]
        answer = self.page.request.get(f"/api/tables/{match}/record")
        assert answer.ok
        return parse_record(answer.text())

    def plies(self) -> int:
        return sum(len(each.turns) for each in self.record().rounds)


def complaints(page: "Page") -> list[str]:
    """What goes wrong on a page, as it happens."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@pytest.fixture
def people(browser: "Browser", serving: Serving) -> Iterator[tuple[Person, Person]]:
    """Two people, each with a browser; what their pages complain of fails the test."""
    made: list[Person] = []
    contexts = []
    for width, height in ((390, 664), (1280, 800)):
        context = browser.new_context(
            base_url=serving.url,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        made.append(Person(page, complaints(page)))
    yield made[0], made[1]
    for context in contexts:
        context.close()
    assert [person.errors for person in made] == [[], []]


def sit_down(people: tuple[Person, Person], *, rounds: str = "") -> None:
    """One makes a table, the other follows its link."""
    host, guest = people
    host.page.goto("/")
    host.page.get_by_label("Your name").fill("Ada")
    host.page.locator("summary").click()
    host.page.get_by_label("Rounds").select_option(rounds)
    host.page.get_by_role("button", name="Invite a friend").click()
    link = host.page.locator("p.link").inner_text()
    guest.page.goto(link)
    guest.page.get_by_label("Your name").fill("Grace")
    guest.page.get_by_role("button", name="Take the seat").click()
    for person in people:
        person.page.locator(".hand button").first.wait_for()


def wait_for_turn(people: tuple[Person, Person], patience: int = 15_000) -> Person | None:
    """Whoever is to move, or None when the round is over for both."""
    for _ in range(patience // 25):
        for person in people:
            if person.is_to_move():
                return person
        if all(person.page.locator("dialog[open]").count() for person in people):
            return None
        people[0].page.wait_for_timeout(25)
    pytest.fail("nobody is to move")


def middle_of(page: "Page", selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def own_half(page: "Page") -> tuple[float, float]:
    """A point on the own half where no button lies."""
    x, y = middle_of(page, ".mine .lays")
    return x, y + 40


def take_turn(person: Person, chance: random.Random) -> None:
    """One turn by mouse: by taps or by dragging; a card is played if it can be, else discarded."""
    page = person.page
    cards = page.locator(".hand button")
    slot = chance.randrange(cards.count())
    drag = chance.random() < 0.3
    cards.nth(slot).click()
    playable = page.locator(".zone.play.legal").count() == 1 and chance.random() < 0.8
    there = own_half(page) if playable else middle_of(page, ".middle")
    if drag:
        cards.nth(slot).click()
        page.mouse.move(*middle_of(page, f"[data-slot='{slot}']"))
        page.mouse.down()
        page.mouse.move(*there, steps=4)
        page.mouse.up()
    else:
        page.mouse.click(*there)
    page.get_by_text("Now draw").first.wait_for()
    piles = page.locator(".pile.lit")
    if chance.random() < 0.15 and piles.count() > 0:
        piles.first.click()
    else:
        page.locator(".deck").click()
    page.wait_for_function("() => !document.title.startsWith('Your turn')")


def play_round(people: tuple[Person, Person], chance: random.Random) -> int:
    turns = 0
    while (person := wait_for_turn(people)) is not None:
        take_turn(person, chance)
        turns += 1
        assert turns < 400
    return turns


def totals(person: Person) -> list[int]:
    """The match totals as the page shows them, own first."""
    cells = person.page.locator("dialog .total td").all_inner_texts()
    return [int(cell.replace("−", "-")) for cell in cells]


def test_two_people_play_a_whole_match_by_mouse(people: tuple[Person, Person]) -> None:
    sit_down(people)
    chance = random.Random(5)
    turns = [play_round(people, chance)]
    for _ in range(2):
        for person in people:
            person.page.get_by_role("button", name="Continue").click()
        for person in people:
            person.page.locator("dialog").wait_for(state="detached")
        turns.append(play_round(people, chance))
    host, guest = people
    record = host.record()
    assert [len(each.turns) for each in record.rounds] == turns
    result = replay(record).match.totals
    assert totals(host) == [result[0], result[1]] or totals(host) == [result[1], result[0]]
    assert totals(guest) == totals(host)[::-1]
    assert host.record() == guest.record()
    words = {person.page.locator("dialog h2").inner_text() for person in people}
    mine, theirs = totals(host)
    if mine != theirs:
        assert words == {"You win", "Ada wins" if mine > theirs else "Grace wins"}


def test_a_match_by_keyboard_alone_against_steady(browser: "Browser", serving: Serving) -> None:
    context = browser.new_context(base_url=serving.url, reduced_motion="reduce")
    page = context.new_page()
    # Programs think only when nothing else wants the processor.
    page.set_default_timeout(120_000)
    person = Person(page, complaints(page))
    page.goto("/")
    page.get_by_role("button", name="Play a program").wait_for()
    tab_to(page, "Your name")
    page.keyboard.type("Ada")
    tab_to(page, "Opponent")
    page.keyboard.type("Steady")
    tab_to(page, "Play a program")
    page.keyboard.press("Enter")
    page.locator(".hand button").first.wait_for()
    for round_number in (1, 2, 3):
        play_by_keys(person)
        heading = page.locator("dialog h2")
        heading.wait_for()
        if round_number < 3:
            assert heading.inner_text() == f"Round {round_number} of 3"
            tab_to(page, "Continue")
            page.keyboard.press("Enter")
            page.locator("dialog").wait_for(state="detached")
    assert re.search("win|draw", page.locator("dialog h2").inner_text())
    replayed = replay(person.record())
    assert len(replayed.match.results) == 3
    assert person.errors == []
    context.close()


def tab_to(page: "Page", name: str) -> None:
    """Walk by Tab until what has this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        label = page.evaluate(
            "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()"
        )
        if label == name:
            return
    pytest.fail(f"{name} cannot be reached by keyboard")


def play_by_keys(person: Person) -> None:
    """A round: the first card that can be played, else the first is discarded; from the deck."""
    page = person.page
    page.wait_for_function(
        "() => document.title.startsWith('Your turn') || document.querySelector('dialog[open]')"
    )
    while person.is_to_move():
        for key in "12345678":
            page.keyboard.press(key)
            page.keyboard.press("p")
            if page.locator(".place.staged").count():
                break
            page.keyboard.press("Escape")
        else:
            page.keyboard.press("1")
            page.keyboard.press("d")
        page.keyboard.press("0")
        # A fast program has answered before one can see that it was its turn.
        page.wait_for_function("() => !document.querySelector('.hand [aria-pressed=true]')")
        page.wait_for_function(
            "() => document.title.startsWith('Your turn') || document.querySelector('dialog[open]')"
        )


def test_the_match_goes_on_after_the_room_was_killed(
    people: tuple[Person, Person], serving: Serving
) -> None:
    sit_down(people, rounds="1")
    chance = random.Random(11)
    played = 0
    for cycle in range(3):
        for _ in range(4):
            person = wait_for_turn(people)
            assert person is not None
            take_turn(person, chance)
            played += 1
        person = wait_for_turn(people)
        assert person is not None
        other = people[1 if person is people[0] else 0]
        if cycle == 1:
            serving.kill()
            cut_off(people)
            # A turn made while the line is down is kept and sent once it is back.
            lay_first_and_draw(person)
            person.page.get_by_text("Waiting for the connection").wait_for()
        else:
            # The cut falls somewhere around the commit and the acknowledgement.
            lay_first_and_draw(person)
            serving.kill()
        serving.start()
        played += 1
        for each in people:
            each.page.locator(".linkbar").wait_for(state="detached", timeout=40_000)
        other.page.wait_for_function("() => document.title.startsWith('Your turn')")
        assert person.plies() == played
    replay(people[0].record())
    assert people[0].plies() == people[1].plies() == played


def cut_off(people: tuple[Person, Person]) -> None:
    for person in people:
        person.page.locator(".linkbar", has_text="Connection lost").wait_for()


def lay_first_and_draw(person: Person) -> None:
    """Discard the first card and draw, without waiting for an answer."""
    page = person.page
    page.locator(".hand button").first.click()
    page.get_by_role("button", name="Discard", exact=True).click()
    page.get_by_text("Now draw").first.wait_for()
    page.locator(".deck").click()


def test_a_seat_moves_to_another_device(
    people: tuple[Person, Person], browser: "Browser", serving: Serving
) -> None:
    sit_down(people)
    page = people[0].page
    hand = page.locator(".hand button").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Move to another device").click()
    code = page.locator("p.code").inner_text()
    context = browser.new_context(base_url=serving.url)
    phone = context.new_page()
    phone.goto("/")
    phone.get_by_label("Code").fill(code)
    phone.get_by_role("button", name="Take my seat here").click()
    phone.locator(".hand button").first.wait_for()
    assert (
        phone.locator(".hand button").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
        == hand
    )
    page.get_by_role("heading", name="Your seat has moved to another device").wait_for()
    context.close()


def test_both_sit_down_again_at_a_new_table(people: tuple[Person, Person]) -> None:
    sit_down(people)
    host, guest = people
    host.page.get_by_role("button", name="Menu").click()
    host.page.get_by_role("button", name="Resign the match").click()
    host.page.get_by_role("button", name="Yes").click()
    guest.page.get_by_role("heading", name="You win").wait_for()
    host.page.get_by_role("heading", name="Grace wins").wait_for()
    first = host.page.url
    host.page.get_by_role("button", name="Play again").click()
    guest.page.get_by_role("button", name="Sit down at the new table").click()
    for person in people:
        person.page.wait_for_url(lambda url: url != first)
        person.page.locator(".hand button").first.wait_for()
    assert host.page.url == guest.page.url
