"""``lostcities decks``: the decks that people may hold, and help with the one in their hands."""

from __future__ import annotations

import argparse
import re

from lostcities.cli import options, paint
from lostcities.core.errors import NotationError
from lostcities.table.contrast import LEAST, contrast
from lostcities.table.deck import Deck, ranges
from lostcities.table.deck_check import DeckCheck, cards_but, check_deck, deck_left, unpack
from lostcities.table.deck_file import find_deck, shipped
from lostcities.table.entry import format_typed, parse_held

NAME = "decks"
HELP = (
    "The decks that people may hold. Without a name, the list; with a name or a file NAME.toml, "
    "what is printed on its cards and what to take out of the box (a file is validated)."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument("deck", nargs="?", help="a deck's name, or a file NAME.toml")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument(
        "--check",
        metavar="CARDS",
        help="the cards that you hold, by index, code or name: says what is missing, exit 1 if "
        "anything is (- reads them from standard input)",
    )
    doing.add_argument(
        "--but",
        metavar="CARDS",
        help="as --check, typing only the cards that are not there (- too)",
    )
    doing.add_argument(
        "--lying",
        type=_count,
        metavar="N",
        help="N cards lie in rows and on piles: says how many the deck should still hold",
    )
    parser.add_argument(
        "--laid", action="store_true", help="with --lying: somebody has laid and not yet drawn"
    )
    options.add_json(parser, "the decks, the deck, or the answer")
    options.example(
        parser,
        "lostcities decks mtttgc3",
        'lostcities decks mtttgc3 --check "2-10 81-83 17-25 76-78 32-40 84-86 47-55 87-89 62-70 90-92"',
        "lostcities decks five --lying 12",
        "lostcities decks my-deck.toml",
    )


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text.strip(), re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of cards, 0 or more")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """List, show or check."""
    if args.laid and args.lying is None:
        raise NotationError("--laid", "goes with --lying")
    if args.deck is None:
        if args.check is not None or args.but is not None or args.lying is not None:
            raise NotationError("deck", "missing: which deck is it? (lostcities decks lists them)")
        options.show(_list_json() if args.json else _list())
        return 0
    deck = find_deck(args.deck)
    if args.lying is not None:
        options.show(_left(deck, args))
        return 0
    if args.check is None and args.but is None:
        options.show(deck.to_dict() if args.json else _shown(deck))
        return 0
    found, named = _check(deck, args)
    options.show(_check_json(found) if args.json else _check_shown(found, deck, named))
    return 0 if found.whole else 1


def _list_json() -> dict[str, object]:
    return {"decks": [deck.to_dict() for deck in shipped()]}


def _list() -> list[str]:
    lines = [f"{deck.name:<10}{deck.title}" for deck in shipped()]
    return [
        *lines,
        "",
        "`lostcities decks NAME` shows one; docs/decks.md tells how to add your own.",
    ]


def _shown(deck: Deck) -> list[str]:
    lines = [paint.bold(f"{deck.name}: {deck.title}"), f"rules: {deck.rules}"]
    lines.append(f"wager: {deck.wager} (on the card: {deck.mark})")
    width = max(len(each.name) for each in deck.colours)
    for each in deck.colours:
        name = paint.colour(f"{each.name:<{width}}", each.colour)
        printed = f"  numbers {ranges(each.numbers)}, wagers {ranges(each.wagers)}"
        lines.append(f"  {each.colour.letter}  {name}{printed if each.indices else ''}")
    for each in deck.colours:
        if each.shown_ink != each.ink:
            ratio = f"{contrast(each.ink, each.fill):.1f} to 1"
            lines.append(
                f"note: {each.name}: ink {each.ink} on {each.fill} is hard to read ({ratio}, "
                f"{LEAST} is needed); it is shown in {each.shown_ink}"
            )
    box = unpack(deck)
    if box is None:
        return lines
    every = (index for _, indices in box.take for index in indices)
    ordered = tuple(sorted(every, key=_place))
    lines += ["", f"take out of the box ({len(ordered)} cards): {ranges(ordered)}"]
    if box.stay:
        last = max(int(index) for index in ordered if index.isdecimal())
        lines.append(f"stay in the box: {ranges(box.stay)}, and every index after {last}")
    return [*lines, deck.take] if deck.take else lines


def _place(index: str) -> tuple[int, str]:
    return (int(index), "") if index.isdecimal() else (1 << 20, index)


def _check(deck: Deck, args: argparse.Namespace) -> tuple[DeckCheck, frozenset[str]]:
    if args.but is not None:
        missing, gone = parse_held(options.given_text(args.but), deck)
        held = cards_but(missing, deck.rules)
        return check_deck(held, deck.rules), frozenset(deck.by_index()) - gone
    cards, named = parse_held(options.given_text(args.check), deck)
    return check_deck(cards, deck.rules), named


def _check_json(found: DeckCheck) -> dict[str, object]:
    return {
        "held": found.held,
        "missing": [str(card) for card in found.missing],
        "surplus": [str(card) for card in found.surplus],
        "whole": found.whole,
    }


def _check_shown(found: DeckCheck, deck: Deck, named: frozenset[str]) -> list[str]:
    if found.whole:
        return [f"the deck is whole: {found.held} cards"]
    lines = [f"{found.held} of {deck.rules.deck_size} cards are there"]
    if found.missing:
        lines.append(f"missing {len(found.missing)}: {format_typed(found.missing, deck, named)}")
    if found.surplus:
        lines.append(f"too many {len(found.surplus)}: {format_typed(found.surplus, deck)}")
    return lines


def _left(deck: Deck, args: argparse.Namespace) -> options.Shown:
    left = deck_left(deck.rules, args.lying, laid=args.laid)
    if args.json:
        return {"deck": left}
    return (
        [f"the deck should hold {left}"]
        if left
        else ["the deck should be empty: the round is over"]
    )
