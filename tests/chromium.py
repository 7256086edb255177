"""Starting the installed Chromium."""

import os
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


def start(kind: "BrowserType", *more: str) -> "Browser":
    """The installed Chromium, headless, with more flags if need be."""
    root = getattr(os, "geteuid", lambda: 1)() == 0
    flags = [*FLAGS, *(["--no-sandbox"] if root else []), *more]
    return kind.launch(executable_path=needs.chromium(), headless=True, args=flags)
