"""How an arena is shown: the progress while it goes on, and the results as text."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from lostcities.cli.complaint import complain, printable
from lostcities.training.arena import Arena, Settings

EVERY_S = 0.25
"""Seconds between two looks of the progress bar."""
PLAIN_EVERY_S = 30.0
"""Seconds between two lines where there is no terminal."""
_LONGEST = 28


class Progress:
    """A bar with the running estimate on standard error; a line now and then without a terminal."""

    def __init__(self, settings: Settings, *, quiet: bool) -> None:
        self.latest: Arena | None = None
        self._settings = settings
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None
        self._next = 0.0

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr is not None and sys.stderr.isatty():
            self._start_bar()
        self._next = time.monotonic() + (0 if self._bar else PLAIN_EVERY_S)
        return self

    def _start_bar(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            MofNCompleteColumn(),
            TextColumn("deals"),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[estimate]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=None, estimate="")

    def show(self, arena: Arena) -> None:
        """Show how it stands, if it is time to."""
        self.latest = arena
        if self._quiet or (time.monotonic() < self._next and not arena.over):
            return
        if self._bar:
            self._next = time.monotonic() + EVERY_S
            self._bar.update(
                self._task, total=arena.wanted, completed=arena.played, estimate=estimate(arena)
            )
        elif not arena.over:
            self._next = time.monotonic() + PLAIN_EVERY_S
            complain(f"{arena.played}/{arena.wanted} deals  {estimate(arena)}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()


def estimate(arena: Arena) -> str:
    """The running estimate in a few words: of the pair, or of who leads the table."""
    if not arena.played:
        return ""
    if len(arena.tallies) == 1:
        (tally,) = arena.tallies.values()
        return f"{tally.points:+.1f} ± {tally.se:.1f} points a round"
    first = arena.table()[0]
    return f"{short(first['name'])} {first['points']:+.1f} ± {first['se']:.1f}"


def short(name: str) -> str:
    """A name that fits a column."""
    shown = printable(name)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


# ---- results ------------------------------------------------------------------------------------


def lines(facts: dict[str, Any]) -> list[str]:
    """Results as text."""
    about = f"seed {facts['seed']}, {facts['time_ms']} ms a turn, {facts['rules']}"
    if "panel" in facts:
        return [*panel_lines(facts), about]
    if "table" not in facts:
        return [*pair_lines(facts), about]
    result = list(table_lines(facts))
    for pair in facts["pairs"]:
        result += ["", *pair_lines(pair)]
    return [*result, "", about]


def pair_lines(facts: dict[str, Any]) -> list[str]:
    """The results of a pair."""
    a, b = short(facts["a"]), short(facts["b"])
    loss = 1 - facts["win"] - facts["draw"]
    shares = f"won {facts['win']:.1%}, drawn {facts['draw']:.1%}, lost {loss:.1%}"
    means = f"means {facts['mean_a']:.1f} and {facts['mean_b']:.1f}"
    result = [
        f"{a} against {b}: {facts['points']:+.2f} ± {facts['se']:.2f} points a round",
        f"  {facts['deals']} deals, {facts['rounds']} rounds; {shares}; {means}",
        f"  {facts['turns']:.1f} turns a round; {facts['stalled']} rounds stalled",
    ]
    if facts["decided"]:
        ahead = a if facts["decided"] == "a" else b
        result.append(f"  stopped early: {ahead} is surely ahead")
    for side, name in (("a", a), ("b", b)):
        result += _side_lines(facts, side, name)
    return result


def _side_lines(facts: dict[str, Any], side: str, name: str) -> list[str]:
    answers = f"  {name}: {facts[f'ms_{side}']:.3g} ms a turn (p99 {facts[f'p99_ms_{side}']:.3g})"
    illegal, late = facts[f"illegal_{side}"], facts[f"late_{side}"]
    if not illegal and not late:
        return [answers]
    reasons = [
        f"    {count} × {printable(reason)}"
        for reason, count in list(facts[f"reasons_{side}"].items())[:5]
    ]
    return [f"{answers}; rounds lost by illegal answers {illegal}, by late ones {late}", *reasons]


def panel_lines(facts: dict[str, Any]) -> list[str]:
    """An agent against each of the panel, and the digest of all choices."""
    wide = max(len(short(pair["b"])) for pair in facts["pairs"])
    points = f"{facts['points']:+.2f} ± {facts['se']:.2f}"
    result = [f"{short(facts['agent'])} against {facts['panel']}: {points} points a round"]
    for pair in facts["pairs"]:
        points = f"{pair['points']:+.2f} ± {pair['se']:.2f}"
        failed = pair["illegal_a"] + pair["late_a"]
        result.append(
            f"  {short(pair['b']):{wide}}  {points:>16}  won {pair['win']:6.1%}  "
            f"{pair['deals']} deals" + (f"  failed {failed}" if failed else "")
        )
    return [*result, f"  choices {facts['choices'] or 'not in this log'}"]


def table_lines(facts: dict[str, Any]) -> list[str]:
    """All against all: points a round over the others, ratings with their intervals."""
    wide = max(len(short(line["name"])) for line in facts["table"])
    rated = "rating" in facts["table"][0]
    head = f"{'':{wide}}  {'points a round':>16}  {'won':>6}  {'drawn':>6}"
    result = [head + ("  rating (95 %)" if rated else "")]
    for line in facts["table"]:
        points = f"{line['points']:+.2f} ± {line['se']:.2f}"
        text = (
            f"{short(line['name']):{wide}}  {points:>16}  {line['win']:6.1%}  {line['draw']:6.1%}"
        )
        if rated:
            low, high = line["rating_low"], line["rating_high"]
            text += f"  {line['rating']:.1f} ({low:.1f} to {high:.1f})"
        failed = line["illegal"] + line["late"]
        result.append(text + (f"  failed {failed}" if failed else ""))
    if not rated:
        result.append(str(facts["ratings"]))
    return result
