"""``lostcities replay``: check records turn by turn and score by score; show what they hold."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lostcities.cli import options, paint
from lostcities.cli.complaint import complain, printable
from lostcities.cli.records import load_replay
from lostcities.core.errors import LostCitiesError, NotationError, RecordError
from lostcities.core.match import Phase, Termination
from lostcities.core.position import format_position
from lostcities.core.record import Record, Replay, RoundRecord
from lostcities.core.round import RoundState
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_of_round

if TYPE_CHECKING:
    from lostcities.table.deck import Deck

NAME = "replay"
HELP = "Check a record turn by turn and score by score; or show a position or a view of it."

SPECTATOR = "spectator"
_NAME_WIDTH = 16


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a record, as text or JSON; - for standard input"
    )
    parser.add_argument(
        "--at",
        type=_ply,
        metavar="ROUND.PLY",
        help="print the position after PLY turns of that round (1.0 is the first deal)",
    )
    parser.add_argument(
        "--seat",
        choices=("0", "1", SPECTATOR),
        help="print what that seat sees, as JSON: there, or at the end of the record",
    )
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="tell turns and table in the words of that deck (a name, NAME.toml, or 'record' for the "
        "deck that the record names)",
    )
    parser.add_argument(
        "--own",
        action="append",
        default=[],
        metavar="NAME.toml",
        help="with --deck record: a deck of your own that the record may name (repeatable)",
    )
    options.add_json(parser, "one object a file")
    options.example(
        parser,
        "lostcities replay match.lcr",
        "lostcities replay match.lcr --at 2.13 --seat 0",
        "lostcities replay match.lcr --at 2.13 --deck room",
        "lostcities replay --json *.lcr",
    )


def _ply(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})\.([0-9]{1,5})", text, re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not ROUND.PLY, e.g. 1.0")
    return int(found[1]), int(found[2])


def run(args: argparse.Namespace) -> int:
    """Replay every file; a wrong one is reported and the rest goes on."""
    if args.deck is not None and (args.json or args.seat is not None):
        raise NotationError("--deck", "tells people; --json and --seat answer programs")
    if args.own and args.deck != "record":
        raise NotationError("--own", "goes with --deck record")
    if args.files.count(options.STDIN) > 1:
        raise NotationError("FILE", options.READ_ONCE)
    status = 0
    for number, path in enumerate(args.files):
        try:
            shown = _shown(args, path)
        except (LostCitiesError, OSError) as error:
            status = 1
            _report(error, path, args.json)
            continue
        if isinstance(shown, list) and number and len(shown) > 1:
            print()
        options.show(shown)
    return status


def _report(error: LostCitiesError | OSError, path: str, as_json: bool) -> None:
    if isinstance(error, OSError):
        reason = f"{options.name_of(path)}: {error.strerror or error}"
    else:
        reason = str(error)
    if as_json:
        options.show({"file": path, "error": reason})
    complain(f"lostcities {NAME}: {reason}")


def _shown(args: argparse.Namespace, path: str) -> options.Shown:
    replayed = load_replay(path)
    if args.deck is not None:
        return _told(args, path, replayed)
    if args.at is None and args.seat is None:
        return summary_json(path, replayed) if args.json else drawn(path, replayed)
    try:
        return _moment(args, path, replayed)
    except NotationError as error:
        raise error.within(options.name_of(path)) from None


def _told(args: argparse.Namespace, path: str, replayed: Replay) -> list[str]:
    """The moment asked for, or the whole record, in the words of a deck."""
    from lostcities.cli import replay_words as words
    from lostcities.table.deck_file import load_deck

    record = replayed.record
    own = [load_deck(Path(file)) for file in args.own]
    deck = words.deck_for(args.deck, record, own)
    stranger = words.unknown(args.deck, record, own)
    if stranger is not None:
        where = f"{options.name_of(path)}: [Cards]: {printable(repr(stranger))}"
        complain(
            f"lostcities {NAME}: {where}: no such deck here (--own NAME.toml), told in {deck.title!r}"
        )
    names = words.names_of(record)
    if args.at is not None:
        state, _ = _find(replayed, *args.at)
        return list(words.table_lines(state, deck, names))
    lines = drawn(path, replayed, own)
    for each, played in zip(record.rounds, replayed.rounds, strict=True):
        lines += ["", paint.bold(f"round {each.number}, with {deck.title}")]
        start = played.states[0].to_move
        lines += words.turn_lines(each.turns, start, deck, names)
        lines += words.table_lines(played.states[-1], deck, names)
    return lines


def _moment(args: argparse.Namespace, path: str, replayed: Replay) -> options.Shown:
    number, ply = args.at or _end(replayed)
    state, totals = _find(replayed, number, ply)
    if args.seat is not None:
        seat = None if args.seat == SPECTATOR else int(args.seat)
        return view_to_dict(view_of_round(state, seat, number, totals))
    position = format_position(state)
    if args.json:
        return {"file": path, "at": f"{number}.{ply}", "position": position}
    return [position]


def _end(replayed: Replay) -> tuple[int, int]:
    if not replayed.rounds:
        raise RecordError("", "holds no round")
    return len(replayed.rounds), len(replayed.rounds[-1].states) - 1


def _find(replayed: Replay, number: int, ply: int) -> tuple[RoundState, BySeat[int]]:
    rounds = len(replayed.rounds)
    if not 1 <= number <= rounds:
        raise RecordError(f"--at {number}.{ply}", f"no such round, the record has {rounds}")
    found = replayed.rounds[number - 1]
    turns = len(found.states) - 1
    if ply > turns:
        raise RecordError(f"--at {number}.{ply}", f"no such ply, round {number} has {turns} turns")
    return found.states[ply], found.totals


def summary_json(path: str, replayed: Replay) -> dict[str, object]:
    """What a replay found, as one JSON object."""
    record = replayed.record
    end = record.termination
    rounds = [
        {
            "score": None if each.score is None else list(each.score),
            "turns": len(each.turns),
            "termination": each.termination,
        }
        for each in record.rounds
    ]
    return {
        "file": path,
        "rounds": rounds,
        "result": list(replayed.match.totals),
        "termination": None if end is None else str(end),
    }


def drawn(path: str, replayed: Replay, own: Iterable[Deck] = ()) -> list[str]:
    """What a replay found, as lines: a round a line, then the result.

    Args:
        path: what was read.
        replayed: what was found.
        own: decks beside the shipped ones that the record may name.
    """
    record = replayed.record
    about = ", ".join(
        printable(each) for each in (record.event, record.date, _cards(record, own)) if each
    )
    names = [_name(record, seat) for seat in SEATS]
    widths = [max(8, len(name)) for name in names]
    lines = [
        paint.bold(printable(options.name_of(path))) + (f": {about}" if about else ""),
        paint.faint("  ".join(["round", "starts", "turns", *_right(names, widths)])),
    ]
    for each, played in zip(record.rounds, replayed.rounds, strict=True):
        points = played.states[-1].score
        row = [f"{each.number:<5}", f"{each.start!s:<6}", f"{len(each.turns):>5}"]
        lines.append("  ".join([*row, *_right(map(str, points), widths)]) + _note(each))
    total = "  ".join([f"{'total':<20}", *_right(map(str, replayed.match.totals), widths)])
    return [*lines, paint.bold(total), _outcome(replayed, names)]


def _cards(record: Record, own: Iterable[Deck]) -> str:
    """The deck that the record names, if it is known here.

    Raises:
        RecordError: it does not have the cards of the record's rules.
    """
    if "Cards" not in dict(record.tags):
        return ""
    from lostcities.table.records import deck_of

    deck = deck_of(record, own)
    return "" if deck is None else f"cards: {deck.title}"


def _name(record: Record, seat: Seat) -> str:
    name = printable(record.seats[seat] or "")
    if len(name) > _NAME_WIDTH:
        name = name[: _NAME_WIDTH - 1] + "…"
    return name or f"seat {seat}"


def _right(texts: Iterable[str], widths: list[int]) -> list[str]:
    return [f"{text:>{width}}" for text, width in zip(texts, widths, strict=True)]


def _note(each: RoundRecord) -> str:
    if each.score is None:
        return "  not finished, not counted"
    return "  ended by the stall rule" if each.termination else ""


def _outcome(replayed: Replay, names: list[str]) -> str:
    match = replayed.match
    end = replayed.record.termination
    how = "" if end is None else f" ({_how(end, names)})"
    if match.phase is not Phase.OVER:
        return "right as far as it goes" + how
    winner = match.winner
    return ("a draw" if winner is None else f"{names[winner]} wins") + how


def _how(end: Termination, names: list[str]) -> str:
    if end.seat is not None:
        what = {"resigned": "resigned", "abandoned": "stayed away", "time": "ran out of time"}
        return f"{names[end.seat]} {what[end.kind]}"
    plain = {
        "agreed": "agreed",
        "declined": "one declined to go on",
        "unfinished": "the match is unfinished",
    }
    return plain[end.kind]
