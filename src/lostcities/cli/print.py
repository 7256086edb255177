"""``lostcities print``: a deck, a board, the rules and score sheets, as PDF."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lostcities.cli import options
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules

if TYPE_CHECKING:
    from lostcities.table.deck import Deck

NAME = "print"
HELP = (
    "Write PDF files to print: the whole deck with backs and reference cards, a board, the rules on a "
    "sheet, and score sheets. All of our own drawing. Needs the extra: pip install 'lostcities[print]'."
)
_THINGS = ("deck", "board", "rules", "sheet")
_NEEDS = ("reportlab", "font_source_sans_pro", "font_source_serif_pro")


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "things", nargs="*", metavar="WHAT", help=f"{', '.join(_THINGS)}; all if none"
    )
    parser.add_argument("--out", metavar="FOLDER", default=".", help="where the files go (here)")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")
    parser.add_argument("--language", choices=("en", "de"), help="English; the rules in every one")
    parser.add_argument(
        "--colours", type=int, choices=(5, 6), help="six for deck and board, sheets for both"
    )
    parser.add_argument(
        "--deck", metavar="NAME", help="in the colours of that deck, a shipped one or NAME.toml"
    )
    parser.add_argument(
        "--backs",
        choices=("duplex", "once", "none"),
        default="duplex",
        help="backs after each page of faces for printing on both sides (duplex), one page of them "
        "at the end, or none",
    )
    options.add_json(parser, "the files and their pages")
    options.example(
        parser,
        "lostcities print --out paper",
        "lostcities print deck --paper letter --colours 5 --backs once",
        "lostcities print rules sheet --language de",
        "lostcities print deck board --deck room",
    )


def run(args: argparse.Namespace) -> int:
    """Write the files, naming each as it is done."""
    for thing in args.things:
        if thing not in _THINGS:
            raise NotationError(repr(thing), f"not one of {', '.join(_THINGS)}")
    missing = [name for name in _NEEDS if find_spec(name) is None]
    if missing:
        lack = f"not installed ({', '.join(missing)})"
        raise NotationError("extra print", f"{lack}; pip install 'lostcities[print]'")
    from lostcities.table.printing.make import Order, print_all

    things = tuple(args.things) or _THINGS
    deck = None if args.deck is None else _deck(args.deck, args.colours)
    colours = args.colours if deck is None else deck.rules.colours
    order = Order(things, Path(args.out), args.paper, args.language, colours, args.backs, deck)
    files = []
    for made in print_all(order):
        files.append({"file": str(made.path), "pages": made.pages})
        if not args.json:
            options.show([f"{made.path}: {made.pages} page{'s' if made.pages > 1 else ''}"])
    if args.json:
        options.show({"files": files})
    return 0


def _deck(name: str, colours: int | None) -> Deck:
    """The deck to print in the colours of.

    Raises:
        DeckError: no such deck, one that cannot serve, or one without the cards that are printed.
    """
    from lostcities.table.deck_file import find_deck
    from lostcities.table.records import check_serves

    deck = find_deck(name)
    check_serves(deck, Rules(colours=colours or (6 if deck.rules.colours == 6 else 5)))
    return deck
