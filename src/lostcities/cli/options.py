"""What several commands share: their options and how they read what they are given."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import IO, Any

from lostcities.cli import paint
from lostcities.cli.complaint import complain
from lostcities.core.errors import NotationError
from lostcities.core.rules import Rules

STDIN = "-"
READ_ONCE = "standard input (-) can be read only once"
Shown = list[str] | Mapping[str, Any]
"""What a command prints: lines of text, or one JSON object."""

_LARGEST = 16 << 20


def example(parser: argparse.ArgumentParser, *lines: str) -> None:
    """Put examples at the foot of a command's help."""
    head = "example:" if len(lines) == 1 else "examples:"
    parser.epilog = "\n".join([head, *(f"  {line}" for line in lines)])


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The option ``--rules``."""
    parser.add_argument(
        "--rules",
        default="",
        metavar="TEXT",
        help='a preset (room, tutorial, blog, site, travel, long) and/or "key=value …", '
        'e.g. "long rounds=5"; default: five colours, three rounds',
    )


def add_json(parser: argparse.ArgumentParser, what: str) -> None:
    """The option ``--json``."""
    parser.add_argument("--json", action="store_true", help=f"print {what} as JSON")


def positive(text: str) -> int:
    """The type of an argument that is a whole number from 1."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def rules_of(args: argparse.Namespace, base: Rules | None = None) -> Rules:
    """The rules that ``--rules`` names; ``base`` gives what it leaves unsaid.

    Raises:
        RulesError: they cannot be read or played; says that it was the option.
    """
    try:
        return Rules.parse(args.rules, base)
    except NotationError as error:
        raise error.within("--rules") from None


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Raises:
        NotationError: not UTF-8, or larger than any record is.
        OSError: the file cannot be read.
    """
    if path == STDIN:
        return decoded(_standard_input().read(_LARGEST + 1), name_of(path))
    if "\0" in path:
        raise NotationError(repr(path), "not a file's name")
    with open(path, "rb") as file:  # noqa: PTH123 - a path object would tidy the user's own wording
        return decoded(file.read(_LARGEST + 1), path)


def given_text(text: str) -> str:
    """What an argument says; for ``-`` what standard input holds."""
    return read_text(STDIN) if text == STDIN else text


def name_of(path: str) -> str:
    """How messages name a file."""
    return "standard input" if path == STDIN else path


def answer_lines(
    who: str, answer: Callable[[str], Shown], *, as_json: bool, titled: bool = True
) -> int:
    """Answer each line of standard input as it comes.

    Args:
        who: what complaints begin with.
        answer: what to print for a line: a JSON object, or lines of text.
        as_json: a line that cannot be read is answered with ``{"error": …}`` in its place, rather
            than with a line on standard error.
        titled: text is headed by the line that it answers; in any case a blank line separates it
            from the text before.

    Returns:
        the exit status: 1 if some line was wrong.
    """
    wrong = number = 0
    for number, line in enumerate(_standard_input(), 1):
        try:
            text = decoded(line, "").strip()
            shown = answer(text)
        except NotationError as error:
            wrong += 1
            _print_wrong(f"{who}: line {number}", str(error), as_json)
            continue
        if not as_json:
            between = [""] if number > 1 else []
            title = [paint.faint(f"line {number}: {text or STDIN}")] if titled else []
            show(between + title)
        show(shown)
        sys.stdout.flush()
    if wrong and as_json:
        complain(f"{who}: {wrong} of {number} lines are wrong")
    return 1 if wrong else 0


def show(value: Shown) -> None:
    """Print a JSON object on one line, or lines of text."""
    if isinstance(value, list):
        for line in value:
            print(line)
    else:
        print(json.dumps(value), flush=True)


def lenient_input() -> None:
    """A byte of standard input that is no character is read as a mark rather than an error."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def write_utf8(text: str) -> None:
    """Write text to standard output in UTF-8, whatever the terminal's encoding is."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))


def _print_wrong(place: str, reason: str, as_json: bool) -> None:
    if as_json:
        show({"error": reason})
    else:
        complain(f"{place}: {reason}")


def decoded(content: bytes, place: str) -> str:
    """UTF-8 text, with or without a byte order mark.

    Raises:
        NotationError: not UTF-8, or too large; gives the line.
    """
    if len(content) > _LARGEST:
        raise NotationError(place, f"larger than {_LARGEST >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte, lines = content[error.start], content.count(b"\n", 0, error.start)
        where = f" in line {lines + 1}" if b"\n" in content.rstrip(b"\r\n") else ""
        raise NotationError(place, f"not UTF-8: byte 0x{byte:02x}{where}") from None


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise NotationError("standard input", "closed")
    return sys.stdin.buffer
