"""``lostcities perft``: how many turn sequences of exactly a length a position has."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from lostcities.cli import options
from lostcities.cli.legal import add_position
from lostcities.core.errors import NotationError
from lostcities.core.perft import divide, perft
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.turn import Turn

NAME = "perft"
HELP = "How many sequences of turns of exactly a given length a position has."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    add_position(parser)
    parser.add_argument("depth", metavar="DEPTH", type=_length, help="the length, in turns")
    parser.add_argument(
        "--divide",
        action="store_true",
        help='"TURN: COUNT" for each legal turn in order, then the total on the last line',
    )
    parser.add_argument(
        "--kernel", action="store_true", help="count with the compiled engine (needs numba)"
    )
    options.add_rules(parser)
    options.add_json(parser, "the count (and the divide)")
    options.example(
        parser,
        'lostcities perft "0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5" 2',
        'lostcities perft "0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5" 2 --divide',
    )


def _length(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of turns")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Count, by turn if asked."""
    rules = options.rules_of(args)
    text = options.read_text(options.STDIN) if args.position == options.STDIN else args.position
    state = parse_position(text.strip(), rules)
    try:
        if args.divide:
            _print_divide(args, state)
        else:
            _print_count(args, _count(args, state))
    except RecursionError:
        reason = f"{args.depth} turns in a row are more than this count can follow"
        raise NotationError("DEPTH", reason) from None
    return 0


def _count(args: argparse.Namespace, state: RoundState) -> int:
    return perft(state, args.depth)


def _print_count(args: argparse.Namespace, count: int) -> None:
    options.show({"depth": args.depth, "count": count} if args.json else [str(count)])


def _print_divide(args: argparse.Namespace, state: RoundState) -> None:
    counts: dict[str, int] = {}
    for turn, count in _divide(args, state):
        counts[str(turn)] = count
        if not args.json:
            print(f"{turn}: {count}", flush=True)
    total = sum(counts.values())
    if args.json:
        options.show({"depth": args.depth, "divide": counts, "count": total})
    else:
        print(total)


def _divide(args: argparse.Namespace, state: RoundState) -> Iterator[tuple[Turn, int]]:
    if args.depth == 0:
        raise NotationError("DEPTH", "--divide needs at least 1")
    return divide(state, args.depth)
