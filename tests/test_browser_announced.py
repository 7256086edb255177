"""A whole match of three rounds for the ear: what is spoken on three pages, word for word."""

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.core.cards import Card
from lostcities.core.record_text import parse_record
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from on_page import PAINTED
from rooms import FixedDecks, running_beside
from test_browser_company import named, someone
from test_browser_takebacks import THEIRS, TURN
from test_browser_voice import FOCUSED, HEARD, LISTEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULES = "colours=3 hand=3 top=5"
COLOURS = {"Y": "yellow", "B": "blue", "W": "white"}
DEALT = "said => window.heard.some((each) => each.includes(said))"
SENTENCE = re.compile(r"(?:You|Ada) (?:plays?|discards?) [^.]+?\.")


def decks() -> list[tuple[Card, ...]]:
    """Both hold a blue wager at first, and discard it: the same turn twice, one after the other."""
    cards = list(Rules.parse(f"room {RULES}").all_cards())
    wagers = [card for card in cards if str(card) == "BX"][:2]
    rest = [card for card in cards if card not in wagers] + [wagers[0]]
    made = []
    for step in (5, 8, 11):
        mixed = [rest[(step * at) % len(rest)] for at in range(len(rest))]
        assert sorted(mixed) == sorted(rest)
        made.append((*wagers, *mixed))
    return made


def called(card: str) -> str:
    rank = "wager" if card[1:] == "X" else card[1:]
    return f"{COLOURS[card[0]]} {rank}"


def told(turn: Turn, mine: bool) -> str:
    """What a page says of a turn, its own or another's."""
    token = str(turn if mine else turn.public)
    lay, card, draw = re.fullmatch(r"([+-])([A-Z]\w+?)((?:\*|<).*)", token).groups()  # type: ignore[union-attr]
    verb = {"+": ("play", "plays"), "-": ("discard", "discards")}[lay]
    if draw[0] == "<":
        drawn = ("take", "takes")[not mine] + f" from the {COLOURS[draw[1]]} pile"
    elif mine:
        drawn = f"draw {called(draw[1:])}"
    else:
        drawn = "draws from the deck"
    return f"{'You' if mine else 'Ada'} {verb[not mine]} {called(card)} and {drawn}."


def take_turn(page: "Page", number: int) -> None:
    """By keys: the blue wager first, else the first card, which is played if it can be."""
    labels = page.locator(".hand button").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label').toLowerCase())"
    )
    slot = next((at for at, label in enumerate(labels) if label.startswith("blue wager")), 0)
    page.keyboard.press(str(slot + 1))
    opening = number < 2
    playable = page.locator(".zone.play.legal").count() and not opening
    page.keyboard.press("p" if playable else "d")
    page.evaluate(PAINTED)
    lit = page.locator(".pile.lit .unseen")
    if number % 4 == 3 and lit.count():
        page.keyboard.press(lit.first.inner_text()[0].lower())
    else:
        page.keyboard.press("0")
    page.wait_for_function(THEIRS)


def play_round(pages: tuple["Page", "Page"]) -> int:
    turns = 0
    for _ in range(200):
        for page in pages:
            if page.evaluate(TURN):
                take_turn(page, turns)
                turns += 1
                assert all(each.evaluate(FOCUSED) for each in pages)
        if all(page.locator("dialog[open]").count() for page in pages):
            return turns
        pages[0].wait_for_timeout(10)
    pytest.fail("the round does not end")


def test_every_announcement_of_a_whole_match(browser: "Browser", tmp_path: Path) -> None:
    """Each turn once on each page, the same turn twice where it happened twice; nothing unasked
    for in between; and the keyboard is somewhere at every moment.
    """
    fixed = FixedDecks(decks())
    with (
        running_beside(tmp_path, decks=fixed) as room,
        someone(browser, room) as ada,
        someone(browser, room) as other,
        someone(browser, room) as watcher,
    ):
        named(ada, "Ada")
        ada.get_by_text("Colours, rounds, seat and more").click()
        ada.get_by_label("Your seat", exact=True).select_option("0")
        ada.get_by_label("More rules").fill(f"{RULES} first=0")
        ada.get_by_role("button", name="Open a table").click()
        ada.wait_for_url("**/t/**")
        named(other, "Ada")
        other.get_by_role("button", name="Sit down", exact=True).click()
        watcher.goto(ada.url)
        pages = (ada, other)
        for page in pages:
            page.locator(".hand button").first.focus()
        watcher.get_by_text("You are watching").wait_for()
        for page in (*pages, watcher):
            page.evaluate(LISTEN)
        plies = []
        for number in (1, 2, 3):
            plies.append(play_round(pages))
            if number == 3:
                break
            for page in pages:
                page.get_by_role("button", name="Continue").focus()
                page.keyboard.press("Enter")
            for page in pages:
                page.locator("dialog").wait_for(state="detached")
                page.wait_for_function(DEALT, arg=f"Round {number + 1} is dealt.")
                assert page.evaluate(FOCUSED)
        match = ada.url.rsplit("/", 1)[1]
        record = parse_record(ada.request.get(f"/api/tables/{match}/record").text())
        assert [len(each.turns) for each in record.rounds] == plies
        watcher.wait_for_function("least => window.heard.length >= least", arg=sum(plies))
        for page, seat in ((ada, 0), (other, 1), (watcher, None)):
            said: list[str] = page.evaluate(HEARD)
            expected = [
                told(turn, (round_.start or 0) ^ (ply % 2) == seat)
                for round_ in record.rounds
                for ply, turn in enumerate(round_.turns)
            ]
            assert SENTENCE.findall(" ".join(said)) == expected
            if seat is None:
                doubles = [one for one, two in pairwise(expected) if one == two]
                assert len(doubles) >= 3, "each round begins with the same turn twice"
            assert rest_of(said) <= known_besides(seat), rest_of(said) - known_besides(seat)


def rest_of(said: list[str]) -> set[str]:
    """What was spoken besides turns, sentence by sentence."""
    without = [SENTENCE.sub("", each) for each in said]
    sentences = (s.strip() for each in without for s in re.split(r"(?<=[.!?])\s", each))
    return {s for s in sentences if s and not re.fullmatch(r"\w+ \w+ (played|discarded)\.", s)}


def known_besides(seat: int | None) -> set[str]:
    mine = {"Now draw.", "Your turn: play or discard a card.", "You go on."}
    return {"Round 2 is dealt.", "Round 3 is dealt.", "Ada goes on."} | (
        set() if seat is None else mine
    )
