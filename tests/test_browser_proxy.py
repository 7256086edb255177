"""The room behind the proxies of deploy/, running: two people play over HTTPS as the internet would."""

import contextlib
import json
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

import chromium
from lostcities.service.room import Room
from proxies import HOST, PUBLIC, Site, proxy
from rooms import running_beside
from test_browser_company import named, someone
from test_browser_runout import turn_by_keys

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

VISITOR = "127.0.0.77"
"""Another address of this machine, that a visitor comes from."""


@dataclass(frozen=True)
class Behind:
    """A room behind a proxy, and a browser to which the proxy is the internet."""

    url: str
    room: Room
    site: Site
    browser: "Browser"

    def post(self, path: str, body: Any, origin: str = PUBLIC) -> httpx2.Response:
        """A request of a program, which can say what no browser would."""
        there = f"https://127.0.0.1:{self.site.port}"
        named = {"host": HOST, "origin": origin}
        with httpx2.Client(verify=self._trust(), base_url=there, headers=named) as client:
            return client.post(path, json=body, extensions={"sni_hostname": HOST})

    def _trust(self) -> ssl.SSLContext:
        trust = ssl.create_default_context()
        self.site.authority.configure_trust(trust)
        return trust

    def socket(self, **options: Any) -> ClientConnection:
        """A socket of such a program."""
        line = socket.create_connection(("127.0.0.1", self.site.port), 10, (VISITOR, 0))
        opened: ClientConnection = connect(
            f"wss://{HOST}/api/socket",
            sock=line,
            ssl=self._trust(),
            server_hostname=HOST,
            **options,
        )
        return opened


@pytest.fixture(params=[pytest.param(each, marks=pytest.mark.needs(each)) for each in
                        ("nginx", "caddy")])  # fmt: skip
def behind(request: pytest.FixtureRequest, browser: "Browser", tmp_path: Path) -> Iterator[Behind]:
    with contextlib.ExitStack() as stack:
        room = stack.enter_context(running_beside(tmp_path, public_url=PUBLIC))
        site = stack.enter_context(proxy(request.param, tmp_path, room.settings.port))
        # This browser finds the name's own port, 443, where the proxy really listens.
        rules = f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{site.port}"
        inside = chromium.start(browser.browser_type, rules)
        stack.callback(inside.close)
        yield Behind(PUBLIC, room.room, site, inside)


def test_two_people_play_through_the_proxy(behind: Behind) -> None:
    https = {"ignore_https_errors": True}
    with (
        someone(behind.browser, behind, **https) as ada,
        someone(behind.browser, behind, **https) as grace,
    ):
        named(ada, "Ada")
        told = ada.evaluate("async () => (await fetch('/api/room')).json()")
        assert (told["secure"], told["base_url"]) == (True, PUBLIC)
        ada.get_by_role("button", name="Open a table").click()
        ada.wait_for_url(f"{PUBLIC}/t/**")
        (cookie,) = ada.context.cookies()
        assert (cookie["name"], cookie["domain"]) == ("__Host-lostcities", HOST)
        assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")

        named(grace, "Grace")
        grace.get_by_role("button", name="Sit down", exact=True).click()
        for page in (ada, grace):
            page.locator(".hand button").first.wait_for()
        first, second = (ada, grace) if ada.title().startswith("Your turn") else (grace, ada)
        turn_by_keys(first)
        second.wait_for_function("() => document.title.startsWith('Your turn')")
        second.reload()
        second.wait_for_function("() => document.title.startsWith('Your turn')")
        turn_by_keys(second)
        first.wait_for_function("() => document.title.startsWith('Your turn')")

        # Only our own page may ask for something, and nobody is somebody else by a header.
        foreign = behind.post("/api/tables", {"name": "Eve"}, "https://evil.example")
        assert (foreign.status_code, foreign.json()["error"]["reason"]) == (403, "foreign_origin")
        with pytest.raises(InvalidStatus) as caught, behind.socket(origin="https://evil.example"):
            pass
        assert caught.value.response.status_code == 403
        lent = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
        (table,) = behind.room.tables
        with behind.socket(origin=PUBLIC, additional_headers=lent) as watching:
            watching.send(json.dumps({"type": "hello", "match": table.match}))
            assert json.loads(watching.recv(10))["type"] == "snapshot"
            addresses = {each.address for each in table.sockets}
            assert addresses == {"127.0.0.1", VISITOR}, "as they are: a ban reaches one alone"

        # What the room would read, the proxy lets pass.
        large = behind.post("/api/records", {"text": "x" * 400_000})
        assert large.json()["error"]["reason"] != "too_large"
