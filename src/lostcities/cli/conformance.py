"""``lostcities conformance``: test any program against the rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn

from lostcities.cli import options, paint
from lostcities.conformance.adapter import serve
from lostcities.conformance.case import Case
from lostcities.conformance.cases import GROUPS
from lostcities.conformance.cases_play import perft
from lostcities.conformance.engine import run_engine
from lostcities.conformance.process import Program, ProgramError, StartError
from lostcities.conformance.runner import Report, run_cases

NAME = "conformance"
HELP = (
    "Test any program against the rules. An adapter answers questions (score, legal turns, play, "
    "perft, records), an engine plays; both speak JSON, a line at a time (docs/conformance.md). "
    "Exit 0 if it conforms, 1 if not, 2 if there is no such program."
)
_LICENCE = "LICENSE"


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--adapter", metavar="COMMAND", help="a program that answers questions")
    what.add_argument("--engine", metavar="COMMAND", help="a program that plays")
    what.add_argument("--export", metavar="FOLDER", help="write the cases as JSON lines")
    what.add_argument(
        "--serve", action="store_true", help="be the adapter of this project's own rules"
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=tuple(GROUPS),
        help="with --adapter or --export: this group of cases (repeatable)",
    )
    parser.add_argument("--quick", action="store_true", help="perft to length 2 only")
    parser.add_argument(
        "--seconds", type=_seconds, default=30.0, help="limit for an adapter's answer (30)"
    )
    parser.add_argument(
        "--time-ms", type=_milliseconds, default=1000, help="an engine's time for a turn (1000)"
    )
    parser.add_argument("--all", action="store_true", help="show every failure, not five a group")
    parser.set_defaults(refuse=parser.error)
    options.add_json(parser, "the report")
    options.example(
        parser,
        'lostcities conformance --adapter "python examples/conformance/toy_adapter.py"',
        'lostcities conformance --engine "lostcities engine --agent steady"',
        "lostcities conformance --export cases",
    )


_LONGEST = 24 * 60 * 60
"""Seconds that an answer may be waited for."""


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) <= _LONGEST:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a time above 0 and up to {_LONGEST} seconds")


def _milliseconds(text: str) -> int:
    number = options.positive(text)
    if number > 1000 * _LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is more than {1000 * _LONGEST} milliseconds")
    return number


def run(args: argparse.Namespace) -> int:
    """Run, serve or export."""
    if args.serve:
        for line in serve(sys.stdin):
            print(line, flush=True)
        return 0
    if args.export is not None:
        return _export(Path(args.export), args)
    if args.engine is not None and (args.only is not None or args.quick):
        option = "--only" if args.only is not None else "--quick"
        _refuse(args, f"{option}: goes with an adapter; an engine is tested as a whole")
    command = args.engine if args.adapter is None else args.adapter
    progress = _Progress()
    try:
        report = _adapter(args, progress) if args.adapter is not None else _engine(args, progress)
    except StartError as error:
        kind = "--engine" if args.adapter is None else "--adapter"
        _refuse(args, f"{kind}: {error}")
    progress.done()
    if args.json:
        options.show(report.to_dict())
    else:
        tested = f" in {', '.join(args.only)}" if args.only and args.adapter is not None else ""
        options.show([*_shown(report, every=args.all), f"{command} {_verdict(report, tested)}"])
    return 0 if report.conforms else 1


def _refuse(args: argparse.Namespace, reason: str) -> NoReturn:
    """Leave with the usage, the reason and the status of wrong usage."""
    args.refuse(reason)
    raise AssertionError(reason)


def _cases(args: argparse.Namespace) -> Iterator[Case]:
    for name, group in GROUPS.items():
        if args.only is None or name in args.only:
            yield from perft(2) if name == "perft" and args.quick else group()


def _adapter(args: argparse.Namespace, progress: Callable[[int], None]) -> Report:
    try:
        with ExitStack() as running:

            def start() -> Program:
                running.close()
                return running.enter_context(Program(args.adapter))

            return run_cases(start, _cases(args), args.seconds, progress)
    except StartError:
        raise
    except ProgramError as error:
        return Report(broken=str(error))


def _engine(args: argparse.Namespace, progress: Callable[[int], None]) -> Report:
    return run_engine(args.engine, args.time_ms, 50, progress)


class _Progress:
    """A count on a terminal's standard error."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, number: int) -> None:
        if self.shown and number % 25 == 0:
            print(f"\r{number} cases", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        if self.shown:
            print("\r" + " " * 20 + "\r", end="", file=sys.stderr, flush=True)


def _shown(report: Report, *, every: bool) -> Iterator[str]:
    for name, passed, failed, skipped in report.groups():
        count = f"{passed} of {passed + failed + skipped} right"
        parts = [f"{failed} wrong"] * bool(failed) + [f"{skipped} not supported"] * bool(skipped)
        line = f"{name:<9} {', '.join([count, *parts])}"
        yield paint.bold(line) if failed else line
        inside = [each for each in report.of("failed") if each.case.group == name]
        for each in inside if every else inside[:5]:
            yield f"    {each.case.id}: {each.case.why}" if each.case.why else f"    {each.case.id}"
            yield f"        {each.reason}"
        if not every and len(inside) > 5:
            yield f"    … and {len(inside) - 5} more (--all shows them)"
    if report.broken:
        yield f"stopped: {report.broken}"


def _verdict(report: Report, tested: str) -> str:
    """What was not tested is no part of what conforms."""
    skipped = len(report.of("skipped"))
    cases = "1 case" if skipped == 1 else f"{skipped} cases"
    if report.conforms:
        return f"conforms{tested}{f' but for {cases} not supported' if skipped else ''}"
    return "DOES NOT CONFORM"


def _export(folder: Path, args: argparse.Namespace) -> int:
    from importlib import resources

    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, group in GROUPS.items():
        if args.only is not None and name not in args.only:
            continue
        lines = [json.dumps(case.to_dict(), ensure_ascii=False) for case in group()]
        (folder / f"{name}.jsonl").write_text("\n".join([*lines, ""]), "utf-8")
        total += len(lines)
    data = resources.files("lostcities.conformance") / "data"
    (folder / _LICENCE).write_text((data / _LICENCE).read_text("utf-8"), "utf-8")
    options.show(
        {"folder": str(folder), "cases": total} if args.json else [f"{folder}: {total} cases"]
    )
    return 0
