"""Every state of the page that has a picture, drawn the same each time."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import segno
from msgspec import to_builtins

import lostcities
from fake_room import LAST_CARD, ORIGIN, FakeRoom
from lostcities.core.pace import Pace
from lostcities.core.record import replay
from lostcities.core.record_text import parse_record
from lostcities.core.round import play_turn
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.protocol.company import OpenTable
from lostcities.protocol.history import ReplayOutline
from lostcities.protocol.terms import Terms
from lostcities.service.replays import outline_of, replay_round, rounds_of_record
from lostcities.service.seeing import pace_info, rules_in_force
from on_page import ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

RECORDS = Path(lostcities.__file__).parent / "conformance/data/records"
MID_GAME = (
    "{mover} | YX Y8 B9 W4 W7 G5 R6 R9 | ?8 | YX Y3 Y5 Y6 B4 B7 GX G2 G3 G4 | "
    "WX WX W5 W6 W8 RX R3 R4 | "
    "B2 B3 W2 W3 R2 G9 | B5 Y2 W9 G7 R5 Y7 B8 W10 G8 R7 Y9 B10 R8 G10"
)
TURNS = ("-B2*", "-W2*", "+Y3*", "+WX*", "-B3*", "+WX*", "+Y5*", "-R2*")


def _mid_game(page: "Page", mover: int = 0, **options: Any) -> FakeRoom:
    room = FakeRoom(page, MID_GAME.format(mover=mover), totals=(61, 48), **options)
    for index, turn in enumerate(TURNS):
        room.seq += 1
        room.events.append(
            {"seq": room.seq, "kind": "turn", "seat": index % 2, "round": 1, "ply": 1, "turn": turn}
        )
    return room


def home(page: "Page") -> None:
    room = FakeRoom(page)
    waits = OpenTable(
        match="m2", phase="waiting", round=0, totals=[0, 0], free=True, here=True,
        terms=Terms(listed=True), url="/t/m2", names=["Ada", ""], kinds=["person", "empty"], rules=str(Rules()), mine=False,
        pace=pace_info(Pace()),
    )  # fmt: skip
    room.api["/api/lobby"] = {"tables": [to_builtins(waits)]}
    room.open("/")
    page.get_by_text("Ada waits for somebody").wait_for()


def lobby(page: "Page") -> None:
    """A table waiting for a friend; its QR code is the one of its link."""
    room = FakeRoom(page, phase="waiting")
    svg = io.BytesIO()
    segno.make(ORIGIN + "/i/k3y").save(svg, kind="svg", scale=4)
    room.qr = svg.getvalue().decode()
    room.open()
    page.locator(".link").wait_for()
    page.wait_for_function("() => [...document.images].every((i) => i.complete && i.naturalWidth)")


def own_turn(page: "Page") -> None:
    """A card is picked, and where it may go is lit."""
    _mid_game(page).open()
    ready(page)
    page.keyboard.press("2")


def staged(page: "Page") -> None:
    _mid_game(page).open()
    ready(page)
    page.keyboard.press("3")
    page.keyboard.press("d")
    page.get_by_text("Now draw").first.wait_for()


def waiting(page: "Page") -> None:
    """The other's turn, who is a program, with clocks."""
    room = _mid_game(page, 1, kinds=("person", "agent"), names=("Ada", "Steady"))
    room.pace = "clock=300+5"
    room.clock = {"left": [201_000, 154_000], "running": [False, False]}
    room.open()
    ready(page)


def _after_the_last_card(page: "Page", earlier: list[list[int]], phase: str) -> FakeRoom:
    """A round has just ended; those before it gave these points."""
    totals = (sum(score[0] for score in earlier), sum(score[1] for score in earlier))
    room = FakeRoom(page, LAST_CARD, totals=totals, phase=phase)
    room.state = play_turn(room.state, parse_turn("+R9*"))
    scores = [*earlier, list(room.state.score)]
    room.done = [
        {"start": n % 2, "score": score, "termination": None, "turns": 44}
        for n, score in enumerate(scores)
    ]
    return room


def round_end(page: "Page") -> None:
    _after_the_last_card(page, [], "between").open()
    page.get_by_role("button", name="Continue").wait_for()


def match_end(page: "Page") -> None:
    room = _after_the_last_card(page, [[41, -7], [-12, 28]], "over")
    room.extra = {"winner": 0}
    room.open()
    page.get_by_role("heading", name="You win").wait_for()


def looking_back(page: "Page") -> None:
    """A replay in the middle of a round, both hands open."""
    record = parse_record((RECORDS / "m000.lcr").read_text("utf-8"))
    told = replay(record)
    rounds = rounds_of_record(told)
    outline = ReplayOutline(
        id="r1", names=["Ada", "Grace"], kinds=["person", "person"],
        rules=rules_in_force(record.rules), seat=0, rounds=[outline_of(each) for each in rounds],
        totals=list(told.match.totals), over=True, termination=None, winner=told.match.winner,
        date=None, event=None, practice=False, share=None, match=None, cards=None,
    )  # fmt: skip
    room = FakeRoom(page)
    room.api["/api/replays/r1"] = to_builtins(outline)
    for each in rounds:
        room.api[f"/api/replays/r1/{each.number}"] = to_builtins(replay_round(each))
    room.open("/replay/r1#1.20")
    page.locator(".foot .where").wait_for()
    ready(page)


def sheet(page: "Page") -> None:
    FakeRoom(page).open("/sheet")
    page.locator(".block").first.wait_for()
    for card in ("yellow 3", "yellow 5", "yellow 8", "red 2", "red 6", "red 9", "red 10"):
        page.get_by_role("button", name=card).first.click()
    page.mouse.move(0, 0)


def rules(page: "Page") -> None:
    FakeRoom(page).open("/rules")
    page.locator(".live").get_by_role("button", name="Five rows").click()
    page.locator(".live").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.live').scrollIntoView()")


def tutorial(page: "Page") -> None:
    FakeRoom(page).open("/learn")
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
    page.mouse.move(0, 0)
    page.locator(".hand button").first.wait_for()


STATES: dict[str, Callable[["Page"], None]] = {
    "home": home,
    "lobby": lobby,
    "own-turn": own_turn,
    "staged": staged,
    "waiting": waiting,
    "round-end": round_end,
    "match-end": match_end,
    "replay": looking_back,
    "sheet": sheet,
    "rules": rules,
    "tutorial": tutorial,
}
