"""A German is told the place and the reason in German, whichever reader complains."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rooms import FirstLegal, RunningRoom, running_beside

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRoom]:
    with running_beside(tmp_path_factory.mktemp("german"), agents=FirstLegal()) as opened:
        yield opened


@pytest.fixture
def german(browser: "Browser", room: RunningRoom) -> "Iterator[Page]":
    context = browser.new_context(
        base_url=room.url, locale="de-DE", viewport={"width": 390, "height": 844},
        reduced_motion="reduce", service_workers="block",
    )  # fmt: skip
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


UNREAD = "Diese Aufzeichnung lässt sich nicht lesen: "
ROUND = '[Rules "rounds=1"]\n[Termination "unfinished"]\n[Round "1"]\n[Start "0"]\n'


KEEP = """(text) => fetch('/api/records', {
  method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({text}),
}).then((answer) => answer.status)"""


def refused(page: "Page", text: str) -> str:
    page.goto("/replay")
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Ansehen").click()
    return page.get_by_role("alert").inner_text()


def test_a_record_is_refused_in_german(german: "Page") -> None:
    said = "Zeile 1: „foo“ steht vor der ersten Angabe [Round]"
    assert refused(german, "foo") == UNREAD + said
    said = "Runde 1, Zug 1: „+R5“: ein Zug endet mit dem Ziehen: * (vom Nachziehstapel) oder < und "
    assert refused(german, ROUND + "1. +R5").startswith(UNREAD + said)
    said = "Rules: hand: „99“ ist keine Zahl von 1 bis 12"
    assert refused(german, '[Rules "hand=99"]') == UNREAD + said


def test_a_record_without_a_round_is_not_passed_over_in_silence(german: "Page") -> None:
    """The button seemed to do nothing."""
    text = '[Event "x"]\n[Termination "unfinished"]\n'
    assert refused(german, text) == "Diese Aufzeichnung hat keine Runde, die sich ansehen ließe."


def test_a_day_of_a_record_is_written_as_other_days_are(german: "Page") -> None:
    german.goto("/replay")
    for date in ("2026.11.30", "????.??.??"):
        text = f'[Event "Abend {date[:4]}"]\n[Date "{date}"]\n' + ROUND
        kept = german.evaluate(KEEP, text)
        assert kept == 201
    german.goto("/games")
    german.locator(".when").nth(1).wait_for()
    shown = german.locator(".when").all_inner_texts()
    assert any(each.strip().startswith("Abend 2026 30.11.2026 ·") for each in shown), shown
    assert any(each.strip().startswith("Abend ???? Tag unbekannt ·") for each in shown), shown


def test_a_position_is_refused_in_german(german: "Page") -> None:
    german.goto("/practice")
    german.locator("textarea").first.fill("0 | R5 R5 | ?8 | - | - | - | ?44")
    german.locator("form button[type=submit]").click()
    alert = german.get_by_role("alert")
    wanted = "Das lässt sich nicht üben: Hand von Platz 0: R5 kommt in der Stellung zweimal vor"
    assert alert.inner_text() == wanted
    german.locator("textarea").first.fill("1 | 2")
    german.locator("form button[type=submit]").click()
    german.wait_for_function("() => document.body.innerText.includes('2 Felder')")
    assert alert.inner_text() == (
        "Das lässt sich nicht üben: Stellung: 2 Felder, durch | getrennt, erwartet werden 7 "
        "(8 mitten im Zug)"
    )


def test_the_words_of_the_readers_arrive_with_the_first_complaint(german: "Page") -> None:
    """And what the room said is there at once if they do not."""
    asked: list[str] = []
    german.on("request", lambda request: asked.append(Path(request.url).name))
    german.route("**/assets/faults-*.js", lambda route: route.abort())
    german.goto("/replay")
    german.locator("textarea").wait_for()
    assert not [name for name in asked if name.startswith("faults")]
    german.locator("textarea").fill("foo")
    german.get_by_role("button", name="Ansehen").click()
    said = german.get_by_role("alert").inner_text()
    assert [name for name in asked if name.startswith("faults")]
    assert said.endswith("line 1: 'foo' stands before the first [Round]")
