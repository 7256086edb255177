"""``lostcities agents``: the programs that can take a seat, with their measured strength."""

from __future__ import annotations

import argparse
from typing import Any

from lostcities.cli import options, paint

NAME = "agents"
HELP = "The programs that can take a seat: how they play, their measured strength and time a turn."

_LEGEND = (
    "Points a round over greedy@1 in duplicate deals ± standard error; milliseconds a turn on one",
    "core. NAME alone is the newest version; cmd:PROGRAM ARGS is any program that speaks the engine",
    "protocol.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    options.add_json(parser, "the agents, one object a line,")
    options.example(parser, "lostcities agents", "lostcities agents --json")


def run(args: argparse.Namespace) -> int:
    """Print the agents, from weak to strong; those of other packages after them."""
    from lostcities.agents.registry import agent_names

    agents = [_facts(name) for name in agent_names()]
    if args.json:
        for facts in agents:
            options.show(facts)
        return 0
    options.show([_line(facts) for facts in agents])
    options.show(["", *(paint.faint(line) for line in _LEGEND)])
    return 0


def _facts(name: str) -> dict[str, Any]:
    from lostcities.agents.registry import origin
    from lostcities.agents.strength import STRENGTHS

    known = STRENGTHS.get(name)
    return {
        "name": name,
        "description": known.description if known else f"from {origin(name)}",
        "points": known.points if known else None,
        "se": known.se if known else None,
        "ms": known.ms if known else None,
    }


def _line(facts: dict[str, Any]) -> str:
    name = paint.bold(f"{facts['name']:<12}")
    if facts["points"] is None:
        return f"{name} {'not measured':>22}  {facts['description']}"
    measured = f"{facts['points']:+7.1f} ± {facts['se']:.1f}  {facts['ms']:7.2f} ms"
    return f"{name} {measured:>22}  {facts['description']}"
