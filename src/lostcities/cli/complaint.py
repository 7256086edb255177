"""Saying what is wrong: one line on standard error."""

from __future__ import annotations

import sys


def complain(text: str) -> None:
    """Print one line on standard error, after what has been printed so far.

    What cannot be printed (line ends, escape sequences in a file's name) is shown as an escape.
    """
    if sys.stdout is not None:
        sys.stdout.flush()
    print(printable(text), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """The text with every character that a terminal would act upon, or cannot show, escaped."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
