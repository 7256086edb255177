"""The entry point: finds the command, and turns what goes wrong into a line and an exit status.

Exit status: 0 done, 1 the input is wrong, 2 wrong usage; 130 after Ctrl-C and 141 when the reader
of the output went away, as shells count these.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from lostcities.cli.complaint import complain, forget_output
from lostcities.core.errors import LostCitiesError

WRONG_INPUT = 1
WRONG_USAGE = 2
INTERRUPTED = 130
READER_GONE = 141

COMMANDS: dict[str, dict[str, str]] = {
    "Play": {
        "serve": "the room, for two people or one and a program, in the browser",
        "play": "a match in the terminal against a program",
        "db": "look after the room's database: copy it while the room goes on",
    },
    "Rules and records": {
        "score": "what a player's rows are worth, with the working",
        "legal": "the legal turns of a position",
        "perft": "how many turn sequences of a length a position has",
        "replay": "check a record turn by turn; show a position or a view of it",
        "record": "convert a record between text and JSON",
        "verify": "check a record's shuffles against their commitments",
        "review": "what each turn of a record was worth, skill and luck",
        "puzzles": "puzzles found in records",
    },
    "At a real table": {
        "decks": "the decks that people may hold; deck check and dealer's help",
        "print": "a deck, rules and score sheets to print, as PDF",
    },
    "Programs": {
        "agents": "the programs that can take a seat",
        "engine": "a program speaking the engine protocol on stdin and stdout",
        "arena": "programs against each other over duplicate deals",
        "train": "self-play training",
        "conformance": "test any program against the rules",
        "bench": "the benchmarks of this machine, as ratios",
    },
    "This command": {
        "version": "the version, and what is installed beside it",
    },
}
"""Every command by group, with the line that the list of commands shows.

A command whose module is not there (yet) is neither listed nor accepted.
"""

_BARE = ("serve", "--open")
_NAMES = {name for group in COMMANDS.values() for name in group}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and answer the exit status; never raises for wrong input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    who = f"lostcities {arguments[0]}" if arguments and arguments[0] in _NAMES else "lostcities"
    try:
        status = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else WRONG_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        forget_output()
        return READER_GONE
    except LostCitiesError as error:
        return fail(who, str(error))
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "lostcities":
            raise
        return fail(who, _missing(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return fail(who, f"{error.filename}: {reason}" if error.filename else reason)


def _missing(error: ImportError) -> str:
    """What an optional part of this installation lacks."""
    if isinstance(error, ModuleNotFoundError):
        return f"this needs the package {error.name}, which is not installed here"
    return str(error)


def fail(who: str, message: str) -> int:
    """Print one line on standard error and answer the status of wrong input."""
    complain(f"{who}: {message}")
    return WRONG_INPUT


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        arguments = list(_BARE)
    name, *rest = arguments
    if name in ("-h", "--help") or (name == "help" and not rest):
        print(_overview())
        return 0
    if name == "help":
        name, rest = rest[0], ["--help"]
    if name in ("-V", "--version"):
        name = "version"
    if not _exists(name):
        return _unknown(name)
    return _run(name, rest)


def _exists(name: str) -> bool:
    return name in _NAMES and importlib.util.find_spec(f"lostcities.cli.{name}") is not None


def _run(name: str, rest: list[str]) -> int:
    module = import_module(f"lostcities.cli.{name}")
    _lenient_output()
    parser = _parser(name, module)
    status = module.run(parser.parse_args(rest))
    assert isinstance(status, int)
    return status


def _parser(name: str, module: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"lostcities {name}",
        description=module.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.configure(parser)
    return parser


def _lenient_output() -> None:
    """A character that the terminal's encoding lacks is replaced rather than an error."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def _unknown(name: str) -> int:
    if name.startswith("-"):
        hint = "; an option comes after its command"
    else:
        from difflib import get_close_matches

        near = [near for near in get_close_matches(name, sorted(_NAMES)) if _exists(near)]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
    what = "option" if name.startswith("-") else "command"
    complain(f"lostcities: no {what} {name!r}{hint} (lostcities --help)")
    return WRONG_USAGE


def _overview() -> str:
    lines = [
        "usage: lostcities [COMMAND …]",
        "",
        "Play, study and research the two-player card game Lost Cities.",
        "Without a command it starts the room on this machine and opens the browser.",
    ]
    for title, group in COMMANDS.items():
        there = [(name, text) for name, text in group.items() if _exists(name)]
        if there:
            lines += ["", f"{title}:", *(f"  {name:<13}{text}" for name, text in there)]
    lines += ["", "`lostcities COMMAND --help` tells more, with an example."]
    lines += ['example: lostcities score "YX Y3 Y5 R2 R3"']
    return "\n".join(lines)
