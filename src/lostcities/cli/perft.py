"""``lostcities perft``: how many turn sequences of exactly a length a position has."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from lostcities.cli import options
from lostcities.cli.complaint import complain
from lostcities.cli.legal import add_position
from lostcities.core.errors import NotationError
from lostcities.core.perft import check_known, perft
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState
from lostcities.core.turn import Turn

NAME = "perft"
HELP = "How many sequences of turns of exactly a given length a position has."

_MOST_BY_KERNEL = 1000
"""Turns that a count by the kernel may look ahead; it holds a row for each."""

Count = Callable[[RoundState, int], int]


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
    text = options.given_text(args.position)
    state = parse_position(text.strip(), rules)
    count = _kernel() if args.kernel else perft
    try:
        if args.divide:
            _print_divide(args, _divided(state, args.depth, count))
        else:
            _print_count(args, count(state, args.depth))
    except RecursionError:
        raise _too_deep(args.depth) from None
    return 0


def _too_deep(depth: int) -> NotationError:
    return NotationError("DEPTH", f"{depth} turns in a row are more than this count can follow")


def _kernel() -> Count:
    """Perft by the compiled engine, which must be there."""
    try:
        from lostcities.kernel import bridge
        from lostcities.kernel.jit import COMPILED, describe
    except ImportError as error:
        raise NotationError("--kernel", " ".join(str(error).split())) from None
    if not COMPILED:
        complain(f"lostcities {NAME}: {describe()}")

    def count(state: RoundState, depth: int) -> int:
        if depth > _MOST_BY_KERNEL and not state.over:
            raise _too_deep(depth)
        return 0 if state.over and depth else bridge.perft(state, depth)

    return count


def _divided(state: RoundState, depth: int, count: Count) -> Iterator[tuple[Turn, int]]:
    """As :func:`lostcities.core.perft.divide`, whatever counts."""
    if depth == 0:
        raise NotationError("DEPTH", "--divide needs at least 1")
    check_known(state, depth)
    for turn in state.legal_turns():
        yield turn, count(state.play(turn), depth - 1) if depth > 1 else 1


def _print_count(args: argparse.Namespace, count: int) -> None:
    options.show({"depth": args.depth, "count": count} if args.json else [str(count)])


def _print_divide(args: argparse.Namespace, divided: Iterator[tuple[Turn, int]]) -> None:
    counts: dict[str, int] = {}
    for turn, count in divided:
        counts[str(turn)] = count
        if not args.json:
            print(f"{turn}: {count}", flush=True)
    total = sum(counts.values())
    if args.json:
        options.show({"depth": args.depth, "divide": counts, "count": total})
    else:
        print(total)
