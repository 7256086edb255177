"""Saying what is wrong: one line on standard error."""

from __future__ import annotations

import os
import sys


def complain(text: str) -> None:
    """Print one line on standard error, after what has been printed so far.

    What cannot be printed (line ends, escape sequences in a file's name) is shown as an escape.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        forget_output()
    print(printable(text), file=sys.stderr, flush=True)


def forget_output() -> None:
    """Keep the interpreter from flushing into a broken output once more when it ends."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def printable(text: str) -> str:
    """The text with every character that a terminal would act upon, or cannot show, escaped."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
