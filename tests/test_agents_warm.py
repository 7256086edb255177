"""Warming up runs the agents that are compiled, by names that exist."""

import pytest

from lostcities.agents import warm
from lostcities.agents.registry import make_agent

pytestmark = pytest.mark.slow  # it may have to compile


def test_the_searching_agents_are_warmed_up() -> None:
    warm.warm_up()
    assert {make_agent(name).name for name in warm.SEARCHING} == {
        "flat@1", "tree@1", "search@4", "level3@2", "level6@1"
    }  # fmt: skip
