"""``lostcities play``: a match in the terminal against a program."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from lostcities.cli import options
from lostcities.cli.complaint import complain, printable
from lostcities.cli.terminal.decks import SeededDecks
from lostcities.cli.terminal.keeping import Keeper
from lostcities.cli.terminal.lines import Lines
from lostcities.cli.terminal.opponent import AgentOpponent
from lostcities.cli.terminal.sitting import Front, Left, OpponentError, Sitting, by_seat
from lostcities.core.record_text import check_value
from lostcities.core.shuffle import DeckSource, SystemEntropy

NAME = "play"
HELP = "A match in the terminal against a program."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "--agent",
        default="steady",
        help="whom to play (default %(default)s); see: lostcities agents",
    )
    parser.add_argument(
        "--seat", type=int, choices=(0, 1), default=0, help="your seat (default %(default)s)"
    )
    options.add_rules(parser)
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="keep the record in a new file, turn by turn; a match that is left is kept unfinished",
    )
    parser.add_argument(
        "--time-ms",
        type=options.positive,
        default=1000,
        metavar="T",
        help="milliseconds that the program may think about a turn (default %(default)s)",
    )
    parser.add_argument("--name", default="You", help="your name in the record")
    parser.add_argument(
        "--plain", action="store_true", help="lines only: for screen readers and pipes"
    )
    parser.add_argument(
        "--seed",
        type=int,
        help="for study: the same deals and the same starter for the same number",
    )
    options.example(
        parser,
        "lostcities play",
        "lostcities play --agent greedy --rules long --record evening.lcr",
        "printf '%s\\n' '+R4*' | lostcities play --plain --seed 7",
    )


def run(args: argparse.Namespace) -> int:
    """Play until the match ends or the person leaves."""
    rules = options.rules_of(args)
    check_value("--name", args.name, "--name")
    options.lenient_input()
    opponent = AgentOpponent(args.agent, args.time_ms, args.seed)
    names = by_seat(args.seat, args.name, opponent.name)
    keeper = Keeper(Path(args.record), rules, args.seat, names) if args.record else None
    decks: DeckSource = SystemEntropy() if args.seed is None else SeededDecks(args.seed)
    with ExitStack() as stack:
        stack.callback(opponent.close)
        front = _front(args.plain, opponent.shown, stack)
        return _played(Sitting(rules, args.seat, opponent, decks, front, keeper), keeper)


def _played(sitting: Sitting, keeper: Keeper | None) -> int:
    try:
        sitting.play()
    except Left:
        sitting.front.leaves("You left the match unfinished.")
    except OpponentError as error:
        sitting.front.leaves("The match ends here, unfinished.")
        complain(f"lostcities {NAME}: {error}")
        return 1
    except KeyboardInterrupt:
        sitting.front.leaves("\nYou left the match unfinished.")
        raise
    finally:
        kept = keeper is None or _report(keeper, sitting.unkept)
    return 0 if kept else 1


def _report(keeper: Keeper, error: OSError | None) -> bool:
    path = printable(str(keeper.path))
    if error is None:
        print(f"The record is in {path}")
    else:
        complain(f"lostcities {NAME}: {path}: not written, {error.strerror or error}")
    return error is None


def _front(plain: bool, opponent: str, stack: ExitStack) -> Front:
    if plain or not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        return Lines(opponent)
    try:
        from lostcities.cli.terminal.screen import HEIGHT, WIDTH, Screen, fits, terminal
    except ImportError:
        print("The board is drawn when the package rich is installed; lines only until then.")
        return Lines(opponent)
    console = terminal()
    if not fits(console):
        print(f"The board needs {WIDTH} × {HEIGHT} characters; lines only in this window.")
        return Lines(opponent)
    return stack.enter_context(Screen(console, opponent))
