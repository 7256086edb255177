"""Notices in the browser: what a device can do, a test by real push, and what the worker shows.

A push service of a browser's maker is out of reach here: the page's subscription is made up and leads
to a service of the test's own, to which the room pushes for real. What came there, opened with the
browser's keys, is handed to the worker by the browser's own tools.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from lostcities.service.notices.channels import Channels
from lostcities.service.notices.push import PushSettings
from mail_server import MailServer, mail_server
from on_page import SCROLLS
from push_service import PushService, push_service
from rooms import RunningRoom, running_beside
from test_browser_access import axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SUBSCRIBES = """(said) => {
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0)).buffer;
  const make = (key) => ({
    endpoint: said.endpoint,
    options: { userVisibleOnly: true, applicationServerKey: bytes(key) },
    getKey: (name) => bytes(name === 'auth' ? said.secret : said.key),
    unsubscribe: async () => { localStorage.removeItem('test-push'); return true; },
  });
  const kept = () => localStorage.getItem('test-push');
  PushManager.prototype.getSubscription = async () => kept() === null ? null : make(kept());
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const text = btoa(String.fromCharCode(...applicationServerKey))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    localStorage.setItem('test-push', text);
    return make(text);
  };
}"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
CONTROLLED = "() => navigator.serviceWorker?.controller != null"
HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.defineProperty(document, 'visibilityState',
    { configurable: true, get: () => hidden ? 'hidden' : 'visible' });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as opened:
        yield opened


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    with mail_server() as opened:
        yield opened


@pytest.fixture(scope="module")
def room(
    tmp_path_factory: pytest.TempPathFactory, service: PushService, mail: MailServer
) -> Iterator[RunningRoom]:
    channels = Channels(
        push=PushSettings("mailto:host@example.org", anywhere=True, trust=service.trust),
        mail=mail.settings,
        push_after=0.1,
        mail_after=0.1,
    )
    with running_beside(tmp_path_factory.mktemp("room"), channels=channels) as opened:
        yield opened


@pytest.fixture
def context(
    browser: "Browser", room: RunningRoom, service: PushService
) -> "Iterator[BrowserContext]":
    service.letters.clear()
    opened = browser.new_context(
        base_url=room.url, viewport={"width": 390, "height": 844}, permissions=["notifications"]
    )
    opened.add_init_script(f"({SUBSCRIBES})({json.dumps(service.subscription('browser'))})")
    yield opened
    opened.close()


def opened(context: "BrowserContext", path: str) -> "Page":
    page = context.new_page()
    page.goto(path)
    page.wait_for_function(CONTROLLED)
    return page


def switched_on(page: "Page") -> None:
    page.get_by_role("button", name="Switch push on").click()
    page.get_by_role("button", name="Switch push off").wait_for()


ACTIVE = "async () => (await navigator.serviceWorker.ready).active.state === 'activated'"


class Worker:
    """The browser's own tools for a page's worker."""

    def __init__(self, context: "BrowserContext", page: "Page", origin: str) -> None:
        self.origin = origin
        self.context = context
        self.page = page
        self.tools: CDPSession = context.new_cdp_session(page)
        self.registration = ""
        self.tools.on("ServiceWorker.workerRegistrationUpdated", self._seen)
        self.tools.send("ServiceWorker.enable")
        # One that is still being installed is handed nothing.
        page.wait_for_function(ACTIVE)
        for _ in range(100):
            if self.registration:
                return
            page.wait_for_timeout(50)
        pytest.fail("the browser knows no worker")

    def _seen(self, event: dict[str, Any]) -> None:
        for each in event["registrations"]:
            if each["scopeURL"].startswith(self.origin):
                self.registration = each["registrationId"]

    def push(self, said: str) -> None:
        """As the push service would hand it over, until something is shown.

        The browser drops a message without a word while it still stores the worker's registration,
        which nothing tells from outside; a push service would deliver again too.
        """
        message = {"origin": self.origin, "registrationId": self.registration, "data": said}
        for _ in range(5):
            self.tools.send("ServiceWorker.deliverPushMessage", message)
            for _ in range(60):
                if self.page.evaluate(SHOWN):
                    return
                self.page.wait_for_timeout(50)
        pytest.fail("what was pushed is not shown")

    def shown(self, number: int = 1) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for _ in range(400):
            found = self.page.evaluate(SHOWN)
            if len(found) == number:
                return found
            self.page.wait_for_timeout(50)
        pytest.fail(f"{found} are shown, not {number}")

    def click(self) -> None:
        """The notification is clicked, as far as the worker's own part goes."""
        self.context.service_workers[0].evaluate(
            """async () => {
              const [notification] = await self.registration.getNotifications();
              self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
            }"""
        )


def a_match(context: "BrowserContext", browser: "Browser", room: RunningRoom) -> tuple[str, Any]:
    """A match of days in which Grace, who is elsewhere, is to move; the table's page and her."""
    headers = {"content-type": "application/json"}
    wish = {"name": "Ada", "seat": 0, "rules": "room first=1", "pace": "days=3"}
    made: Any = context.request.post("/api/tables", data=wish, headers=headers).json()
    grace = browser.new_context(base_url=room.url)
    grace.request.post(
        f"/api/invites/{made['invite'][3:]}", data={"name": "Grace"}, headers=headers
    )
    page = grace.new_page()
    page.goto(made["url"])
    page.locator(".hand button").first.wait_for()
    return made["url"], page


def moves(page: "Page") -> None:
    """A legal turn by keys, once it is theirs: discard a card, draw from the deck."""
    page.locator(".prompt .text", has_text="Your turn").wait_for()
    for key in "1d0":
        page.keyboard.press(key)
    page.locator(".prompt .text", has_text="to move").wait_for()


def test_a_test_notice_travels_the_whole_way(
    context: "BrowserContext", room: RunningRoom, service: PushService
) -> None:
    page = opened(context, "/notices")
    push = page.locator("[data-way=push]")
    expect(push).to_contain_text("Can come even when the page is closed.")
    switched_on(page)
    expect(push).to_contain_text("works")
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("The push service has taken it.").wait_for()
    (letter,) = service.wait(1)
    said = service.read(letter)
    worker = Worker(context, page, room.url)
    worker.push(json.dumps(said))
    assert worker.shown() == [
        {
            "title": "A test notice",
            "body": "This is how you will be told that it is your turn.",
            "tag": "test",
            "data": {"url": "/notices"},
        }
    ]


def test_what_was_switched_on_stays_and_can_be_switched_off(
    context: "BrowserContext", service: PushService
) -> None:
    page = opened(context, "/notices")
    switched_on(page)
    page.reload()
    page.get_by_role("button", name="Switch push off").click()
    page.get_by_role("button", name="Switch push on").wait_for()
    info: Any = context.request.get("/api/notices").json()
    assert info["here"] is False
    service.statuses.clear()


def test_a_browser_that_the_service_forgot_is_told_so(
    context: "BrowserContext", service: PushService
) -> None:
    page = opened(context, "/notices")
    switched_on(page)
    service.statuses = [410]
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("no longer knows this browser").wait_for()


def test_a_turn_is_pushed_and_the_notice_leads_to_the_table(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, service: PushService
) -> None:
    page = opened(context, "/notices")
    switched_on(page)
    url, grace = a_match(context, browser, room)
    moves(grace)
    (letter,) = service.wait(1)
    said = service.read(letter)
    assert (said["title"], said["body"]) == ("Your turn", "At the table with Grace")
    worker = Worker(context, page, room.url)
    worker.push(json.dumps(said))
    worker.shown()
    worker.click()
    page.wait_for_url(f"**{url}")
    page.locator(".hand button").first.wait_for()
    worker.shown(0)
    grace.context.close()


def test_a_page_at_another_table_is_left_alone(
    context: "BrowserContext", browser: "Browser", room: RunningRoom
) -> None:
    url, grace = a_match(context, browser, room)
    table = opened(context, url)
    home = opened(context, "/")
    worker = Worker(context, home, room.url)
    worker.push(json.dumps({"title": "a", "body": "b", "tag": "c", "url": "/notices"}))
    worker.shown()
    worker.click()
    home.wait_for_url("**/notices")
    assert table.url.endswith(url)
    grace.context.close()


@pytest.mark.parametrize(
    "said", ["", "not JSON", "[]", '{"title": "x", "url": "https://evil.example"}']
)
def test_whatever_is_pushed_something_is_shown(
    context: "BrowserContext", room: RunningRoom, said: str
) -> None:
    page = opened(context, "/notices")
    worker = Worker(context, page, room.url)
    worker.push(said)
    worker.shown()
    worker.click()
    page.wait_for_url(f"{room.url}/")


def test_in_the_background_the_system_says_it_without_push(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, service: PushService
) -> None:
    url, grace = a_match(context, browser, room)
    page = opened(context, url)
    page.locator(".hand button").first.wait_for()
    worker = Worker(context, page, room.url)
    page.evaluate(HIDE, True)
    moves(grace)
    (shown,) = worker.shown()
    assert shown["title"].endswith("Your turn") or "Your turn" in shown["title"]
    assert shown["data"] == {"url": url}
    page.evaluate(HIDE, False)
    worker.shown(0)
    assert service.letters == []
    grace.context.close()


def ends_and_asks_again(page: "Page") -> None:
    """From the menu: give the match up, and ask to play again."""
    for name in ("Resign the match", "Yes", "Play again"):
        page.get_by_role("button", name=name).click()


def test_what_the_other_offers_is_told_in_the_background(
    context: "BrowserContext", browser: "Browser", room: RunningRoom
) -> None:
    context.add_init_script("localStorage.setItem('lostcities', JSON.stringify({language: 'de'}))")
    url, grace = a_match(context, browser, room)
    page = opened(context, url)
    page.locator(".hand button").first.wait_for()
    worker = Worker(context, page, room.url)
    page.evaluate(HIDE, True)
    grace.get_by_role("button", name="Menu").click()
    grace.get_by_role("button", name="Offer a draw").click()
    (shown,) = worker.shown()
    assert shown["title"] == page.title() == "Grace bietet Remis an – Lost Cities"
    assert (shown["tag"], shown["data"]) == (f"draw-{url[3:]}", {"url": url})
    page.evaluate(HIDE, False)
    worker.shown(0)
    page.evaluate(HIDE, True)
    ends_and_asks_again(grace)
    (shown,) = worker.shown()
    assert shown["title"] == page.title() == "Grace möchte noch einmal spielen – Lost Cities"
    page.evaluate(HIDE, False)
    page.get_by_role("button", name="Am neuen Tisch Platz nehmen").click()
    page.wait_for_url(grace.url)
    grace.context.close()


def test_who_has_closed_the_page_hears_that_the_other_wants_to_play_again(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, service: PushService
) -> None:
    page = opened(context, "/notices")
    switched_on(page)
    url, grace = a_match(context, browser, room)
    grace.get_by_role("button", name="Menu").click()
    ends_and_asks_again(grace)
    grace.wait_for_url(lambda there: not there.endswith(url))
    (letter,) = service.wait(1)
    said = service.read(letter)
    assert (said["title"], said["body"]) == ("Play again?", "Grace wants to play again")
    worker = Worker(context, page, room.url)
    worker.push(json.dumps(said))
    worker.shown()
    worker.click()
    page.wait_for_url(f"**{url}")
    page.get_by_text("Grace wants to play again.").wait_for()
    page.get_by_role("button", name="Sit down at the new table").click()
    page.wait_for_url(grace.url)
    page.locator(".hand button").first.wait_for()
    grace.goto(url)
    grace.get_by_text("You have asked to play again.").wait_for()
    grace.context.close()


def test_a_hidden_tab_is_told_by_push_and_a_visible_one_is_not(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, service: PushService
) -> None:
    """No message came because a tab was open somewhere."""
    settings = opened(context, "/notices")
    switched_on(settings)
    settings.close()
    url, grace = a_match(context, browser, room)
    page = opened(context, url)
    page.locator(".hand button").first.wait_for()
    moves(grace)
    page.wait_for_timeout(600)
    assert service.letters == []
    moves(page)
    page.evaluate(HIDE, True)
    page.wait_for_timeout(200)
    moves(grace)
    service.wait(1)
    grace.context.close()


def test_push_goes_along_with_whoever_takes_a_passphrase(context: "BrowserContext") -> None:
    """It belongs to the browser's session, and that is a new one then."""
    page = opened(context, "/notices")
    switched_on(page)
    page.goto("/account")
    page.get_by_label("Name").first.fill(f"Ada {page.evaluate('performance.timeOrigin')}")
    page.get_by_label("Passphrase").first.fill("a long word and another one")
    with page.expect_response("**/api/notices/push") as told:
        page.locator("form button[type=submit]").first.click()
    assert told.value.json()["here"] is True
    with page.expect_response("**/api/notices/push/drop"):
        page.get_by_role("button", name="Sign out").click()
    page.goto("/notices")
    page.get_by_role("button", name="Switch push on").wait_for()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_everything_fits(
    browser: "Browser", room: RunningRoom, scheme: Any, language: str
) -> None:
    context = browser.new_context(
        base_url=room.url, viewport={"width": 360, "height": 640}, color_scheme=scheme,
        locale=language, user_agent=IPHONE,
    )  # fmt: skip
    page = context.new_page()
    for path in ("/notices", "/notices/confirm/c0de", "/notices/stop/c0de"):
        page.goto(path)
        page.get_by_role("heading").first.wait_for()
        if path == "/notices":
            page.locator("[data-way=push]").wait_for()
        assert axe(page) == []
        for width, height in ((320, 568), (360, 640), (640, 512)):  # the last at 200 per cent
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SCROLLS)[0] == 0, (path, width)
    context.close()


CHANGES = """(said) => {
  self.registration.pushManager.subscribe = async ({ applicationServerKey }) => ({
    endpoint: `${said.endpoint}/${applicationServerKey.length}`,
    toJSON: () => ({ keys: { p256dh: said.key, auth: said.secret } }),
  });
  self.dispatchEvent(new ExtendableEvent('pushsubscriptionchange'));
}"""


def test_a_browser_with_a_new_address_tells_the_room(
    context: "BrowserContext", room: RunningRoom, service: PushService
) -> None:
    page = opened(context, "/notices")
    switched_on(page)
    with context.expect_event(
        "response", lambda each: each.url.endswith("/api/notices/push")
    ) as told:
        context.service_workers[0].evaluate(CHANGES, service.subscription("browser"))
    assert told.value.status == 200
    context.request.post("/api/notices/test")
    (letter,) = service.wait(1)
    assert letter.path == "/push/browser/87"


def test_when_to_be_told_is_kept(context: "BrowserContext") -> None:
    page = opened(context, "/notices")
    page.get_by_role("radio", name="Always, even if").check()
    page.get_by_text("Kept.").wait_for()
    page.reload()
    expect(page.get_by_role("radio", name="Always, even if")).to_be_checked()


def test_mail_by_hand_from_asking_to_stopping(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, mail: MailServer
) -> None:
    mail.mails.clear()
    page = opened(context, "/notices")
    page.get_by_label("Mail address").fill("ada@example.org")
    page.get_by_role("button", name="Send me a link").click()
    page.get_by_text("A link was sent to ada@example.org.").wait_for()
    link = re.search(r"/notices/confirm/\S+", str(mail.wait(1)[0].get_content()))
    assert link is not None
    elsewhere = browser.new_context(base_url=room.url)
    other = elsewhere.new_page()
    other.goto(link[0])
    other.get_by_role("button", name="Yes, write to it").wait_for()
    page.reload()
    page.get_by_text("A link was sent").wait_for()
    other.get_by_role("button", name="Yes, write to it").click()
    other.get_by_text("Done. You get a mail").wait_for()
    page.reload()
    page.get_by_text("Mail goes to ada@example.org.").wait_for()
    page.close()
    _, grace = a_match(context, browser, room)
    moves(grace)
    stop = re.search(r"/notices/stop/\S+", str(mail.wait(2)[1].get_content()))
    assert stop is not None
    other.goto(stop[0])
    other.get_by_role("button", name="No more mail").click()
    other.get_by_text("has forgotten the address").wait_for()
    info: Any = context.request.get("/api/notices").json()
    assert info["address"] is None
    grace.context.close()
    elsewhere.close()


def test_before_a_match_of_days_the_page_says_what_the_device_can_do(
    context: "BrowserContext", browser: "Browser", room: RunningRoom, service: PushService
) -> None:
    page = opened(context, "/")
    assert page.locator("[data-way]").count() == 0
    page.get_by_label("Time", exact=True).select_option("days3")
    before = page.get_by_role("complementary", name="Notices")
    before.locator("[data-way=push]").wait_for()
    before.get_by_role("button", name="Switch push on").click()
    before.get_by_role("button", name="Send a test").click()
    before.get_by_text("The push service has taken it.").wait_for()
    service.wait(1)
    page.get_by_role("button", name="Invite a friend").click()
    page.locator(".link").wait_for()
    invite = page.locator(".link").inner_text()
    guest = browser.new_context(base_url=room.url)
    there = guest.new_page()
    there.goto("/i/" + invite.rpartition("/i/")[2])
    there.get_by_role("complementary", name="Notices").locator("[data-way=push]").wait_for()
    guest.close()


def test_before_joining_an_open_table_of_days_one_is_asked(
    context: "BrowserContext", browser: "Browser", room: RunningRoom
) -> None:
    headers = {"content-type": "application/json"}
    host = browser.new_context(base_url=room.url)
    wish = {"name": "Grace", "pace": "days=7", "terms": {"listed": True}}
    host.request.post("/api/tables", data=wish, headers=headers)
    page = opened(context, "/")
    line = page.locator("section li", has_text="Grace")
    expect(line).to_contain_text("7 days a turn")
    line.get_by_role("button").first.click()
    line.locator("[data-way=push]").wait_for()
    line.get_by_role("button").last.click()
    page.locator(".hand button").first.wait_for()
    host.close()


IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


def test_where_push_needs_the_home_screen_it_is_explained(
    browser: "Browser", room: RunningRoom
) -> None:
    """As far as a browser that says it were one can tell; on a real one it was never tried."""
    context = browser.new_context(base_url=room.url, user_agent=IPHONE)
    page = context.new_page()
    page.goto("/notices")
    page.get_by_role("heading", name="How to put the page on the home screen").wait_for()
    page.get_by_text("Choose “Add to Home Screen”.").wait_for()
    assert page.get_by_role("button", name="Switch push on").count() == 0
    context.close()


def test_a_room_without_push_says_so(browser: "Browser", tmp_path: Path) -> None:
    with running_beside(tmp_path) as room:
        context = browser.new_context(base_url=room.url, permissions=["notifications"])
        page = context.new_page()
        page.goto("/notices")
        expect(page.locator("[data-way=push]")).to_contain_text("has not set it up")
        page.get_by_text("This room sends no mail.").wait_for()
        page.wait_for_function(CONTROLLED)
        page.get_by_role("button", name="Send a test").click()
        page.get_by_text("It was shown.").wait_for()
        assert page.evaluate(SHOWN)[0]["tag"] == "test"
        context.close()
