"""``lostcities arena``: programs against each other over duplicate deals."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lostcities.cli import options
from lostcities.cli.complaint import complain

if TYPE_CHECKING:
    from lostcities.training.arena import Arena, Settings

NAME = "arena"
HELP = (
    "Programs against each other over duplicate deals: each deal is played twice with the seats "
    "swapped. More than two play all against all and get a rating table."
)
INTERRUPTED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="a name (lostcities agents) or cmd:PROGRAM ARGS"
    )
    parser.add_argument(
        "--deals", type=options.positive, default=100, metavar="N", help="a pair (%(default)s)"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of the decks; default: a new one")
    parser.add_argument(
        "--jobs", type=options.positive, default=1, metavar="J", help="processes (%(default)s)"
    )
    parser.add_argument(
        "--time-ms",
        type=options.positive,
        default=1000,
        metavar="T",
        help="milliseconds a turn, with 50 of grace and 30 s for a first answer (%(default)s)",
    )
    parser.add_argument(
        "--memory-mb",
        type=options.positive,
        default=2048,
        metavar="M",
        help="most memory of an outside program (%(default)s)",
    )
    options.add_rules(parser)
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="keep finished deals here; the same command goes on from them after an interrupt",
    )
    parser.add_argument(
        "--records", type=Path, metavar="FOLDER", help="write a record of every round here"
    )
    parser.add_argument(
        "--until-sure",
        type=_chance,
        nargs="?",
        const=0.05,
        metavar="P",
        help="stop a pair when it is sure who is ahead, wrong with a chance of P (0.05)",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    options.add_json(parser, "the results")
    options.example(
        parser,
        "lostcities arena steady greedy --deals 2000 --seed 1 --jobs 2",
        'lostcities arena steady "cmd:python my_engine.py" --log mine.jsonl --until-sure',
        "lostcities arena random greedy steady --deals 500 --json",
    )


def _chance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a chance between 0 and 1")
    return value


def run(args: argparse.Namespace) -> int:
    """Hold the arena; show how it stands while it goes on, and the results at the end."""
    from lostcities.cli.arena_show import Progress, lines
    from lostcities.training.arena import hold

    if len(args.agents) < 2:
        complain("lostcities arena: one agent alone; name two or more")
        return 2
    settings = _settings(args)
    interrupted, latest = False, None
    with Progress(settings, quiet=args.quiet) as progress:
        try:
            latest = hold(settings, progress.show)
        except KeyboardInterrupt:
            interrupted, latest = True, progress.latest
    if latest is None:
        return INTERRUPTED
    facts = latest.facts()
    _rate(latest, facts)
    options.show(facts if args.json else lines(facts))
    if interrupted:
        complain(_interrupted(latest))
        return INTERRUPTED
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    from lostcities.agents.agent import close
    from lostcities.agents.registry import make_agent, spelled_out
    from lostcities.core.errors import NotationError
    from lostcities.training.arena import Plan, Settings, arena_rules

    try:
        rules = arena_rules(args.rules)
    except NotationError as error:
        raise error.within("--rules") from None
    agents = tuple(spelled_out(name) for name in args.agents)
    for name in dict.fromkeys(agents):
        close(make_agent(name, memory_mb=args.memory_mb))
    seed = secrets.randbelow(1 << 31) if args.seed is None else args.seed
    if args.seed is None and args.log is not None:
        seed = _seed_of(args.log, seed)
    plan = Plan(agents, rules, seed, args.time_ms, args.memory_mb)
    return Settings(plan, args.deals, args.jobs, args.log, args.records, args.until_sure)


def _seed_of(path: Path, otherwise: int) -> int:
    """The seed of a log that is there: without ``--seed`` the same command goes on with it."""
    import json

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return int(json.loads(file.readline())["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return otherwise


def _rate(arena: Arena, facts: dict[str, Any]) -> None:
    if "table" not in facts:
        return
    from lostcities.training.ratings import rate

    try:
        ratings = rate(len(facts["agents"]), arena.rounds_in_order())
    except ImportError:
        facts["ratings"] = "need openskill: pip install 'lostcities[ratings]'"
        return
    for line in facts["table"]:
        rating = ratings[line["place"]]
        line["rating"], line["rating_low"], line["rating_high"] = (
            rating.value,
            rating.low,
            rating.high,
        )


def _interrupted(arena: Arena) -> str:
    log = arena.settings.log
    stopped = f"stopped after {arena.played} of {arena.wanted} deals"
    if log is None:
        return f"lostcities arena: {stopped} (with --log FILE it could go on)"
    return f"lostcities arena: {stopped}; the same command goes on from {os.fspath(log)}"
