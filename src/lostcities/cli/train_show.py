"""How the stages of training are shown while they go on."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Protocol, Self

from lostcities.cli.complaint import complain
from lostcities.training.stage import Step

EVERY_S = 0.2
"""Seconds between two looks of the progress bar."""
PLAIN_EVERY_S = 30.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """A bar on standard error, and lines for news; without a terminal a line now and then.

    Attributes:
        latest: the last step that was told, None before the first.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.latest: Step | None = None
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None
        self._next = time.monotonic() + PLAIN_EVERY_S

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr is not None and sys.stderr.isatty():
            self._start_bar()
        return self

    def _start_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=None, text="")
        self._next = 0.0

    def show(self, step: Step) -> None:
        """Show how far it is, if it is time to."""
        self.latest = step
        if self._quiet or not (step.news or time.monotonic() >= self._next):
            return
        if self._bar:
            self._next = time.monotonic() + EVERY_S
            if step.news:
                self._bar.console.print(step.text, markup=False, highlight=False)
            self._bar.update(
                self._task,
                description=step.unit,
                total=step.total,
                completed=step.done,
                text="" if step.news else step.text,
            )
        else:
            self._next = time.monotonic() + PLAIN_EVERY_S
            complain(f"{step.done}/{step.total} {step.unit}  {step.text}".rstrip())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()


class Record(Protocol):
    """Keeps what a stage measures."""

    def take(self, step: Step) -> None:
        """Add what was measured at a step."""

    def save(self) -> None:
        """Write it, at the end or when interrupted."""


class Interruptible:
    """Shows progress, and turns Ctrl-C into a line that says where it stands.

    Args:
        quiet: show nothing.
        again: what the same command does after an interrupt.
        records: what else is told of every step.
    """

    def __init__(self, quiet: bool, again: str, *records: Record) -> None:
        self._progress = Progress(quiet=quiet)
        self._again = again
        self._records = records
        self.stopped = False

    def show(self, step: Step) -> None:
        """Show a step, and record it."""
        self._progress.show(step)
        for record in self._records:
            record.take(step)

    def __enter__(self) -> Self:
        self._progress.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._progress.__exit__(kind, error, trace)
        for record in self._records:
            record.save()
        if kind is None or not issubclass(kind, KeyboardInterrupt):
            return False
        self.stopped = True
        step = self._progress.latest
        at = f" at {step.done} of {step.total} {step.unit}" if step else ""
        how = f"; the same command {self._again}" if self._again else ""
        text = f": {step.text}" if step and step.text and not step.news else ""
        complain(f"lostcities train: stopped{at}{text}{how}")
        return True
