"""``lostcities score``: what one player's rows are worth, with the working."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from lostcities.cli import options, paint
from lostcities.core.cards import Colour
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions, ExpeditionScore, score_expedition, score_seat
from lostcities.core.sheet import parse_sheet

if TYPE_CHECKING:
    from lostcities.table.deck import Deck

NAME = "score"
HELP = "What a player's rows are worth: each colour with its working, and the total."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "cards",
        nargs="+",
        metavar="CARDS",
        help='one player\'s rows in the order played, e.g. "YX Y3 Y5 R2 R3" ("" is the empty '
        "sheet); or - for sheets on standard input, one a line (a line - is the empty sheet); or "
        "the link of a score sheet, which brings its rules and its deck",
    )
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="the deck that you hold (lostcities decks) or a file NAME.toml: cards may then be "
        "typed by index, name and sweep, in any order; its rules are the default of --rules",
    )
    parser.add_argument(
        "--against",
        metavar="CARDS",
        help="the other player's rows (- reads them from standard input): both are scored, and "
        "checked against each other",
    )
    options.add_rules(parser)
    options.add_json(parser, 'each sheet as {"colours": {…}, "total": …}')
    options.example(
        parser,
        'lostcities score "YX Y3 Y5 R2 R3"',
        'lostcities score --rules long --json "PX P2 P10"',
        "lostcities score - --json < sheets.txt",
        'lostcities score --deck mtttgc3 "81 2-5 62 64 17"',
        'lostcities score "RX R5" --against "R6 Y10"',
        'lostcities score "https://room.example/sheet#1.eyJ…"',
    )


def run(args: argparse.Namespace) -> int:
    """Score the sheet of the arguments, or those of standard input."""
    if _LINK.match(args.cards[0]):
        options.show(_linked(args))
        return 0
    deck = None if args.deck is None else _deck(args.deck)
    rules = options.rules_of(args, None if deck is None else deck.rules)
    if deck is not None:
        _check_serves(deck, rules)

    if args.against is not None:
        options.show(_both(args, deck, rules))
        return 0

    def answer(text: str) -> options.Shown:
        if _LINK.match(text):
            return _linked(args, text)
        sheet = (
            parse_sheet(_spaced(text), rules) if deck is None else typed_sheet(text, deck, rules)
        )
        return sheet_json(sheet, rules) if args.json else drawn(sheet, rules, deck)

    if args.cards == [options.STDIN]:
        return options.answer_lines("lostcities score", answer, as_json=args.json)
    options.show(answer(" ".join(args.cards)))
    return 0


_LINK = re.compile(r"\s*(\S*#|[a-z]+://|[0-9]+\.)")
"""How the link of a sheet begins, or its fragment; no sheet of cards does."""


def _linked(args: argparse.Namespace, text: str = "") -> options.Shown:
    """The match behind a link, which brings its own rules and deck."""
    from lostcities.cli.score_link import scored
    from lostcities.core.errors import NotationError

    for option in ("rules", "deck", "against"):
        if getattr(args, option):
            raise NotationError(f"--{option}", "a link brings its own rules, deck and both sides")
    return scored(text or " ".join(args.cards), as_json=args.json)


def _both(args: argparse.Namespace, deck: Deck | None, rules: Rules) -> options.Shown:
    """Both players' rows, which must be possible together."""
    from lostcities.core.errors import NotationError
    from lostcities.core.seats import BySeat
    from lostcities.table.entry import parse_sides
    from lostcities.table.sheets import make_sheet

    if args.cards == [options.STDIN]:
        if args.against == options.STDIN:
            raise NotationError("CARDS and --against", options.READ_ONCE)
        raise NotationError("--against", "needs the sheet as an argument")
    texts = BySeat(" ".join(args.cards), options.given_text(args.against))
    if deck is None:
        rows = BySeat(parse_sheet(_spaced(texts[0]), rules), _other(_spaced(texts[1]), rules))
        cards = rows.map(lambda side: tuple(card for row in side for card in row))
    else:
        cards = parse_sides(texts, deck, BySeat("first rows", "--against"))
    sheet = make_sheet(cards, rules)
    for problem in sheet.problems:
        raise NotationError("sheets", problem.text)
    if args.json:
        return {"sides": [sheet_json(side, rules) for side in sheet.rows]}
    first, second = (drawn(side, rules, deck) for side in sheet.rows)
    return [*first[:-2], first[-1], "", *second[:-2], second[-1]]


def _spaced(text: str) -> str:
    """Codes with commas between them, as they may be typed with a deck, have spaces there."""
    return text.replace(",", " ").replace(";", " ")


def _other(text: str, rules: Rules) -> Expeditions:
    from lostcities.core.errors import NotationError

    try:
        return parse_sheet(text, rules)
    except NotationError as error:
        raise error.within("--against") from None


# The decks that people hold are loaded only when one is named, so that a plain sheet is scored fast.


def _deck(name: str) -> Deck:
    from lostcities.table.deck_file import find_deck

    return find_deck(name)


def _check_serves(deck: Deck, rules: Rules) -> None:
    from lostcities.table.records import check_serves

    check_serves(deck, rules)


def typed_sheet(text: str, deck: Deck, rules: Rules) -> Expeditions:
    """One player's rows as they lie, typed in the words of a deck.

    Raises:
        NotationError: a word that is no card of the deck, or a sheet that cannot be.
    """
    from lostcities.core.errors import NotationError
    from lostcities.core.seats import BySeat
    from lostcities.table.entry import parse_typed
    from lostcities.table.sheets import make_sheet

    sheet = make_sheet(BySeat(parse_typed(text, deck), ()), rules)
    for problem in sheet.problems:
        raise NotationError("sheet", problem.text)
    return sheet.rows[0]


def sheet_json(sheet: Expeditions, rules: Rules) -> dict[str, object]:
    """Points by colour letter, every colour in force, and the total."""
    colours = {
        colour.letter: score_expedition(sheet[colour], rules).total
        for colour in rules.all_colours()
    }
    return {"colours": colours, "total": score_seat(sheet, rules)}


def drawn(sheet: Expeditions, rules: Rules, deck: Deck | None = None) -> list[str]:
    """The sheet as lines: a colour a line with its cards, its working and its points."""
    lines = []
    scores = [score_expedition(row, rules) for row in sheet]
    cards = max(12, *(len(" ".join(map(str, row))) for row in sheet))
    workings = [working(score) for score in scores]
    width = max(map(len, workings))
    order = rules.all_colours() if deck is None else [each.colour for each in deck.colours]
    label = max(len(letter_or_name(colour, deck)) for colour in order)
    for colour in order:
        name = paint.colour(f"{letter_or_name(colour, deck):<{label}}", colour)
        row, how, points = sheet[colour], workings[colour], scores[colour].total
        lines.append(f"{name}  {paint.cards(row, cards)}  {how:>{width}}  {points:>5}")
    total = sum(score.total for score in scores)
    line = f"{'total':<{cards + width + label + 4}}  {total:>5}"
    return [*lines, paint.faint("─" * len(line)), paint.bold(line)]


def letter_or_name(colour: Colour, deck: Deck | None) -> str:
    """How a colour is called: its letter, or what the deck's people call it."""
    return colour.letter if deck is None else deck.printed(colour).name


def working(score: ExpeditionScore) -> str:
    """How a colour's points come about, e.g. ``(27 - 20) × 3 + 20 =``."""
    if score.cards == 0:
        return "not opened"
    text = f"{score.sum} - {score.cost}"
    if score.multiplier > 1:
        text = f"({text}) × {score.multiplier}"
    return f"{text} + {score.bonus} =" if score.bonus else f"{text} ="
