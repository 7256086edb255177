"""``lostcities score``: what one player's rows are worth, with the working."""

from __future__ import annotations

import argparse

from lostcities.cli import options, paint
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions, ExpeditionScore, score_expedition, score_seat
from lostcities.core.sheet import parse_sheet

NAME = "score"
HELP = "What a player's rows are worth: each colour with its working, and the total."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "cards",
        nargs="+",
        metavar="CARDS",
        help='one player\'s rows in the order played, e.g. "YX Y3 Y5 R2 R3" ("" is the empty '
        "sheet); or - for sheets on standard input, one a line (a line - is the empty sheet)",
    )
    options.add_rules(parser)
    options.add_json(parser, 'each sheet as {"colours": {…}, "total": …}')
    options.example(
        parser,
        'lostcities score "YX Y3 Y5 R2 R3"',
        'lostcities score --rules long --json "PX P2 P10"',
        "lostcities score - --json < sheets.txt",
    )


def run(args: argparse.Namespace) -> int:
    """Score the sheet of the arguments, or those of standard input."""
    rules = options.rules_of(args)

    def answer(text: str) -> options.Shown:
        sheet = parse_sheet(text, rules)
        return sheet_json(sheet, rules) if args.json else drawn(sheet, rules)

    if args.cards == [options.STDIN]:
        return options.answer_lines("lostcities score", answer, as_json=args.json)
    options.show(answer(" ".join(args.cards)))
    return 0


def sheet_json(sheet: Expeditions, rules: Rules) -> dict[str, object]:
    """Points by colour letter, every colour in force, and the total."""
    colours = {
        colour.letter: score_expedition(sheet[colour], rules).total
        for colour in rules.all_colours()
    }
    return {"colours": colours, "total": score_seat(sheet, rules)}


def drawn(sheet: Expeditions, rules: Rules) -> list[str]:
    """The sheet as lines: a colour a line with its cards, its working and its points."""
    lines = []
    scores = [score_expedition(row, rules) for row in sheet]
    cards = max(12, *(len(" ".join(map(str, row))) for row in sheet))
    workings = [working(score) for score in scores]
    width = max(map(len, workings))
    for colour, row, how, score in zip(rules.all_colours(), sheet, workings, scores, strict=True):
        letter = paint.colour(colour.letter, colour)
        lines.append(f"{letter}  {paint.cards(row, cards)}  {how:>{width}}  {score.total:>5}")
    total = sum(score.total for score in scores)
    line = f"{'total':<{cards + width + 5}}  {total:>5}"
    return [*lines, paint.faint("─" * len(line)), paint.bold(line)]


def working(score: ExpeditionScore) -> str:
    """How a colour's points come about, e.g. ``(27 - 20) × 3 + 20 =``."""
    if score.cards == 0:
        return "not opened"
    text = f"{score.sum} - {score.cost}"
    if score.multiplier > 1:
        text = f"({text}) × {score.multiplier}"
    return f"{text} + {score.bonus} =" if score.bonus else f"{text} ="
