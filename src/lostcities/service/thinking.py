"""What a thinking process does: find the agent by its name, and ask it.

Everything from :mod:`lostcities.agents` is imported where it is used, so that the room itself does
not carry what only the thinking processes need.
"""

from __future__ import annotations

import functools
import importlib.util
import secrets
from random import Random
from typing import TYPE_CHECKING

from lostcities.core.turn import Turn
from lostcities.core.views import View
from lostcities.service.agents import Advice, AgentCard

if TYPE_CHECKING:
    from lostcities.agents.agent import Agent

BUDGET_MS = 1000
"""How long an agent may think about a turn."""

_TOLD = {
    "random": ("Random", "plays any legal turn; good for finding one's way about"),
    "greedy": ("Greedy", "plays what it can and counts little"),
    "tree": ("Tree", "searches a tree of turns on deals that could be; takes a moment"),
    "steady": ("Steady", "counts what is left, starts what is worth it, minds what you need"),
    "policy": ("Pupil", "a small network that has learnt from playing itself; answers at once"),
    "flat": ("Flat", "tries every turn on hundreds of deals that could be; takes a moment"),
    "search": ("Search", "tries its turns on deals that could be, as long as it may"),
}
_COMPILED = ("tree", "policy", "flat", "search", "level6", "level7")
"""Agents that are too slow without Numba, so that a room without it does not offer them."""


def agent_cards() -> tuple[AgentCard, ...]:
    """Every registered agent in its newest version, from weak to strong.

    Outside programs (``cmd:…``) are not among them: what the room runs is the operator's choice,
    not a visitor's. Where Numba or NumPy is missing, those that need it are not among them either.
    """
    from lostcities.agents.registry import agent_names, full_name

    left_out = _left_out()
    return tuple(
        _card(name)
        for name in agent_names()
        if name == full_name(plain := name.partition("@")[0]) and plain not in left_out
    )


def _left_out() -> set[str]:
    """Agents that lack here what they need."""
    from lostcities.agents.level_table import LEVELS

    if importlib.util.find_spec("numpy") is None:
        return {*_COMPILED, *LEVELS}
    return set(_COMPILED) if importlib.util.find_spec("numba") is None else set()


def _card(name: str) -> AgentCard:
    from lostcities.agents.level_table import LEVELS

    plain = name.partition("@")[0]
    if plain in LEVELS:
        level, number = LEVELS[plain], list(LEVELS).index(plain) + 1
        told = f"level {number} of {len(LEVELS)}: {level.description}"
        return AgentCard(name, level.title, told)
    title, description = _TOLD.get(plain, (plain.capitalize(), "an agent that a package added"))
    return AgentCard(name, title, description)


def think(name: str, view: View) -> Turn:
    """The agent's turn; runs in a thinking process."""
    return _agent(name).choose(view, BUDGET_MS, Random(secrets.randbits(64))).turn  # noqa: S311


MOST_ADVICE = 5
"""Turns that a hint weighs at most."""


def advise(name: str, view: View) -> Advice:
    """What the agent would do, and the turns it weighed; runs in a thinking process.

    An agent that tells no values is helped out by the measure of ``steady``, if it is that one.
    """
    choice = _agent(name).choose(view, BUDGET_MS, Random(secrets.randbits(64)))  # noqa: S311
    told = choice.candidates
    if not told and name.startswith("steady@"):
        from lostcities.agents.steady import weigh

        told = weigh(view)
    pairs = tuple((each.turn, each.value) for each in told[:MOST_ADVICE])
    return Advice(choice.turn, bool(choice.candidates), pairs)


@functools.cache
def _agent(name: str) -> Agent:
    from lostcities.agents.registry import make_agent

    return make_agent(name)
