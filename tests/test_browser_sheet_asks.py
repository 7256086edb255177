"""What the score sheet refuses, with the reason, and what it asks about or takes back."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck_file import find_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

OWN = (ROOT / "src/lostcities/table/decks/five.toml").read_text("utf-8")


def opened(page: "Page", way: str) -> "Locator":
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=way, exact=True).click()
    return page.locator("dialog")


def kept_with(page: "Page", rounds: int) -> None:
    """A sheet of so many rounds on the device, the last of them open."""
    side = BySeat(parse_cards("R5"), parse_cards("Y9"))
    rules = Rules.parse("blog rounds=open")
    match = PaperMatch(
        BySeat("Ada", "Grace"), rules, None, find_deck("five"), 0, (side,) * rounds, rounds - 1
    )
    body = write_link(match).split(".")[1]
    content = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    page.evaluate(
        "(kept) => { localStorage['lostcities.sheet.long00'] = kept;"
        " localStorage['lostcities.sheet-open'] = '\"long00\"'; }",
        json.dumps({"changed": 1, "content": content}),
    )
    page.reload()
    page.locator(".block").first.wait_for()


def test_a_sheet_longer_than_a_link_says_so_where_the_link_is_asked_for(sheet: "Page") -> None:
    """It made a link that nobody could open."""
    kept_with(sheet, 120)
    dialog = opened(sheet, "Share this sheet")
    button = dialog.get_by_role("button", name="Copy a link")
    assert button.get_attribute("aria-disabled") == "true"
    described = button.get_attribute("aria-describedby")
    said = "A link and the history hold 99 rounds, and this sheet has 120."
    assert said in dialog.locator(f"[id='{described}']").inner_text()
    button.click(force=True)
    assert dialog.get_by_text("copied").count() == 0
    assert dialog.get_by_label("Copy the link by hand").count() == 0
    sheet.evaluate("Object.defineProperty(navigator, 'canShare', { value: () => false })")
    with sheet.expect_download() as download:
        dialog.get_by_role("button", name="as a picture").click()
    content = Path(download.value.path()).read_bytes()
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert (height, width) == (16_384, 466), "smaller, as no browser draws so much"
