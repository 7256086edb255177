"""What becomes of a score sheet in a browser: kept, shared, and written with any deck."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fake_room import ORIGIN, FakeRoom
from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck_file import find_deck, parse_deck
from lostcities.table.sheet_link import PaperMatch, write_link
from on_sheet import ROOT, by_taps, cell, play_two_rounds, points

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def link_of(page: "Page") -> str:
    link = copy_link(page)
    page.keyboard.press("Escape")
    return link


def copy_link(page: "Page") -> str:
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {"
        " writeText: (text) => { window.copied = text; return Promise.resolve(); } } })"
    )
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Share this sheet").click()
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("The link is copied").wait_for()
    return str(page.evaluate("window.copied"))


def test_a_link_holds_the_sheet_and_disturbs_no_other(browser: "Browser", sheet: "Page") -> None:
    play_two_rounds(sheet)
    link = link_of(sheet)
    assert len(link) < 500
    context = browser.new_context(viewport={"width": 390, "height": 664})
    other = context.new_page()
    FakeRoom(other)
    other.goto(ORIGIN + "/sheet")
    cell(other, 0, 4, 9).click()
    other.goto(link)
    other.reload()
    other.get_by_text("A sheet from a link").wait_for()
    assert other.locator("tbody tr").first.locator("td").all_inner_texts()[0].endswith("18")
    other.get_by_role("button", name="To my sheet").click()
    assert points(other) == [-11, 0]
    other.goto(link)
    other.get_by_role("button", name="Keep it on this device").click()
    assert other.get_by_label("Name of player 1").input_value() == "Ada"
    other.get_by_role("button", name="Menu").click()
    other.get_by_role("button", name="Sheets on this device").click()
    assert other.locator("dialog li").count() == 2
    context.close()


def test_a_shared_sheet_shows_the_cards_of_every_row(sheet: "Page") -> None:
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, find_deck("mtttgc3"), 0,
        (BySeat(parse_cards("RX RX R2 R10"), parse_cards("WX W5")),),
        wagers=(BySeat(("83",), ()),),
    )  # fmt: skip
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    sheet.get_by_text("A sheet from a link").wait_for()
    cells = sheet.locator(".rows td")
    # The rows lie as on the deck's table: red first, purple last.
    shown = [
        [card.strip() for card in cells.nth(at).locator(".card").all_inner_texts()]
        for at in (0, 1, 9)
    ]
    assert shown == [["×83", "×", "2", "10"], [], ["×", "5"]]
    heard = cells.nth(0).locator(".unseen").inner_text()
    assert heard == "red investment (83), red investment, red 2, red 10;"
    sheet.get_by_role("button", name="Keep it on this device").click()
    sheet.get_by_role("button", name="Type the cards of Ada").click()
    line = sheet.get_by_role("textbox", name="Type the cards of Ada")
    assert line.input_value() == "83 red-x 2 10"


def test_a_deck_that_came_along_with_a_link_is_offered_to_be_kept(sheet: "Page") -> None:
    attic = parse_deck(OWN.replace('"five"', '"attic"').replace("The game,", "Attic,"), "attic")
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, attic, 0,
        (BySeat(parse_cards("R5"), parse_cards("WX W5")),),
    )  # fmt: skip
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    offer = sheet.locator(".summary .brought")
    offer.wait_for()
    assert "Came along with this sheet: " in offer.inner_text()
    sheet.get_by_role("button", name="Keep it on this device").click()
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    dialog = sheet.locator("dialog")
    assert dialog.get_by_role("heading", name="Attic").count() == 1
    assert dialog.get_by_role("button", name="Remove").count() == 0
    dialog.get_by_role("button", name="Keep this deck").click()
    dialog.get_by_text("has been added").wait_for()
    assert dialog.get_by_role("heading", name="Attic").count() == 1
    assert dialog.get_by_role("button", name="Remove").count() == 1
    assert "attic" in sheet.evaluate("localStorage['lostcities.deck.attic']")
    sheet.goto(ORIGIN + "/sheet" + write_link(match))
    sheet.get_by_text("A sheet from a link. It is kept on this device.").wait_for()
    assert offer.count() == 0


def test_where_nothing_can_be_copied_the_link_is_shown(sheet: "Page") -> None:
    """Over plain HTTP a browser has no clipboard."""
    cell(sheet, 0, 4, 9).click()
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Share this sheet").click()
    sheet.get_by_role("button", name="Copy a link").click()
    assert "/sheet#1." in sheet.get_by_label("Copy the link by hand").input_value()


@pytest.mark.parametrize("known", ["https://cards.example.org", "http://127.0.0.1:8000", None])
def test_a_link_made_at_the_rooms_own_machine_has_its_address_for_others(
    browser: "Browser", known: str | None
) -> None:
    """It used to begin with localhost, which leads nobody else to the sheet."""
    context = browser.new_context(viewport={"width": 390, "height": 664}, service_workers="block")
    page = context.new_page()
    room = FakeRoom(page)
    room.api["/api/room"] = {"base_url": known}
    if known is None:
        page.route("**/api/room", lambda route: route.abort())
    page.goto("http://localhost:8000/sheet")
    cell(page, 0, 4, 9).click()
    link = copy_link(page)
    assert link.startswith(f"{known or 'http://localhost:8000'}/sheet#1.")
    alone = page.get_by_text("opens on this machine alone")
    assert alone.count() == (0 if known == "https://cards.example.org" else 1)
    context.close()


def test_a_bad_link_is_told_and_nothing_is_lost(sheet: "Page") -> None:
    cell(sheet, 0, 4, 9).click()
    link = link_of(sheet)
    for broken, said in (
        (link[:-9], "damaged or cut short"),
        (link.replace("#1", "#9"), "newer version"),
    ):
        sheet.goto(broken)
        assert said in sheet.get_by_role("alert").inner_text()
        assert points(sheet) == [-11, 0]
        sheet.get_by_role("button", name="To my sheet").click()
        assert sheet.get_by_role("alert").count() == 0


def test_the_sheet_is_saved_as_a_picture(sheet: "Page") -> None:
    play_two_rounds(sheet)
    sheet.evaluate("Object.defineProperty(navigator, 'canShare', { value: () => false })")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Share this sheet").click()
    with sheet.expect_download() as download:
        sheet.get_by_role("button", name=re.compile("picture")).click()
    assert download.value.suggested_filename == "Ada-Grace.png"
    content = Path(download.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1080, 214 + 2 * (62 + 5 * 46 + 22) + 22)
    folder = ROOT / ("docs/images" if os.environ.get("PICTURES") else "test-results")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheet-picture.png").write_bytes(content)


def test_the_picture_is_shared_where_the_device_can(sheet: "Page") -> None:
    cell(sheet, 0, 4, 9).click()
    sheet.evaluate(
        "() => {"
        "Object.defineProperty(navigator, 'canShare', { value: () => true });"
        "navigator.share = ({ files }) => { window.shared = files[0].type; return Promise.reject(new DOMException('', 'AbortError')); };"
        "}"
    )
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Share this sheet").click()
    sheet.get_by_role("button", name=re.compile("picture")).click()
    sheet.wait_for_function("() => window.shared === 'image/png'")


def test_a_match_is_kept_through_a_reload_and_finished(sheet: "Page") -> None:
    play_two_rounds(sheet)
    # 18 against (26 − 20) × 4 + 20 = 44: Grace was ahead and started round 2.
    assert sheet.locator(".block").nth(1).locator(".star[aria-pressed=true]").count() == 1
    second = points(sheet)
    sheet.reload()
    sheet.locator(".block").first.wait_for()
    assert points(sheet) == second
    assert sheet.get_by_label("Name of player 2").input_value() == "Grace"
    sheet.get_by_role("button", name="Round 1", exact=True).click()
    assert points(sheet) == [18, 44]
    sheet.get_by_role("button", name="Round 2", exact=True).click()
    sheet.get_by_role("button", name="Next round").click()
    cell(sheet, 0, 0, 10).click()
    sheet.get_by_role("button", name="Finish", exact=True).click()
    ahead = [18 + second[0] - 10, 44 + second[1]]
    winner = "Ada" if ahead[0] > ahead[1] else "Grace"
    assert sheet.get_by_role("heading", name=f"{winner} wins").is_visible()
    totals = sheet.locator("tfoot td").all_inner_texts()
    assert [int(text.replace("−", "-")) for text in totals] == ahead
    sheet.get_by_role("button", name="New sheet").click()
    assert sheet.get_by_label("Name of player 1").input_value() == "Ada", "names are remembered"
    assert points(sheet) == [0, 0]
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Sheets on this device").click()
    assert "finished" in sheet.locator("dialog li").first.inner_text()
    sheet.locator("dialog li button").first.click()
    assert sheet.get_by_role("heading", name=f"{winner} wins").is_visible()


def test_the_deck_check_says_what_is_missing(sheet: "Page") -> None:
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck check").click()
    dialog = sheet.locator("dialog")
    dialog.get_by_role("button", name="Mark all").click()
    assert "The deck is whole: 60 cards." in dialog.inner_text()
    dialog.get_by_role("button", name="yellow 4").click()
    for _ in range(3):
        dialog.get_by_role("button", name=re.compile("red wager")).click()
    assert "Missing: yellow 4, red wager" in dialog.inner_text()
    assert "58 of 60 cards" in dialog.inner_text()
    dialog.get_by_label("Type the cards").fill("Y2-10 YX YX YX R5 R5 foo")
    assert "Too many: red 5" in dialog.inner_text(), "at once, as on the sheet"
    assert "“foo” is no card of this deck." in dialog.inner_text()


def test_the_deck_check_says_which_wager_is_missing(sheet: "Page") -> None:
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    sheet.get_by_role("button", name="Use Minimal Travel").click()
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck check").click()
    dialog = sheet.locator("dialog")
    line = dialog.get_by_label("Type the cards")
    line.fill("2-10 81-83 17-25 76-78 32-40 84-86 47-55 87 89 62-69 90-92")
    assert "Missing: orange investment (88), purple 10 (70)" in dialog.inner_text()
    dialog.get_by_role("button", name="orange investment, 88").click()
    dialog.get_by_role("button", name="blue investment, 77").click()
    assert "Missing: blue investment (77), purple 10 (70)" in dialog.inner_text()


@pytest.mark.parametrize(
    ("deck", "whole", "less"),
    [("The game, five colours", "YX YX YX Y2", "R5 R5"), ("Minimal Travel", "81 82 83 2", "3 70")],
)
def test_typing_in_the_deck_check_adds_to_what_was_tapped(
    sheet: "Page", deck: str, whole: str, less: str
) -> None:
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    if "Travel" in deck:
        sheet.get_by_role("button", name=f"Use {deck}").click()
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck check").click()
    dialog = sheet.locator("dialog")
    line = dialog.get_by_label("Type the cards")
    dialog.get_by_role("button", name="red 4").click()
    told = line.input_value()
    assert len(told.split()) == 1, "the line follows the taps"
    line.press("End")
    line.press_sequentially(f" {less} foo")
    assert dialog.get_by_role("button", name="red 4").get_attribute("aria-pressed") == "true"
    assert "“foo” is no card" in dialog.inner_text()
    dialog.get_by_role("button", name="blue 9").click()
    assert line.input_value().split()[-1] == "foo", "it is still to be mended"
    line.press("End")
    for _ in range(4):
        line.press("Backspace")
    assert "is no card" not in dialog.inner_text()
    before = dialog.locator(".result").inner_text()
    line.press_sequentially(" ")
    assert dialog.locator(".result").inner_text() == before, "what the line says is what is held"
    dialog.get_by_role("button", name="Mark all").click()
    assert line.input_value().startswith(whole)
    line.press("End")
    line.press_sequentially(" ")
    assert "The deck is whole: 60 cards." in dialog.inner_text()
    line.press_sequentially("foo")
    dialog.get_by_role("button", name="Mark none").click()
    assert line.input_value() == ""
    assert "is no card" not in dialog.inner_text()


def test_the_dealers_help_counts_what_the_deck_still_holds(sheet: "Page") -> None:
    by_taps(sheet, 0, parse_cards("R2 R5 Y3"))
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Dealer’s help").click()
    dialog = sheet.locator("dialog")
    assert "The deck should hold 41 cards." in dialog.inner_text()
    dialog.get_by_label("Cards on the discard piles").fill("9")
    assert "The deck should hold 32 cards." in dialog.inner_text()
    dialog.get_by_label("Somebody has laid").check()
    assert "The deck should hold 33 cards." in dialog.inner_text()
    dialog.get_by_label("Cards on the discard piles").fill("2.5")
    dialog.get_by_text("Cards are counted in whole numbers, 0 or more.").wait_for()
    dialog.get_by_label("Cards on the discard piles").fill("-3")
    dialog.get_by_text("Cards are counted in whole numbers, 0 or more.").wait_for()
    dialog.get_by_label("Cards on the discard piles").fill("60")
    assert "So many cards cannot lie there." in dialog.inner_text()


OWN = (ROOT / "src/lostcities/table/decks/five.toml").read_text("utf-8")


def test_an_own_deck_is_added_used_and_refused_with_the_reason(
    sheet: "Page", tmp_path: Path
) -> None:
    good, bad = tmp_path / "attic.toml", tmp_path / "bad.toml"
    attic = OWN.replace('"five"', '"attic"').replace(
        'title = "The game, five colours"', 'title = "Attic"'
    )
    good.write_text(attic.replace('"yellow"', '"gold"').replace("#FFBD25", "#D9A400"), "utf-8")
    bad.write_text(OWN.replace('letter = "B"', 'letter = "Y"').replace('"five"', '"F 5"'), "utf-8")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    dialog = sheet.locator("dialog")
    dialog.locator("input[type=file]").set_input_files(bad)
    dialog.get_by_text("bad.toml cannot serve:").wait_for()
    assert "name: “F 5” is not lower-case letters" in dialog.inner_text()
    dialog.locator("input[type=file]").set_input_files(good)
    dialog.get_by_text("Attic has been added.").wait_for()
    dialog.get_by_role("button", name="Use Attic for this sheet").click()
    sheet.keyboard.press("Escape")
    cell(sheet, 0, 0, 9).click()
    assert cell(sheet, 0, 0, 9).get_attribute("aria-label") == "gold 9"
    assert (
        cell(sheet, 0, 0, 9).evaluate("e => getComputedStyle(e).backgroundColor")
        == "rgb(217, 164, 0)"
    )
    sheet.reload()
    sheet.locator(".block").first.wait_for()
    assert cell(sheet, 0, 0, 9).get_attribute("aria-label") == "gold 9"
    good.write_text(good.read_text("utf-8").replace('"Attic"', '"Loft"'), "utf-8")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    dialog.locator("input[type=file]").set_input_files(good)
    dialog.get_by_text("You have a deck named attic already. Replace it by Loft?").wait_for()
    assert dialog.get_by_role("button", name="Remove Loft").count() == 0, "not before it is said"
    dialog.get_by_role("button", name="Replace", exact=True).click()
    dialog.get_by_text("Loft has been added.").wait_for()
    dialog.get_by_role("button", name="Remove Loft").click()
    dialog.get_by_role("button", name="Leave it").click()
    dialog.get_by_role("button", name="Remove Loft").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    dialog.get_by_role("button", name="Remove Loft").wait_for(state="detached")


def test_a_picture_of_the_sheet(browser: "Browser") -> None:
    """The pictures of docs/sheet.md; `PICTURES=1` keeps them in docs/images."""
    folder = ROOT / ("docs/images" if os.environ.get("PICTURES") else "test-results")
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, scheme in (("phone", (390, 664), "light"), ("desk", (1280, 720), "dark")):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce", device_scale_factor=1.5 if name == "phone" else 1,
        )  # fmt: skip
        page = context.new_page()
        FakeRoom(page)
        page.goto(ORIGIN + "/sheet")
        page.locator(".block").first.wait_for()
        play_two_rounds(page)
        page.mouse.click(5, 5)
        page.evaluate("document.fonts.ready")
        page.screenshot(path=folder / f"sheet-{name}.png")
        assert (folder / f"sheet-{name}.png").stat().st_size > 10_000
        context.close()


def test_the_colour_that_five_leave_out_has_the_name_of_the_deck(
    sheet: "Page", tmp_path: Path
) -> None:
    copper = (ROOT / "src/lostcities/table/decks/six.toml").read_text("utf-8")
    copper = copper.replace('"six"', '"attic"').replace('"purple"', '"copper"')
    own = tmp_path / "attic.toml"
    own.write_text(copper.replace('other_names = ["long"]', "").replace("The long", "A"), "utf-8")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Decks", exact=True).click()
    sheet.locator("dialog input[type=file]").set_input_files(own)
    sheet.get_by_text("has been added").wait_for()
    sheet.get_by_role("button", name="Use A game, six colours").click()
    sheet.keyboard.press("Escape")
    sheet.get_by_role("button", name="Menu").click()
    sheet.get_by_role("button", name="Deck and rules").click()
    said = "With 5 colours copper is left out of every round"
    assert said in sheet.locator("dialog").inner_text()
    sheet.get_by_role("radio", name="5").check()
    assert "is left out" not in sheet.locator("dialog").inner_text()
