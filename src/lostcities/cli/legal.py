"""``lostcities legal``: the legal turns of a position, in canonical order."""

from __future__ import annotations

import argparse

from lostcities.cli import options
from lostcities.core.position import parse_position

NAME = "legal"
HELP = "The legal turns of a position, one a line, in canonical order."

_SHAPE = "seat | hand 0 | hand 1 | rows 0 | rows 1 | piles | deck"


def add_position(parser: argparse.ArgumentParser, also: str = "") -> None:
    """The argument POSITION."""
    parser.add_argument(
        "position",
        metavar="POSITION",
        help=f'"{_SHAPE}", an eighth field for a lay already made; or - for standard input{also}',
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    add_position(parser, ", one position a line")
    options.add_rules(parser)
    options.add_json(parser, 'each position as {"legal": [turns]}')
    options.example(
        parser,
        'lostcities legal "0 | G2 R5 | ?2 | - | - | R3 | ?2"',
        "lostcities legal - --json < positions.txt",
    )


def run(args: argparse.Namespace) -> int:
    """Print the legal turns of one position, or of each line of standard input."""
    rules = options.rules_of(args)

    def answer(text: str) -> options.Shown:
        turns = [str(turn) for turn in parse_position(text, rules).legal_turns()]
        return {"legal": turns} if args.json else turns

    if args.position == options.STDIN:
        return options.answer_lines("lostcities legal", answer, as_json=args.json, titled=False)
    options.show(answer(args.position))
    return 0
