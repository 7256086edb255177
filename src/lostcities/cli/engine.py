"""``lostcities engine``: an agent speaking the engine protocol on standard input and output."""

from __future__ import annotations

import argparse
import random
import sys

from lostcities.cli import options

NAME = "engine"
HELP = (
    "A program that plays, by the engine protocol: a JSON object a line in, one a line out, until "
    "the input ends."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "--agent", required=True, metavar="NAME", help="who plays (lostcities agents lists them)"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="of the agent's randomness; default: a new one"
    )
    options.example(
        parser,
        "lostcities engine --agent steady < requests.jsonl",
        'lostcities arena steady "cmd:lostcities engine --agent greedy" --deals 10',
    )


def run(args: argparse.Namespace) -> int:
    """Answer every line; a line that cannot be read gets an error, and it goes on."""
    from lostcities.agents.agent import close
    from lostcities.agents.engine_protocol import serve
    from lostcities.agents.registry import make_agent

    agent = make_agent(args.agent)
    options.lenient_input()
    rng = random.Random(args.seed)  # noqa: S311 - the agent's own randomness, repeatable on request
    try:
        for answer in serve(agent, sys.stdin, rng):
            print(answer, flush=True)
    finally:
        close(agent)
    return 0
