"""Agents by name: those shipped here, and those that installed packages add.

A name is ``NAME@VERSION``, ``NAME`` alone for its newest version, either of them followed by options
as ``:key=value,key=value``; ``cmd:PROGRAM ARGS`` is an outside program that speaks the engine
protocol. A package adds an agent by an entry point of the group ``lostcities.agents``::

    [project.entry-points."lostcities.agents"]
    "bold@1" = "bold.agent:Bold"

The entry point names a callable that makes the agent; options become its keyword arguments, as ints
or floats where they read as such.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from lostcities.agents.agent import Agent
from lostcities.core.errors import NotationError

GROUP = "lostcities.agents"
"""The group of entry points."""

COMMAND = "cmd:"
"""What the name of an outside program begins with."""

Factory = Callable[..., Agent]

_BUILT_IN = {
    "random@1": "lostcities.agents.simple:RandomAgent",
    "level1@2": "lostcities.agents.levels:mind1",
    "level1@1": "lostcities.agents.levels:level1",
    "level2@1": "lostcities.agents.levels:level2",
    "level2@2": "lostcities.agents.levels:mind2",
    "greedy@1": "lostcities.agents.simple:GreedyAgent",
    "level3@1": "lostcities.agents.levels:level3",
    "level3@2": "lostcities.agents.levels:mind3",
    "level4@1": "lostcities.agents.levels:level4",
    "level4@2": "lostcities.agents.levels:mind4",
    "tree@1": "lostcities.agents.tree:TreeAgent",
    "level5@1": "lostcities.agents.levels:level5",
    "level5@2": "lostcities.agents.levels:mind5",
    "policy@1": "lostcities.agents.policy:PolicyAgent",
    "steady@1": "lostcities.agents.steady:SteadyAgent",
    "policy@2": "lostcities.agents.policy:Policy2Agent",
    "level6@1": "lostcities.agents.levels:level6",
    "flat@1": "lostcities.agents.flat:FlatAgent",
    "policy@3": "lostcities.agents.policy:Policy3Agent",
    "search@1": "lostcities.agents.search:SearchAgent",
    "level7@1": "lostcities.agents.levels:level7",
    "search@2": "lostcities.agents.search:Search2Agent",
    "level7@2": "lostcities.agents.levels:Master2",
    "policy@4": "lostcities.agents.policy:Policy4Agent",
    "search@3": "lostcities.agents.search:Search3Agent",
    "level7@3": "lostcities.agents.levels:Master3",
    "search@4": "lostcities.agents.search:Search4Agent",
    "level7@4": "lostcities.agents.levels:Master4",
}


class UnknownAgentError(NotationError):
    """No agent of that name, or options that it does not have."""


@cache
def _targets() -> dict[str, str | EntryPoint]:
    found: dict[str, str | EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found[point.name if "@" in point.name else f"{point.name}@1"] = point
    return found | _BUILT_IN


def agent_names() -> tuple[str, ...]:
    """Every agent with its version: the shipped ones from weak to strong, then the others."""
    return (*_BUILT_IN, *sorted(set(_targets()) - set(_BUILT_IN)))


def origin(name: str) -> str:
    """The installed package that adds an agent, or ``lostcities`` itself."""
    target = _targets()[full_name(name)]
    if isinstance(target, str) or target.dist is None:
        return "lostcities"
    return str(target.dist.name)


def full_name(name: str) -> str:
    """The name with its version: ``steady`` → ``steady@1``.

    Raises:
        UnknownAgentError: no such agent; names those there are.
    """
    if name in _targets():
        return name
    versions = [each for each in _targets() if each.partition("@")[0] == name]
    if not versions:
        raise UnknownAgentError(repr(name), f"no such agent ({_suggestion(name)})")
    return max(versions, key=lambda each: _version(each.partition("@")[2]))


def _version(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdecimal() else (-1, text)


def _suggestion(name: str) -> str:
    close = difflib.get_close_matches(name, agent_names(), n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}there are {', '.join(agent_names())}, and cmd:PROGRAM ARGS"


def spelled_out(name: str) -> str:
    """The name with its version where it has none, and with its options as they are.

    Raises:
        UnknownAgentError: no such agent.
    """
    if name.startswith(COMMAND):
        return name
    plain, colon, options = name.partition(":")
    return full_name(plain) + colon + options


def make_agent(name: str, memory_mb: int | None = None) -> Agent:
    """Make the agent of a name, with its options.

    Args:
        name: see the head of this module.
        memory_mb: the most memory that an outside program may take, in MiB.

    Raises:
        UnknownAgentError: no such agent, or an option that it does not have.
    """
    if name.startswith(COMMAND):
        from lostcities.agents.program import MEMORY_MB, ProgramAgent

        return ProgramAgent(name.removeprefix(COMMAND), memory_mb or MEMORY_MB)
    plain, _, options = name.partition(":")
    full = full_name(plain)
    making, arguments = factory(full), _read_options(full, options)
    try:
        return making(**arguments)
    except (TypeError, ValueError) as error:
        raise UnknownAgentError(repr(name), f"options refused: {error}") from error


def factory(full: str) -> Factory:
    """What makes the agent of a full name (:func:`full_name`).

    Raises:
        UnknownAgentError: the module or package that has it cannot be loaded.
    """
    target = _targets()[full]
    try:
        if isinstance(target, EntryPoint):
            loaded: Factory = target.load()
            return loaded
        module, _, attribute = target.partition(":")
        made: Factory = getattr(import_module(module), attribute)
        return made
    except (ImportError, AttributeError) as error:
        raise UnknownAgentError(repr(full), f"cannot be loaded: {error}") from error


def _read_options(full: str, text: str) -> dict[str, int | float | str]:
    options: dict[str, int | float | str] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise UnknownAgentError(repr(full), f"option {part!r} is not key=value")
        options[key] = _read_value(value)
    return options


def _read_value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
