"""``lostcities arena``: programs against each other over duplicate deals."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import sys
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
        "--deals", type=options.positive, metavar="N", help="a pair (100; against a panel 500)"
    )
    parser.add_argument(
        "--at-most",
        action="append",
        default=[],
        metavar="AGENT=N",
        help="fewer deals for the pairs of a slow agent",
    )
    parser.add_argument(
        "--panel",
        action="store_true",
        help="the one agent named plays the frozen panel on deals that nothing has learnt from",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of the decks; default: a new one")
    parser.add_argument(
        "--jobs",
        type=options.positive,
        metavar="J",
        help="processes (1; with --cluster all its processors)",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Ray cluster: HOST:PORT of its head, or auto for one that runs here",
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
        "lostcities arena cmd:./my_engine --panel --log panel.jsonl",
        "lostcities arena flat steady --deals 1000 --cluster 10.0.0.1:6379 --log flat.jsonl",
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

    wrong = _wrong_with_panel(args) if args.panel else ""
    if len(args.agents) < 2 and not args.panel:
        complain("lostcities arena: one agent alone; name two or more")
        return 2
    if wrong:
        complain(f"lostcities arena: {wrong}")
        return 2
    settings = _settings(args)
    interrupted, latest = False, None
    with Progress(settings, quiet=args.quiet) as progress:
        try:
            # Ray tells of lost machines on standard output, which is for the results.
            with contextlib.redirect_stdout(sys.stderr or sys.stdout):
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


def _wrong_with_panel(args: argparse.Namespace) -> str:
    """Why these arguments do not go with ``--panel``; empty if they do."""
    if len(args.agents) != 1:
        return "--panel takes one agent: the others are the panel's"
    own = {
        "--seed": args.seed,
        "--rules": args.rules,
        "--until-sure": args.until_sure,
        "--at-most": args.at_most or None,
    }
    given = [name for name, value in own.items() if value not in (None, "")]
    return f"{given[0]} does not go with --panel, which has its own deals" if given else ""


def _settings(args: argparse.Namespace) -> Settings:
    from lostcities.agents.agent import close
    from lostcities.agents.registry import make_agent, spelled_out
    from lostcities.core.errors import NotationError
    from lostcities.training.arena import Plan, Settings, arena_rules
    from lostcities.training.panel import DEALS, panel

    try:
        rules = arena_rules(args.rules)
    except NotationError as error:
        raise error.within("--rules") from None
    agents = tuple(spelled_out(name) for name in args.agents)
    for name in dict.fromkeys(agents):
        close(make_agent(name, memory_mb=args.memory_mb))
    if args.panel:
        return panel(
            agents[0], deals=args.deals or DEALS, jobs=args.jobs, time_ms=args.time_ms,
            memory_mb=args.memory_mb, log=args.log, records=args.records, cluster=args.cluster,
        )  # fmt: skip
    seed = secrets.randbelow(1 << 31) if args.seed is None else args.seed
    if args.seed is None and args.log is not None:
        seed = _seed_of(args.log, seed)
    plan = Plan(agents, rules, seed, args.time_ms, args.memory_mb)
    return Settings(
        plan, args.deals or 100, args.jobs, args.log, args.records, args.until_sure, args.cluster,
        at_most=tuple(limit for text in args.at_most for limit in _at_most(text, agents)),
    )  # fmt: skip


def _at_most(text: str, agents: tuple[str, ...]) -> list[tuple[int, int]]:
    """The places of an agent with its limit.

    Raises:
        NotationError: it is not ``AGENT=N``, or no such agent plays.
    """
    from lostcities.agents.registry import spelled_out
    from lostcities.core.errors import NotationError

    name, _, number = text.rpartition("=")
    if not (name and number.isdecimal() and int(number)):
        raise NotationError(f"--at-most {text}", "not AGENT=N with a whole number from 1")
    full = spelled_out(name)
    places = [place for place, agent in enumerate(agents) if agent == full]
    if not places:
        raise NotationError(f"--at-most {text}", f"{full} does not play here")
    return [(place, int(number)) for place in places]


def _seed_of(path: Path, otherwise: int) -> int:
    """The seed of a log that is there: without ``--seed`` the same command goes on with it."""
    import json

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return int(json.loads(file.readline())["seed"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
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
