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
    "level1": ("First game", "level 1 of 7: sees what is possible, and weighs it badly"),
    "level2": ("Beginner", "level 2 of 7: has an idea of what pays, and often errs"),
    "level3": ("Casual", "level 3 of 7: tells good from bad, not good from better"),
    "level4": ("Regular", "level 4 of 7: makes some mistakes in every round"),
    "level5": ("Strong", "level 5 of 7: errs only where it is close"),
    "level6": ("Expert", "level 6 of 7: judges every turn at a glance"),
    "level7": ("Master", "level 7 of 7: tries its turns on deals that could be"),
}
_COMPILED = ("tree", "policy", "flat", "search", *(f"level{n}" for n in range(1, 8)))
"""Agents that are too slow without Numba, so that a room without it does not offer them."""


def agent_cards() -> tuple[AgentCard, ...]:
    """Every registered agent in its newest version, from weak to strong.

    Outside programs (``cmd:…``) are not among them: what the room runs is the operator's choice,
    not a visitor's. Where Numba is missing, those that need it are not among them either.
    """
    from lostcities.agents.registry import agent_names, full_name

    slow = importlib.util.find_spec("numba") is None
    return tuple(
        _card(name)
        for name in agent_names()
        if name == full_name(plain := name.partition("@")[0]) and not (slow and plain in _COMPILED)
    )


def _card(name: str) -> AgentCard:
    plain = name.partition("@")[0]
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
