"""``lostcities record``: convert a record between text and JSON."""

from __future__ import annotations

import argparse
import json

from lostcities.cli import options
from lostcities.cli.records import load_replay
from lostcities.core.record_json import record_to_dict
from lostcities.core.record_text import format_record

NAME = "record"
HELP = "Convert a record between text (.lcr, in canonical form) and JSON, after replaying it."


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="a record of either kind; - for stdin")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--text", action="store_true", help="as text, the default")
    parser.add_argument(
        "--deck", metavar="NAME", help="say in the record which deck it was played with ([Cards])"
    )
    options.example(
        parser,
        "lostcities record match.lcr --json > match.json",
        "lostcities record match.json --text > match.lcr",
    )


def run(args: argparse.Namespace) -> int:
    """Write the record to standard output, always in UTF-8."""
    record = load_replay(args.file).record
    if args.deck is not None:
        from lostcities.table.deck_file import find_deck
        from lostcities.table.records import with_deck

        record = with_deck(record, find_deck(args.deck))
    if args.json:
        options.write_utf8(json.dumps(record_to_dict(record), ensure_ascii=False) + "\n")
    else:
        options.write_utf8(format_record(record))
    return 0
