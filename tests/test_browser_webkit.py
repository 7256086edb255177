"""A match of two people in WebKit: taps, drags, a page in the background, a room that comes back."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import webkit
from serving import Serving
from webkit import WebKitPerson

pytestmark = [
    pytest.mark.needs("webkit"),
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    # Selenium's own habit, in its driver for this browser.
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]

# How a table is made on the home page is tried in Chromium; here the match is what matters.
MAKE = """
const answer = await fetch('/api/tables', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Ada', rules: 'rounds=1', against: 'friend', seat: 0 }),
});
return answer.json();
"""
NAME = """
const field = document.querySelector('input');
field.value = arguments[0];
field.dispatchEvent(new Event('input', { bubbles: true }));
"""

WATCH = """
window.seen = [];
document.addEventListener('visibilitychange', () => window.seen.push(document.visibilityState));
"""


@pytest.fixture
def people(serving: Serving, tmp_path: Path) -> Iterator[tuple[WebKitPerson, WebKitPerson]]:
    with webkit.display() as screen:
        ada = WebKitPerson(serving.url, screen, tmp_path / "ada.log")
        try:
            grace = WebKitPerson(serving.url, screen, tmp_path / "grace.log")
            try:
                yield ada, grace
            finally:
                grace.close()
        finally:
            ada.close()


def sit_down(ada: WebKitPerson, grace: WebKitPerson) -> str:
    """Both at one table; its identity."""
    ada.go("/")
    ada.wait_for("button")
    made = ada.run(MAKE)
    ada.go(made["url"])
    grace.go(made["invite"])
    grace.wait_for("input")
    grace.run(NAME, "Grace")
    grace.tap("form button, main button")
    for person in (ada, grace):
        person.wait_for(".hand button")
    return str(made["match"])


def to_move(people: tuple[WebKitPerson, WebKitPerson]) -> WebKitPerson | None:
    """Whoever is to move, or None when the round is over for both."""
    found: list[WebKitPerson] = []

    def settled() -> bool:
        found[:] = [person for person in people if person.is_to_move()]
        return bool(found) or all(person.count("dialog[open]") for person in people)

    people[0].wait("a turn or the end", settled)
    return found[0] if found else None


def lay(person: WebKitPerson, chance: random.Random) -> None:
    """Play a card if it can be, else discard it; by taps or by dragging."""
    slot = chance.randrange(person.count(".hand button"))
    person.tap(".hand button", slot)
    person.wait_for(".hand [aria-pressed=true]")
    playable = person.count(".zone.play.legal") == 1 and chance.random() < 0.8
    x, y = person.middle(".mine .lays" if playable else ".middle")
    there = (x, y + 40) if playable else (x, y)
    if chance.random() < 0.4:
        person.tap(".hand button", slot)
        person.drag(person.middle(f"[data-slot='{slot}']"), there)
    else:
        person.tap_at(there)
    person.wait("the draw", lambda: "Now draw" in person.text("body"))


def draw(person: WebKitPerson) -> None:
    person.tap(".deck")
    person.wait("the end of the turn", lambda: not person.is_to_move())


def test_two_people_play_a_round_in_webkit(
    people: tuple[WebKitPerson, WebKitPerson], serving: Serving
) -> None:
    sit_down(*people)
    chance = random.Random(3)
    turns = 0
    while (person := to_move(people)) is not None:
        if turns == 6:
            in_the_background_over_a_restart(people, serving)
        lay(person, chance)
        draw(person)
        turns += 1
    assert turns >= 44
    headings = [person.text("dialog h2") for person in people]
    assert all(headings)
    assert {person.count(".linkbar") for person in people} == {0}


def in_the_background_over_a_restart(
    people: tuple[WebKitPerson, WebKitPerson], serving: Serving
) -> None:
    """The page is put away while the room dies and returns; then it comes back to the front."""
    shown = [hand(person) for person in people]
    for person in people:
        person.run(WATCH)
        person.put_away()
    serving.kill()
    serving.start()
    for person in people:
        person.bring_back()
    for person in people:
        in_contact(person)
        assert person.run("return window.seen") == ["hidden", "visible"]
    assert [hand(person) for person in people] == shown


def in_contact(person: WebKitPerson) -> None:
    person.wait("the connection", lambda: person.count(".linkbar") == 0)


def hand(person: WebKitPerson) -> list[str]:
    """The cards as they are called, in their order."""
    script = "return [...document.querySelectorAll('.hand button')].map((card) => card.ariaLabel)"
    return [str(name) for name in person.run(script)]
