"""Writing on the score sheet in a browser, as people do: by taps, by sweeps and by keys."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_room import ORIGIN, FakeRoom
from lostcities.core.cards import Card, parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.sheets import make_sheet
from on_page import sized

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ROOT = Path(__file__).parents[1]
CASES = ROOT / "web/src/sheet/cases.json"


@contextmanager
def unasked(page: "Page") -> Iterator[None]:
    """The page asks the room for nothing but its own files, and nobody else for anything."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield
    assert [url for url in asked if "/api/" in url or not url.startswith((ORIGIN, "blob:"))] == []


def open_sheet(page: "Page") -> "Page":
    """An empty sheet on a phone."""
    FakeRoom(page)
    sized(page, (390, 664))
    page.goto(ORIGIN + "/sheet")
    page.locator(".block").first.wait_for()
    page.evaluate("document.fonts.ready")
    return page


def typical_rounds() -> dict[str, tuple[str, BySeat[tuple[Card, ...]]]]:
    """The worked scores of two rule texts beside each other, and the ends of two recorded rounds."""
    worked = (
        "Y5 Y8 Y10 WX GX G3 G5 G7 RX RX R2 R3 R5 R7 R8 R10",
        "BX BX BX B2 B3 B4 B7 B10",
    )
    sheets = json.loads(CASES.read_text("utf-8"))["sheets"]
    whole = [
        each
        for each in sheets
        if each["rules"].startswith("colours=") and min(map(len, each["cards"])) > 8
    ]
    five = max((each for each in whole if each["rules"].endswith("5")), key=size)
    six = max((each for each in whole if each["rules"].endswith("6")), key=size)
    return {
        "worked": ("colours=5", sides(*worked)),
        "five": ("colours=5", sides(*map(" ".join, five["cards"]))),
        "six": ("colours=6", sides(*map(" ".join, six["cards"]))),
    }


def size(case: dict[str, Any]) -> int:
    return sum(map(len, case["cards"]))


def sides(one: str, two: str) -> BySeat[tuple[Card, ...]]:
    return BySeat(parse_cards(one), parse_cards(two))


ROUNDS = typical_rounds()


def choose_colours(page: "Page", colours: int) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Deck and rules").click()
    page.get_by_role("radio", name=str(colours)).check()
    page.get_by_role("button", name="Done").click()


def points(page: "Page") -> list[int]:
    return [int(text.replace("−", "-")) for text in page.locator(".points").all_inner_texts()]


def due(rules: str, both: BySeat[tuple[Card, ...]]) -> list[int]:
    return list(make_sheet(both, Rules.parse(rules)).totals)


def cell(page: "Page", seat: int, row: int, rank: int) -> Any:
    """The cell of a number; 0 is the wager."""
    return page.locator(f"#cell-{seat}-{row}-{max(0, rank - 1)}")


def rows_of(side: tuple[Card, ...]) -> dict[int, tuple[int, list[int]]]:
    """By colour: how many wagers, and which numbers."""
    found: dict[int, tuple[int, list[int]]] = {}
    for card in side:
        wagers, numbers = found.get(card.colour, (0, []))
        if card.is_wager:
            found[card.colour] = (wagers + 1, numbers)
        else:
            found[card.colour] = (wagers, [*numbers, card.rank])
    return found


def runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Numbers as first and last of each run."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def middle(page: "Page", seat: int, row: int, rank: int) -> tuple[float, float]:
    box = cell(page, seat, row, rank).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def by_taps(page: "Page", seat: int, side: tuple[Card, ...]) -> None:
    for card in side:
        cell(page, seat, card.colour, card.rank).click()


def sweep(page: "Page", seat: int, row: int, first: int, last: int) -> None:
    page.mouse.move(*middle(page, seat, row, first))
    page.mouse.down()
    page.mouse.move(*middle(page, seat, row, last), steps=4)
    page.mouse.up()


def by_sweeps(page: "Page", seat: int, side: tuple[Card, ...]) -> None:
    for row, (wagers, numbers) in rows_of(side).items():
        for _ in range(wagers):
            cell(page, seat, row, 0).click()
        for first, last in runs(numbers):
            sweep(page, seat, row, first, last)


def by_keys(page: "Page", both: BySeat[tuple[Card, ...]]) -> None:
    """From the page as it opens. What cannot follow in a row leads to the next one by itself."""
    page.keyboard.press("Enter")
    height = page.locator(".block").first.locator(".row").count()
    line, last = 0, 10
    for seat in (0, 1):
        for row, (wagers, numbers) in sorted(rows_of(both[seat]).items()):
            cards = [0] * wagers + sorted(numbers)
            to = seat * height + row
            if to != line + 1 or cards[0] >= last:
                walk(page, line, to, height)
            for rank in cards:
                page.keyboard.press("x" if rank == 0 else str(rank % 10))
            line, last = to, cards[-1]


def walk(page: "Page", line: int, to: int, height: int) -> None:
    """From one row to another one below it, by few keys."""
    if to // height == line // height and to - line > 1:
        page.keyboard.press("YBWGRP"[to % height])
        return
    for _ in range(to - line):
        page.keyboard.press("ArrowDown")


def both_by(one: Callable[["Page", int, tuple[Card, ...]], None]) -> "Way":
    def way(page: "Page", both: BySeat[tuple[Card, ...]]) -> None:
        for seat in (0, 1):
            one(page, seat, both[seat])

    return way


Way = Callable[["Page", BySeat[tuple[Card, ...]]], None]
WAYS: dict[str, Way] = {"taps": both_by(by_taps), "sweeps": both_by(by_sweeps), "keys": by_keys}


def play_two_rounds(page: "Page") -> None:
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Grace")
    page.get_by_role("button", name="Ada starts").click()
    _, both = ROUNDS["worked"]
    for seat in (0, 1):
        by_sweeps(page, seat, both[seat])
    page.get_by_role("button", name="Next round").click()
    _, both = ROUNDS["five"]
    for seat in (0, 1):
        by_sweeps(page, seat, both[seat])


def way_to(page: "Page", name: str) -> "Locator":
    """The dialog that the menu leads to."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=name, exact=True).click()
    return page.locator("dialog")


DRAWN = """() => {
  window.drawn = [];
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.drawn.push([text, this.fillStyle]);
    return paint.call(this, text, ...rest);
  };
  Object.defineProperty(navigator, 'canShare', { value: () => false });
}"""
"""Notes what is written into a picture, which is then saved."""
