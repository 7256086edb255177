"""``lostcities agents``: the programs that can take a seat, with their measured strength."""

from __future__ import annotations

import argparse
from typing import Any

from lostcities.cli import options, paint

NAME = "agents"
HELP = "The programs that can take a seat: how they play, their measured strength and time a turn."

_LEGEND = (
    "Points a round over greedy@1 in duplicate deals ± standard error, rounds won against it; rating",
    "(Elo, steady@1 has 1000) ± its interval of 95 %; milliseconds a turn on one core. NAME alone is the",
    "newest version; cmd:PROGRAM ARGS is any program that speaks the engine protocol.",
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
        "win": known.win if known else None,
        "rating": known.rating if known else None,
        "interval": known.interval if known else None,
    }


def _line(facts: dict[str, Any]) -> str:
    name = paint.bold(f"{facts['name']:<12}")
    points = win = rating = ms = ""
    if facts["points"] is not None:
        points = f"{facts['points']:+7.1f} ± {facts['se']:.1f}"
    if facts["win"] is not None:
        win = f"{facts['win']:.0%}"
    if facts["rating"] is not None:
        rating = f"{facts['rating']} ± {facts['interval']}"
    if facts["ms"] is not None:
        ms = f"{facts['ms']:.2f} ms"
    measured = f"{points:>13} {win:>4} {rating:>9} {ms:>9}"
    return f"{name} {measured if measured.strip() else 'not measured':>38}  {facts['description']}"
