"""What the score sheet refuses, with the reason, and what it asks about or takes back."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck_file import find_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import ROOT, cell, way_to

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

OWN = (ROOT / "src/lostcities/table/decks/five.toml").read_text("utf-8")


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
    dialog = way_to(sheet, "Share this sheet")
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


def test_the_hundredth_round_is_refused_with_the_reason(sheet: "Page") -> None:
    """It began, and the sheet with it went into no link and no history."""
    kept_with(sheet, 98)
    button = sheet.get_by_role("button", name="Next round")
    button.click()
    cell(sheet, 0, 0, 9).click()
    assert button.get_attribute("aria-disabled") == "true"
    described = button.get_attribute("aria-describedby")
    said = "A sheet holds 99 rounds. Finish this one from the menu and go on with a new one."
    assert sheet.locator(f"[id='{described}']").inner_text() == said
    button.click(force=True)
    assert sheet.locator(".round").count() == 99
    dialog = way_to(sheet, "Share this sheet")
    assert (
        dialog.get_by_role("button", name="Copy a link").get_attribute("aria-disabled") == "false"
    )


def test_an_empty_sheet_is_not_finished_and_says_why(sheet: "Page") -> None:
    """It was, as a draw, and went into the history."""
    sheet.get_by_role("button", name="Menu").click()
    dialog = sheet.locator("dialog")
    button = dialog.get_by_role("button", name="Finish the match")
    assert button.get_attribute("aria-disabled") == "true"
    described = button.get_attribute("aria-describedby")
    said = dialog.locator(f"[id='{described}']").inner_text()
    assert said == "Nothing stands on this sheet yet."
    button.focus()
    sheet.keyboard.press("Enter")
    assert dialog.count() == 1
    sheet.keyboard.press("Escape")
    cell(sheet, 0, 0, 9).click()
    sheet.get_by_role("button", name="Menu").click()
    button.click()
    sheet.get_by_role("heading", name="Player 2 wins").wait_for()


def test_a_button_that_does_nothing_now_looks_so_under_the_finger(sheet: "Page") -> None:
    """After “Next round” it stayed dark with dark letters, as long as the pointer lay there."""
    cell(sheet, 0, 0, 9).click()
    button = sheet.get_by_role("button", name="Next round")
    button.click()
    assert button.get_attribute("aria-disabled") == "true"
    assert button.evaluate("each => each.matches(':hover')")
    ground = button.evaluate("each => getComputedStyle(each).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"


def test_the_deck_check_takes_changes_back(sheet: "Page") -> None:
    """Each tap was two changes, so that every other touch of the button did nothing."""
    dialog = way_to(sheet, "Deck check")
    undo = dialog.get_by_role("button", name="Undo")
    assert undo.get_attribute("aria-disabled") == "true"
    dialog.get_by_role("button", name="red 4").click()
    dialog.get_by_role("button", name="Mark all").click()
    line = dialog.get_by_label("Type the cards")
    line.press("End")
    line.press_sequentially(" R5 foo")
    assert "Too many: red 5" in dialog.inner_text()
    dialog.get_by_role("button", name="Mark none").click()
    told = []
    while undo.get_attribute("aria-disabled") == "false":
        undo.click()
        told.append(dialog.locator(".result").inner_text().splitlines()[0])
        assert "is no card" not in dialog.inner_text()
    assert [each.split(".")[0].split(":")[0] for each in told] == [
        "60 of 60 cards", "The deck is whole", "1 of 60 cards", "0 of 60 cards",
    ]  # fmt: skip
    dialog.get_by_role("button", name="blue 9").click()
    dialog.get_by_role("button", name="Mark none").click()
    undo.click()
    sheet.reload()
    dialog = way_to(sheet, "Deck check")
    assert "1 of 60 cards" in dialog.inner_text(), "what was taken back is kept as well"


def test_the_undo_of_the_deck_check_outlives_its_dialog(sheet: "Page") -> None:
    """It ended with the dialog, while the sheet's own undo outlives a reload."""
    dialog = way_to(sheet, "Deck check")
    dialog.get_by_role("button", name="red 4").click()
    dialog.get_by_role("button", name="Mark all").click()
    dialog.get_by_role("button", name="Mark none").click()
    sheet.keyboard.press("Escape")
    dialog = way_to(sheet, "Deck check")
    undo = dialog.get_by_role("button", name="Undo")
    undo.click()
    assert "The deck is whole" in dialog.inner_text()
    sheet.reload()
    dialog = way_to(sheet, "Deck check")
    undo = dialog.get_by_role("button", name="Undo")
    undo.click()
    assert "1 of 60 cards" in dialog.inner_text()
    undo.click()
    assert "0 of 60 cards" in dialog.inner_text()
    assert undo.get_attribute("aria-disabled") == "true"


def test_a_deck_goes_only_after_a_question(sheet: "Page", tmp_path: Path) -> None:
    """A touch removed it, and a file of its name took its place unasked."""
    own = tmp_path / "attic.toml"
    attic = OWN.replace('"five"', '"attic"').replace("The game, five colours", "Attic")
    own.write_text(attic, "utf-8")
    dialog = way_to(sheet, "Decks")
    dialog.locator("input[type=file]").set_input_files(own)
    dialog.get_by_text("Attic has been added.").wait_for()
    own.write_text(attic.replace("Attic", "Loft"), "utf-8")
    dialog.locator("input[type=file]").set_input_files(own)
    asked = dialog.get_by_text("You have a deck named attic already. Replace it by Loft?")
    asked.wait_for()
    dialog.get_by_role("button", name="Leave it").click()
    asked.wait_for(state="detached")
    kept = "JSON.parse(localStorage['lostcities.deck.attic'] ?? '{}').title"
    assert sheet.evaluate(kept) == "Attic"
    dialog.get_by_role("button", name="Remove Attic").click()
    dialog.get_by_text("Remove Attic from this device? Sheets that use it keep it.").wait_for()
    assert sheet.evaluate(kept) == "Attic"
    dialog.get_by_role("button", name="Leave it").click()
    assert sheet.evaluate(kept) == "Attic"
    dialog.get_by_role("button", name="Remove Attic").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    dialog.get_by_role("button", name="Remove Attic").wait_for(state="detached")
    assert sheet.evaluate(kept) is None
    assert sheet.url == ORIGIN + "/sheet"


def test_an_emptied_line_of_rules_says_those_in_force(sheet: "Page") -> None:
    """It stayed empty, as if there were none."""
    dialog = way_to(sheet, "Deck and rules")
    line = dialog.get_by_label("Rules as written")
    before = line.input_value()
    assert "colours=5" in before
    line.fill("")
    line.press("Tab")
    assert line.input_value() == before
    assert "is no rule" not in dialog.inner_text()
